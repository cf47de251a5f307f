"""What `prowess.toml` says about packages (found, disclosed, searched, built), and about records."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from prowess.app.catalogue.shared import LIST_BUDGET

__all__ = [
    "AuditMode",
    "BuildSettings",
    "Count",
    "DisclosureSettings",
    "GovernanceSettings",
    "RecordSettings",
    "SearchSettings",
    "SkillSettings",
]

AuditMode: TypeAlias = Literal["auto", "batched", "sync", "off"]
Count: TypeAlias = Annotated[int, Meta(ge=1)]


class SkillSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[skills]`: where packages are looked for besides the standard folders, and how far."""

    paths: tuple[str, ...] = ()
    """Folders and archives, relative to the project's folder."""
    plugins: tuple[str, ...] = ()
    """Folders of plugins, whose names become namespaces; `plugins/*` takes every one inside."""
    user: bool = True
    """Whether the folders in the user's home count."""
    entry_points: bool = True
    """Whether what installed distributions bring counts."""
    max_depth: Count = 12
    """Levels of folders below each place."""
    max_folders: Count = 200_000
    """Folders below each place."""
    max_files: Count = 2_000_000
    """Names of any kind below each place."""
    max_archive_files: Count = 20_000
    """Files in one archive."""
    max_archive_bytes: Count = 500_000_000
    """What the files of one archive may come to."""
    max_archive_ratio: Count = 100
    """How many times the archive's own size that may be."""


class DisclosureSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[disclosure]`: how models are told of packages."""

    budget: Count = LIST_BUDGET
    """Tokens that a list of skills takes at most, as far as they can be estimated."""


class SearchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[search]`: how entries are found."""

    semantic: bool = False
    """Whether the first hits are put in order by what they mean as well; it needs `prowess[semantic]`."""


class BuildSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[build]`: what `prowess build` takes along besides packages and code."""

    include: tuple[str, ...] = ()
    """Files, and folders with all in them, that the code reads: paths relative to the project's folder."""


class GovernanceSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[governance]`: what a project has to lay down."""

    required: bool = False
    """Whether it has to have a `config` folder with registry documents."""


class RecordSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[records]`: where approvals, rates and the audit trail are kept, and how."""

    store: str = "sqlite:.prowess/state.db"
    """`sqlite:PATH` relative to the project's folder, `postgresql://…`, or `memory`."""
    audit: AuditMode = "auto"
    """Whether calls are recorded by the way (`batched`), each before its result is given (`sync`), or not (`off`).

    `auto` records, by the way, what a server does, and every call of a project that governs.
    """
