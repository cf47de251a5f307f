from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from prowess.governance.masking.mask import MASK
from prowess.governance.masking.names import Naming, naming_of
from prowess.governance.masking.values import masked_value
from tests.unit.governance.masking.secrets_of import KEYS, NAMES, PEM, drawn
from tests.unit.governance.test_redaction import PLAIN, shape_of

if TYPE_CHECKING:
    from prowess.model.json_value import Json

KEY = "sk" + "-" + "7" * 30
DRAWN = "q8Hf73kLmZ0pXyTr9aBcD2eW"


@pytest.mark.behaviour("redaction.shapes")
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"password": "x", "user": "ann"}, {"password": MASK, "user": "ann"}),
        ({"password": "", "token": None, "secret": True}, {"password": "", "token": None, "secret": True}),
        ({"pwd": 4711, "otp": 1.5}, {"pwd": MASK, "otp": MASK}),
        ({"secrets": ["a", {"b": "c", "n": None}, [1]]}, {"secrets": [MASK, {"b": MASK, "n": None}, [MASK]]}),
        ({"credentials": {"user": "a", "on": True}}, {"credentials": {"user": MASK, "on": True}}),
        ({"note": f"use {KEY}!"}, {"note": f"use {MASK}!"}),
        ([f"use {KEY}", {"x": [KEY]}], [f"use {MASK}", {"x": [MASK]}]),
        ({KEY: 1, "a": 2}, {MASK: 1, "a": 2}),
        ({f"x {KEY}": 1, f"x {KEY}7": 2}, {f"x {MASK}": 1, f"x {MASK} 2": 2}),
        ({f"x {KEY} " * 9: 1, KEY: 2}, {f"x {MASK} " * 9: 1, MASK: 2}),
        ({"credentials": {KEY: "a"}}, {"credentials": {MASK: MASK}}),
        (
            {"session_id": DRAWN, "key": "open", "signature": [KEY]},
            {"session_id": MASK, "key": "open", "signature": [MASK]},
        ),
        (
            {"tokens": 17, "max_tokens": "4,096", "n_tokens": "1.5", "api_tokens": "abc"},
            {"tokens": 17, "max_tokens": "4,096", "n_tokens": "1.5", "api_tokens": MASK},
        ),
        ({"tokens": ["abc", 5], "n": 1}, {"tokens": [MASK, 5], "n": 1}),
        ({"tokens": {"input": 5, "of": "x"}}, {"tokens": {"input": 5, "of": "x"}}),
        ({"name": "DB_PASSWORD", "value": "abc"}, {"name": "DB_PASSWORD", "value": MASK}),
        ({"header": "X-Api-Key", "value": "abc"}, {"header": "X-Api-Key", "value": MASK}),
        ({"name": "colour", "value": "red"}, {"name": "colour", "value": "red"}),
        ({"value": "red"}, {"value": "red"}),
        (["tool", "--password", "hunter", "--x", "y"], ["tool", "--password", MASK, "--x", "y"]),
        (["--token", "--password", "ab", "cd"], ["--token", "--password", MASK, "cd"]),
        (["--password", 5, "ab"], ["--password", 5, "ab"]),
        (KEY, MASK),
        (5, 5),
    ],
)
def test_secrets_in_values(value: Json, shown: Json) -> None:
    """Spec: keys that name secrets, and shapes anywhere, also in keys."""
    assert masked_value(copy.deepcopy(value)) == shown
    assert masked_value(copy.deepcopy(shown)) == shown


@pytest.mark.behaviour("redaction.ordinary")
@pytest.mark.parametrize(
    "value",
    [
        {"properties": {"password": {"type": "string", "description": "What you chose.", "minLength": 8}}},
        {"token": {"$ref": "#/defs/token", "title": "Token"}},
        {
            "token_type": "bearer",
            "token_count": "x",
            "secret_name": "db",
            "password_policy": "long",
            "next_page_token": "abc",
        },
        {"author": "ann", "key": "value", "keyboard": "x", "monkey": "y", "passage": "z", "compass": "n", "pass": "2"},
        {"id": "q8Hf73kLmZ0pXyTr9aBcD2eW", "cursor": "q8Hf73kLmZ0pXyTr9aBcD2eW", "": "x", "7": "y"},
    ],
)
def test_ordinary_fields_stay(value: Json) -> None:
    """Choice: a schema speaks of secrets and holds none; ids look as wild as keys do."""
    assert masked_value(copy.deepcopy(value)) == value


def test_a_schema_that_holds_a_secret_loses_it() -> None:
    """Choice: only a schema's own words stay."""
    value: Json = {"token": {"type": "string", "default": "abc", "x": {"y": "z"}}}
    assert masked_value(value) == {"token": {"type": "string", "default": MASK, "x": {"y": MASK}}}


@pytest.mark.behaviour("redaction.shapes")
@given(PLAIN, NAMES, drawn(3), KEYS | PEM)
def test_nothing_planted_survives_and_the_structure_does(other: Json, name: str, secret: str, key: str) -> None:
    """Spec: by name and by shape, wherever it stands in a value."""
    value: Json = {"a": [other, {name: [secret, {"b": secret}]}], "c": {"d": f"<{key}>"}, "e": other}
    shown = masked_value(copy.deepcopy(value))
    assert shape_of(shown) == shape_of(value)
    assert secret not in str(shown)
    assert key not in str(shown)
    assert isinstance(shown, dict)
    assert shown["e"] == other
    assert masked_value(copy.deepcopy(shown)) == shown


@given(PLAIN)
@pytest.mark.behaviour("redaction.ordinary")
def test_a_value_without_secrets_is_the_same_afterwards(value: Json) -> None:
    """Choice: as above."""
    assert masked_value(copy.deepcopy(value)) == value


def test_what_is_too_deep_is_not_shown() -> None:
    """Choice: no value of a call is; in doubt more goes."""
    lists: Json = "abc"
    objects: Json = "abc"
    hidden: Json = "abc"
    for _ in range(140):
        lists, objects, hidden = [lists], {"a": objects}, {"b": hidden}
    for value in (lists, objects, {"password": hidden}):
        assert "abc" not in str(masked_value(value))


@pytest.mark.parametrize(
    ("name", "naming"),
    [
        ("password", Naming.SECRET),
        ("HTTPPassword", Naming.SECRET),
        ("apiKey2", Naming.SECRET),
        ("smtp.pass", Naming.SECRET),
        ("pass", Naming.PLAIN),
        ("secret_id", Naming.SECRET),
        ("token_id", Naming.PLAIN),
        ("public_key", Naming.ABOUT_RANDOM),
        ("session-id", Naming.ABOUT_RANDOM),
        ("tokens", Naming.COUNTED),
        ("max_token", Naming.SECRET),
        ("pad_token", Naming.PLAIN),
        ("type", Naming.PLAIN),
        ("", Naming.PLAIN),
        ("7", Naming.PLAIN),
        ("x" * 81 + "_password", Naming.PLAIN),
    ],
)
def test_what_names_say(name: str, naming: Naming) -> None:
    """Choice: a name's words decide, in any spelling."""
    assert naming_of(name) is naming
