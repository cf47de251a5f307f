"""Values as YAML writes them on one line."""

import re

from msgspec import json

from prowess.model.json_value import Json
from prowess.skillmd.fields import kind_of
from prowess.yamltext.nodes import Scalar

__all__ = ["in_quotes", "written_text", "written_value"]

_SAFE = re.compile(r"[^\W_][^\x00-\x1f\x7f-\xa0\ufeff\u2028\u2029\ufffe\uffff:#]*(?<=\S)")
"""Texts that nobody can take for anything else, where they stand alone."""
_SAFE_INSIDE = re.compile(r"[A-Za-z][A-Za-z0-9 .()/*_-]*(?<=\S)")
"""The same inside brackets."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_PRINTED = re.compile("[\x7f-\xa0\ufeff\u2028\u2029\ufffe\uffff]")


def written_text(text: str) -> str:
    """A text, in quotes where it would be something else without."""
    return text if _SAFE.fullmatch(text) and _is_text(text) else in_quotes(text)


def in_quotes(text: str) -> str:
    """A text in double quotes, with the escapes that JSON and YAML share."""
    quoted = json.encode(_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)).decode()
    return _NOT_PRINTED.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)


def written_value(value: Json) -> str:
    """Any value; lists and mappings in flow style."""
    return written_text(value) if isinstance(value, str) else _inside(value)


# ---------------------------------------------------------------------------------------------------------------------


def _inside(value: Json) -> str:
    if isinstance(value, str):
        return value if _SAFE_INSIDE.fullmatch(value) and _is_text(value) else in_quotes(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_inside, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_inside(key)}: {_inside(item)}' for key, item in value.items())}}}"
    return json.encode(value).decode()


def _is_text(text: str) -> bool:
    return kind_of(Scalar(text, "", 1, 1, 0, len(text))) is None
