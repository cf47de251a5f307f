from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.governance.redaction import MASK, NO_MASKS, Masks, masked_text, masker
from prowess.model.manifest_parts import NO_REDACTION, Redaction
from tests.unit.governance.masking.secrets_of import KEYS

if TYPE_CHECKING:
    from prowess.model.json_value import Json

WORD = st.text("abcdefghij", min_size=1, max_size=8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | WORD,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORD, inner, max_size=4),
    max_leaves=12,
)


def shape_of(value: Json) -> object:
    """Give the objects and arrays of a value, without what they hold in the end."""
    if isinstance(value, dict):
        return {key: shape_of(item) for key, item in value.items()}
    return [shape_of(item) for item in value] if isinstance(value, list) else ...


@pytest.mark.behaviour("redaction.declared")
@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ("$.password", {"password": "x", "user": "ann"}, {"password": MASK, "user": "ann"}),
        ("query", {"query": "x", "k": 1}, {"query": MASK, "k": 1}),
        ("$.user.pin", {"user": {"pin": 4711, "id": 1}}, {"user": {"pin": MASK, "id": 1}}),
        ("user.pin", {"user": {"pin": None}}, {"user": {"pin": MASK}}),
        (
            "$.items[*].note",
            {"items": [{"note": "a"}, {"note": "b", "n": 1}]},
            {"items": [{"note": MASK}, {"note": MASK, "n": 1}]},
        ),
        ("$.items[1]", {"items": ["aa", "bb"]}, {"items": ["aa", MASK]}),
        ("$['a b']", {"a b": "x", "c": "y"}, {"a b": MASK, "c": "y"}),
        ("$['']", {"": "x", "c": "y"}, {"": MASK, "c": "y"}),
        ("$.a[*]", {"a": {"b": "x", "c": ["y"]}}, {"a": {"b": MASK, "c": MASK}}),
        ("$.*.pin", {"a": {"pin": "x"}, "b": {"pin": "y"}}, {"a": {"pin": MASK}, "b": {"pin": MASK}}),
        ("$", {"a": 1}, MASK),
        ("$.a", {"b": "x"}, {"b": "x"}),
        ("$.a", 5, 5),
        ("$.a[7]", {"a": [1]}, {"a": [1]}),
    ],
)
def test_what_a_path_leads_to_is_masked(path: str, value: Json, shown: Json) -> None:
    """Spec: declared JSON paths, and the bare names of fields."""
    assert masker(Redaction(inputs=(path,))).inputs(copy.deepcopy(value)) == shown
    assert masker(Redaction(outputs=(path,))).outputs(copy.deepcopy(value)) == shown


@pytest.mark.behaviour("redaction.declared")
@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ("$.items.note", {"items": [{"note": "a"}]}, {"items": [{"note": MASK}]}),
        ("$.user.pin", {"user": "pin 4711"}, {"user": MASK}),
        ("$.a[b", {"a": {"c": 1}}, {"a": MASK}),
        ("$.a", ["x"], [MASK]),
        ("", {"a": 1}, MASK),
    ],
)
def test_in_doubt_more_is_masked(path: str, value: Json, shown: Json) -> None:
    """Choice: a value of another form, or a path that cannot be read, must not open what was meant to be closed."""
    assert masker(Redaction(inputs=(path,))).inputs(value) == shown


def test_paths_of_inputs_and_outputs_are_apart_and_several_may_meet() -> None:
    """Spec: a manifest declares both by themselves."""
    masks = masker(Redaction(inputs=("$.a[*].x", "$.a[0]", "$.a.y"), outputs=("$.b",)))
    assert masks.inputs({"a": [{"x": 1}, {"x": 1, "y": 2, "z": 3}], "b": 1}) == {
        "a": [MASK, {"x": MASK, "y": MASK, "z": 3}],
        "b": 1,
    }
    assert masks.outputs({"a": [{"x": 1}], "b": 1}) == {"a": [{"x": 1}], "b": MASK}


def test_who_declares_nothing_shares_one_mask() -> None:
    """Choice: most entries declare nothing, and a million may be held."""
    assert masker(NO_REDACTION) is NO_MASKS
    assert masker(Redaction(inputs=("$.a",))) != Masks()


def test_a_value_that_no_gate_would_pass_is_masked_below_its_limit() -> None:
    """Choice: what is too deep to look through is not shown."""
    deep: Json = "password=hunter2"
    for _ in range(200):
        deep = [{"a": deep}]
    declared = masker(Redaction(inputs=("$" + ".a" * 300,))).inputs(copy.deepcopy(deep))
    for shown in (NO_MASKS.inputs(copy.deepcopy(deep)), declared):
        assert MASK in str(shown)
        assert "hunter2" not in str(shown)


@pytest.mark.behaviour("redaction.declared")
@given(PLAIN, PLAIN, WORD, KEYS)
def test_nothing_declared_survives_and_all_else_does(before: Json, after: Json, name: str, secret: str) -> None:
    """Spec: declared paths never leave the gate unmasked; the structure is kept."""
    value: Json = {"x": before, "declared": {name: [secret, {"y": secret}]}, "z": after}
    shown = masker(Redaction(inputs=(f"$.declared.{name}[0]", f"$.declared.{name}[*].y"))).inputs(copy.deepcopy(value))
    assert secret not in str(shown)
    assert shown == {"x": before, "declared": {name: [MASK, {"y": MASK}]}, "z": after}
    assert shape_of(shown) == shape_of(value)


