from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence, plain, scalar_value
from prowess.yamltext.reading import read_yaml

if TYPE_CHECKING:
    from prowess.model.json_value import Json


def value_of(text: str) -> object:
    """What a plain scalar of that text means."""
    return scalar_value(Scalar(text, "", 1, 1, 0, len(text)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("nULL", "nULL"),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("off", "off"),
        ("0", 0),
        ("-12", -12),
        ("+12", 12),
        ("0755", "0755"),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b1", "0b1"),
        ("1_000", "1_000"),
        ("1.10", 1.1),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1.5e3", -1500.0),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        (".", "."),
        ("-", "-"),
        ("+.E5", "+.E5"),
        ("1.2.3", "1.2.3"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("2024-01-05", "2024-01-05"),
        ("123456789012345678", 123456789012345678),
        ("1234567890123456789", "1234567890123456789"),
        ("9" * 5_000, "9" * 5_000),
        ("١٢", "١٢"),
        ("text", "text"),
    ],
)
def test_plain_scalars_mean_what_the_core_rules_say_with_care(text: str, value: object) -> None:
    """Spec: YAML 1.2 core with care."""
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


@pytest.mark.parametrize("style", ["'", '"', "|", ">"])
def test_what_is_in_quotes_or_blocks_is_text(style: str) -> None:
    """Spec: YAML."""
    assert scalar_value(Scalar("1", style, 1, 1, 0, 1)) == "1"


def test_what_has_a_tag_is_text() -> None:
    """Spec: a tag kept as text."""
    assert scalar_value(Scalar("1", "", 1, 1, 0, 1, "tag:yaml.org,2002:int")) == "1"


@given(st.text())
def test_every_text_has_a_value_that_json_has(text: str) -> None:
    """Choice: what is read from a file can be kept and shown."""
    value = value_of(text)
    assert value is None or isinstance(value, bool | int | str) or math.isfinite(float(str(value)))


def test_a_key_that_is_no_scalar_is_written_as_json_is() -> None:
    """Choice: `{{name}}` is a template, and no reason to lose a file."""
    root = read_yaml("{{name}}").root
    assert root is not None
    assert plain(root) == {'{"name":null}': None}
    assert isinstance(root, Mapping)
    assert list(root.named()) == []


SCALARS = (
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.text(st.characters(codec="utf-8"), max_size=20)
)
VALUES = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.behaviour("yaml.agrees")
@given(value=VALUES, flow=st.booleans(), width=st.sampled_from([20, 80, 1_000]))
def test_the_structure_is_that_which_pyyaml_composes(value: Json, width: int, *, flow: bool) -> None:
    """Choice: what is YAML is not ours to say."""
    text = yaml.dump(value, allow_unicode=True, default_flow_style=flow, width=width, Dumper=yaml.CSafeDumper)
    reading = read_yaml(text)
    assert [problem.code for problem in reading.problems if problem.code != "tag"] == []
    assert reading.root is not None
    assert as_texts(reading.root) == yaml.load(text, Loader=yaml.CBaseLoader)


@given(st.text("ab:-?[]{},#&*!|>'\"%@` \n", max_size=30))
def test_it_refuses_what_pyyaml_refuses_and_reads_what_it_reads(text: str) -> None:
    """Choice: as above, for text that is nearly YAML."""
    reading = read_yaml(text)
    try:
        composed = yaml.compose(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        assert reading.broken or reading.problems
        return
    assert not reading.broken
    assert (reading.root is None) == (composed is None)


def as_texts(node: Node) -> object:
    """What the base loader makes of a tree: nothing but texts."""
    if isinstance(node, Sequence):
        return [as_texts(item) for item in node.items]
    if isinstance(node, Mapping):
        return {as_texts(key): as_texts(value) for key, value in node.pairs}
    return node.text
