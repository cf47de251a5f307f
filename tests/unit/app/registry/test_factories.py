"""Factories: made when they are needed, once, and what becomes of those that fail."""

import sys
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from prowess import AlreadyRegisteredError, InvalidManifestError, Manifest, NotFoundError, Registry, Services
from prowess.errors import UnavailableError
from tests.unit.app.registry.skills import Whisper, search_index


@contextmanager
def often() -> Generator[None]:
    """Let threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def ask(registry: Registry, start: threading.Barrier) -> object:
    """Ask for the whisper at the same moment as others."""
    start.wait(10)
    return registry.get("whisper")


@pytest.mark.behaviour("factories.first-get", "factories.called-once", "factories.services")
def test_a_factory_is_called_at_the_first_get_once_with_the_services() -> None:
    """Spec: a factory is called on first `get`, once, and receives `registry.services`."""
    services = Services()
    registry = Registry(services)
    received: list[Services] = []

    def make(given: Services) -> Whisper:
        received.append(given)
        return Whisper()

    registry.register_factory("whisper", make)
    assert received == []
    first, second = registry.get("whisper"), registry.get("whisper")
    assert first is second
    assert received == [services]
    assert registry.services is services


def test_a_name_and_a_factory_register_like_register_factory() -> None:
    """Spec: `register(name, factory)` is accepted too."""
    registry = Registry()
    registry.register("whisper", lambda _: Whisper())
    assert registry.names == ("whisper",)
    assert registry.require("whisper").description == "Say it softly."


def test_a_factory_runs_once_under_many_threads() -> None:
    """Spec: made once per scope under concurrency."""
    registry = Registry()
    made: list[int] = []
    start = threading.Barrier(8)

    def make(_: Services) -> Whisper:
        made.append(1)
        return Whisper()

    registry.register_factory("whisper", make)
    with ThreadPoolExecutor(8) as pool:
        entries = set(pool.map(ask, [registry] * 8, [start] * 8))
    assert len(made) == 1
    assert len(entries) == 1


def named(name: str) -> Whisper:
    """A skill of this name."""
    made = Whisper()
    made.name = name
    return made


@pytest.mark.behaviour("factories.side-by-side")
def test_one_factory_does_not_wait_for_another() -> None:
    """Regression: whoever asked for a quick one waited for a slow one that another thread was making."""
    registry = Registry()
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: Services) -> Whisper:
        begun.set()
        assert go_on.wait(10)
        return named("slow")

    registry.register_factory("slow", slow)
    registry.register_factory("quick", lambda _: named("quick"))
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(registry.require, "slow") for _ in range(2)]
        assert begun.wait(10)
        assert registry.require("quick").name == "quick"
        go_on.set()
        assert waiting[0].result(10) is waiting[1].result(10)


@pytest.mark.behaviour("factories.side-by-side")
def test_factories_that_need_each_other_are_told_in_whatever_threads_they_run() -> None:
    """Choice: two threads that wait for each other would do so for ever."""
    registry = Registry()
    both = threading.Barrier(2)
    first: dict[str, bool] = {}

    def needing(mine: str, other: str) -> Callable[[Services], Whisper]:
        def make(_: Services) -> Whisper:
            if first.setdefault(mine, True):
                first[mine] = False
                both.wait(10)
            registry.require(other)
            return named(mine)

        return make

    for mine, other in (("a", "b"), ("b", "a")):
        registry.register_factory(mine, needing(mine, other))
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(registry.require, name) for name in ("a", "b")]
        for one in asked:
            with pytest.raises(UnavailableError, match="ends up asking for"):
                one.result(10)


@pytest.mark.behaviour("factories.leaving")
def test_a_factory_that_ends_the_process_only_fails() -> None:
    """Regression: one `sys.exit` in a factory took `get` and `list` down."""
    registry = Registry()
    registry.register(search_index)
    registry.register_factory("whisper", lambda _: sys.exit(3))
    with pytest.raises(UnavailableError, match="its factory raised SystemExit: 3"):
        registry.get("whisper")
    assert [manifest.name for manifest in registry.list()] == ["search_index"]
    assert [one.code for one in registry.diagnostics] == ["factory_failed"]

    def interrupted(_: Services) -> Whisper:
        raise KeyboardInterrupt

    registry.register_factory("whisper", interrupted, replace=True)
    with pytest.raises(KeyboardInterrupt):
        registry.get("whisper")


def test_a_thread_that_waits_for_a_factory_finds_what_it_made() -> None:
    """Regression: a reader between two steps of another thread's making was told that the name is unknown."""
    found: list[object] = []
    with ThreadPoolExecutor(4) as pool, often():
        for _ in range(300):
            registry = Registry()
            registry.register_factory("whisper", lambda _: Whisper())
            start = threading.Barrier(4)
            asking = [pool.submit(ask, registry, start) for _ in range(4)]
            found += [one.result() for one in asking]
    assert None not in found
    assert len(set(found)) == 300


