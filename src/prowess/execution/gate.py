"""The single path that every call takes.

    resolve → status → visible → inputs → permitted → approved → rate → run → outputs → redact → record

Nothing else in the code base calls a handler. A stage that has nothing to decide costs nothing.
"""

import itertools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prowess.errors import ApprovalRequiredError, NotFoundError, ProwessError, TimedOutError, UnavailableError
from prowess.execution.carry_out import carry_out
from prowess.execution.context import CallContext
from prowess.execution.deadline import SHUT_DOWN, check_seconds
from prowess.execution.eventloop import asyncio
from prowess.execution.failures import (
    CANCELLED,
    StoppedError,
    blame_reader,
    check_reader,
    error_of_handler,
    judged,
    named,
    no_caller,
    no_entry,
    raise_if_cancelled,
)
from prowess.execution.nesting import is_inside
from prowess.execution.plan import Plan, make_plan
from prowess.execution.ports import Check, Checks, EventReader, Facts, Ports
from prowess.execution.threads import Threads
from prowess.execution.validation.validator import ValidatorCache
from prowess.model.caller import LOCAL_OWNER, Caller
from prowess.model.event import CallFinished, CallStarted, Event, Stage
from prowess.model.result import Result
from prowess.model.verdict import Allow, Ask, Verdict, strictest
from prowess.registry.entry import Entry
from prowess.registry.holdings import unknown

__all__ = ["Gate"]

_PLANS_LIMIT = 4_096
_NO_SUSPENSION = 20e-6
"""Seconds in which a handler cannot have waited: the event loop takes longer for one turn."""
_SHOWN = 200
_RESOLVE, _INPUTS, _RUN, _OUTPUTS, _RECORD = Stage.RESOLVE, Stage.INPUTS, Stage.RUN, Stage.OUTPUTS, Stage.RECORD
_HANDLERS = (_RUN, _OUTPUTS)
"""The stages whose errors may be a handler's."""
_CLOSED = "this runtime is closed: it runs nothing any more"
_NO_INPUTS: Mapping[str, object] = {}


