"""Characters that look like those that YAML gives a meaning, or like nothing at all, and what to call them."""

from unicodedata import category, name

__all__ = ["COLONS", "CONTROLS", "DASHES", "NOTHING", "SPACES", "character_named", "visible"]

SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Spaces that are none to YAML, for a set of a pattern."""
NOTHING = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""Characters that nobody sees, for a set of a pattern."""
CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
"""Control characters that end no line, for a set of a pattern."""
DASHES = "\u2010-\u2015\u2212\u2500\u2501\ufe58\ufe63\uff0d"
"""What word processors and other scripts make of hyphens, for a set of a pattern."""
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
