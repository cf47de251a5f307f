"""What a command says of what went wrong: where it was, once, and as JSON for whoever asked for JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.behaviour.processes import Ended, at_terminal, prowess

if TYPE_CHECKING:
    from pathlib import Path

SHOP = '''
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta
from prowess import Context, op, skill


@dataclass
class Line:
    sku: Annotated[str, Meta(min_length=3)]
    price: float


@dataclass
class Order:
    zip: int
    lines: list[Line]


@op(version="1.0.0")
async def track(order: Order) -> str:
    """Fail."""
    raise ValueError(f"no zip {order.zip}")


@skill(calls=[track])
async def ask(*, ctx: Context) -> object:
    """Fail in what it calls."""
    return await ctx.call("track", order={"zip": 1, "lines": []})


@op
async def name(sku: Annotated[str, Meta(min_length=3, pattern="^[A-Z]+$")]) -> str:
    """Say it."""
    return sku


@op
async def steps() -> AsyncIterator[str | int]:
    """Tell text and numbers."""
    yield "one "
    yield "two"
    yield 3
    yield "four"


class Echo:
    async def execute(self, tool: str, inputs: dict[str, object]) -> object:
        return inputs


def register(registry) -> None:
    fields = {"a": {"type": "integer"}, "b": {"$ref": "#/properties/a"}}
    schema = {"type": "object", "properties": fields, "required": ["b"]}
    registry.register_tools(Echo(), [{"name": "echo", "parameters": schema}])


@op
async def none() -> AsyncIterator[int]:
    """Tell nothing."""
    return
    yield 1
'''


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Give a project with entries that fail."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "orders.py").write_text(SHOP, encoding="utf-8")
    (tmp_path / "prowess.toml").write_text('folders = ["shop"]\n', encoding="utf-8")
    return tmp_path


def refusal(ended: Ended) -> dict[str, Any]:
    """Give the error that a command printed as JSON, and nothing besides."""
    answer: dict[str, Any] = json.loads(ended.out)
    assert answer["ok"] is False
    found: dict[str, Any] = answer["error"]
    assert {"code", "message", "retryable", "details"} == set(found)
    return found


@pytest.mark.behaviour("commands.where")
@pytest.mark.parametrize("words", [("track", "order.zip=7", "order.lines=[]"), ("ask",)])
def test_the_place_of_a_failure_is_named(words: tuple[str, ...], shop: Path, home: Path) -> None:
    """Regression: of a handler's exception only its words were told."""
    ended = prowess("run", *words, cwd=shop, home=home)
    line = SHOP.splitlines().index('    raise ValueError(f"no zip {order.zip}")') + 1
    assert ended.code == 1
    assert ended.err.splitlines()[-1] == f"  ValueError at shop/orders.py:{line}"


@pytest.mark.behaviour("commands.debug")
def test_the_traceback_of_a_handler_is_shown_when_asked_for(shop: Path, home: Path) -> None:
    """Regression: `PROWESS_DEBUG=1` showed none where a skill failed."""
    words = ("run", "track", "order.zip=7", "order.lines=[]")
    ended = prowess(*words, cwd=shop, home=home, variables={"PROWESS_DEBUG": "1"})
    assert (ended.code, ended.err.count("Traceback"), "in track" in ended.err) == (1, 1, True)
    assert "Traceback" not in prowess(*words, cwd=shop, home=home).err
    wrong = prowess("run", "--no", cwd=shop, home=home, variables={"PROWESS_DEBUG": "1"})
    assert (wrong.code, "Traceback" in wrong.err) == (2, True)


@pytest.mark.behaviour("commands.json-always")
@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("run", "track"), 1, "invalid_input"),
        (("run", "track", "order.zip=x"), 2, "invalid_input"),
        (("run", "track", "ordr=1"), 2, "invalid_input"),
        (("run", "track", "--input", "nowhere.json"), 2, "invalid_input"),
        (("run", "trck"), 1, "not_found"),
        (("run", "track@^9"), 1, "not_found"),
        (("run",), 2, "bad_usage"),
        (("run", "track", "--timeout", "soon"), 2, "bad_usage"),
        (("show", "trck"), 1, "not_found"),
        (("list", "--kind", "opp"), 2, "bad_usage"),
        (("lst",), 2, "bad_usage"),
        (("list", "-C", "nowhere"), 1, "configuration"),
        (("tools", "-C", "nowhere"), 1, "configuration"),
    ],
)
def test_whoever_asks_for_json_gets_it_whatever_went_wrong(
    words: tuple[str, ...], status: int, code: str, shop: Path, home: Path
) -> None:
    """Regression: refusals and wrong inputs were told as text only."""
    ended = prowess(*words, "--json", cwd=shop, home=home)
    assert (ended.code, refusal(ended)["code"] if status == 2 or code != "invalid_input" else code) == (status, code)
    assert json.loads(ended.out)["error"]["message"]


