"""Where instances live: a scope makes a factory's skill once, keeps it, and closes it at its end."""

import inspect
import threading
import warnings
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from prowess.authoring.handler import Definition, definition_of
from prowess.authoring.services import Services
from prowess.errors import InvalidManifestError, MissingServiceError, ProwessError, UnavailableError
from prowess.model.versions import version_key
from prowess.registry.entry import Factory

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Scope"]


class Scope:
    """Instances made from recipes with one set of services, which it does not own.

    The registry's root scope lives as long as the registry, an agent's as long as the agent. Whoever makes a scope
    closes it; instances are closed in reverse order of making. What was registered ready-made is never closed. A scope
    that still has something to close when it is thrown away warns.
    """

    def __init__(self, services: Services) -> None:
        self.services = services
        self._made: dict[Factory, Definition] = {}
        self._making: dict[Factory, _Making] = {}
        self._waiting: dict[int, Factory] = {}
        """Which factory's skill a thread waits for: by that it is seen where factories wait for each other."""
        self._lock = threading.Lock()
        self._closers: list[tuple[str, Callable[[], object]]] = []

    def definition(self, name: str, factory: Factory, *, named: bool = True) -> Definition:
        """What the factory makes here; made at the first call, in one thread, and again after a failure.

        Whoever asks meanwhile waits for it, and for no other factory. `name` is what the skill is called in errors
        and, where it is `named`, has to be called. Raises `UnavailableError` where its factory fails or ends up asking
        for itself, and `InvalidManifestError` where it makes something else.
        """
        while True:
            made = self._made.get(factory)
            if made is not None:
                return made
            making = self._begin(name, factory)
            if making is None:
                return self._finish(name, factory, named=named)
            making.done.wait()
            with self._lock:
                self._waiting.pop(threading.get_ident(), None)

    def forget(self, factory: Factory) -> None:
        """Drop the kept instance of a factory that was replaced; it is closed with the scope, not under a call."""
        self._made.pop(factory, None)

    async def aclose(self) -> None:
        """Close the instances in reverse order; every closer runs, the first failure is raised."""
        closers, self._closers = self._closers, []
        self._made.clear()
        failures: list[Exception] = []
        for name, close in reversed(closers):
            try:
                outcome = close()
                if isinstance(outcome, Awaitable):
                    await outcome
            except Exception as error:  # noqa: BLE001 - one bad closer must not keep the others from running
                error.add_note(f"while closing '{name}'")
                failures.append(error)
        if failures:
            raise failures[0]

    def __del__(self) -> None:
        left = sorted(name for name, _ in getattr(self, "_closers", ()))
        if left:
            message = f"skills were never closed: {', '.join(left)}; use 'async with' or 'await registry.aclose()'"
            warnings.warn(message, ResourceWarning, stacklevel=2, source=self)

    # -----------------------------------------------------------------------------------------------------------------

    def _begin(self, name: str, factory: Factory) -> "_Making | None":
        """Begin to make a skill, and give None; where another thread does so, give what to wait for."""
        me = threading.get_ident()
        with self._lock:
            making = self._making.get(factory)
            if making is None:
                if factory not in self._made:
                    self._making[factory] = _Making(me)
                    return None
                return _MADE
            if self._waits_for(making.thread, me):
                message = f"'{name}' cannot be made: its factory ends up asking for '{name}' again"
                raise UnavailableError(message, details={"name": name})
            self._waiting[me] = factory
            return making

    def _waits_for(self, thread: int, other: int) -> bool:
        """Whether a thread is another one, or waits for what that one makes, at whatever distance."""
        while thread != other:
            wanted = self._waiting.get(thread)
            making = None if wanted is None else self._making.get(wanted)
            if making is None:
                return False
            thread = making.thread
        return True

    def _finish(self, name: str, factory: Factory, *, named: bool) -> Definition:
        try:
            made = self._made[factory] = self._make(name, factory, named=named)
        finally:
            with self._lock:
                self._making.pop(factory).done.set()
        return made

    def _make(self, name: str, factory: Factory, *, named: bool) -> Definition:
        try:
            instance = factory.make(self.services)
        except (Exception, SystemExit) as error:  # a factory has no say in whether the process ends
            raise _failed(name, error) from error
        definition = _definition(name, instance)
        manifest = definition.manifest
        if named and manifest.name != name:
            message = f"the factory of '{name}' made a skill named '{manifest.name}': the names must be equal"
            raise InvalidManifestError(message, details={"name": name})
        versions = (factory.version, manifest.version)
        if None not in versions and version_key(versions[0]) != version_key(versions[1]):
            message = f"the factory of '{name}@{versions[0]}' made version {versions[1]}: the versions must be equal"
            raise InvalidManifestError(message, details={"name": name})
        close = getattr(instance, "aclose", None) or getattr(instance, "close", None)
        if callable(close):
            self._closers.append((manifest.name, close))
        return definition


# ---------------------------------------------------------------------------------------------------------------------


class _Making:
    """A skill that is being made: by which thread, and when it is done or failed."""

    __slots__ = ("done", "thread")

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.done = threading.Event()


_MADE = _Making(0)
"""What to wait for where nothing is to be waited for any more."""
_MADE.done.set()


def _failed(name: str, error: Exception | SystemExit) -> UnavailableError:
    """The error for what a factory raised; of a missing service it keeps which one, and what was probably meant."""
    details: dict[str, object] = {"name": name}
    kind: type[UnavailableError] = UnavailableError
    if type(error) is UnavailableError:  # which says by itself what is missing
        return UnavailableError(
            error.message, details=details | dict(error.details), model_text=f"'{name}' is not available"
        )
    cause = f"its factory raised {type(error).__name__}: {error}"
    if isinstance(error, MissingServiceError):
        kind, cause = MissingServiceError, error.message
        details |= {"service": error.details.get("service", error.name), "near": error.near}
    return kind(f"'{name}' cannot be made: {cause}", details=details, model_text=f"'{name}' is not available")


def _definition(name: str, instance: object) -> Definition:
    if inspect.iscoroutine(instance):
        instance.close()
        message = f"the factory of '{name}' is async: write it with 'def', and await inside the skill"
        raise InvalidManifestError(message, details={"name": name})
    try:
        return definition_of(instance)
    except ProwessError as error:
        message = f"'{name}' cannot be made: {error.message}"
        raise InvalidManifestError(message, details={**error.details, "name": name}) from error
