"""What is given in the place of something else: a sentence about what would be right, never an error from inside."""

from collections.abc import Awaitable, Callable
from functools import partial
from operator import methodcaller

import pytest

from prowess import BaseSkill, Registry, Result, Runtime, Services
from prowess.errors import ConfigurationError, InvalidManifestError
from prowess.model.event import CallFinished
from prowess.testing import EventLog
from tests.unit.app.calls.calling import echo, registry_of


class Executor:
    async def execute(self, tool: str, given: object, /) -> object:
        return [tool, given]


def made(kind: Callable[..., object], *given: object, **named: object) -> Callable[[Registry], object]:
    """Make something without looking at the registry."""
    return lambda _: kind(*given, **named)


def running(**options: object) -> Callable[[Registry], object]:
    """Make a runtime with these options."""
    kind: Callable[..., object] = Runtime
    return partial(kind, **options)


WRONG: dict[str, tuple[Callable[[Registry], object], str]] = {
    "services": (made(Registry, {"key": 1}), "of type dict: give Services({...}) around them"),
    "no services": (made(Registry, 3), "of type int: give a Services"),
    "held": (made(Services, [1]), "of type list: give a dict of services by name"),
    "registry": (made(Runtime, None), "the registry of this runtime is None: give a Registry"),
    "engine": (running(engine=3), "there is no engine 3: this release has 'memory'"),
    "reader": (running(readers=[3]), "a reader is 3: it is a callable"),
    "readers": (running(readers=3), "readers is 3: give a list"),
    "subscriber": (lambda one: methodcaller("subscribe", 3)(Runtime(one)), "a reader is 3: it is a callable"),
    "format": (methodcaller("tools", None), "there is no tool format None: use one of openai"),
    "query": (methodcaller("search", None), "was given query: NoneType"),
    "k": (methodcaller("search", "x", k="a"), "k and page as whole numbers, and was given query: str, k: str"),
    "definitions": (methodcaller("register_tools", Executor(), None), "of type NoneType: give a list"),
    "definition": (methodcaller("register_tools", Executor(), {"name": "x"}), "of type dict: give a list"),
}


@pytest.mark.behaviour("faces.wrong-types")
@pytest.mark.parametrize("what", WRONG)
def test_what_is_of_the_wrong_type_is_refused_with_what_would_be_right(what: str) -> None:
    """Regression: it was an AttributeError or TypeError from somewhere inside, if it was refused at all."""
    act, told = WRONG[what]
    with pytest.raises(ConfigurationError) as caught:
        act(registry_of(echo))
    assert told in caught.value.message


def test_a_class_without_execute_is_no_skill() -> None:
    """Regression: it was told as a factory that fails."""

    class Half(BaseSkill):
        name, description, parameters = "half", "Be half.", {"type": "object"}

    with pytest.raises(InvalidManifestError, match="class Half is not a skill: it has no execute"):
        registry_of(Half)


@pytest.mark.behaviour("faces.wrong-types")
async def test_a_caller_that_is_none_is_refused_and_told_as_any_refusal_is() -> None:
    """Regression: whatever stood there went into the events, and permissions would have been asked of it."""
    log = EventLog()
    async with Runtime(registry_of(echo), readers=[log]) as runtime:
        call: Callable[..., Awaitable[Result]] = runtime.run
        error = (await call("echo", {"text": "x"}, caller="bob")).error
    assert isinstance(error, ConfigurationError)
    assert error.message == "the caller is 'bob': give a Caller, such as Caller('me')"
    assert [event.error for event in log.of(CallFinished)] == [error.code]
