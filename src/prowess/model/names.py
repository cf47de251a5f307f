"""How entries are named: the grammar, the one key of two spellings, `namespace/name@version`, near names."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from prowess.errors import InvalidManifestError

__all__ = ["NAME_LIMIT", "check_name", "is_name", "key_of", "name_problem", "near_names", "split_reference"]

NAME_LIMIT = 64
_NAME = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
_NEAR_LIMIT = 5_000
_NEAR_LENGTH = 2
_RULE = "lowercase letters and digits in words joined by single '_' or '-', at most 64 characters"


def is_name(text: str) -> bool:
    """Whether `text` is a legal name, with or without a namespace."""
    return name_problem(text) is None


def name_problem(text: str) -> str | None:
    """What is wrong with a name, as the end of a sentence that starts with it; None where nothing is."""
    namespace, slash, local = text.rpartition("/")
    for part in (namespace, local) if slash else (local,):
        if not part:
            return f"is empty: a name is {_RULE}"
        if len(part) > NAME_LIMIT:
            return f"has {len(part)} characters: a name has at most {NAME_LIMIT}"
        if not _NAME.fullmatch(part):
            return f"is not a name: a name is {_RULE}"
    return None


def check_name(text: object) -> str:
    """Give the name back, or raise `InvalidManifestError` saying what a name is."""
    if isinstance(text, str) and is_name(text):
        return text
    problem = name_problem(text) if isinstance(text, str) else f"is no text: a name is {_RULE}"
    message = f"name {str(text)[: 2 * NAME_LIMIT]!r} {problem}"
    raise InvalidManifestError(message, details={"name": text})


def key_of(name: str) -> str:
    """The key under which two spellings of one name meet: `read-file` and `read_file` are the same entry."""
    return name.replace("-", "_")


def split_reference(reference: str) -> tuple[str, str | None]:
    """`name@version` as name and constraint; a bare name has none."""
    name, at, constraint = reference.partition("@")
    return name, constraint.strip() if at else None


def near_names(wanted: str, known: Iterable[str], most: int = 3, alike: float = 0.6) -> tuple[str, ...]:
    """The names most like the wanted one, nearest first; of a very long list only the likely ones are compared.

    `alike` is how much a name must share with it, from 0 to 1.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only after a mistake, and 10 ms

    wanted_key = key_of(wanted[: 2 * NAME_LIMIT]).lower()
    by_key: dict[str, str] = {}
    for name in _likely(wanted_key, list(known)):
        by_key.setdefault(key_of(name).lower(), name)
    return tuple(by_key[key] for key in get_close_matches(wanted_key, by_key, n=most, cutoff=alike))


# ---------------------------------------------------------------------------------------------------------------------


def _likely(wanted: str, names: Sequence[str]) -> Sequence[str]:
    if len(names) <= _NEAR_LIMIT:
        return names
    first, length = wanted[:1], len(wanted)
    close = (name for name in names if name[:1] == first and abs(len(name) - length) <= _NEAR_LENGTH)
    return tuple(islice(close, _NEAR_LIMIT))
