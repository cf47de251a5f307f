from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.errors import InvalidInputError
from prowess.model.ranges import parse_range
from tests.unit.model.npm import satisfies

NUMBER = st.sampled_from(["0", "1", "2", "10"])
TAIL = st.sampled_from(["-0", "-1", "-alpha", "-alpha.1", "-beta.2", "-beta.10", "-rc.1", "-a-b"])
RELEASE = st.builds("{}.{}.{}".format, NUMBER, NUMBER, NUMBER)
VERSION = RELEASE | st.builds("{}{}".format, RELEASE, TAIL)
PARTIAL = (
    VERSION
    | NUMBER
    | st.builds("{}.{}".format, NUMBER, NUMBER)
    | st.builds("{}.{}.{}".format, NUMBER, NUMBER, st.sampled_from("xX*"))
    | st.builds("{}.{}".format, NUMBER, st.sampled_from("xX*"))
    | st.sampled_from(["x", "X", "*"])
)
OPERATOR = st.sampled_from(["", "=", "<", "<=", ">", ">=", "^", "~", "~>"])
COMPARATOR = st.builds("{}{}{}{}".format, OPERATOR, st.sampled_from(["", " "]), st.sampled_from(["", "v"]), PARTIAL)
ALTERNATIVE = st.lists(COMPARATOR, min_size=1, max_size=3).map(" ".join) | st.builds("{} - {}".format, PARTIAL, PARTIAL)
RANGE = st.lists(ALTERNATIVE, min_size=1, max_size=3).map(" || ".join)

FACTS = """
^1.2.3          yes 1.2.3 1.9.0              no 1.2.2 2.0.0 2.0.0-0 1.3.0-rc.1
^0.2.3          yes 0.2.9                    no 0.3.0
^0.0.3          yes 0.0.3                    no 0.0.4
^0.0            yes 0.0.9                    no 0.1.0
^1.2.3-beta.2   yes 1.2.3-beta.2 1.2.3-rc 1.4.0   no 1.2.4-beta.2 1.2.3-beta.1
~1.2.3          yes 1.2.9                    no 1.3.0
~1.2.0-rc.1     yes 1.2.0-rc.2 1.2.5         no 1.3.0 1.2.1-rc.1
~1              yes 1.9.9                    no 2.0.0
~>1.2           yes 1.2.9                    no 1.3.0
1.x             yes 1.0.0 1.99.0             no 2.0.0 0.9.0
*               yes 0.0.0 99.0.0             no 1.0.0-rc.1
||              yes 0.0.0 99.0.0             no 1.0.0-rc.1
2 ||            yes 0.0.0 99.0.0             no 1.0.0-rc.1
>1.2            yes 1.3.0                    no 1.2.9 1.3.0-rc.1
<=1.2           yes 1.2.9                    no 1.3.0
<1.2            yes 1.1.9                    no 1.2.0 1.2.0-rc.1
>=1.0.0 <2.0.0  yes 1.0.0 1.9.9              no 2.0.0 0.9.9
1.2 - 2.3       yes 1.2.0 2.3.9              no 2.4.0
1.2.3 - 2.3.4   yes 2.3.4                    no 2.3.5
>1.0.0-rc.1     yes 1.0.0-rc.2 1.0.0 1.1.0   no 1.1.0-rc.1
<2.0.0-rc       yes 2.0.0-beta 1.9.0         no 2.0.0-rc
^1 || ^3        yes 1.5.0 3.0.0              no 2.0.0
>=1,<2          yes 1.5.0                    no 2.0.0
=v1.2.3         yes 1.2.3                    no 1.2.4
0.0.0-0 - x     yes 0.0.0-0 9.0.0            no 1.0.0-rc.1
>=0 <0.0.0-1    yes 0.0.0-0                  no 0.0.0-1 0.0.0
1.2.x-rc        yes 1.2.3                    no 1.3.0 1.2.3-rc
1.2.x+b         yes 1.2.3                    no 1.3.0
x.X.*           yes 1.2.3 0.0.0              no 1.2.3-rc
~>=1.1.2        yes 1.1.9                    no 1.2.0
^ =2.3.3        yes 2.9.0                    no 3.0.0 2.3.2
^1.x.3          yes 1.0.0                    no 2.0.0
1.x.3 - =2      yes 1.0.0 2.9.9              no 3.0.0
==1.x           yes 1.9.9                    no 2.0.0
* || 1.2.3-a    yes 1.2.3                    no 1.2.3-a
1.2.3-a || >=0.0.0   yes 1.2.3 0.0.0         no 1.2.3-a
>x              no 1.0.0 0.0.0
<*              no 1.0.0 0.0.0
>2 <1           no 1.5.0 3.0.0
>1.0.0 <1.0.0   no 1.0.0
>1.0.0 <=1.0.0  no 1.0.0
"""


