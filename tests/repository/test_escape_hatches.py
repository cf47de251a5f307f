from __future__ import annotations

import io
import re
import tokenize

from tools.escape_hatches import COMMENTS, FOLDERS, ROOT, census, count, lowered, read_table, render

HASH = "#"  # keeps the samples below from counting themselves
REASONED = re.compile(r"# noqa: [A-Z]+\d+(, [A-Z]+\d+)* - \S.*")


def unreasoned(source: str) -> list[int]:
    """Give the lines with a `noqa` that does not name its rules and its reason."""
    return [
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
        and COMMENTS["noqa"].search(token.string)
        and not REASONED.fullmatch(token.string)
    ]


def test_the_table_says_exactly_what_the_code_holds() -> None:
    """Choice: the number of ways out of the rules only falls; `make snapshots` writes a lower one down."""
    assert census() == read_table()


def test_every_kind_of_way_out_is_counted() -> None:
    """Choice: what is not counted is what gets used."""
    source = "\n".join(
        [
            "from typing import Any, cast",
            "import pytest",
            "def f(x: Any) -> dict[str, Any]:",
            f"    return cast(dict[str, Any], x)  {HASH} type: ignore[no-any-return]",
            f"y = g()  {HASH} noqa: S101",
            f"z = h()  {HASH} pragma: no cover",
            f"p = q()  {HASH} pyright: ignore",
            "@pytest.mark.skip",
            "@pytest.mark.skipif(True, reason='')",
            "@pytest.mark.xfail",
            "def t(): pytest.skip('later'); pytest.importorskip('x'); block.skip()",
        ]
    )
    assert count(source + "\n") == {
        "Any": 3,
        "cast": 1,
        "type-ignore": 2,
        "noqa": 1,
        "no-cover": 1,
        "skip": 4,
        "xfail": 1,
    }


def test_every_noqa_names_its_rules_and_its_reason() -> None:
    """Choice: an import inside a function, above all, says what it saves or which extra it is."""
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    found = {file.relative_to(ROOT).as_posix(): unreasoned(file.read_text(encoding="utf-8")) for file in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_noqa_without_rule_or_reason_is_found() -> None:
    """Choice: the rule above must be able to fail."""
    lines = [
        f"import re  {HASH} noqa: PLC0415 - an extra",
        f"x = 0  {HASH} noqa: S101, PLR2004 - as above",
        f"x = 1  {HASH} noqa: S101",
        f"x = 2  {HASH} noqa",
        f"x = 3  {HASH} noqa - it is fine",
        f"x = '{HASH} noqa'",
    ]
    assert unreasoned("\n".join(lines) + "\n") == [3, 4, 5]


def test_words_in_strings_and_imports_are_not_counted() -> None:
    """Choice: talking about a way out is not taking it."""
    assert not count(f"from typing import Any, cast\nx = 'Any cast( {HASH} noqa'\n")


def test_an_import_over_several_lines_is_not_counted() -> None:
    """Choice: as above, however the formatter breaks the line."""
    assert not count("from typing import (\n    Any,\n    cast,\n)\n")


def test_rewriting_the_table_never_raises_a_number() -> None:
    """Choice: raising one is an edit by hand, with its reason."""
    allowed = {"src": {"Any": 3, "noqa": 0}}
    assert lowered(allowed, {"src": {"Any": 2, "noqa": 5}}) == {"src": {"Any": 2, "noqa": 0}}


def test_the_table_reads_back_as_written() -> None:
    """Choice: what `make snapshots` writes, the comparison above reads."""
    assert render(read_table()).count("[") == len(read_table())
