"""What a caller may see and do: one of four levels, narrowed as far as somebody wants."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import itemgetter
from posixpath import normpath

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from prowess.errors import ConfigurationError
from prowess.model.forms import Forms, Path, Problems, choice, demand, each, flag, is_items, note, number, text
from prowess.model.json_value import is_object
from prowess.model.names import key_of, near_names

__all__ = ["EntrySettings", "Permissions", "Preset", "is_below"]


class Preset(StrEnum):
    """The four levels of permissions, from the widest to the narrowest."""

    YOLO = "yolo"
    TRUSTED = "trusted"
    SANDBOXED = "sandboxed"
    WORKER = "worker"


class EntrySettings(Struct, frozen=True, kw_only=True, gc=False):
    """What one caller's permissions say about one entry; None leaves a point to the preset."""

    enabled: bool = True
    allowed_paths: tuple[str, ...] | None = None
    timeout: float | None = None
    requires_confirmation: bool | None = None

    def __post_init__(self) -> None:
        """Refuse with `ConfigurationError` what is not of these types."""
        demand("settings of an entry", self, _SETTINGS)


class Permissions(Struct, frozen=True, kw_only=True, gc=False):
    """What a caller may see and do: a level, and what narrows it. A value, hashable, freely shared."""

    level: Preset = Preset.TRUSTED
    entries: tuple[tuple[str, EntrySettings], ...] = ()
    """Settings by the entry's key, sorted; of two for one entry the later holds."""
    capabilities: tuple[str, ...] | None = None
    """The rights that are left of those that the level grants, `notes.*` for all of a domain; None leaves all."""
    allowed_paths: tuple[str, ...] | None = None
    """The folders in which files may be reached; None means the project's, and any for `yolo`."""
    blocked_paths: tuple[str, ...] = ()
    """Folders inside these in which none may."""

    def __post_init__(self) -> None:
        """Bring the settings into the order in which they are looked up: out of it, one that hides could be missed.

        Raises `ConfigurationError` for what is not of these types.
        """
        narrowed = (self.entries, self.capabilities, self.allowed_paths, self.blocked_paths)
        if type(self.level) is not Preset or narrowed != _NOT_NARROWED:
            demand("permissions", self, _PERMISSIONS)
            latest = {key_of(name): settings for name, settings in self.entries}
            force_setattr(self, "entries", tuple(sorted(latest.items(), key=itemgetter(0))))

    @classmethod
    def preset(cls, name: str, *, entries: Mapping[str, EntrySettings] | None = None) -> "Permissions":
        """The permissions of a named preset; raises `ConfigurationError` for a name that is none."""
        try:
            level = Preset(name)
        except ValueError:
            near = near_names(str(name), list(Preset))
            hint = f", did you mean '{near[0]}'?" if near else ""
            message = f"there is no preset {name!r}: use one of {', '.join(Preset)}{hint}"
            raise ConfigurationError(message, details={"name": name}) from None
        return cls(level=level).with_entries(entries or {})

    def with_entries(self, entries: Mapping[str, EntrySettings]) -> "Permissions":
        """The same permissions with other settings for these entries."""
        if not is_object(entries):
            message = "the settings of entries are a mapping: an EntrySettings for each name"
            raise ConfigurationError(message, details={"entries": type(entries).__name__})
        return replace(self, entries=(*self.entries, *entries.items()))

    def without(self, *names: str) -> "Permissions":
        """The same permissions with these entries hidden."""
        return self.with_entries({name: replace(self.settings(name), enabled=False) for name in names})

    def settings(self, name: str) -> EntrySettings:
        """What these permissions say about an entry, the defaults where they say nothing."""
        key = key_of(name)
        index = bisect_left(self.entries, key, key=itemgetter(0))
        found = self.entries[index] if index < len(self.entries) else None
        return found[1] if found is not None and found[0] == key else _NO_SETTINGS

    def shows(self, name: str) -> bool:
        """Whether their settings leave an entry of that name to be seen; what it needs is not asked."""
        return not self.entries or self.settings(name).enabled

    def can_grant(self, child: "Permissions") -> bool:
        """Whether somebody with these permissions may give those to another: in no point do they exceed these."""
        order = [*Preset]
        return (
            order.index(child.level) >= order.index(self.level)
            and _rights_within(child.capabilities, self.capabilities)
            and self._paths_within(child.allowed_paths, self.allowed_paths)
            and all(is_below(path, child.blocked_paths) for path in self.blocked_paths)
            and all(self._settings_within(key, child) for key, _ in (*self.entries, *child.entries))
        )

    # -----------------------------------------------------------------------------------------------------------------

    def _paths_within(self, child: Sequence[str] | None, own: Sequence[str] | None) -> bool:
        if own is not None:
            return child is not None and all(is_below(path, own) for path in child)
        # Unset means the project's folder, so that only relative paths that stay inside are known to be below it.
        return child is None or self.level is Preset.YOLO or all(is_below(path, (".",)) for path in child)

    def _settings_within(self, key: str, child: "Permissions") -> bool:
        own, theirs = self.settings(key), child.settings(key)
        return (
            (own.enabled or not theirs.enabled)
            and (own.timeout is None or (theirs.timeout is not None and theirs.timeout <= own.timeout))
            and _asks(theirs, child) >= _asks(own, self)
            and (theirs.allowed_paths is None or self._paths_within(theirs.allowed_paths, self.allowed_paths))
            and (own.allowed_paths is None or self._paths_within(theirs.allowed_paths, own.allowed_paths))
        )


def is_below(path: str, folders: Sequence[str]) -> bool:
    """Whether a path, as it is written, is one of these folders or inside one; `..` that leads out is outside."""
    at = _parts(path)
    return any(at[: len(folder)] == folder for folder in map(_parts, folders))


# ---------------------------------------------------------------------------------------------------------------------


def _parts(path: str) -> list[str]:
    """A path's parts, both slashes and `.` read; a drive, a root and `~` are parts of their own."""
    plain = normpath(path.replace("\\", "/"))
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    return ["/", *parts] if plain.startswith("/") else parts if parts[:1] and _leads_away(parts[0]) else [".", *parts]


def _leads_away(first: str) -> bool:
    return first == ".." or first.startswith("~") or first[1:2] == ":"


def _rights_within(child: Sequence[str] | None, own: Sequence[str] | None) -> bool:
    if own is None:
        return True
    return child is not None and all(_covered(right, own) for right in child)


def _covered(right: str, rights: Sequence[str]) -> bool:
    """Whether a right, or all of a domain, is among these."""
    domain = right.rpartition(".")[0]
    return right in rights or "*" in rights or f"{domain}.*" in rights


def _asks(settings: EntrySettings, permissions: Permissions) -> int:
    """How much an entry asks a person: 0 never, 1 where the preset says so, 2 always."""
    if settings.requires_confirmation is None:
        return 0 if permissions.level is Preset.YOLO else 1
    return 2 if settings.requires_confirmation else 0


def _pair(value: object, path: Path, problems: Problems) -> object:
    """A name with its settings."""
    if not (is_items(value) and [*map(type, value)] == [str, EntrySettings]):
        note(problems, path, "type", "must be a pair: a name and its EntrySettings", value)
    return value


_SETTINGS: Forms = {"enabled": flag, "allowed_paths": each(text), "timeout": number, "requires_confirmation": flag}
_NO_SETTINGS = EntrySettings()
_PERMISSIONS: Forms = {
    "level": choice(Preset),
    "entries": each(_pair),
    "capabilities": each(text),
    "allowed_paths": each(text),
    "blocked_paths": each(text),
}
_NOT_NARROWED = ((), None, None, ())
