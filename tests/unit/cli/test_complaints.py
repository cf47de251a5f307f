"""What a failed command says."""

import pytest

from prowess import InvalidInputError, InvalidManifestError, NotFoundError
from prowess.cli.complaints import complaint_of
from prowess.cli.parsing import UsageError
from prowess.errors import ConfigurationError, MissingExtraError, Problem

TWO = (
    Problem(path="$.a", rule="type", message="expected text"),
    Problem(path="$.b.c[0]", rule="x", message="is wrong"),
)
LISTED, LINES = "a: expected text; b.c[0]: is wrong", "  a: expected text\n  b.c[0]: is wrong"


@pytest.mark.behaviour("commands.problems-once")
@pytest.mark.parametrize(
    ("error", "text", "code"),
    [
        (UsageError("no such option"), "no such option", 2),
        (ConfigurationError("line 3 is wrong"), "line 3 is wrong", 1),
        (MissingExtraError("pip install it"), "pip install it", 1),
        (NotFoundError("there is no entry 'a'"), "not found: there is no entry 'a'", 1),
        (InvalidInputError("two", details={"problems": TWO}), f"invalid input: two\n{LINES}", 1),
        (
            InvalidInputError(f"ship: {LISTED}", details={"problems": TWO}),
            f"invalid input: ship: 2 problems\n{LINES}",
            1,
        ),
        (
            InvalidManifestError("'ship': expected text; is wrong", details={"problems": TWO}),
            f"invalid manifest: 'ship': 2 problems\n{LINES}",
            1,
        ),
        (InvalidInputError("one", details={"problems": TWO[:1]}), "invalid input: one", 1),
        (FileNotFoundError(2, "No such file or directory", "a.json"), "a.json: No such file or directory", 1),
        (OSError(28, "No space left on device"), "No space left on device", 1),
        (OSError("odd"), "odd", 1),
    ],
)
def test_an_error_is_told_in_its_own_words_with_its_exit_code(error: Exception, text: str, code: int) -> None:
    """Spec: 1 failed, 2 bad usage, and a sentence without a traceback."""
    assert complaint_of(error) == (text, code)


def test_a_mistake_of_ours_says_how_to_see_more() -> None:
    """Choice: what nobody foresaw is told as such, with what a report needs."""
    text, code = complaint_of(ZeroDivisionError("division by zero"))
    assert code == 1
    assert text.startswith("this should not have happened: ZeroDivisionError: division by zero\nPROWESS_DEBUG=1 ")


@pytest.mark.behaviour("commands.terminal-safe")
def test_an_error_cannot_steer_the_terminal() -> None:
    """Regression: what a project's settings say was passed on to the terminal as it is."""
    text, _ = complaint_of(ConfigurationError("no setting '\x1b[2J\x9b1m'\n\tnear"))
    assert text == "no setting '\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}1m'\n\tnear"
