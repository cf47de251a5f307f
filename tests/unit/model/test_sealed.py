from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prowess.model.sealed import seal

if TYPE_CHECKING:
    from prowess.model.json_value import Json


def test_a_sealed_value_is_only_seen_through_its_mask_and_does_not_change() -> None:
    """Spec: what leaves the gate is masked."""

    def mask(value: Json) -> Json:
        assert isinstance(value, dict)
        value["key"] = "***"
        return value

    given = {"key": "secret", "to": "bob"}
    sealed = seal(given, mask)
    given["to"] = "somebody else"
    assert sealed.shown() == sealed.shown() == {"key": "***", "to": "bob"}
    assert "secret" not in repr(sealed)
    assert sealed.size == len('{"key":"secret","to":"bob"}')


@pytest.mark.parametrize("value", [object(), {1, "a", None, object()}])
def test_what_has_no_json_form_is_said_to_be_none(value: object) -> None:
    """Choice: a record of a refused call must not fail over what was refused."""
    assert seal(value, lambda shown: shown).shown() == "[not JSON]"
