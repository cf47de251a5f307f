from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.skillmd.sections import Section, section, sections

BODY = """\
# PDF tools

Above.

## Overview

What it does.

### Deeper

Still the same.

## When to Use

```markdown
## Not a heading
```

~~~~
## Nor this
~~~
## Nor that
~~~~

## How It Works ##
Text.
# Another title
Below it.

## 🚀 Quick start:
Go.
##
Without a name.
"""


@pytest.mark.behaviour("skillmd.sections")
def test_sections_are_cut_at_headings_of_level_two() -> None:
    """Spec: deeper headings kept inside, aware of code fences."""
    found = sections(BODY)
    assert [(one.title, one.line) for one in found] == [
        ("Overview", 5),
        ("When to Use", 13),
        ("How It Works", 25),
        ("🚀 Quick start:", 30),
        ("", 32),
    ]
    assert found[0].text == "What it does.\n\n### Deeper\n\nStill the same."
    assert "Nor that" in found[1].text
    assert found[2].text == "Text."


@pytest.mark.behaviour("skillmd.sections")
@pytest.mark.parametrize("title", ["overview", "OVERVIEW", " Overview ", "**Overview**:"])
def test_a_section_is_found_by_its_title_whatever_its_case(title: str) -> None:
    """Spec: case-insensitive."""
    assert (section(BODY, title) or "").startswith("What it does.")


def test_signs_in_a_title_make_no_difference() -> None:
    """Choice: who looks for "Quick start" does not know the rocket."""
    assert section(BODY, "quick start") == "Go."
    assert section("## When to Use?\nNow.", "when to use") == "Now."
    assert section(BODY, "nothing") is None


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        ("", []),
        ("no headings\n", []),
        ("   ## three spaces\n", ["three spaces"]),
        ("    ## four make code\n", []),
        ("##no space\n", []),
        ("##\ttab\n", ["tab"]),
        ("### three\n", []),
        ("## a # b\n", ["a # b"]),
        ("## a ##\r\nx\r\n", ["a"]),
        ("```\n## open to the end\n", []),
        ("- x\n  ```\n## y\n  ```\n## z\n", ["z"]),
        ("`` `x` ``\n```a`b\n## not a fence\n", ["not a fence"]),
        ("```\n~~~\n```\n## after\n", ["after"]),
        ("````\n```\n## in\n`````\n## out\n", ["out"]),
        ("``` \n## in\n``` x\n## in\n```\n## out\n", ["out"]),
    ],
)
def test_headings_and_fences_are_those_of_markdown(body: str, titles: list[str]) -> None:
    """Spec: aware of code fences (``` and ~~~, longer fences)."""
    assert [one.title for one in sections(body)] == titles


def test_the_first_of_two_sections_of_one_title_is_found() -> None:
    """Choice: the order of the file."""
    assert section("## a\none\n## A\ntwo\n", "a") == "one"
    assert sections("## a\none\n## A\ntwo\n") == (Section("a", "one", 1), Section("A", "two", 3))


@given(st.text("#`~ab \n\t", max_size=80))
def test_every_text_has_sections(body: str) -> None:
    """Choice: Markdown has no errors."""
    for one in sections(body):
        assert one.text.strip() in body
