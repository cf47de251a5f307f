"""What one file that stands for a whole project promises."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

BUILDING = (
    Behaviour(
        "build.same-answers",
        "A built file is listed, disclosed, offered and run as its project is, to the byte, on a machine without it.",
        SPEC,
    ),
    Behaviour(
        "build.index",
        "A built file brings its search index: it is searched at once, with the hits and scores of its project.",
        SPEC,
    ),
    Behaviour(
        "build.whole",
        "A package that cannot be read whole, a folder of it that may not be looked into included, ends the build, and"
        " nothing is written.",
        "regression: what could not be read was left out without a word",
    ),
    Behaviour(
        "build.include",
        "What `[build] include` names outside the project, or in vain, is refused with the setting's name.",
        "choice: a file that travels must not take a secret from beside the project",
    ),
    Behaviour("build.same-file", "The same project gives the same file, to the byte, wherever it lies.", SPEC),
    Behaviour(
        "build.damaged",
        "A built file that was cut, or in which any byte was changed, is refused.",
        "choice: it travels to many machines and is believed nowhere without a look",
    ),
)
