"""What skills need and do not make themselves: clients, keys, connections, by name."""

import inspect
import warnings
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeAlias

from msgspec import Struct

from prowess.errors import AlreadyRegisteredError, ConfigurationError, MissingServiceError
from prowess.model.names import near_names

__all__ = ["Close", "Services"]

Close: TypeAlias = Callable[[], Awaitable[object] | object]
"""Called without arguments, once; may be a coroutine function."""


class _Service(Struct, frozen=True, eq=False):
    value: object
    close: Close | None


class Services:
    """Services by name, shared by all threads. Whoever makes a container closes it: `with`, `async with`, or `aclose`.

    Only what was registered together with its closer is closed, in reverse order of registration; everything else was
    lent. A container that still has something to close when it is thrown away warns.
    """

    # Each change is one operation on one dictionary, which Python makes whole; that is why there is no lock.
    __slots__ = ("__weakref__", "_held", "_parent")

    def __init__(self, services: Mapping[str, object] | None = None, *, parent: "Services | None" = None) -> None:
        if not (services is None or isinstance(services, Mapping)):
            message = f"the services are of type {type(services).__name__}: give a dict of services by name"
            raise ConfigurationError(message)
        self._held = {_named(name): _Service(value, None) for name, value in (services or {}).items()}
        self._parent = parent

    def register(self, name: str, service: object, close: Close | None = None) -> None:
        """Add a service, and its closer where the container is to own it.

        Raises `AlreadyRegisteredError` for a name that is taken here: `unregister` it to put another in its place.
        Shadowing a parent's service is allowed; it is what children are for. A name that is no text and a closer that
        cannot be called raise `ConfigurationError`.
        """
        if close is not None and not callable(close):
            message = f"the closer of '{name}' is {type(close).__name__}: give a callable that takes no arguments"
            raise ConfigurationError(message, details={"name": str(name)})
        entry = _Service(service, close)
        if self._held.setdefault(_named(name), entry) is not entry:
            message = f"there is a service '{name}' already: unregister it first"
            raise AlreadyRegisteredError(message, details={"name": name})

    def get(self, name: str) -> Any:
        """A service, from here or from the nearest parent that has it; None where nobody has."""
        entry = self._held.get(name)
        if entry is not None:
            return entry.value
        return None if self._parent is None else self._parent.get(name)

    def require(self, name: str) -> Any:
        """The same; raises `MissingServiceError`, which is a KeyError, with near names."""
        if self.has(name):
            return self.get(name)
        near = near_names(str(name), self.names())
        hint = f", did you mean '{near[0]}'?" if near else ""
        message = f"there is no service '{name}'{hint}"
        raise MissingServiceError(message, details={"name": name, "near": near})

    def has(self, name: str) -> bool:
        """Whether a service of that name is here or in a parent."""
        return name in self._held or (self._parent is not None and self._parent.has(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.has(name)

    def names(self) -> list[str]:
        """Every name that `get` finds, sorted."""
        inherited = [] if self._parent is None else self._parent.names()
        return sorted({*self._held, *inherited})

    def unregister(self, name: str) -> Any:
        """Take a service out and give it back, None where there was none here; closing it is the caller's then."""
        entry = self._held.pop(name, None)
        return None if entry is None else entry.value

    def clear(self) -> None:
        """Take everything out; closing it is the caller's then, and what the container was to close it warns of."""
        self._warn("services were taken out unclosed", "close them with 'aclose()' first")
        self._held.clear()

    def child(self, services: Mapping[str, object] | None = None) -> "Services":
        """A container that sees this one's services besides its own. Closing it leaves this one alone."""
        return Services(services, parent=self)

    async def aclose(self) -> None:
        """Close what is owned, in reverse order, and empty the container.

        Every closer runs; the first failure is raised at the end, with the others as its notes.
        """
        failures: list[BaseException] = []
        while (last := self._take_last()) is not None:
            name, entry = last
            try:
                outcome = entry.close() if entry.close is not None else None
                if inspect.isawaitable(outcome):
                    await outcome
            except Exception as error:  # noqa: BLE001 - one bad closer must not keep the others from running
                failures.append(_noted(name, error))
        _raise_first(failures)

    def close(self) -> None:
        """The same where no closer is async.

        Raises `ConfigurationError`, before anything is closed, where one clearly is.
        """
        waiting = [name for name, entry in self._held.items() if inspect.iscoroutinefunction(entry.close)]
        if waiting:
            message = f"the closer of '{waiting[-1]}' is async: use 'await services.aclose()' or 'async with'"
            raise ConfigurationError(message)
        failures: list[BaseException] = []
        while (last := self._take_last()) is not None:
            name, entry = last
            try:
                _refuse_awaitable(name, entry.close() if entry.close is not None else None)
            except Exception as error:  # noqa: BLE001 - one bad closer must not keep the others from running
                failures.append(_noted(name, error))
        _raise_first(failures)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except Exception as failure:
            if error is None:
                raise
            error.add_note(f"closing the services failed too: {failure!r}")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.aclose()
        except Exception as failure:
            if error is None:
                raise
            error.add_note(f"closing the services failed too: {failure!r}")

    def __del__(self) -> None:
        self._warn("services were never closed", "use 'async with' or 'aclose()'")

    def __repr__(self) -> str:
        return f"<Services {', '.join(self.names()) or 'empty'}>"  # names only: a service may be a secret

    def _warn(self, what: str, advice: str) -> None:
        owned = sorted(name for name, entry in getattr(self, "_held", {}).items() if entry.close is not None)
        if owned:
            warnings.warn(f"{what}: {', '.join(owned)}; {advice}", ResourceWarning, stacklevel=3, source=self)

    def _take_last(self) -> tuple[str, _Service] | None:
        try:
            return self._held.popitem()
        except KeyError:
            return None


# ---------------------------------------------------------------------------------------------------------------------


def _named(name: object) -> str:
    if not isinstance(name, str) or not name:
        message = f"a service has a name, which is text: not {name!r}"
        raise ConfigurationError(message)
    return name


def _noted(name: str, error: Exception) -> Exception:
    error.add_note(f"while closing the service '{name}'")
    return error


def _raise_first(failures: list[BaseException]) -> None:
    if failures:
        first, *others = failures
        for other in others:
            first.add_note(f"and then: {other!r}")
        raise first


def _refuse_awaitable(name: str, outcome: object) -> None:
    if inspect.isawaitable(outcome):
        if inspect.iscoroutine(outcome):
            outcome.close()
        message = f"the closer of '{name}' is async and was not awaited: use 'await services.aclose()' or 'async with'"
        raise ConfigurationError(message)
