"""The container of what skills need."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from prowess import AlreadyRegisteredError, Services
from prowess.errors import ConfigurationError


class Log:
    """Closers that say when they ran."""

    def __init__(self) -> None:
        self.closed: list[str] = []

    def of(self, name: str) -> "Closer":
        """Make the closer of a service."""
        return Closer(self, name)


class Closer:
    """One closer in its two forms."""

    def __init__(self, log: Log, name: str) -> None:
        self._log = log
        self._name = name

    def close(self) -> None:
        """Close."""
        self._log.closed.append(self._name)

    async def aclose(self) -> None:
        """Close, and be awaited."""
        self._log.closed.append(self._name)

    def fail(self) -> None:
        """Fail to close."""
        raise OSError(self._name)


def test_what_is_registered_is_found() -> None:
    """Spec: register, get, require, has."""
    services = Services({"key": "secret"})
    services.register("db", 1)

    assert services.get("db") == services.require("db") == 1
    assert services.get("key") == "secret"
    assert services.has("db")
    assert "db" in services
    assert 5 not in services


def test_a_missing_service_is_none_or_an_error() -> None:
    """Spec: get gives None where nothing is registered."""
    services = Services()

    assert services.get("db") is None
    assert not services.has("db")


@pytest.mark.behaviour("services.require-missing")
def test_requiring_a_missing_service_is_a_key_error_with_near_names() -> None:
    """Spec: a missing required service is a KeyError with near names."""
    services = Services({"database": 1})

    with pytest.raises(KeyError, match="there is no service 'databse', did you mean"):
        services.require("databse")
    with pytest.raises(KeyError, match=r"there is no service 'zzz'$"):
        services.require("zzz")


def test_a_name_is_taken_once() -> None:
    """Choice: two services never shadow each other unseen; unregister gives the old one back."""
    services = Services({"db": 1})

    with pytest.raises(AlreadyRegisteredError, match="there is a service 'db' already: unregister it first"):
        services.register("db", 2)
    assert services.unregister("db") == 1
    services.register("db", 2)
    assert services.get("db") == 2


def test_unregister_and_clear_take_out() -> None:
    """Spec: unregister returns the old one; clear forgets all."""
    services = Services({"a": 1, "b": 2})

    assert services.unregister("a") == 1
    assert services.unregister("a") is None
    services.clear()
    assert services.names() == []


def test_clear_warns_of_what_it_leaves_unclosed() -> None:
    """Regression: `clear` dropped closers without a word."""
    log = Log()
    services = Services()
    services.register("a", 1, log.of("a").close)

    with pytest.warns(ResourceWarning, match="taken out unclosed: a; close them with"):
        services.clear()
    assert log.closed == []


@pytest.mark.parametrize("name", [5, None, ""])
def test_a_service_without_a_name_is_refused(name: Any) -> None:
    """Regression: a number was taken for a name, and `names` failed for all."""
    services = Services()
    with pytest.raises(ConfigurationError, match="a service has a name, which is text"):
        services.register(name, 1)
    with pytest.raises(ConfigurationError, match="a service has a name, which is text"):
        Services({name: 1})
    assert services.names() == []


def test_a_closer_that_cannot_be_called_is_refused() -> None:
    """Regression: it was found out when the container was closed."""
    services = Services()
    wrong: Any = 5
    with pytest.raises(ConfigurationError, match="the closer of 'a' is int"):
        services.register("a", 1, wrong)
    assert not services.has("a")


def test_names_are_sorted() -> None:
    """Spec: names is a method that gives a sorted list."""
    assert Services({"b": 1, "a": 2}).names() == ["a", "b"]


def test_a_child_sees_its_parents_services_and_may_shadow_them() -> None:
    """Spec: child containers see the parent's."""
    parent = Services({"db": "real", "key": 1})
    child = parent.child({"db": "fake"})

    assert child.get("db") == child.require("db") == "fake"
    assert child.require("key") == 1
    assert child.get("none") is None
    assert child.names() == ["db", "key"]
    assert parent.get("db") == "real"
    assert child.unregister("key") is None
    assert child.has("key")


