"""Write down the public names and their signatures in tests/public_api.txt.

    python -m tools.public_api

A test compares that file with the code, so a change of the promised names is always seen in review.
"""

from __future__ import annotations

import enum
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import prowess

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
SNAPSHOT = ROOT / "tests" / "public_api.txt"
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
UNPACKED = re.compile(r"\*<class '([^']+)'>")  # how 3.11 shows what later versions call Unpack[...]


def render(exported: dict[str, object]) -> str:
    """Describe each name on a line, and below a class its public members."""
    return "".join(f"{line}\n" for name in sorted(exported) for line in _describe(name, exported[name]))


def exported_names() -> dict[str, object]:
    """Give what `from prowess import *` would."""
    return {name: getattr(prowess, name) for name in prowess.__all__}


def _describe(name: str, value: object) -> Iterator[str]:
    if not inspect.isclass(value):
        yield f"def {name}{_signature(value)}" if callable(value) else f"{name} = {value!r}"
        return
    bases = ", ".join(base.__name__ for base in value.__bases__ if base is not object)
    yield f"class {name}({bases})" if bases else f"class {name}"
    if not issubclass(value, enum.Enum) and not getattr(value, "_is_protocol", False):
        yield f"    {name}{_signature(value)}"
    for member, found in sorted(_members(value).items()):
        yield f"    {_member(member, found)}"


def _members(cls: type) -> dict[str, object]:
    """Gather the public attributes, those of our own base classes included."""
    members: dict[str, object] = {}
    for owner in reversed(cls.__mro__):
        if owner.__module__.partition(".")[0] == cls.__module__.partition(".")[0]:
            members |= dict.fromkeys(inspect.get_annotations(owner))
            members |= owner.__dict__
    return {name: value for name, value in members.items() if not name.startswith("_")}


def _member(name: str, value: object) -> str:
    if isinstance(value, (staticmethod, classmethod)):
        return f"{type(value).__name__} {name}{_signature(value.__func__)}"
    if inspect.iscoroutinefunction(value):
        return f"async {name}{_signature(value)}"
    if inspect.isfunction(value):
        return f"def {name}{_signature(value)}"
    if isinstance(value, enum.Enum):
        return f"{name} = {value.value!r}"
    return name


def _signature(value: object) -> str:
    try:
        text = str(inspect.signature(value)) if callable(value) else ""
    except ValueError:  # a type made in C has none to show
        return "(...)"
    return UNPACKED.sub(r"Unpack[\1]", ADDRESS.sub("", text))


if __name__ == "__main__":
    SNAPSHOT.write_text(render(exported_names()), encoding="utf-8")