def test_what_is_made_between_two_looks_of_a_reader_is_found() -> None:
    """Regression: the same, at the one moment that threads hit only now and then."""
    registry = Registry()

    class Name(str):
        """A name that somebody else asks for while it is being looked up."""

        __slots__ = ()

        def partition(self, sep: str, /) -> tuple[str, str, str]:
            registry.get("whisper")
            return super().partition(sep)

    registry.register_factory("whisper", lambda _: Whisper())
    assert registry.get(Name("whisper")) is not None


def test_factories_may_be_added_while_another_thread_looks_for_an_unknown_name() -> None:
    """Regression: looking through the factories while one came raised RuntimeError."""
    registry = Registry()
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            assert registry.get("nothing") is None

    with ThreadPoolExecutor(2) as pool, often():
        looking = [pool.submit(look) for _ in range(2)]
        for number in range(500):
            registry.register_factory(f"n{number}", lambda _: Whisper())
        done.set()
        for one in looking:
            one.result()


def test_a_failing_factory_names_its_skill_and_is_tried_again() -> None:
    """Spec: a failing factory names its skill and is tried again."""
    registry = Registry()
    tries: list[int] = []

    def make(_: Services) -> Whisper:
        tries.append(1)
        if len(tries) == 1:
            message = "no connection"
            raise OSError(message)
        return Whisper()

    registry.register_factory("whisper", make)
    with pytest.raises(UnavailableError, match=r"'whisper'.*no connection") as caught:
        registry.get("whisper")
    assert "no connection" not in caught.value.model_text
    assert registry.get("whisper") is not None


def test_a_missing_service_in_a_factory_is_a_key_error_that_names_the_skill() -> None:
    """Spec: a missing required service is a KeyError."""
    registry = Registry()
    registry.register_factory("whisper", lambda services: services.require("voice"))
    with pytest.raises(KeyError, match=r"'whisper'.*voice"):
        registry.get("whisper")


def test_a_factory_that_fails_is_left_out_of_lists_with_a_diagnostic() -> None:
    """Spec: a factory that fails is left out with a diagnostic."""
    registry = Registry()
    registry.register(search_index)
    registry.register_factory("whisper", lambda services: services.require("voice"))
    assert [manifest.name for manifest in registry.list()] == ["search_index"]
    assert [(one.code, one.entry) for one in registry.diagnostics] == [("factory_failed", "whisper")]


def test_a_factory_with_a_manifest_stays_lazy_in_lists() -> None:
    """Spec: `register_factory(name, factory, manifest=…)` stays lazy in `list` and `tools` too."""
    registry = Registry()
    made: list[int] = []

    def make(_: Services) -> Whisper:
        made.append(1)
        return Whisper()

    registry.register_factory("whisper", make, manifest=Manifest(name="whisper", description="Say it softly."))
    assert registry.list()[0].name == "whisper"
    assert registry.tools("openai")
    assert made == []


def test_a_factory_whose_skill_has_another_name_is_refused() -> None:
    """Spec: an instance whose `name` differs is refused."""
    registry = Registry()
    registry.register_factory("loud", lambda _: Whisper())
    with pytest.raises(InvalidManifestError, match=r"'loud'.*'whisper'"):
        registry.get("loud")


def test_a_factory_that_needs_itself_says_so() -> None:
    """Choice: a circle is an error with a name, not an endless recursion."""
    registry = Registry()
    registry.register_factory("whisper", lambda _: registry.require("whisper"))
    with pytest.raises(UnavailableError, match="whisper"):
        registry.get("whisper")


