"""The statements of an adapter by name, from the .sql file beside it."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

__all__ = ["queries_of"]

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


@cache
def queries_of(name: str) -> Mapping[str, str]:
    """The statements of `NAME.sql`, each after a line `-- name: ...`; some are several, ended by semicolons."""
    _, *parts = _NAME.split(files("prowess.storage").joinpath(f"{name}.sql").read_text(encoding="utf-8"))
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))
