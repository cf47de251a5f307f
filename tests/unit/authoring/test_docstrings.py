"""Docstrings of three styles, and of none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.authoring.docstrings import Docstring, read_docstring

GOOGLE = """Find notes.

    Use when the user asks about their notes.

    Args:
        query (str): what to find,
            in words
        limit: how many
        *others: more words
        **filters (dict[str, (int)]): what to leave out

    Returns:
        The notes.

    Raises:
        ValueError: never

    Note:
        It is fast.
    """

NUMPY = """Find notes.

    Use when the user asks about their notes.

    Parameters
    ----------
    query : str
        what to find,
        in words
    limit, most : int, optional
        how many
    others

    Returns
    -------
    list
        The notes.

    Notes
    -----
    It is fast.
    """

SPHINX = """Find notes.

    Use when the user asks about their notes.

    :param query: what to find,
        in words
    :type query: str
    :param int limit: how many

        or so
    :param:
    :returns: the notes
    :rtype: list
    See :class:`Note`.
    """


def test_google_style_is_read() -> None:
    """Spec: parameter descriptions from Google docstrings."""
    assert read_docstring(GOOGLE) == Docstring(
        "Find notes.\n\nUse when the user asks about their notes.\n\nNote:\n    It is fast.",
        {
            "query": "what to find, in words",
            "limit": "how many",
            "others": "more words",
            "filters": "what to leave out",
        },
    )


def test_numpy_style_is_read() -> None:
    """Spec: parameter descriptions from NumPy docstrings."""
    assert read_docstring(NUMPY) == Docstring(
        "Find notes.\n\nUse when the user asks about their notes.\n\nNotes\n-----\nIt is fast.",
        {"query": "what to find, in words", "limit": "how many", "most": "how many"},
    )


def test_sphinx_style_is_read() -> None:
    """Spec: parameter descriptions from Sphinx docstrings."""
    assert read_docstring(SPHINX) == Docstring(
        "Find notes.\n\nUse when the user asks about their notes.\n\nSee :class:`Note`.",
        {"query": "what to find, in words", "limit": "how many or so"},
    )


@pytest.mark.parametrize("text", [None, "", "   \n  "])
def test_no_docstring_says_nothing(text: str | None) -> None:
    """Choice: the description is then refused where one is needed, not here."""
    assert read_docstring(text) == Docstring()


@pytest.mark.parametrize(
    "text",
    [
        "Find.\n\nArgs:",
        "Find.\n\nArgs:\nquery: at the margin",
        "Find.\n\nParameters",
        "Find: it is easy.",
        "Find.\n\n:unknown field: text",
        "Returns: the notes",
    ],
)
def test_what_is_no_section_stays_in_the_description(text: str) -> None:
    """Choice: rather too much in a description than something lost."""
    assert read_docstring(text) == Docstring(text)


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_what_stands_in_a_block_of_code_documents_nothing(fence: str) -> None:
    """Regression: an example with `Args:` in it became the documentation, and was cut out of the text."""
    text = f"Sum.\n\n{fence}\nArgs:\n    a: fake\n{fence}\n\nArgs:\n    a: real\n"
    found = read_docstring(text)
    assert (found.description, found.parameters) == (f"Sum.\n\n{fence}\nArgs:\n    a: fake\n{fence}", {"a": "real"})
    assert read_docstring(f"Sum.\n{fence}py\n:param a: fake").parameters == {}
    assert read_docstring("```x``` is code.\n\nArgs:\n    a: real\n").parameters == {"a": "real"}


@pytest.mark.parametrize("margin", ["", "    ", "        "])
def test_a_text_that_begins_with_a_section_has_no_description(margin: str) -> None:
    """Regression: cleaning took the indentation away, and the section stood in the description."""
    found = read_docstring(f"Args:\n{margin}    a: The a.\n{margin}        More.\n{margin}    b: The b.\n{margin}")
    assert (found.description, found.parameters) == ("", {"a": "The a. More.", "b": "The b."})
    assert read_docstring("Args:\n\nAre what follows.").description == "Args:\n\nAre what follows."
    assert read_docstring("Args:\nwhat follows").description == "Args:\nwhat follows"


def test_text_before_the_first_item_is_dropped_with_its_section() -> None:
    """Choice: a section about parameters is never part of the description."""
    text = "Find.\n\nArgs:\n    These are the words\n    query: what to find\n"

    assert read_docstring(text) == Docstring("Find.", {"query": "what to find"})
    assert read_docstring("Find.\n\nArgs\n----\n    indented") == Docstring("Find.")


_LINES = st.sampled_from(
    [
        *(
            "Args:",
            "Parameters",
            "----------",
            "Returns:",
            "x: y",
            "    x: y",
            "        more",
            "x : int",
            ":param x: y",
        ),
        *(":type x:", "", "    ", "Notes", "@param z:", "*a, **b", "    *a (int): b", ":returns:", "Attributes:"),
    ]
)


@given(st.text() | st.lists(_LINES | st.text(max_size=8), max_size=20).map("\n".join))
def test_reading_never_raises(text: str) -> None:
    """Choice: a docstring is prose, and prose is never an error."""
    docstring = read_docstring(text)

    assert all(docstring.parameters.values())