# ---------------------------------------------------------------------------------------------------------------------


TEXTS = masker(Redaction(inputs=("$.note", "$.pin", "$.list"), outputs=("$.answer",)))


@pytest.mark.behaviour("redaction.declared")
@pytest.mark.parametrize(
    ("text", "inputs", "shown"),
    [
        ("no note 'blue moon' here", {"note": "blue moon"}, f"no note '{MASK}' here"),
        ("blue moon, blue moon", {"note": "blue moon"}, f"{MASK}, {MASK}"),
        ("pin 4711 of 14711", {"pin": 4711}, f"pin {MASK} of 1{MASK}"),
        ("pin 47 of 147, 47.", {"pin": 47}, f"pin {MASK} of 147, {MASK}."),
        ('{"a": "one\\ntwo \\"x\\""}', {"note": 'one\ntwo "x"'}, f'{{"a": "{MASK}"}}'),
        ("'l\\xf6we\\n'", {"note": "löwe\n"}, f"'{MASK}'"),
        ("/notes/l%C3%B6we%20two", {"note": "löwe two"}, f"/notes/{MASK}"),
        ("read 'the second line'", {"note": "first\n the second line \nx"}, f"read '{MASK}'"),
        ("in line x", {"note": "first\n x\n"}, "in line x"),
        ("no 'aa', no 'bb', no 'field'", {"list": ["aa", {"field": "bb"}]}, f"no '{MASK}', no '{MASK}', no '{MASK}'"),
        ("wrong: true, None", {"note": True, "pin": None}, "wrong: true, None"),
        ("a   b", {"note": "  "}, "a   b"),
        ("hunter-two is wrong", {"password": "hunter-two"}, f"{MASK} is wrong"),
        ("hunter-two is wrong", {"x": [{"password": "hunter-two"}]}, f"{MASK} is wrong"),
        ("blue moon", {"other": "blue moon"}, "blue moon"),
        ("blue moon", None, "blue moon"),
        (f"{MASK} redacted", {"note": "redacted"}, f"{MASK} {MASK}"),
        (f"{MASK} x red", {"note": "red"}, f"{MASK} x {MASK}"),
    ],
)
def test_a_text_holds_nothing_that_is_masked_in_the_inputs(text: str, inputs: Json, shown: str) -> None:
    """Spec: values at declared paths are replaced wherever they occur in an error's text."""
    before = copy.deepcopy(inputs)
    assert TEXTS.text(text, inputs=inputs) == shown
    assert TEXTS.text(shown, inputs=inputs) == shown
    assert inputs == before


def test_a_text_holds_nothing_that_is_masked_in_the_output() -> None:
    """Spec: as above, for an output that does not fit its schema."""
    assert TEXTS.text("got blue moon", output={"answer": "blue moon"}) == f"got {MASK}"


def test_the_beginning_of_a_long_value_is_enough() -> None:
    """Choice: libraries quote the first characters of what they refuse."""
    note = "Dear Ann, what I never told anybody is this: the key lies under the mat."
    assert TEXTS.text(f"bad value '{note[:50]}…'", inputs={"note": note}) == f"bad value '{MASK}…'"
    assert TEXTS.text(f"bad value '{note[:20]}…'", inputs={"note": note}) == f"bad value '{note[:20]}…'"


def test_each_beginning_of_a_long_value_goes_and_nothing_behind_it() -> None:
    """Choice: as above, to the character."""
    note = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = f"{note[:30]}#{note[:24]}{note[:25]}x"
    assert TEXTS.text(text, inputs={"note": note}) == f"{MASK}#{MASK}{MASK}x"
    assert TEXTS.text(note[:31], inputs={"note": note}) == MASK
    assert TEXTS.text(note[:23], inputs={"note": note}) == note[:23]


def test_what_only_one_side_declares_leaves_the_other_alone() -> None:
    """Spec: inputs and outputs are declared by themselves."""
    assert masker(Redaction(inputs=("$.a",))).outputs({"a": 1}) == {"a": 1}
    assert masker(Redaction(outputs=("$.a",))).inputs({"a": 1}) == {"a": 1}


def test_a_text_about_more_values_than_can_be_looked_for_goes_as_a_whole() -> None:
    """Choice: bounded time, and in doubt nothing is shown."""
    assert TEXTS.text("x 17", inputs={"list": [*range(257)]}) == MASK
    assert TEXTS.text("x 17", inputs={"list": [*range(256)]}) == f"x {MASK}"


@pytest.mark.behaviour("redaction.declared")
@given(
    st.text(st.characters(exclude_characters="~<>"), min_size=4).filter(
        lambda text: text.strip() and MASK not in text and text not in MASK
    ),
    st.text("~ "),
    st.text("~ "),
)
def test_no_declared_value_survives_in_a_text(value: str, before: str, after: str) -> None:
    """Spec: as above, for any value."""
    for written in (value, repr(value)[1:-1]):
        shown = masker(Redaction(inputs=("$.q",))).text(f"{before}<{written}>{after}", inputs={"q": value})
        assert shown == f"{before}<{MASK}>{after}"


@pytest.mark.behaviour("redaction.stable")
@given(st.text(), st.text())
def test_masking_twice_is_masking_once(text: str, other: str) -> None:
    """Spec: idempotent, also for texts made of the pieces that secrets are made of."""
    for one in (text, f"password={text} token: {other}"):
        assert masked_text(masked_text(one)) == masked_text(one)
