"""What JSON text from outside is taken, and what is refused."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prowess.app.json_text import JsonTextError, encode_json, parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_what_another_encoder_writes_is_read_as_it_was(value: object, ascii_only: bool) -> None:
    """Choice: the two parsers of which one reads a text must agree on every text without doubles."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    if not ascii_only and any("\ud800" <= char <= "\udfff" for char in text):
        return
    if ascii_only and "\\ud" in text:  # half a surrogate pair is refused
        return
    assert parse_json(text.encode()) == value


@given(VALUES)
@example([2**70, {"half": "\ud800"}])
def test_what_is_written_is_json_for_others(value: object) -> None:
    """Choice: integers of any length and lone surrogates have a form."""
    assert json.loads(encode_json(value)) == value


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(), min_size=1), st.data())
def test_a_key_that_stands_twice_is_refused_wherever_it_is(value: dict[str, int], data: st.DataObject) -> None:
    """Spec: duplicate keys refused at the edge."""
    key = data.draw(st.sampled_from(sorted(value)))
    members = [*((name, number) for name, number in value.items()), (key, 0)]
    shuffled = data.draw(st.permutations(members))
    pairs = ",".join(f"{json.dumps(name, ensure_ascii=data.draw(st.booleans()))}:{number}" for name, number in shuffled)
    text = data.draw(st.sampled_from(["{%s}", '[{"a:b":"c:d"},{%s}]', '{"x":{%s},"y":":::"}'])) % pairs
    with pytest.raises(JsonTextError, match="stands twice"):
        parse_json(text.encode())


@pytest.mark.behaviour("json.refused")
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"{",
        b'{"a":1,}',
        b"[1,]",
        b"{'a':1}",
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"01",
        b"+1",
        b".5",
        b'"\\x41"',
        b'"\x01"',
        b'"\\ud800"',
        b'"\xff"',
        b"\xef\xbb\xbf{}",
        b"{}{}",
        b"// no\n{}",
        b'{"a":1,"a":1}',
        b'{"a":1,"\\u0061":1}',
        b'{"a":":","a":""}',
        b'{"a":"\\u003a","b":1,"b":1}',
        b'{"a":"\\u003A","b":1,"b":1}',
        b'{"\\u003a":1,":":2}',
        b"9" * 5_000,
        b'{"a":' * 1_100 + b"1" + b"}" * 1_100,
        b"[" * 300 + b"]" * 300,
    ],
)
def test_what_two_readers_could_take_differently_is_refused(text: bytes) -> None:
    """Spec: the standard library's leniences (NaN, doubles) are refused."""
    with pytest.raises(JsonTextError):
        parse_json(text)


@pytest.mark.behaviour("json.exact")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"18446744073709551616", 2**64),
        (b"-9223372036854775809", -(2**63) - 1),
        (b'{"a":1e22,"b":123456789012345678901}', {"a": 1e22, "b": 123456789012345678901}),
        (b'{"a":"\\u003a","b":1}', {"a": ":", "b": 1}),
        (b' {"a" : [ 1 , 2.5 ] } ', {"a": [1, 2.5]}),
        (b'"e+ 1234567890123456789"', "e+ 1234567890123456789"),
    ],
)
def test_a_value_is_read_exactly(text: bytes, value: object) -> None:
    """Regression: the quick parser makes floats of integers beyond 64 bits."""
    read = parse_json(text)
    assert read == value
    assert type(read) is type(value)
