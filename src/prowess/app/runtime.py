"""The public `Runtime`: runs the entries of a registry."""

import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from prowess.app.records.keeping import Keeping
from prowess.errors import ConfigurationError
from prowess.execution.eventloop import asyncio, running_loop
from prowess.execution.gate import Gate
from prowess.execution.ports import Approver, Clock, EventReader, GovernancePorts, Ports
from prowess.execution.rules import Rules
from prowess.model.caller import LOCAL_OWNER, Caller
from prowess.model.names import near_names
from prowess.model.result import Result
from prowess.registry.closure import reaches
from prowess.registry.entry import Entry
from prowess.registry.scope import Scope

if TYPE_CHECKING:
    from prowess.app.catalogue.sections import AuditMode
    from prowess.app.records.approvals import Approvals
    from prowess.app.records.stores import Store

__all__ = ["Runtime", "check_engine"]

_NO_INPUTS: Mapping[str, object] = {}


class Source(Protocol):
    """What a runtime takes its entries from: a registry."""

    @property
    def latest(self) -> Mapping[object, Entry]:
        """What bare names give at this moment; empty where `get` must be asked."""
        ...

    @property
    def scope(self) -> Scope:
        """Where its instances live."""
        ...

    def get(self, name: str, constraint: str | None = None, /) -> Entry | None:
        """The entry of a name."""
        ...

    def holds(self, entry: Entry, /) -> bool:
        """Whether an entry that somebody kept is still there to be seen."""
        ...

    def near(self, name: str) -> tuple[str, ...]:
        """Names like one that was not found."""
        ...

    @property
    def rules(self) -> Rules:
        """What the project lays down about who may do what."""
        ...


class Runtime(Gate):
    """Runs entries through the gate, in memory. Open it with `async with`, or close it with `aclose`.

    One runtime serves many callers and event loops. It does not own its registry: closing it ends its own calls and
    threads and leaves the registry's instances to the registry. `grace` is how many seconds a handler that is stopped
    has to clean up. `stoppable` runs every call in a task of its own, so that cancelling ends it even where its
    handler swallows that; without it, only calls with a deadline are.

    `approver` decides at once about calls that ask. `store` is where rates, approvals and the audit trail are kept:
    `sqlite:PATH`, `postgresql://…`, or one that is given, which stays open; in memory where none is named. Calls are
    recorded there in batches; `audit="sync"` lets each wait for its record, `"off"` records none.
    """

    def __init__(  # noqa: PLR0913 - the settings, each by name
        self,
        registry: Source,
        *,
        engine: str = "memory",
        max_concurrent: int = 10,
        grace: float = 1.0,
        stoppable: bool = False,
        readers: Iterable[EventReader] = (),
        approver: Approver | None = None,
        store: "Store | Callable[[], Store] | str | None" = None,
        audit: "AuditMode | None" = None,
    ) -> None:
        _check(registry, engine, max_concurrent, grace, readers)
        keeping = Keeping(store, audit)
        ports = Ports(
            latest=registry.latest,
            resolve=registry.get,
            holds=registry.holds,
            near=registry.near,
            scope=registry.scope,
            clock=Clock(time.perf_counter, time.time() - time.perf_counter()),
            ids=_new_id,
            governance=_governance(registry, keeping, approver),
        )
        super().__init__(ports, max_concurrent=max_concurrent, grace=grace, stoppable=stoppable)
        self._background = _Background()
        self._keeping = keeping
        for reader in readers:
            self.subscribe(reader)
        if keeping.trail is not None:
            self.subscribe(keeping.trail, facts=True)

    def __repr__(self) -> str:
        return f"<Runtime in memory, {self._turns.running} of {self._turns.limit} calls running>"

    @cached_property
    def approvals(self) -> "Approvals":
        """The calls that wait for a person, and deciding about them."""
        from prowess.app.records.approvals import Approvals  # noqa: PLC0415 - asked for by few

        return Approvals(self._keeping.store().approvals)

    def run_sync(
        self,
        target: str | Entry,
        inputs: Mapping[str, object] = _NO_INPUTS,
        *,
        caller: Caller = LOCAL_OWNER,
        timeout: float | None = None,
    ) -> Result:
        """The same for code without an event loop; it runs on a loop of the runtime's own, in the background."""
        result = self._background.run(partial(self.run, target, inputs, caller=caller, timeout=timeout))
        return self._turn_away(target, caller) if result is None else result

    async def aclose(self) -> None:
        """Run nothing from now on, give the calls under way `grace` seconds, stop those that can be stopped.

        Calls of `run_sync` are cancelled. A call that some task of yours awaits is yours to cancel.
        """
        await self.drain()
        self.threads.close()
        if self._background.end():
            await asyncio.to_thread(self._background.close, self.grace)
        if self._keeping.is_open and running_loop() is None:
            self._keeping.close()
        elif self._keeping.is_open:
            await asyncio.to_thread(self._keeping.close)

    def close(self) -> None:
        """The same, for code without an event loop.

        Raises `ConfigurationError` in a coroutine that `run_sync` runs, for which it would have to wait.
        """
        self._background.check_elsewhere("close", "aclose()")
        self.shut()
        self.threads.close()
        self._background.close(self.grace)
        self.over = True
        self._keeping.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def check_engine(engine: object) -> None:
    """Raise `ConfigurationError` for an engine that there is not."""
    if engine != "memory":
        near = near_names(engine, ["memory"]) if isinstance(engine, str) else ()
        hint = f", did you mean '{near[0]}'?" if near else ""
        message = f"there is no engine {engine!r}: this release has 'memory'{hint}"
        raise ConfigurationError(message, details={"engine": engine})


