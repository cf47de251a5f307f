"""Declared JSON paths: `$.user.password`, `$.items[*].token`, `$['a b']`, or the bare name of a field."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct, field

from prowess.model.json_value import DEPTH_LIMIT, Json

__all__ = ["Branch", "branch_of", "steps_of"]

Step: TypeAlias = str | int
_EVERY = "*"
_STEP = re.compile(r"\.?(?P<name>[^.\[\]]+)|\[(?P<index>[0-9]{1,9})\]|\[(?P<every>\*)\]|\['(?P<quoted>[^']*)'\]")


class Branch(Struct):
    """The declared paths from one place on. Built once, then only read.

    Where a value has another form than a path expects, more is masked and not less: a name is looked for in every item
    of an array, and a text is masked where the path goes on, as it may hold the whole as JSON.
    """

    is_end: bool = False
    names: dict[str, "Branch"] = field(default_factory=dict)
    indexes: dict[int, "Branch"] = field(default_factory=dict)
    every: "Branch | None" = None

    def mask(self, value: Json, masked: Callable[[Json], Json], depth: int = 0) -> Json:
        """The value with all that these paths lead to replaced by what `masked` makes of it, in place."""
        if self.is_end or depth > DEPTH_LIMIT or isinstance(value, str):
            return masked(value)
        if isinstance(value, dict):
            for key in value if self.every is not None else self.names.keys() & value.keys():
                for branch in self._under(key):
                    value[key] = branch.mask(value[key], masked, depth + 1)
        elif isinstance(value, list):
            for at, item in enumerate(value):
                for branch in self._at(at):
                    item = branch.mask(item, masked, depth + 1)  # noqa: PLW2901 - several paths may lead there
                value[at] = item
        return value

    def add(self, steps: Iterable[Step]) -> None:
        """Take in one path."""
        branch = self
        for step in steps:
            branch = branch._next(step)
        branch.is_end = True

    # -----------------------------------------------------------------------------------------------------------------

    def _next(self, step: Step) -> "Branch":
        if isinstance(step, int):
            return self.indexes.setdefault(step, Branch())
        if step == _EVERY:
            self.every = self.every or Branch()
            return self.every
        return self.names.setdefault(step, Branch())

    def _under(self, key: str) -> Iterator["Branch"]:
        named = self.names.get(key)
        if named is not None:
            yield named
        if self.every is not None:
            yield self.every

    def _at(self, index: int) -> Iterator["Branch"]:
        if index in self.indexes:
            yield self.indexes[index]
        if self.every is not None:
            yield self.every
        if self.names:
            yield Branch(names=self.names)


def branch_of(paths: Iterable[str]) -> Branch | None:
    """What these paths lead to; None for no path."""
    root = Branch()
    any_path = False
    for path in paths:
        root.add(steps_of(path))
        any_path = True
    return root if any_path else None


def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of a path. What cannot be read ends it, so that more is masked and not less."""
    text = path.removeprefix("$")
    steps: list[Step] = []
    at = 0
    while found := _STEP.match(text, at):
        name, index, every, quoted = found.groups()
        steps.append(int(index) if index else name or every or quoted)
        at = found.end()
    return tuple(steps)
