"""Problems of documents, collected wherever they are found; their lines are looked up once, at the end."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import json

from prowess.documents.values import Place
from prowess.errors import DocumentProblem, InvalidDocumentError
from prowess.model.json_value import json_path
from prowess.model.names import near_names

__all__ = ["MISSING", "Findings", "shown"]

_SHOWN = 80
_TOLD = 100
_FILES = 3

MISSING = object()
"""In the place of a value: nothing stands there."""

Lines = Callable[[frozenset[Place]], Mapping[Place, int]]
"""The lines of these places in one document; of those that it does not have, nothing."""


class Findings:
    """Everything that is wrong with, or odd about, a set of documents. Lives while they are read."""

    def __init__(self) -> None:
        self._lines: dict[str, Lines] = {}
        self._errors: list[tuple[Place, DocumentProblem]] = []
        self._warnings: list[tuple[Place, DocumentProblem]] = []

    def opened(self, file: str, lines: Lines) -> None:
        """Remember how lines are found in a file."""
        self._lines[file] = lines

    def error(
        self, file: str, at: Place, rule: str, message: str, value: object = MISSING, *, near: str | None = None
    ) -> None:
        """Note what is wrong with a value."""
        self._errors.append((at, _problem(file, at, rule, message, value, near)))

    def unknown(self, file: str, at: Place, rule: str, message: str, value: str, known: Iterable[str]) -> None:
        """Note an id that nothing has, with the one that was probably meant."""
        near = next(iter(near_names(value, known, 1)), None)
        self.error(file, at, rule, message, value, near=near)

    def broken(self, file: str, line: int | None, rule: str, message: str) -> None:
        """Note what makes a whole file unreadable."""
        problem = DocumentProblem(path="$", rule=rule, message=message, file=file, line=line)
        self._errors.append(((), problem))

    def warning(self, file: str, at: Place, rule: str, message: str) -> None:
        """Note what its author should know, and what keeps nothing from loading."""
        self._warnings.append((at, _problem(file, at, rule, message, MISSING, None)))

    @property
    def wrong(self) -> bool:
        """Whether there is an error."""
        return bool(self._errors)

    def raise_errors(self) -> None:
        """Raise `InvalidDocumentError` with every error, in the order of files and lines; nothing without any."""
        if not self._errors:
            return
        problems = self._placed(self._errors)
        told = [str(problem) for problem in problems[:_TOLD]]
        if len(problems) > _TOLD:
            told.append(f"and {len(problems) - _TOLD} more")
        raise InvalidDocumentError("; ".join(told), details={"problems": problems, "files": _files(problems)})

    @property
    def warnings(self) -> tuple[DocumentProblem, ...]:
        """What is only odd."""
        return self._placed(self._warnings)

    # -----------------------------------------------------------------------------------------------------------------

    def _placed(self, found: list[tuple[Place, DocumentProblem]]) -> tuple[DocumentProblem, ...]:
        wanted: dict[str, set[Place]] = {}
        for at, problem in found:
            if problem.line is None:
                wanted.setdefault(problem.file, set()).update(at[:length] for length in range(len(at) + 1))
        lines = {file: self._lines[file](frozenset(places)) for file, places in wanted.items() if file in self._lines}
        placed = [_with_line(problem, at, lines.get(problem.file, {})) for at, problem in found]
        files = list(self._lines)
        order = {file: place for place, file in enumerate(files)}
        placed.sort(key=lambda problem: (order.get(problem.file, len(files)), problem.line or 0))
        return tuple(dict.fromkeys(placed))


def shown(value: object) -> str:
    """A value as JSON, cut where it is long."""
    try:
        text = json.encode(value).decode()
    except RecursionError:
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


# ---------------------------------------------------------------------------------------------------------------------


def _problem(file: str, at: Place, rule: str, message: str, value: object, near: str | None) -> DocumentProblem:
    return DocumentProblem(
        path=json_path(list(at)),
        rule=rule,
        message=message,
        near=near,
        file=file,
        value=None if value is MISSING else shown(value),
    )


def _with_line(problem: DocumentProblem, at: Place, lines: Mapping[Place, int]) -> DocumentProblem:
    """The problem with the line of its place, or of the nearest place around it that is there."""
    if problem.line is not None:
        return problem
    for length in range(len(at), -1, -1):
        line = lines.get(at[:length])
        if line is not None:
            return DocumentProblem(
                path=problem.path,
                rule=problem.rule,
                message=problem.message,
                near=problem.near,
                file=problem.file,
                value=problem.value,
                line=line,
            )
    return problem


def _files(problems: Iterable[DocumentProblem]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(problem.file for problem in problems))
