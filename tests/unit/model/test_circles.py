"""Which parts of a graph lead back to themselves."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from prowess.model.circles import on_circles

NODES = st.sampled_from("abcdef")


def reached(leads: Mapping[str, frozenset[str]], start: str) -> set[str]:
    """All that can be reached from a node in one step or more."""
    found: set[str] = set()
    waiting = [*leads[start]]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += leads[node]
    return found


@given(st.dictionaries(NODES, st.frozensets(NODES, max_size=3)))
def test_a_node_is_on_a_circle_where_it_can_be_reached_from_itself(some: dict[str, frozenset[str]]) -> None:
    """Choice: what only leads to a circle is not on it."""
    leads = {**dict.fromkeys("abcdef", frozenset[str]()), **some}
    assert on_circles(leads) == {node for node in leads if node in reached(leads, node)}


def test_two_ways_to_one_node_are_no_circle() -> None:
    """Choice: what is named twice is not recursive."""
    assert on_circles({"a": ["b", "c"], "b": ["d"], "c": ["d", "b"], "d": []}) == frozenset()
