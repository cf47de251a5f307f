"""What a project holds, as a table: one row for each entry, its manifest as JSON, and what its owner should know.

Plain classes without annotations to resolve: `prowess list` waits for this module, and a dataclass or a struct
library takes longer to import than everything else it does.
"""

from __future__ import annotations

__all__ = ["Diagnostic", "KeptListing", "Listing", "Row", "more_line", "one_line", "safe"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BETWEEN = "\x1f"
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " ")
_KEPT = frozenset({0x09, 0x0A})
_STEERING = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in _KEPT}


def one_line(text: str) -> str:
    """The text without line breaks, tabs and other control characters, which a terminal might obey."""
    if text.isascii() and text.isprintable() and "  " not in text and text == text.strip():
        return text
    return " ".join(text.translate(_CONTROLS).split())


def safe(text: str) -> str:
    """The text with its line breaks, without the characters that steer a terminal."""
    return text.translate(_STEERING)


class Row:
    """One entry as a table shows it. Treat it as immutable."""

    __slots__ = ("kind", "latest", "name", "source", "status", "summary", "tags", "version")

    def __init__(  # noqa: PLR0913 - the columns, each by name
        self,
        *,
        name: str,
        version: str = "",
        kind: str = "op",
        status: str = "enabled",
        latest: bool = True,
        source: str = "",
        tags: Sequence[str] = (),
        summary: str = "",
    ) -> None:
        self.name = name
        self.version = version
        """As written, empty for an entry without one."""
        self.kind = kind
        self.status = status
        self.latest = latest
        """Whether the bare name means this version."""
        self.source = source
        self.tags = tuple(tags)
        self.summary = summary
        """The description's first line."""


class Diagnostic:
    """Something that an owner should know about a module, an entry or a setting. Treat it as immutable."""

    __slots__ = ("code", "line", "message", "path", "severity", "subject")

    def __init__(
        self,
        *,
        code: str,
        subject: str,
        message: str,
        path: str = "",
        line: int | None = None,
        severity: str = "error",
    ) -> None:
        self.code = code
        """The stable word for what is wrong: `syntax`, `import`, `duplicate`."""
        self.subject = subject
        """The module or entry."""
        self.message = message
        self.path = path
        """The file, relative to the project's folder where it is inside."""
        self.line = line
        self.severity = severity
        """`error` where something is missing from the registry, `warning`, or `note` for what only a doctor tells."""

    @property
    def place(self) -> str:
        """`file:line` as far as it is known, otherwise the module or entry."""
        if not self.path:
            return self.subject
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        about = "" if self.place == self.subject else f"{self.subject}: "
        return f"{self.place}: {about}{self.message}"

    def to_json(self) -> dict[str, object]:
        """The diagnostic as JSON; `path` and `line` are null where unknown."""
        return {
            "severity": self.severity,
            "code": self.code,
            "subject": self.subject,
            "path": self.path or None,
            "line": self.line,
            "message": self.message,
        }


class Listing:
    """A project's entries in their order, and its diagnostics. Treat it as immutable."""

    __slots__ = ("_manifests", "_rows", "diagnostics", "name")

    def __init__(
        self, name: str, rows: Sequence[Row], manifests: Sequence[str], diagnostics: Sequence[Diagnostic] = ()
    ) -> None:
        self.name = name
        """The project's name."""
        self.diagnostics = tuple(diagnostics)
        self._rows = tuple(rows)
        self._manifests = tuple(manifests)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The entries."""
        return self._rows

    @property
    def manifests(self) -> tuple[str, ...]:
        """Each row's manifest as JSON text without line breaks."""
        return self._manifests

    @property
    def table(self) -> str:
        """A line for each row, its columns separated by tabs: what `prowess list` prints into a pipe."""
        return "".join(map(_table_line, self.rows))

    @property
    def names(self) -> list[str]:
        """Every name, once, in order."""
        return list(dict.fromkeys(row.name for row in self.rows))

    def find(self, reference: str) -> int | None:
        """The position of the entry that `name` or `name@version`, as written, means; None where there is none.

        A version constraint is not understood here: it takes the registry.
        """
        name, _, version = reference.partition("@")
        key = name.replace("-", "_")
        for position, row in enumerate(self.rows):
            if row.name.replace("-", "_") == key and (row.version == version if version else row.latest):
                return position
        return None


class KeptListing(Listing):
    """A listing whose rows and manifests are taken out of their texts when somebody asks for them."""

    __slots__ = ("_texts",)

    def __init__(
        self, name: str, texts: tuple[str, Callable[[], str], Callable[[], str]], diagnostics: Sequence[Diagnostic]
    ) -> None:
        super().__init__(name, (), (), diagnostics)
        self._texts = texts
        """The table, the other columns, and the manifests."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The entries."""
        if not self._rows:
            lines = zip(self._texts[0].split("\n")[:-1], self._texts[1]().split("\n")[:-1], strict=True)
            self._rows = tuple(_row(line, more) for line, more in lines)
        return self._rows

    @property
    def manifests(self) -> tuple[str, ...]:
        """Each row's manifest as JSON text without line breaks."""
        if not self._manifests:
            self._manifests = tuple(self._texts[2]().split("\n")[:-1])
        return self._manifests

    @property
    def table(self) -> str:
        """A line for each row, as it was written."""
        return self._texts[0]


def more_line(row: Row) -> str:
    """The columns of a row that no table shows."""
    return f"{'latest' if row.latest else ''}\t{_BETWEEN.join(map(one_line, row.tags))}\n"


# ---------------------------------------------------------------------------------------------------------------------


def _table_line(row: Row) -> str:
    columns = (row.name, row.version, row.kind, row.status, row.source, row.summary)
    return "\t".join(map(one_line, columns)) + "\n"


def _row(line: str, more: str) -> Row:
    name, version, kind, status, source, summary = line.split("\t")
    latest, tags = more.split("\t")
    return Row(
        name=name,
        version=version,
        kind=kind,
        status=status,
        latest=bool(latest),
        source=source,
        tags=tags.split(_BETWEEN) if tags else (),
        summary=summary,
    )
