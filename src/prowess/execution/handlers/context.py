"""What a handler sees of its call: the `Context` it asked for."""

from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol, cast

from prowess.authoring.services import Services
from prowess.errors import CallCancelledError, ExecutionFailedError, ForbiddenError
from prowess.execution.eventloop import asyncio, running_loop
from prowess.execution.failures import StoppedError, judged
from prowess.execution.handlers.threads import Threads
from prowess.execution.plan import Plan
from prowess.governance.masking.texts import masked_text
from prowess.governance.masking.values import masked_value
from prowess.model.caller import Caller
from prowess.model.event import Event, HandlerAbandoned, MessageLogged, ProgressReported
from prowess.model.json_value import Json, NotJsonError, to_json_value
from prowess.model.manifest import Manifest, Target
from prowess.model.names import key_of, near_names, split_reference
from prowess.model.result import Result
from prowess.registry.entry import Entry

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["CallContext", "Host"]

_DEPTH_LIMIT = 32


class Host(Protocol):
    """The gate, as a call that is being carried out sees it."""

    @property
    def threads(self) -> Threads:
        """Where handlers run that are not coroutines."""
        ...

    @property
    def grace(self) -> float:
        """Seconds that a cancelled handler has to clean up."""
        ...

    @property
    def stoppable(self) -> bool:
        """Whether calls without a deadline run in tasks of their own, too."""
        ...

    @property
    def tasks(self) -> "set[asyncio.Task[Any]]":
        """The tasks of handlers that can be stopped."""
        ...

    @property
    def over(self) -> bool:
        """Whether not even the calls that are left may call anything."""
        ...

    def entry(self, target: str, /) -> Entry:
        """What a reference means; raises where there is nothing."""
        ...

    def emit(self, event: Event) -> None:
        """Tell every event reader."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def run_id(self, call: int) -> str:
        """The id of the run that a top-level call is."""
        ...

    def rights_of(self, plan: Plan, around: frozenset[str] | None) -> frozenset[str] | None:
        """What an entry may use of the rights that are left around it."""
        ...

    def run(
        self,
        target: str | Entry,
        inputs: Mapping[str, object],
        *,
        caller: Caller,
        parent: "CallContext | None" = None,
    ) -> Coroutine[Any, Any, Result]:
        """One call through every stage."""
        ...


class CallContext:
    """One call's context. Lives as long as the call; afterwards it only says that it is cancelled."""

    def __init__(
        self, gate: Host, plan: Plan, call: int, caller: Caller, parent: "CallContext | None", services: Services
    ) -> None:
        self._gate = gate
        self._plan = plan
        self._caller = caller
        self._services = services
        self._parent = parent
        self._loop = running_loop()
        self._nested = 0
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._cancelled = False
        self._waiting: set[Future[Json]] = set()
        """What the handler waits for in its thread."""
        self.approved = False
        """Whether a person's approval covers what this call makes in turn."""
        self.call_number = call
        self.run_id: str = gate.run_id(call) if parent is None else parent.run_id
        self.idempotency_key = f"{self.run_id}:{plan.manifest.name}" if parent is None else parent.next_key(plan)

    @property
    def manifest(self) -> Manifest:
        """What the called entry says about itself."""
        return self._plan.manifest

    @property
    def caller(self) -> Caller:
        """Who asked for this call."""
        return self._caller

    @property
    def rights(self) -> frozenset[str] | None:
        """What the calls that it makes may need: what it declares, as far as the call around it has that too.

        None where nothing bounds them. What the caller itself has left is judged with each call.
        """
        around = None if self._parent is None else self._parent.rights
        return self._gate.rights_of(self._plan, around)

    @property
    def services(self) -> Services:
        """What the host registered for skills."""
        return self._services

    @property
    def cancelled(self) -> bool:
        """Whether the call was given up: a handler in a thread looks here now and then."""
        return self._cancelled or self._gate.over or (self._parent is not None and self._parent.cancelled)

    def cancel(self) -> None:
        """Tell the handler that nobody waits for it any more, and stop what it waits for."""
        self._cancelled = True
        for waiting in tuple(self._waiting):
            waiting.cancel()

    def abandon(self) -> None:
        """Tell the operator that the handler is left to itself."""
        self._gate.emit(HandlerAbandoned(self.call_number, self._plan.reference, self._gate.now()))

    async def call(self, target: str, /, **inputs: object) -> Json:
        """The output of a declared target, through the gate; raises what the call came to otherwise."""
        return (await self._call(target, inputs)).unwrap()

    async def call_entry(self, entry: Entry) -> Json:
        """The output of an entry that a tool of the registry's own found for its caller, through the gate.

        It is no part of the `Context` that handlers are promised: these call what they declare.
        """
        return (await self._run(entry, {})).unwrap()

    def call_sync(self, target: str, /, **inputs: object) -> Json:
        """The same for a handler that runs in a thread; on the event loop it raises, since it would block it."""
        if running_loop() is not None or self._loop is None:
            message = "call_sync would block the event loop: write 'await ctx.call(...)' in an async handler"
            raise ExecutionFailedError(message)
        if self.cancelled:
            raise self._ended()
        waiting = asyncio.run_coroutine_threadsafe(self._called(target, inputs), self._loop)
        self._waiting.add(waiting)
        if self.cancelled:
            waiting.cancel()
        try:
            return waiting.result()
        except BaseException:
            if waiting.cancelled():
                raise self._ended() from None
            raise
        finally:
            self._waiting.discard(waiting)

    def log(self, message: str, /, **fields: object) -> None:
        """Tell the event readers a line, with fields."""
        values = cast("dict[str, Json]", masked_value({name: _loggable(value) for name, value in fields.items()}))
        self._gate.emit(MessageLogged(self.call_number, self._gate.now(), masked_text(message), values))

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the event readers how far the call is; a report without a sensible number is no report."""
        if not (isfinite(done) and done >= 0) or not (total is None or (isfinite(total) and total >= 0)):
            return
        said = None if message is None else masked_text(message)
        self._gate.emit(ProgressReported(self.call_number, self._gate.now(), done, total, said))

    def next_key(self, plan: Plan) -> str:
        """The idempotency key of the next nested call: the same for the same call in each attempt."""
        self._nested += 1
        return f"{self.idempotency_key}/{self._nested}:{plan.manifest.name}"

    def _call(self, reference: str, inputs: dict[str, object]) -> Awaitable[Result]:
        return self._run(self._declared(reference), inputs)

    async def _called(self, target: str, inputs: dict[str, object]) -> Json:
        """A call for a thread, in a task that ends with the runtime."""
        task = asyncio.current_task()
        if task is not None:
            self._gate.tasks.add(task)
            task.add_done_callback(self._gate.tasks.discard)
        return (await self._call(target, inputs)).unwrap()

    def _ended(self) -> CallCancelledError:
        message = f"this call of '{self._plan.manifest.name}' has ended: it can call nothing any more"
        return CallCancelledError(message, details={"name": self._plan.manifest.name})

    def _run(self, target: str | Entry, inputs: dict[str, object]) -> Awaitable[Result]:
        if self.cancelled:
            raise self._ended()
        if self.depth >= _DEPTH_LIMIT:
            message = f"calls nest deeper than {_DEPTH_LIMIT}: does '{self._plan.manifest.name}' end up calling itself?"
            raise ExecutionFailedError(message, details={"name": self._plan.manifest.name, "reason": message})
        return self._gate.run(target, inputs, caller=self._caller, parent=self)

    def _declared(self, reference: str) -> str | Entry:
        """What to run: only declared targets may be called, and only in versions that the declaration admits."""
        name, constraint = split_reference(reference)
        declared = [target for target in self._plan.manifest.targets if key_of(target.name) == key_of(name)]
        if not declared:
            raise _undeclared(self._plan.manifest.name, name, self._plan.manifest.targets)
        if constraint is None:
            return str(declared[0])
        if any(target.version is None for target in declared):
            return f"{declared[0].name}@{constraint}"
        entry = self._wanted(f"{declared[0].name}@{constraint}")
        if not any(_admits(target, entry) for target in declared):
            raise _undeclared(self._plan.manifest.name, entry.manifest.reference, self._plan.manifest.targets)
        return entry

    def _wanted(self, reference: str) -> Entry:
        try:
            return self._gate.entry(reference)
        except StoppedError as stopped:
            raise judged(stopped.error) from None


def _admits(target: Target, entry: Entry) -> bool:
    from prowess.model.ranges import parse_range  # noqa: PLC0415 - only who asks for another version than declared pays

    return parse_range(target.version or "*").admits(entry.version)


def _loggable(value: object) -> Json:
    """A value for a log line, whatever it is: a line that cannot be told must not fail the call."""
    try:
        return to_json_value(value)
    except NotJsonError:
        return repr(value)


def _undeclared(caller: str, target: str, declared: Sequence[Target]) -> ForbiddenError:
    near = near_names(target, [one.name for one in declared])
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    names = ", ".join(map(str, declared)) or "nothing"
    message = f"'{caller}' may not call '{target}': it declares {names}{hint}; add it to calls=[...]"
    return ForbiddenError(message, details={"name": target, "declared": [one.name for one in declared]})
