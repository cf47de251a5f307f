"""What an archive says that it holds, and all that is wrong with it."""

from collections.abc import Iterable
from typing import NoReturn
from unicodedata import normalize

from msgspec import Struct

__all__ = ["ArchiveError", "ArchiveFault", "ArchiveLimits", "Member", "check_members", "fault"]

_LONGEST_NAME = 255
_LONGEST_PATH = 1_024
_FLOOR = 1_000_000
"""Bytes to which every archive may grow, however small it is: a text of one letter shrinks a thousandfold."""
_MOST_TOLD = 20
_SHOWN = 100
_HERE = "./"


class ArchiveLimits(Struct, frozen=True, kw_only=True):
    """How much one archive may hold."""

    max_archive_files: int = 20_000
    max_archive_bytes: int = 500_000_000
    """What its files may come to."""
    max_archive_ratio: int = 100
    """How many times its own size that may be."""

    def most_bytes(self, packed: int) -> int:
        """What the files of an archive of so many bytes may come to."""
        return min(self.max_archive_bytes, max(_FLOOR, packed * self.max_archive_ratio))


class ArchiveFault(Struct, frozen=True):
    """One thing that keeps an archive out."""

    code: str
    message: str


class ArchiveError(Exception):
    """An archive that is not unpacked, with all that was found wrong with it."""

    def __init__(self, *faults: ArchiveFault) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


def fault(code: str, message: str) -> ArchiveError:
    """The error for one fault."""
    return ArchiveError(ArchiveFault(code, message))


class Member(Struct, frozen=True, kw_only=True, gc=False):
    """One thing in an archive, as the archive tells of it. A value."""

    name: str
    """As it is written there; a folder's may end with a slash."""
    size: int = 0
    is_folder: bool = False
    executable: bool = False
    odd: str | None = None
    """What it is where it is neither file nor folder, or why it cannot be unpacked."""

    @property
    def path(self) -> str:
        """Its path below the folder that the archive is unpacked into; empty for that folder itself."""
        return _below(self.name).rstrip("/")


def check_members(members: Iterable[Member], packed: int, limits: ArchiveLimits) -> list[Member]:
    """The members, where all of them may be unpacked from an archive of so many bytes.

    Raises `ArchiveError` with everything that is wrong; a limit that is reached ends the look.
    """
    check = _Check(packed, limits)
    for member in members:
        check.add(member)
    check.end()
    return check.members


# ---------------------------------------------------------------------------------------------------------------------


class _Check:
    def __init__(self, packed: int, limits: ArchiveLimits) -> None:
        self.members: list[Member] = []
        self._limits = limits
        self._packed = packed
        self._bytes = 0
        self._faults: list[ArchiveFault] = []
        self._seen: dict[str, tuple[str, bool]] = {}

    def add(self, member: Member) -> None:
        """Look at one member. Raises `ArchiveError` where a limit is reached."""
        self.members.append(member)
        self._bytes += member.size
        self._check_limits()
        if member.is_folder and member.name == _HERE:
            return
        reason = _way_out(_below(member.name))
        if reason is not None:
            self._fault("archive-path", f"{_shown(member.name)} {reason}")
        elif member.odd is not None:
            self._fault("archive-kind", f"{_shown(member.name)} is {member.odd}")
        else:
            self._check_double(member)

    def end(self) -> None:
        """Raise what was found."""
        if self._faults:
            raise ArchiveError(*self._faults)

    def _check_limits(self) -> None:
        limits = self._limits
        if len(self.members) > limits.max_archive_files:
            most = limits.max_archive_files
            self._give_up("archive-files", f"has more than {most} files: raise 'skills.max_archive_files'")
        if self._bytes > limits.max_archive_bytes:
            most = limits.max_archive_bytes
            self._give_up("archive-bytes", f"unpacks to more than {most} bytes: raise 'skills.max_archive_bytes'")
        if self._bytes > limits.most_bytes(self._packed):
            most = limits.max_archive_ratio
            message = f"unpacks to more than {most} times its size: raise 'skills.max_archive_ratio' if you trust it"
            self._give_up("archive-ratio", message)

    def _check_double(self, member: Member) -> None:
        """Look whether a path is another's as well, on any system: case and the way letters are composed aside."""
        parts = member.path.split("/")
        for end in range(1, len(parts)):
            self._claim("/".join(parts[:end]), is_folder=True)
        self._claim(member.path, is_folder=member.is_folder)

    def _claim(self, path: str, *, is_folder: bool) -> None:
        mine = (path, is_folder)
        first = self._seen.setdefault(normalize("NFC", path).casefold(), mine)
        if first is mine or (is_folder and first == mine):
            return
        if first[1] != is_folder:
            self._fault("archive-double", f"{_shown(path)} is a file and a folder")
        elif first[0] == path:
            self._fault("archive-double", f"{_shown(path)} is there twice")
        else:
            self._fault(
                "archive-double", f"{_shown(path)} and {_shown(first[0])} are one name where case does not count"
            )

    def _fault(self, code: str, message: str) -> None:
        self._faults.append(ArchiveFault(code, message))
        if len(self._faults) >= _MOST_TOLD:
            raise ArchiveError(*self._faults)

    def _give_up(self, code: str, message: str) -> NoReturn:
        raise ArchiveError(*self._faults, ArchiveFault(code, message))


def _below(name: str) -> str:
    """A name without the `./` that tar writes before each where it was told to pack `.`."""
    return name.removeprefix(_HERE)


def _way_out(name: str) -> str | None:
    """Why a name may not be unpacked, as the end of a sentence; None where it may."""
    parts = name.rstrip("/").split("/")
    sizes = [len(part.encode("utf-8", "replace")) for part in parts]
    reasons = {
        "is an absolute path": name.startswith("/") or name[1:2] == ":",
        "has a backslash, which is a way out on some systems": "\\" in name,
        "leads out of the archive": ".." in parts,
        "is no plain path": not all(parts) or "." in parts,
        "has characters that cannot be shown, or is no UTF-8": any(map(_is_odd, name)),
        "is too long": max(sizes) > _LONGEST_NAME or sum(sizes) + len(sizes) > _LONGEST_PATH,
    }
    return next((reason for reason, is_so in reasons.items() if is_so), None)


def _is_odd(char: str) -> bool:
    return char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff"


def _shown(name: str) -> str:
    shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
    return f"'{shown}'" if shown.isprintable() else ascii(shown)
