from __future__ import annotations

import pytest

from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence, plain
from prowess.yamltext.reading import LENIENT, STRICT, Policy, YamlCode, YamlReading, read_yaml


def codes(reading: YamlReading) -> list[str]:
    """The codes of its problems."""
    return [problem.code for problem in reading.problems]


def fields(text: str) -> dict[str, Node]:
    """The fields of a document that has some."""
    root = read_yaml(text).root
    assert isinstance(root, Mapping)
    return {key.text: value for key, value in root.named()}


@pytest.mark.behaviour("yaml.as-written")
@pytest.mark.parametrize("text", ["1.10", "2024-01-05", "yes", "0755", "1e3", "~x", "0x1F", ".inf", "1_000", "a b"])
def test_a_scalar_keeps_the_text_that_was_written(text: str) -> None:
    """Spec: a field that wants text always gets what the author wrote."""
    value = fields(f"version: {text}\n")["version"]
    assert isinstance(value, Scalar)
    assert value.text == text
    assert plain(value) == text


@pytest.mark.parametrize(
    ("text", "text_of"),
    [
        ("'it''s'", "it's"),
        ('"a\\tb"', "a\tb"),
        ("|\n  a\n  b\n", "a\nb\n"),
        (">-\n  a\n  b\n", "a b"),
        ("a\n  b", "a b"),
    ],
)
def test_quotes_escapes_and_folding_are_gone_from_the_text(text: str, text_of: str) -> None:
    """Spec: YAML."""
    value = fields(f"x: {text}")["x"]
    assert isinstance(value, Scalar)
    assert value.text == text_of
    assert value.style == (text[0] if text[0] in "'\"|>" else "")


@pytest.mark.behaviour("yaml.places")
def test_every_node_has_its_place_in_the_file() -> None:
    """Spec: each scalar with line and column."""
    text = "name: ü x\nlist: [a, {b: 'c'}]\nblock:\n  - d\n"
    root = read_yaml(text, first_line=10).root
    assert isinstance(root, Mapping)
    assert (root.line, root.column, root.start) == (10, 1, 0)
    (_, name), (key, items), (_, block) = root.pairs
    assert isinstance(name, Scalar)
    assert (name.line, name.column, text[name.start : name.end]) == (10, 7, "ü x")
    assert isinstance(key, Scalar)
    assert (key.line, key.column) == (11, 1)
    assert isinstance(items, Sequence)
    assert text[items.start : items.end] == "[a, {b: 'c'}]"
    inner = items.items[1]
    assert isinstance(inner, Mapping)
    quoted = inner.pairs[0][1]
    assert isinstance(quoted, Scalar)
    assert text[quoted.start : quoted.end] == "'c'"
    assert isinstance(block, Sequence)
    assert (block.line, block.column) == (13, 3)


@pytest.mark.behaviour("yaml.places")
@pytest.mark.parametrize(
    ("text", "code", "line", "column", "words"),
    [
        ("a: b: c", YamlCode.SYNTAX, 5, 5, "a colon with a space"),
        ("a: [b", YamlCode.SYNTAX, 5, 4, "square brackets"),
        ("x: y\na: 'b", YamlCode.SYNTAX, 6, 4, "quote"),
        ("a: >x", YamlCode.SYNTAX, 5, 5, "text follows"),
        ("a:\n  b: {", YamlCode.SYNTAX, 6, 7, "expected node content"),
        ("%TAG x\n---\na", YamlCode.SYNTAX, 5, 6, "directive"),
        ("x: y\nbell: \x07", YamlCode.CHARACTER, 6, 7, "U+0007"),
        ("\ufeffx: \x00", YamlCode.CHARACTER, 5, 5, "U+0000"),
        ("x: \ud800", YamlCode.CHARACTER, 5, 4, "U+D800"),
    ],
)
def test_what_is_no_yaml_is_told_with_its_place(text: str, code: str, line: int, column: int, words: str) -> None:
    """Spec: every problem with line and column."""
    reading = read_yaml(text, first_line=5)
    assert reading.root is None
    assert reading.broken
    problem = reading.problems[-1]
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert words in problem.message


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n"])
def test_where_nothing_is_said_there_is_no_tree_and_nothing_wrong(text: str) -> None:
    """Choice: an empty document is for its reader to judge."""
    assert read_yaml(text) == YamlReading(root=None)


def test_a_second_document_is_told_and_not_read() -> None:
    """Choice: half of a file is not silently lost."""
    reading = read_yaml("a: 1\n--- b\n")
    assert codes(reading) == ["second-document"]
    assert reading.root is not None
    assert plain(reading.root) == {"a": 1}


