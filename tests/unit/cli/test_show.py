"""What `prowess show` tells of an entry, as far as a schema and a manifest say it."""

import shlex
from collections.abc import Generator
from pathlib import Path

import pytest

from prowess.cli.main import main
from tests.unit.app.folder import Folder, fresh_folder

REFUND = """
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from msgspec import Meta
from prowess import op, skill


@dataclass
class Paid:
    paid: float


@skill(
    version="1.0.0",
    description="Give money back.",
    tags=["money", "shop"],
    capabilities=["orders.refund"],
    owners=["billing"],
    calls=["pay", "look_up@^1"],
    autonomy="L2",
    destructive=True,
    timeout=2.5,
    rate_limit=10,
)
async def refund(order: Annotated[str, Meta(examples=["it's 7"])], days: list[date] = []) -> list[Paid]: ...


class Outside:
    async def execute(self, tool, input): ...


def register(registry):
    registry.register_tools(Outside(), [{"name": "ping"}])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Folder]:
    """Give a folder, and take what was imported from it out of the process afterwards."""
    with fresh_folder(tmp_path) as found:
        yield found


def printed(folder: Folder, capsys: pytest.CaptureFixture[str], file: str, *words: str) -> str:
    """Give what a command about a file prints."""
    assert main(["-C", str(folder.path / file), *words]) == 0
    return capsys.readouterr().out


@pytest.mark.behaviour("commands.show")
def test_show_tells_everything_that_an_entry_says_about_itself(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spec: inputs, output and rights."""
    file = folder.write("shop_§.py", REFUND)
    shown = printed(folder, capsys, file, "show", "refund")
    assert (
        shown
        == f"""\
refund 1.0.0  (logic, enabled, from {file})

Give money back.

Inputs:
  order  text
  days   list of date (2026-01-31), otherwise []
Output: list of object
  paid  number
Tags: money, shop
Capabilities: orders.refund
Owners: billing
Calls: pay, look_up@^1
Autonomy: L2
Destructive: yes
Time limit: 2.5 s
Calls a minute: 10

Try:  prowess run refund order='it'\\''s 7'
"""
    )
    ping = printed(folder, capsys, file, "show", "ping")
    assert ping == "ping  (op, enabled, from tools)\n\nInputs: none\nAutonomy: L3\n\nTry:  prowess run ping\n"


@pytest.mark.behaviour("commands.malformed-schemas")
def test_a_tool_with_a_malformed_schema_is_shown_and_only_its_calls_are_refused(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Regression: `show` ended with a mistake of ours."""
    text = """
class Outside:
    async def execute(self, tool, input): ...

def register(registry):
    schema = {"type": "object", "properties": {"a": {"enum": []}, "b": {"type": 3}}, "required": True}
    registry.register_tools(Outside(), [{"name": "wild", "parameters": schema}])
"""
    file = folder.write("outside_§.py", text)
    assert "  a  any JSON value, optional\n" in printed(folder, capsys, file, "show", "wild")
    assert main(["-C", str(folder.path / file), "run", "wild", "a=1"]) == 1
    assert capsys.readouterr().err.startswith("prowess: invalid schema: the schema of 'wild' cannot be used: ")


PARCEL = """
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta
from prowess import op


@dataclass
class Line:
    sku: Annotated[str, Meta(min_length=3, description="What it is.")]
    price: float


@dataclass
class Order:
    zip: Annotated[int, Meta(ge=1000)]
    lines: Annotated[list[Line], Meta(min_length=1)]
    note: bytes = b""


@op(
    failure_modes=[{"code": "lost", "description": "Nobody knows where it is.", "retryable": True}],
    deprecation={"replaced_by": "ship_2", "removal_version": "3.0.0"},
)
async def ship(order: Order, label: Annotated[bytes, Meta(max_length=9)] = b"") -> str:
    "Ship a parcel."
    return f"{order.zip}: {order.lines[0].sku}"


@dataclass
class Node:
    next: "Node | None" = None


@op
async def walk(node: Node) -> None:
    "Walk."


@op
async def guess(code: Annotated[str, Meta(pattern="^[A-Z]{3}$")]) -> str:
    "Take what nobody can guess."
    return code
"""


@pytest.mark.behaviour("commands.show-nested")
def test_show_tells_what_is_inside_and_how_it_can_fail(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: `order  object` was all that was told of an order."""
    file = folder.write("parcel_§.py", PARCEL)
    shown = printed(folder, capsys, file, "show", "ship")
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[lines.index("Inputs:") + 1 : lines.index("Output: text")] == [
        "order object",
        "zip whole number from 1000",
        "lines list of object (at least 1 item)",
        "sku text of at least 3 characters What it is.",
        "price number",
        'note text in base64, otherwise ""',
        'label text in base64, otherwise ""',
    ]
    assert "      sku" in shown
    assert printed(folder, capsys, file, "show", "walk").count("next") == 3
    assert "Deprecated: use ship_2 instead; refused from 3.0.0" in lines
    assert "Fails with lost: Nobody knows where it is. (may succeed when tried again)" in lines


@pytest.mark.behaviour("commands.show-example")
def test_the_call_that_is_shown_can_be_made(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Regression: what an object needs inside was left out, so that the call was refused."""
    file = folder.write("parcel_§.py", PARCEL)
    words = shlex.split(printed(folder, capsys, file, "show", "ship").splitlines()[-1].removeprefix("Try:"))
    assert printed(folder, capsys, file, *words[1:]) == "1000: hello\n"
    assert "Try:" not in printed(folder, capsys, file, "show", "guess")