def test_a_pending_factory_counts_as_registered() -> None:
    """Spec: duplicates are refused, whichever came first."""
    registry = Registry()
    registry.register_factory("search_index", lambda _: Whisper())
    with pytest.raises(AlreadyRegisteredError):
        registry.register(search_index)
    with pytest.raises(AlreadyRegisteredError):
        registry.register_factory("search-index", lambda _: Whisper())
    registry.register(search_index, replace=True)
    assert registry.require("search_index").description == "Search the note index."
    with pytest.raises(AlreadyRegisteredError):
        registry.register_factory("search_index", lambda _: Whisper())
    registry.unregister("search_index")
    registry.register_factory("whisper", lambda _: Whisper())
    registry.unregister("whisper")
    assert registry.names == ()


def test_a_version_that_a_factory_does_not_make_is_not_unregistered() -> None:
    """Regression: `unregister("whisper@9.9.9")` took out the factory, whatever version it would have made."""
    registry = Registry()
    registry.register_factory("whisper", lambda _: Whisper())
    with pytest.raises(NotFoundError):
        registry.unregister("whisper@9.9.9")
    assert registry.names == ("whisper",)


def test_an_unknown_name_beside_a_factory_stays_unknown() -> None:
    """Spec: `get` gives None for a name nobody registered, and makes nothing for it."""
    registry = Registry()
    registry.register_factory("broken", lambda services: services.require("nothing"))
    assert registry.get("other") is None


def test_a_factory_may_ask_for_what_another_makes() -> None:
    """Choice: factories wire skills together; each is made once, in whatever order they are asked for."""
    registry = Registry()
    made: list[str] = []

    def first(_: Services) -> Whisper:
        assert registry.get("whisper") is not None
        made.append("first")
        skill = Whisper()
        skill.name = "first"
        return skill

    def second(_: Services) -> Whisper:
        made.append("second")
        return Whisper()

    registry.register_factory("first", first)
    registry.register_factory("whisper", second)
    assert [manifest.name for manifest in registry.list()] == ["first", "whisper"]
    assert made == ["second", "first"]


def test_a_factory_that_is_taken_out_while_it_runs_leaves_nothing_behind() -> None:
    """Spec: unregister then missing, also where the making had begun."""
    registry = Registry()

    def make(_: Services) -> Whisper:
        registry.unregister("whisper")
        return Whisper()

    registry.register_factory("whisper", make)
    assert registry.get("whisper") is None
    assert registry.names == ()


def test_replacing_a_factory_drops_what_it_made() -> None:
    """Spec: `replace=True` drops cached instances."""
    registry = Registry()
    made: list[Whisper] = []

    def make(_: Services) -> Whisper:
        made.append(Whisper())
        return made[-1]

    registry.register_factory("whisper", make)
    registry.get("whisper")
    registry.register_factory("whisper", make, replace=True)
    registry.get("whisper")
    assert len(made) == 2


def test_what_is_no_factory_is_refused() -> None:
    """Choice: an error says what would be right."""
    with pytest.raises(InvalidManifestError, match="callable"):
        Registry().register("whisper", 3)
    with pytest.raises(InvalidManifestError, match="not a name"):
        Registry().register_factory("No Name", lambda _: Whisper())
    with pytest.raises(InvalidManifestError, match="'other'"):
        Registry().register_factory("one", lambda _: Whisper(), manifest=Manifest(name="other", description="x"))


async def test_closing_closes_with_close_what_has_no_aclose() -> None:
    """Choice: a connection's own `close` is enough; what has neither is only let go."""
    closed: list[str] = []

    class Closing(Whisper):
        def close(self) -> None:
            closed.append(self.name)

    async with Registry() as registry:
        registry.register_factory("whisper", lambda _: Closing())
        registry.get("whisper")
    assert closed == ["whisper"]


async def test_closing_closes_what_factories_made_in_reverse_and_reports_a_failure() -> None:
    """Choice: a scope closes in reverse order, as services do, and every closer runs."""
    closed: list[str] = []

    class Closing(Whisper):
        def __init__(self, name: str) -> None:
            self.name = name

        async def aclose(self) -> None:
            closed.append(self.name)
            if self.name == "second":
                message = "stuck"
                raise OSError(message)

    registry = Registry()
    for name in ("first", "second", "third"):
        registry.register_factory(name, lambda _, name=name: Closing(name))  # type: ignore[misc]
    registry.list()
    with pytest.raises(OSError, match="stuck"):
        await registry.aclose()
    assert closed == ["third", "second", "first"]
