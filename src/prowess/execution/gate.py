"""The single path that every call takes.

    resolve → status → visible → inputs → permitted → approved → rate → run → outputs → redact → record

Nothing else in the code base calls a handler. A stage that has nothing to decide costs nothing.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from prowess.errors import ProwessError, TimedOutError, UnavailableError
from prowess.execution.failures import (
    CANCELLED,
    StoppedError,
    blame_reader,
    check_reader,
    error_of_handler,
    judged,
    masked,
    named,
    no_caller,
    no_entry,
    shown,
    unspeakable,
)
from prowess.execution.guard import Asked, Guard, Passage
from prowess.execution.handlers.carry_out import carry_out
from prowess.execution.handlers.context import CallContext
from prowess.execution.handlers.deadline import check_seconds, stop_all
from prowess.execution.handlers.nesting import is_inside, noting
from prowess.execution.handlers.threads import Threads
from prowess.execution.plan import Plan, check_removal, make_plan
from prowess.execution.ports import EventReader, GovernancePorts, Ports
from prowess.execution.readers import Readers
from prowess.execution.rules import Rules
from prowess.execution.turns import Turns
from prowess.execution.validation.validator import ValidatorCache
from prowess.model.caller import LOCAL_OWNER, Caller
from prowess.model.event import CallFacts, CallFinished, CallStarted, Event, NoticeGiven, Stage
from prowess.model.manifest import Status
from prowess.model.result import Result
from prowess.model.sealed import seal
from prowess.model.verdict import ALLOW, Verdict
from prowess.registry.entry import Entry
from prowess.registry.holdings import unknown

if TYPE_CHECKING:
    import asyncio

__all__ = ["Gate"]

_PLANS_LIMIT = 4_096
_MOMENT = 20e-6
"""Seconds left to a call whose turn came just in time."""
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
    ) -> None:
        self.threads = Threads()
        self.grace = grace
        self.stoppable = stoppable
        self.tasks: set[asyncio.Task[Any]] = set()
        self.over = False
        """Whether not even the calls that are left may call anything."""
        self._scope = ports.scope
        self._latest = ports.latest
        self._resolve = ports.resolve
        self._holds = ports.holds
        self._near = ports.near
        self._monotonic = ports.clock.monotonic
        self._epoch = ports.clock.epoch
        self._prefix = ports.ids()
        governance = ports.governance or GovernancePorts(rules=Rules(), hour=lambda: 0, ids=ports.ids)
        self._guard = Guard(governance, self.threads, self.now)
        self._recorded = governance.recorded
        self._plans: dict[Entry, Plan] = {}
        self._readers = Readers(self.forget)
        self._validators = ValidatorCache()
        self._calls = 0
        self._turns = Turns(max_concurrent)
        governance.rules.tell(self)

    def subscribe(self, reader: EventReader, *, starts: bool = False, facts: bool = False) -> Callable[[], None]:
        """Tell this reader every event from now on; call what comes back to stop.

        A call's end says when it began, so `CallStarted` is told only to readers that ask for `starts`: those that
        show what is under way. What a record takes besides, masked inputs and outputs among it, is told where one asks
        for `facts`.
        """
        check_reader(reader)
        return self._readers.add(reader, starts=starts, facts=facts)

    def forget(self) -> None:
        """Judge every call anew: the rulebook is another one, or there are other readers, whom calls might pass by."""
        self._plans.clear()

    def emit(self, event: Event) -> None:
        """Tell every reader; one that fails keeps neither the others nor the call from going on."""
        self._readers.emit(event)

    def shut(self) -> None:
        """Run nothing from now on; calls that wait for their turn are refused."""
        self._turns.shut()

    async def drain(self) -> None:
        """Wait for the calls under way, `grace` seconds; then stop those that can be, and wait as long once more.

        A handler that is awaited in a task of somebody else is that task's to cancel.
        """
        self.shut()
        ended = await self._turns.emptied(self.grace) and not self.tasks
        self.over = True  # whoever looks at `cancelled` may still end by itself
        if not ended:
            await stop_all(tuple(self.tasks), self.grace)
            await self._turns.emptied(self.grace)

    def now(self) -> float:
        """Seconds since the epoch, never going back."""
        return self._epoch + self._monotonic()

    def run_id(self, call: int) -> str:
        """The id of the run that a top-level call is."""
        return f"{self._prefix}-{call}"

    def rights_of(self, plan: Plan, around: frozenset[str] | None) -> frozenset[str] | None:
        """What an entry may use of the rights that are left around it."""
        return self._guard.rights_of(plan, around)

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
            return self._turn_away(target, LOCAL_OWNER, no_caller(caller))
        turns = self._turns
        if parent is None:
            if turns.running >= turns.limit:
                try:
                    timeout = await self._turn(timeout)
                except StoppedError as stopped:
                    return self._turn_away(target, caller, stopped.error)
            else:
                turns.running += 1
        call = self._calls = self._calls + 1  # without a lock, as `Turns` counts
        stage, plan, passage = _RESOLVE, None, None
        clock = self._monotonic
        began = clock()
        try:
            try:
                plan = self._plans[self._latest[target]]
            except KeyError:
                plan = self._prepare(target)
            stage = _INPUTS
            fits, is_plain = plan.fits, plan.is_plain  # called from here they cost a look-up less
            if (
                plan.cleared is caller
                and timeout is None
                and parent is None
                and isinstance(inputs, dict)
                and fits(inputs)
            ):
                stage = _RUN
                output = await plan.straight(**inputs)
            else:
                passage = await self._admit(plan, inputs, caller, parent, call)
                stage = _RUN
                if self._readers.starters:
                    number = None if parent is None else parent.call_number
                    start = CallStarted(call, number, plan.reference, caller, self._epoch + began)
                    self._readers.emit_start(start)
                output = await self._carry_out(call, plan, passage, caller, timeout, parent)
            took = clock() - began
            if type(output) is not plan.scalar or not is_plain(output):
                stage = _OUTPUTS
                output = plan.accept(output)
        except BaseException as failure:  # the task boundary: every end of a call is told
            took = clock() - began
            stage, error, verdict = self._failed(failure, stage, plan, inputs)
            facts = self._facts(plan, inputs, None, verdict or _verdict_of(passage), parent, call)
            name = shown(target) if plan is None else plan.reference
            number = None if parent is None else parent.call_number
            end = CallFinished(
                call, number, name, caller, self._epoch + began, took, stage, error.code, str(error), facts
            )
            self.emit(end)
            if error is CANCELLED:
                raise
            if self._recorded is not None:
                await self._keep(end)
            return Result(None, error, (), took * 1e3)
        finally:
            if parent is None:
                turns.running -= 1
                if turns.line:
                    turns.hand_on()
        tell = self._readers.tell
        if tell is not None:
            number = None if parent is None else parent.call_number
            facts = None
            if self._readers.take_facts:
                facts = self._facts(plan, inputs, output, _verdict_of(passage), parent, call)
            end = CallFinished(
                call, number, plan.reference, caller, self._epoch + began, took, _RECORD, None, None, facts
            )
            try:
                tell(end)
            except Exception as failure:  # noqa: BLE001 - a reader's failure is its own
                blame_reader(tell, failure)
            if self._recorded is not None:
                await self._keep(end)
        return Result(output, None, (), took * 1e3)

    def _prepare(self, target: str | Entry) -> Plan:
        """The stages resolve and status, for a call whose entry was not prepared yet."""
        entry = self.entry(target)
        plan = self._plans.get(entry)
        if plan is not None:
            return plan
        try:
            plan = make_plan(entry, self._scope, self._validators, partial(noting, self))
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

    async def _admit(
        self, plan: Plan, inputs: Mapping[str, object], caller: Caller, parent: CallContext | None, call: int
    ) -> Passage:
        """The stages visible to rate: how a call comes through, where every one of them lets it pass."""
        if plan.manifest.status is Status.DEPRECATED:
            check_removal(plan, self._resolve)
        book = self._guard.rules.book
        clearance = self._guard.clearance(plan, caller, None if parent is None else parent.rights)
        if clearance.hidden:  # what a caller may not see does not exist for it
            raise StoppedError(Stage.VISIBLE, unknown(plan.manifest.name, ()), clearance.verdict)
        fitting = plan.fit(inputs)
        if clearance.free:
            direct = parent is None and not self.stoppable and not self._readers.starters
            if direct and plan.goes_straight:
                plan.cleared = caller
                if self._guard.rules.book is not book:  # exchanged meanwhile: whoever did it has cleared before us
                    plan.cleared = None
            return Passage(fitting)
        run = self.run_id(call) if parent is None else parent.run_id
        covered = parent is not None and parent.approved
        passage = await self._guard.settle(Asked(plan, fitting, caller, run, covered), clearance)
        for notice in clearance.notices:
            self.emit(NoticeGiven(call, plan.reference, caller, self.now(), notice.rule, notice.message))
        return passage

    def _facts(
        self,
        plan: Plan | None,
        inputs: Mapping[str, object],
        output: object,
        verdict: Verdict,
        parent: CallContext | None,
        call: int,
    ) -> CallFacts | None:
        if not self._readers.take_facts:
            return None
        run = self.run_id(call) if parent is None else parent.run_id
        if plan is None:
            return CallFacts(run, verdict=verdict)
        masks = plan.masks
        return CallFacts(run, plan.manifest, seal(inputs, masks.inputs), seal(output, masks.outputs), verdict)

    def _failed(
        self, failure: BaseException, stage: Stage, plan: Plan | None, inputs: Mapping[str, object]
    ) -> tuple[Stage, ProwessError, Verdict | None]:
        """Where a call ended, with which error, masked, and the verdict that ended it.

        The error is `CANCELLED` where the exception must go on.
        """
        verdict: Verdict | None = None
        name = "the call" if plan is None else plan.manifest.name
        if isinstance(failure, StoppedError):
            stage, verdict = failure.stage, failure.verdict
        try:
            error: ProwessError
            if isinstance(failure, StoppedError):
                error = failure.error
            elif isinstance(failure, ProwessError) and stage not in _HANDLERS:
                error = failure
            elif stage is _RESOLVE and isinstance(failure, TypeError):  # a target that is not even hashable
                error = no_entry(None)
            elif stage is _INPUTS and plan is not None and isinstance(failure, ValueError):
                error = plan.input_error(inputs)
            else:
                error = error_of_handler(failure, name, () if plan is None else plan.manifest.failure_modes)
            if plan is not None and error is not CANCELLED:
                masked(error, plan.masks, inputs)
            str(error)
        except Exception:  # noqa: BLE001 - an author's class of errors, or inputs of a kind of their own
            error = unspeakable(failure, name)
        return stage, judged(error), verdict

    async def _keep(self, end: CallFinished) -> None:
        """Wait for a call's record. One that cannot be kept is told like a reader's failure: the call is over."""
        if self._recorded is not None:
            try:
                await self._recorded(end)
            except Exception as failure:  # noqa: BLE001 - whatever a store may raise
                blame_reader(self._recorded, failure)

    async def _carry_out(
        self,
        call: int,
        plan: Plan,
        passage: Passage,
        caller: Caller,
        timeout: float | None,
        parent: CallContext | None,
    ) -> object:
        arguments = passage.inputs if plan.bind is None else plan.bind(passage.inputs)
        if timeout is not None:
            check_seconds(timeout)
        elif plan.bare is not None and not self.stoppable and passage.timeout is None:
            return await plan.bare(**arguments)
        context = CallContext(self, plan, call, caller, parent, self._scope.services)
        context.approved = passage.approved
        limits = [seconds for seconds in (timeout, plan.timeout, passage.timeout) if seconds is not None]
        return await carry_out(self, plan, arguments, context, min(limits, default=None))

    async def _turn(self, timeout: float | None) -> float | None:
        """Wait until fewer than `max_concurrent` calls run, first come first served; gives the time that is left.

        Raises `StoppedError` where the runtime is closed, or the time is over first.
        """
        turns = self._turns
        if timeout is not None:
            check_seconds(timeout)
        if turns.closed:
            raise StoppedError(_RESOLVE, UnavailableError(_CLOSED))
        if is_inside(self):  # the call around it holds a place, and waits for this one
            turns.running += 1
            return timeout
        began = self._monotonic()
        if await turns.take(timeout):
            return None if timeout is None else max(timeout - (self._monotonic() - began), _MOMENT)
        if turns.closed:
            raise StoppedError(_RESOLVE, UnavailableError(_CLOSED))
        message = f"no place was free within {timeout} s: {turns.limit} calls may run at once"
        raise StoppedError(_RESOLVE, TimedOutError(message, details={"timeout": timeout}))

    def _turn_away(self, target: object, caller: Caller, error: ProwessError | None = None) -> Result:
        """The result of a call that never had its turn; since this runtime is closed, if no other reason is given."""
        error = UnavailableError(_CLOSED) if error is None else error
        name = target.manifest.reference if isinstance(target, Entry) else shown(target)
        self._calls += 1
        now = self.now()
        self.emit(CallFinished(self._calls, None, name, caller, now, 0.0, _RESOLVE, error.code, str(error)))
        return Result(None, error, (), 0.0)


# ---------------------------------------------------------------------------------------------------------------------


def _verdict_of(passage: Passage | None) -> Verdict:
    return ALLOW if passage is None else passage.verdict