# ---------------------------------------------------------------------------------------------------------------------


def _check(registry: object, engine: str, max_concurrent: int, grace: float, readers: object) -> None:
    """Raise `ConfigurationError` for an argument of which no runtime can be made."""
    if not hasattr(registry, "latest"):
        given = f"{registry!r:.40}"
        raise ConfigurationError(f"the registry of this runtime is {given}: give a Registry, or a view of one")
    check_engine(engine)
    if type(max_concurrent) is not int or max_concurrent < 1:
        message = f"max_concurrent is {max_concurrent!r}: it is a whole number, so that at least one call can run"
        raise ConfigurationError(message, details={"max_concurrent": max_concurrent})
    if not grace >= 0:
        message = f"grace is {grace}: a handler that is stopped has so many seconds, 0 or more, to clean up"
        raise ConfigurationError(message, details={"grace": grace})
    if not isinstance(readers, Iterable):
        raise ConfigurationError(f"readers is {readers!r:.40}: give a list of callables that take one event")


def _governance(registry: Source, keeping: Keeping, approver: Approver | None) -> GovernancePorts:
    return GovernancePorts(
        rules=registry.rules,
        hour=lambda: time.localtime().tm_hour,
        ids=_new_id,
        approver=approver,
        records=keeping.store,
        waits=keeping.waits,
        recorded=keeping.recorded,
        reaches=partial(reaches, registry.get),
    )


def _new_id() -> str:
    return os.urandom(8).hex()


Gate.run.__qualname__ = "Runtime.run"  # a wrong argument is told with the name that its caller knows


class _Background:
    """An event loop in a daemon thread, started at its first call, and once more in a process that was forked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, start: Callable[[], Coroutine[Any, Any, Result]]) -> Result | None:
        """What the coroutine comes to; None where this has ended."""
        self.check_elsewhere("run_sync", "run(...)")
        with self._lock:  # what is started before the end is ended with the rest
            if self._ended:
                return None
            future = asyncio.run_coroutine_threadsafe(start(), self._started())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def check_elsewhere(self, name: str, instead: str) -> None:
        """Raise `ConfigurationError` on the loop itself."""
        if threading.current_thread() is self._thread:
            message = f"{name} was called on the runtime's own event loop, which it would block: use 'await {instead}'"
            raise ConfigurationError(message)

    def end(self) -> bool:
        """Start nothing from now on; whether there is something to close."""
        with self._lock:
            self._ended = True
            return self._loop is not None

    def close(self, grace: float) -> None:
        self.end()
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_all(grace), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()

    def _started(self) -> "asyncio.AbstractEventLoop":
        if self._loop is None or self._thread is None or not self._thread.is_alive():  # threads survive no fork
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=_serve, args=(self._loop,), name="prowess-run-sync", daemon=True)
            self._thread.start()
        return self._loop


def _serve(loop: "asyncio.AbstractEventLoop") -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _cancel_all(grace: float) -> None:
    """Cancel every task of this loop and wait for them, but not for ever: a handler may swallow it."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=grace)