def _facts() -> list[tuple[str, list[str], list[str]]]:
    rows = []
    for line in FACTS.strip().splitlines():
        head, _, refused = line.partition(" no ")
        text, _, admitted = head.partition(" yes ")
        rows.append((text.strip(), admitted.split(), refused.split()))
    return rows


@pytest.mark.parametrize(("text", "admitted", "refused"), _facts(), ids=[row[0] for row in _facts()])
def test_a_constraint_means_what_npm_documents(text: str, admitted: list[str], refused: list[str]) -> None:
    """Spec: a version constraint takes npm's grammar; each row was checked with npm's semver 7.8."""
    parsed = parse_range(text)
    assert [version for version in admitted if not parsed.admits(version)] == []
    assert [version for version in refused if parsed.admits(version)] == []


@settings(max_examples=300, deadline=None)
@given(RANGE, st.lists(VERSION, min_size=1, max_size=10))
def test_a_constraint_admits_what_npm_admits(text: str, versions: list[str]) -> None:
    """Spec: a version constraint takes npm's grammar, prereleases included."""
    parsed = parse_range(text)
    assert [parsed.admits(version) for version in versions] == [satisfies(version, text) for version in versions]


@pytest.mark.parametrize("text", ["", "  ", ","])
def test_no_text_admits_every_release(text: str) -> None:
    """Regression: npm reads an empty constraint as `*`, and it was refused."""
    parsed = parse_range(text)
    assert parsed.admits("0.0.1")
    assert parsed.admits("99.0.0")
    assert not parsed.admits("1.0.0-rc.1")


@settings(max_examples=50, deadline=None)
@given(RANGE)
def test_intervals_come_highest_first(text: str) -> None:
    """Choice: a resolver that bisects stops at the first interval that holds a version."""
    parsed = parse_range(text)
    highs = [(one.high is None, one.high or one.low) for one in parsed.intervals]
    assert [unbounded for unbounded, _ in highs] == sorted((unbounded for unbounded, _ in highs), reverse=True)
    bounded = [high for unbounded, high in highs if not unbounded]
    assert bounded == sorted(bounded, reverse=True)


@pytest.mark.parametrize(
    "text",
    [
        "latest",
        "=>1",
        "1.2.3.4",
        "1.2.3-",
        *("1.2.3+", "~1+", "v=2.1.1", "v>=3", "1.0+.2", "==1.2.3", "1.x-rc", "1.2.3-01", "1.2.3-a..b"),
        "^1.2.3-",
        "1 - ",
        "1 - 2 - 3",
        "1.x.2",
        "*.1",
        "01.2.3",
        "^",
        "1.2.3beta",
        "9" * 17 + ".0.0",
        "1 " * 600,
        " || ".join(["1"] * 33),
    ],
)
def test_what_is_no_constraint_is_refused_with_examples(text: str) -> None:
    """Regression: `1.2.3-` and numbers too long to compare were another constraint; it is who asks that is wrong."""
    with pytest.raises(InvalidInputError, match=r"write \^1\.2, ~1\.2\.3"):
        parse_range(text)


@settings(deadline=None)
@given(st.text(alphabet="0123456789.xX*<>=^~|- ,vab", max_size=30))
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    """Choice: constraints come from documents and from models."""
    try:
        parse_range(text).admits("1.2.3")
    except InvalidInputError as error:
        assert error.details == {"constraint": text}  # noqa: PT017 - either outcome is right, others are not


def test_versions_are_compared_as_padded() -> None:
    """Spec: an entry without a version resolves as 1.0.0, `v1.2` as 1.2.0."""
    assert parse_range("1.0.0").admits(None)
    assert parse_range("~1.2").admits("v1.2")