async def test_closers_run_in_reverse_and_lent_services_stay_open() -> None:
    """Spec: closers, sync and async, run in reverse; what was merely lent is not closed."""
    log = Log()
    async with Services({"lent": log}) as services:
        services.register("first", 1, log.of("first").close)
        services.register("second", 2, log.of("second").aclose)
        services.register("third", 3)

    assert log.closed == ["second", "first"]
    assert services.names() == []


def test_sync_closers_need_no_event_loop() -> None:
    """Spec: context managers of both kinds."""
    log = Log()
    with Services() as services:
        services.register("first", 1, log.of("first").close)
        services.register("second", 2, log.of("second").close)

    assert log.closed == ["second", "first"]


async def test_a_failing_closer_stops_no_other_and_the_first_error_is_raised() -> None:
    """Spec: a closer that fails is reported, and hides neither the others' work nor the first error."""
    log = Log()
    services = Services()
    services.register("a", 1, log.of("a").close)
    services.register("b", 2, log.of("b").fail)
    services.register("c", 3, log.of("c").fail)

    with pytest.raises(OSError, match="c") as caught:
        await services.aclose()

    assert log.closed == ["a"]
    assert caught.value.__notes__ == ["while closing the service 'c'", "and then: OSError('b')"]


async def test_an_error_of_the_body_is_never_hidden() -> None:
    """Spec: nor hide the first error."""
    log = Log()

    async def fail() -> None:
        async with Services() as services:
            services.register("a", 1, log.of("a").fail)
            raise ValueError("body")

    def fail_at_once() -> None:
        with Services() as services:
            services.register("a", 1, log.of("a").fail)
            raise ValueError("body")

    with pytest.raises(ValueError, match="body") as caught:
        await fail()
    with pytest.raises(ValueError, match="body") as caught_too:
        fail_at_once()

    assert caught.value.__notes__ == caught_too.value.__notes__ == ["closing the services failed too: OSError('a')"]


async def test_a_failure_to_close_is_raised_where_the_body_was_fine() -> None:
    """Choice: an error that nobody sees is a leak."""
    log = Log()

    async def forget() -> None:
        async with Services() as services:
            services.register("a", 1, log.of("a").fail)

    with pytest.raises(OSError, match="a"):
        await forget()
    with pytest.raises(OSError, match="a"), Services() as services:
        services.register("a", 1, log.of("a").fail)


async def test_an_async_closer_is_refused_by_close_before_anything_is_closed() -> None:
    """Choice: half a container closed helps nobody."""
    log = Log()
    services = Services()
    services.register("a", 1, log.of("a").close)
    services.register("b", 2, log.of("b").aclose)

    with pytest.raises(ConfigurationError, match="the closer of 'b' is async: use"):
        services.close()

    assert log.closed == []
    await services.aclose()
    assert log.closed == ["b", "a"]


def test_a_closer_that_turns_out_to_be_async_is_reported() -> None:
    """Choice: a lambda hides what it calls until it is called."""

    class Waiting:
        def __await__(self) -> object:
            return iter(())

    log = Log()
    services = Services()
    services.register("a", 1, log.of("a").close)
    services.register("b", 2, lambda: log.of("b").aclose())
    services.register("c", 3, Waiting)

    with pytest.raises(ConfigurationError, match="the closer of 'c' is async and was not awaited"):
        services.close()

    assert log.closed == ["a"]


def test_forgetting_to_close_warns() -> None:
    """Spec: forgetting to close warns."""

    def forget() -> None:
        services = Services({"key": 1})
        services.register("db", 1, print)

    with pytest.warns(ResourceWarning, match="services were never closed: db"):
        forget()


def test_nothing_to_close_warns_of_nothing() -> None:
    """Choice: lent services are not ours to close; a warning fails this test."""
    services = Services({"key": 1})
    services.register("db", 1)
    del services
    gc.collect()


def test_many_threads_register_one_name_once() -> None:
    """Choice: a container is shared by all threads."""
    services = Services()
    start = threading.Barrier(8)

    def register(number: int) -> bool:
        start.wait(5)
        try:
            services.register("db", number)
        except AlreadyRegisteredError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(register, range(8))) == 1


def test_a_container_shows_names_and_no_values() -> None:
    """Choice: a service may be a key."""
    assert repr(Services({"key": "secret"})) == "<Services key>"
    assert repr(Services()) == "<Services empty>"