def test_a_key_that_stands_twice_is_told_with_both_places() -> None:
    """Spec: duplicate keys reported with place."""
    reading = read_yaml("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
    assert codes(reading) == ["duplicate-key", "duplicate-key"]
    assert [(problem.line, problem.column) for problem in reading.problems] == [(4, 3), (5, 1)]
    assert "line 1" in reading.problems[1].message
    assert reading.root is not None
    assert plain(reading.root) == {"a": 3, "b": {"c": 2}}


@pytest.mark.behaviour("yaml.strict")
def test_a_strict_document_with_more_than_plain_data_is_refused_with_all_of_it() -> None:
    """Spec: no alias, anchor or tag."""
    reading = read_yaml("a: &x 1\nb: *x\nc: !!str 2\nd: !own 3\nd: 4\n", STRICT)
    assert codes(reading) == ["alias", "alias", "tag", "tag", "duplicate-key"]
    assert [problem.message for problem in reading.problems[:4]] == [
        "has the anchor &x",
        "*x is an alias",
        "has the tag !!str",
        "has the tag !own",
    ]
    assert reading.root is None
    assert reading.broken
    assert read_yaml("a: 1", STRICT).root is not None


@pytest.mark.behaviour("yaml.aliases")
def test_aliases_stand_for_their_anchors_within_a_budget() -> None:
    """Spec: aliases within a budget, a tag kept as text, both with a warning."""
    reading = read_yaml("a: &x [1, 2]\nb: *x\nc: !important do this\nd: !!str 5\n")
    assert codes(reading) == ["alias", "tag", "tag"]
    assert not reading.broken
    assert reading.root is not None
    assert plain(reading.root) == {"a": [1, 2], "b": [1, 2], "c": "!important do this", "d": "5"}


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("a: *x", {"a": "*x"}, "stands for nothing"),
        ("a: &x [*x]", {"a": ["*x"]}, "what it is part of"),
        ("*x : b", {"*x": "b"}, "stands for nothing"),
    ],
)
def test_an_alias_without_a_target_is_text(text: str, value: object, words: str) -> None:
    """Choice: `*bold` is rather emphasis than a broken alias."""
    reading = read_yaml(text)
    assert reading.root is not None
    assert plain(reading.root) == value
    assert words in reading.problems[0].message


@pytest.mark.behaviour("yaml.anchors")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &foo bar", {"a": "&foo bar"}),
        ("a: &foo", {"a": "&foo"}),
        ("a: !own &foo bar", {"a": "&foo !own bar"}),
        ("- &foo bar\n- b", ["&foo bar", "b"]),
        ("a: &foo 1.0", {"a": 1.0}),
        ("a: &foo 'bar'", {"a": "bar"}),
        ("a: &foo |\n  bar", {"a": "bar"}),
        ("a: &foo [bar]", {"a": ["bar"]}),
        ("&foo a: bar", {"a": "bar"}),
        ("&foo [a] : bar", {'["a"]': "bar"}),
        ("a: &foo bar **foo** x*foo", {"a": "&foo bar **foo** x*foo"}),
    ],
)
def test_an_anchor_to_which_nothing_refers_is_told_and_text_keeps_it(text: str, value: object) -> None:
    """Regression: `description: &foo bar` lost its first word without a warning."""
    reading = read_yaml(text)
    assert "anchor" in codes(reading)
    assert any(problem.message == "nothing refers to the anchor &foo" for problem in reading.problems)
    assert reading.root is not None
    assert plain(reading.root) == value


@pytest.mark.parametrize("alias", ["*x", "[*x, d]", "{k: *x}", "[d,*x]"])
def test_an_anchor_that_is_used_is_no_text(alias: str) -> None:
    """Spec: aliases within a budget."""
    reading = read_yaml(f"a: &x b\nc: {alias}")
    assert codes(reading) == ["alias"]
    assert fields(f"a: &x b\nc: {alias}")["a"] == Scalar("b", "", 1, 4, 3, 7)


def bomb(levels: int) -> str:
    """A few lines of aliases that stand for ten to the power of so many values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.behaviour("yaml.bounded")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (bomb(10), "aliases"),
        (f"a: &a {'x' * 40_000}\nb: [*a, *a]", "aliases"),
        ("a: &a b\nc: [" + "*a, " * 101 + "]", "aliases"),
        ("[" * 50_000, "too-deep"),
        ("- " * 50_000, "too-deep"),
        ("{a: " * 50_000, "too-deep"),
        ("- x\n" * 20_001, "too-large"),
        ("- !t x\n" * 20_001, "too-large"),
        ("- *a\n" * 20_001, "too-large"),
        ("x" * 256_001, "too-large"),
        ("x" * 100_000_000, "too-large"),
    ],
    ids=["bomb", "wide bomb", "many", "flow", "block", "maps", "values", "tags", "unknown", "characters", "100 MB"],
)
def test_bounds_are_kept_and_told(text: str, code: str) -> None:
    """Spec: alias bombs, 100 MB, 50,000 levels: bounded time and memory."""
    reading = read_yaml(text)
    assert reading.root is None
    assert reading.broken
    assert reading.problems[-1].code == code
    assert len(reading.problems) <= 101


def test_a_strict_document_may_be_larger() -> None:
    """Choice: a registry of thousands of entries is one document."""
    assert isinstance(read_yaml("- x\n" * 30_000, STRICT).root, Sequence)
    assert LENIENT.most_nodes < STRICT.most_nodes


def test_a_policy_of_ones_own_holds() -> None:
    """Choice: bounds are settings of a policy, not of the reader."""
    policy = Policy(most_characters=10, most_nodes=2, most_levels=1, plain_only=True)
    assert codes(read_yaml("[a, b, c]", policy)) == ["too-large"]
    assert codes(read_yaml("[[]]", policy)) == ["too-deep"]
    assert read_yaml("[a]", policy).root is not None


def test_long_words_are_cut_in_messages() -> None:
    """Choice: a problem is a line, whatever the file holds."""
    reading = read_yaml(f"{'k' * 200}: 1\n{'k' * 200}: 2\n")
    assert len(reading.problems[0].message) < 150
