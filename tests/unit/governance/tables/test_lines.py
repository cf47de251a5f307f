from __future__ import annotations

import pytest

from prowess.governance.tables.lines import lines_of, nearest_line

TEXT = '''a = 1
"b c" = 2   # x
[[rules]]
name = "x"
text = """
[no]
y = 2
"""
  [ rules . match ]  # what it matches
  hour . x = 2
[[rules]]
  name='y'
[presets.'a.b'.entries]
z = """one"""
w = 1
[[rules.sub]]
[[rules.sub]]
v = 1
'''


def test_where_everything_stands() -> None:
    """Choice: the parser of the standard library tells no places."""
    assert lines_of(TEXT) == {
        "$.a": 1,
        "$['b c']": 2,
        "$.rules[0]": 3,
        "$.rules[0].name": 4,
        "$.rules[0].text": 5,
        "$.rules[0].match": 9,
        "$.rules[0].match.hour.x": 10,
        "$.rules[1]": 11,
        "$.rules[1].name": 12,
        "$.presets['a.b'].entries": 13,
        "$.presets['a.b'].entries.z": 14,
        "$.presets['a.b'].entries.w": 15,
        "$.rules[1].sub[0]": 16,
        "$.rules[1].sub[1]": 17,
        "$.rules[1].sub[1].v": 18,
    }


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("$.rules[0].name", 4),
        ("$.rules[0].nothing[2]['x y']", 3),
        ("$['b c'].d", 2),
        ("$.presets['a.b'].entries.q", 13),
        ("$.presets['a.b'].entries['x[1]'].q[0]", 13),
        ("$.rulesets", 1),
        ("$.other", 1),
        ("$", 1),
    ],
)
def test_the_nearest_line_is_that_of_what_it_stands_in(path: str, line: int | None) -> None:
    """Choice: what is missing has no line of its own."""
    assert nearest_line(lines_of(TEXT), path) == line