@pytest.mark.behaviour("commands.problems-once")
def test_several_problems_are_told_once_in_one_spelling(shop: Path, home: Path) -> None:
    """Regression: they stood in the headline and below it, as `order.lines[0].sku` and as `$.order.lines[0].sku`."""
    document = b'{"order": {"zip": "x", "lines": [{"sku": "a", "price": 1}]}}'
    ended = prowess("run", "track", "--input", "-", cwd=shop, home=home, stdin=document)
    assert ended.err.splitlines() == [
        "prowess: invalid input: track: 2 problems",
        "  order.zip: expected integer, found string",
        "  order.lines[0].sku: expected at least 3 characters",
    ]


@pytest.mark.behaviour("commands.versions-told")
@pytest.mark.parametrize("command", ["run", "show"])
def test_of_a_version_that_is_not_there_those_that_are_are_told(command: str, shop: Path, home: Path) -> None:
    """Regression: the name itself was offered as what was meant."""
    ended = prowess(command, "track@^9", cwd=shop, home=home)
    assert (ended.code, ended.err) == (1, "prowess: not found: there is no entry 'track@^9': there are track@1.0.0\n")


@pytest.mark.behaviour("commands.run-meant")
def test_the_name_of_a_skill_in_place_of_a_command_is_understood(shop: Path, home: Path) -> None:
    """Regression: `prowess greet` was no command, and nothing more."""
    prowess("list", cwd=shop, home=home)
    ended = prowess("track", cwd=shop, home=home)
    assert (ended.code, "did you mean 'prowess run track'?" in ended.err) == (2, True)
    assert "prowess run" not in prowess("trck", cwd=shop, home=home).err
    assert "prowess run" not in prowess("-C", "nowhere", "track", cwd=shop, home=home).err


@pytest.mark.behaviour("commands.usage")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run",), "NAME is missing"),
        (("new",), "WHAT is missing, one of skill, project and NAME is missing"),
        (("completion",), "SHELL is missing, one of bash, zsh, fish"),
        (("new", "foo", "bar"), "'foo' is none of skill, project"),
        (("list", "--kind", "opp"), "--kind: 'opp' is none of op, logic, pipeline, package, did you mean 'op'?"),
        (("serve", "--port", "high"), "expected a whole number from 0 to 65535, got 'high'"),
        (("run", "name", "--timeout", "soon"), "expected seconds, above 0"),
    ],
)
def test_bad_usage_is_told_in_words_that_a_user_knows(
    words: tuple[str, ...], told: str, shop: Path, home: Path
) -> None:
    """Regression: names of functions and of variables, and inputs that nobody has to give, were told as missing."""
    ended = prowess(*words, cwd=shop, home=home)
    assert (ended.code, told in ended.err) == (2, True), ended


@pytest.mark.behaviour("commands.stream")
def test_pieces_come_into_a_pipe_as_json_lines_when_asked_for(shop: Path, home: Path) -> None:
    """Choice: what reads a pipe must see where a piece ends, and need not wait for the last."""
    assert prowess("run", "steps", "--stream", cwd=shop, home=home).out == '"one "\n"two"\n3\n"four"\n'
    whole = prowess("run", "steps", "--stream", "--json", cwd=shop, home=home).out.splitlines()
    assert (whole[:-1], json.loads(whole[-1])["ok"]) == (['"one "', '"two"', "3", '"four"'], True)
    assert prowess("run", "none", "--stream", cwd=shop, home=home).out == "[]\n"
    assert prowess("run", "name", "sku=ABC", "--stream", cwd=shop, home=home).out == '"ABC"\n'
    assert json.loads(prowess("run", "steps", cwd=shop, home=home).out) == ["one ", "two", 3, "four"]


@pytest.mark.behaviour("terminal.streams")
def test_at_a_terminal_text_flows_and_anything_else_has_a_line(shop: Path, home: Path) -> None:
    """Regression: a number was glued to the text before it."""
    assert at_terminal(["run", "steps"], [], cwd=shop, home=home).out == "one two\n3\nfour\n"


@pytest.mark.behaviour("terminal.asks-again")
def test_an_answer_that_breaks_a_rule_of_the_schema_is_asked_for_again(shop: Path, home: Path) -> None:
    """Regression: only an answer's type was looked at, so the call was refused after the last question."""
    asked = "sku (text of at least 3 characters matching ^[A-Z]+$): "
    ended = at_terminal(["run", "name"], [(asked, "a\n"), ("sku: expected text that", "ABC\n")], cwd=shop, home=home)
    assert ended.code == 0
    assert "  sku: expected at least 3 characters" in ended.out
    assert ended.out.endswith("ABC\n")


@pytest.mark.behaviour("terminal.asks")
def test_an_object_is_asked_for_as_json(shop: Path, home: Path) -> None:
    """Regression: `order (object):` did not say how to write one."""
    answers = [("order (object as JSON): ", '{"zip": 1}\n'), ("lines", '{"zip": 1, "lines": []}\n')]
    ended = at_terminal(["run", "track"], answers, cwd=shop, home=home)
    assert "order.lines: required field is missing" in ended.out
    assert "no zip 1" in ended.out


@pytest.mark.behaviour("terminal.asks")
def test_a_field_that_refers_to_another_is_asked_for_too(shop: Path, home: Path) -> None:
    """Choice: what only makes sense in the whole schema is left to the gate."""
    ended = at_terminal(["run", "echo", "--json"], [("b (whole number): ", "3\n")], cwd=shop, home=home)
    assert '"output":{"b":3}' in ended.out