class Gate:
    """Runs the calls of one runtime: keeps what it prepared for each entry, lines calls up, tells the readers."""

    def __init__(
        self,
        ports: Ports,
        *,
        max_concurrent: int = 10,
        grace: float = 1.0,
        stoppable: bool = False,
        checks: Checks | None = None,
    ) -> None:
        self.threads = Threads()
        self.grace = grace
        self.stoppable = stoppable
        self.tasks: set[asyncio.Task[Any]] = set()
        self._scope = ports.scope
        self._latest = ports.latest
        self._resolve = ports.resolve
        self._holds = ports.holds
        self._near = ports.near
        self._monotonic = ports.clock.monotonic
        self._epoch = ports.clock.epoch
        self._prefix = ports.ids()
        self._checks = checks
        self._readers: tuple[EventReader, ...] = ()
        self._starters: tuple[EventReader, ...] = ()
        self._tell: EventReader | None = None
        self._direct = checks is None and not stoppable
        """Whether nothing but schemas stands between a call and its handler."""
        self._plans: dict[Entry | None, Plan] = {}
        self._validators = ValidatorCache()
        self._numbers = itertools.count(1)
        self._limit = max_concurrent
        # Counted without a lock: the interpreter switches threads at calls and loops only, and there is none in `+= 1`.
        self._running = 0
        self._queue: deque[asyncio.Future[bool]] = deque()
        self._closed = False

    def subscribe(self, reader: EventReader, *, starts: bool = False) -> Callable[[], None]:
        """Tell this reader every event from now on; call what comes back to stop.

        A call's end says when it began, so `CallStarted` is told only to readers that ask for `starts`: those that
        show what is under way.
        """
        check_reader(reader)
        starters = (*self._starters, reader) if starts else self._starters
        self._listen((*self._readers, reader), starters)

        def stop() -> None:
            readers = tuple(other for other in self._readers if other is not reader)
            self._listen(readers, tuple(other for other in self._starters if other is not reader))

        return stop

    def emit(self, event: Event) -> None:
        """Tell every reader; one that fails keeps neither the others nor the call from going on."""
        for reader in self._readers:
            try:
                reader(event)
            except Exception as failure:  # noqa: BLE001 - a reader's failure is its own
                blame_reader(reader, failure)

    def shut(self) -> None:
        """Run nothing from now on; calls that wait for their turn are refused."""
        self._closed, self._limit = True, 0
        while self._queue:
            turn = self._queue.popleft()
            turn.get_loop().call_soon_threadsafe(_refuse, turn)

    async def drain(self) -> None:
        """Wait for the calls under way, `grace` seconds; then cancel those that can be, and wait as long once more.

        A handler that is awaited in a task of somebody else is that task's to cancel.
        """
        self.shut()
        for _ in range(2):
            if not self._running:
                return
            last: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            self._queue.append(last)
            done, _ = await asyncio.wait((last,), timeout=self.grace)
            if done:
                self._running -= 1  # the place that the last call left was given to us
                return
            last.cancel()
            for task in tuple(self.tasks):
                task.get_loop().call_soon_threadsafe(task.cancel, SHUT_DOWN)

    def now(self) -> float:
        """Seconds since the epoch, never going back."""
        return self._epoch + self._monotonic()

    def run_id(self, call: int) -> str:
        """The id of the run that a top-level call is."""
        return f"{self._prefix}-{call}"

    async def run(  # noqa: C901, PLR0912, PLR0915 - the hot path: a call more is 0.1 µs; what is rare has its own
        self,
        target: str | Entry,
        inputs: Mapping[str, object] = _NO_INPUTS,
        *,
        caller: Caller = LOCAL_OWNER,
        timeout: float | None = None,
        parent: CallContext | None = None,
    ) -> Result:
        """Run an entry, named as `name`, `name@constraint` or given, and await its result.

        A refused or failed call raises nothing: the result holds the error. Only cancelling raises. `timeout` is a
        deadline in seconds for this call; the entry's own one still counts. `parent` is the call that makes this one.
        """
        if caller is not LOCAL_OWNER and type(caller) is not Caller:
            return self._turned_away(target, LOCAL_OWNER, no_caller(caller))
        if parent is None:
            if self._running >= self._limit:
                try:
                    timeout = await self._turn(timeout)
                except StoppedError as stopped:
                    return self._turned_away(target, caller, stopped.error)
            else:
                self._running += 1
        call = next(self._numbers)
        stage, plan = _RESOLVE, None
        clock = self._monotonic
        began = clock()
        try:
            plan = self._plans.get(self._latest.get(target)) or self._prepare(target)
            stage, straight = _INPUTS, plan.straight
            if straight and timeout is None and isinstance(inputs, dict) and self._direct and straight[0](inputs):
                stage = _RUN
                output = await straight[1](**inputs)
            else:
                arguments = self._admit(plan, inputs, caller, parent)
                stage = _RUN
                if self._starters:
                    self._tell_start(call, plan, caller, parent, began)
                output = await self._carry_out(call, plan, arguments, caller, timeout, parent)
            took = clock() - began
            if took > _NO_SUSPENSION:
                raise_if_cancelled()
            if type(output) is not plan.scalar:
                stage = _OUTPUTS
                output = plan.accept(output)
        except BaseException as failure:  # the task boundary: every end of a call is told
            took = clock() - began
            stage, error = self._failed(failure, stage, plan, inputs)
            name = str(target)[:_SHOWN] if plan is None else plan.reference
            number = None if parent is None else parent.call_number
            self.emit(
                CallFinished(call, number, name, caller, self._epoch + began, took, stage, error.code, str(error))
            )
            if error is CANCELLED:
                raise
            return Result(None, error, (), took * 1e3)
        finally:
            if parent is None:
                self._running -= 1
                if self._queue:
                    self._next_turn()
        tell = self._tell
        if tell is not None:
            number = None if parent is None else parent.call_number
            try:
                tell(CallFinished(call, number, plan.reference, caller, self._epoch + began, took, _RECORD))
            except Exception as failure:  # noqa: BLE001 - a reader's failure is its own
                blame_reader(tell, failure)
        return Result(output, None, (), took * 1e3)

    def _prepare(self, target: str | Entry) -> Plan:
        """The stages resolve and status, for a call whose entry was not prepared yet."""
        entry = self.entry(target)
        plan = self._plans.get(entry)
        if plan is not None:
            return plan
        try:
            plan = make_plan(entry, self._scope, self._validators)
        except ProwessError as error:
            raise StoppedError(Stage.STATUS, named(error, entry.name)) from error
        while len(self._plans) >= _PLANS_LIMIT:
            self._plans.pop(next(iter(self._plans)), None)
        self._plans[entry] = plan
        return plan

    def entry(self, target: object, /) -> Entry:
        """The entry that is asked for; one that was given must still be in the registry, and to be seen there."""
        if isinstance(target, str):
            entry = self._resolve(target)
            if entry is None:
                raise StoppedError(_RESOLVE, unknown(target, self._near(target)))
            return entry
        if type(target) is not Entry:  # a decorated function, say, which no registry knows
            raise StoppedError(_RESOLVE, no_entry(target))
        if not self._holds(target):
            raise StoppedError(_RESOLVE, unknown(target.manifest.reference, self._near(target.name)))
        return target

    def _admit(
        self, plan: Plan, inputs: Mapping[str, object], caller: Caller, parent: CallContext | None
    ) -> Mapping[str, object]:
        """The stages visible to rate: the arguments for the handler, where every one of them lets the call pass."""
        checks = self._checks
        if checks is None:
            fitting = plan.fit(inputs)
        else:
            hidden = unknown(plan.manifest.name, ())  # what a caller may not see does not exist for it
            _judge(Stage.VISIBLE, checks.visible, _facts(plan, caller, inputs, parent), hidden)
            fitting = plan.fit(inputs)
            facts = _facts(plan, caller, fitting, parent)
            _judge(Stage.PERMITTED, checks.permitted, facts)
            _judge(Stage.APPROVED, checks.approved, facts)
            _judge(Stage.RATE, checks.rate, facts)
        return fitting if plan.bind is None else plan.bind(fitting)

    def _failed(
        self, failure: BaseException, stage: Stage, plan: Plan | None, inputs: Mapping[str, object]
    ) -> tuple[Stage, ProwessError]:
        """Where a call ended and with which error; `CANCELLED` where the exception must go on."""
        if isinstance(failure, StoppedError):
            stage, error = failure.stage, failure.error
        elif isinstance(failure, ProwessError) and stage not in _HANDLERS:
            error = failure
        elif stage is _RESOLVE and isinstance(failure, TypeError):  # a target that is not even hashable
            error = no_entry(None)
        elif stage is _INPUTS and plan is not None and isinstance(failure, ValueError):
            error = plan.input_error(inputs)
        else:
            error = error_of_handler(failure, "the call" if plan is None else plan.manifest.name)
        return stage, judged(error)

    async def _carry_out(
        self,
        call: int,
        plan: Plan,
        arguments: Mapping[str, object],
        caller: Caller,
        timeout: float | None,
        parent: CallContext | None,
    ) -> object:
        if timeout is not None:
            check_seconds(timeout)
        elif plan.bare is not None and not self.stoppable:
            return await plan.bare(**arguments)
        context = CallContext(self, plan, call, caller, parent, self._scope.services)
        limits = [seconds for seconds in (timeout, plan.timeout) if seconds is not None]
        return await carry_out(self, plan, arguments, context, min(limits, default=None))

    async def _turn(self, timeout: float | None) -> float | None:
        """Wait until fewer than `max_concurrent` calls run, first come first served; gives the time that is left.

        Raises `StoppedError` where the runtime is closed, or the time is over first.
        """
        if timeout is not None:
            check_seconds(timeout)
        if self._closed:
            raise StoppedError(_RESOLVE, UnavailableError(_CLOSED))
        if is_inside(self, Gate.run.__code__):  # the call around it holds a place, and waits for this one
            self._running += 1
            return timeout
        began = self._monotonic()
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            done, _ = await asyncio.wait((turn,), timeout=timeout)
        except asyncio.CancelledError:
            self._give_back(turn)
            raise
        if not done:
            self._give_back(turn)
            message = f"no place was free within {timeout} s: {self._limit} calls may run at once"
            raise StoppedError(_RESOLVE, TimedOutError(message, details={"timeout": timeout}))
        if not turn.result():
            raise StoppedError(_RESOLVE, UnavailableError(_CLOSED))
        return None if timeout is None else max(timeout - (self._monotonic() - began), _NO_SUSPENSION)

    def _give_back(self, turn: "asyncio.Future[bool]") -> None:
        """Leave the queue, or hand the place on that came at the same moment."""
        if not turn.done():
            turn.cancel()
        elif turn.result():
            self._running -= 1
            self._next_turn()

    def _next_turn(self) -> None:
        """Give free places to those who wait longest; the place is taken for them, so that nobody slips in.

        Of a closed runtime only `drain` waits: for the last call to end.
        """
        while self._queue and (self._running < self._limit or (self._closed and not self._running)):
            turn = self._queue.popleft()
            if not turn.done():
                self._running += 1
                turn.get_loop().call_soon_threadsafe(self._grant, turn)

    def _grant(self, turn: "asyncio.Future[bool]") -> None:
        if turn.done():
            self._running -= 1
            self._next_turn()
        else:
            turn.set_result(True)

    def _turned_away(self, target: object, caller: Caller, error: ProwessError) -> Result:
        """The result of a call that never had its turn."""
        name = target.manifest.reference if isinstance(target, Entry) else str(target)[:_SHOWN]
        number, now = next(self._numbers), self.now()
        self.emit(CallFinished(number, None, name, caller, now, 0.0, _RESOLVE, error.code, str(error)))
        return Result(None, error, (), 0.0)

    def _listen(self, readers: tuple[EventReader, ...], starters: tuple[EventReader, ...]) -> None:
        """Tell these readers from now on; one reader is told without a detour."""
        self._readers, self._starters = readers, starters
        self._tell = (readers[0] if len(readers) == 1 else self.emit) if readers else None
        self._direct = self._checks is None and not starters and not self.stoppable

    def _tell_start(self, call: int, plan: Plan, caller: Caller, parent: CallContext | None, began: float) -> None:
        number = None if parent is None else parent.call_number
        event = CallStarted(call, number, plan.reference, caller, self._epoch + began)
        for reader in self._starters:
            reader(event)


# ---------------------------------------------------------------------------------------------------------------------


def _facts(plan: Plan, caller: Caller, inputs: Mapping[str, object], parent: CallContext | None) -> Facts:
    return Facts(plan.manifest, caller, inputs, None if parent is None else parent.manifest)


def _judge(stage: Stage, rules: Sequence[Check], facts: Facts, hidden: NotFoundError | None = None) -> None:
    """Ask every rule of a stage and stop at what the strictest answer says."""
    verdict: Verdict = strictest(*(rule(facts) for rule in rules))
    if isinstance(verdict, Allow):
        return
    message = "; ".join(reason.message for reason in verdict.reasons) or f"refused at stage {stage}"
    details = {"name": facts.manifest.name, "reasons": [reason.message for reason in verdict.reasons]}
    kind = ApprovalRequiredError if isinstance(verdict, Ask) else verdict.error
    raise StoppedError(stage, hidden or kind(message, details=details))


def _refuse(turn: "asyncio.Future[bool]") -> None:
    if not turn.done():
        turn.set_result(False)
