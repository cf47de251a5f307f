"""A text without the secrets in it."""

import re

__all__ = ["SHORTEST", "TEXT_LIMIT", "masked_text", "may_hold_secrets"]

TEXT_LIMIT = 1_000_000
"""Characters of one text that are shown."""
SHORTEST = 6
"""No text is shorter that holds a secret and says so."""
_CUT = " [… the rest is not shown]"

_SIGNS = re.compile(r"[-_=:.<AK]")
"""A character of these is in each secret that has a shape, but for those that start with one of the words below."""


def masked_text(text: str) -> str:
    """The text with a mask in the place of each secret that is known by its shape, or by the name it stands behind."""
    if not may_hold_secrets(text):
        return text
    # Their patterns take milliseconds to make, which a short command that fails at nothing should not pay.
    from prowess.governance.masking.assignments import without_assigned  # noqa: PLC0415 - see above
    from prowess.governance.masking.shapes import (  # noqa: PLC0415 - as above
        without_keys,
        without_logins,
        without_private_keys,
    )

    if len(text) > TEXT_LIMIT:
        text = _cut(text)
    return without_keys(without_logins(without_assigned(without_private_keys(text))))


def may_hold_secrets(text: str) -> bool:
    """Whether a text is worth a closer look, told in a fraction of the time that it takes."""
    return len(text) >= SHORTEST and (
        _SIGNS.search(text) is not None or "earer " in text or "EARER " in text or "dapi" in text
    )


# ---------------------------------------------------------------------------------------------------------------------


def _cut(text: str) -> str:
    """The beginning of a text, up to a space: half a secret has no shape any more."""
    kept = text[: TEXT_LIMIT - len(_CUT)]
    return kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)] + _CUT
