"""Characters that look like those that YAML gives a meaning, or like nothing at all, and what to call them."""

from unicodedata import category, name

__all__ = ["COLONS", "NOTHING", "SPACES", "character_named", "visible"]

SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Spaces that are none to YAML, for a set of a pattern."""
NOTHING = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""Characters that nobody sees, for a set of a pattern."""
COLONS = "\u2236\ua789\ufe13\ufe55\uff1a"
"""Colons of other scripts, for a set of a pattern."""


def character_named(char: str) -> str:
    """A character as `U+00A0 NO-BREAK SPACE`."""
    return f"U+{ord(char):04X} {name(char, '')}".rstrip()


def visible(text: str) -> str:
    """A text in which every character can be seen: what cannot stands as `<U+200B>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(char):04X}>" if category(char)[0] in "CZ" and char != " " else char for char in text)
