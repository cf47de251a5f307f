"""Who asks, and what they may see and do."""

from bisect import bisect_left
from collections.abc import Mapping
from enum import StrEnum
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from prowess.errors import ConfigurationError
from prowess.model.forms import (
    Forms,
    Path,
    Problems,
    choice,
    demand,
    each,
    flag,
    instance,
    is_items,
    note,
    number,
    text,
)
from prowess.model.json_value import is_object
from prowess.model.manifest_parts import Autonomy
from prowess.model.names import key_of, near_names

__all__ = ["LOCAL_OWNER", "Caller", "EntrySettings", "Permissions", "Preset"]


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
    """What a caller may see and do: a level, with settings for single entries. A value, hashable, freely shared."""

    level: Preset = Preset.TRUSTED
    entries: tuple[tuple[str, EntrySettings], ...] = ()
    """Settings by the entry's key, sorted; of two for one entry the later holds."""

    def __post_init__(self) -> None:
        """Bring the settings into the order in which they are looked up: out of it, one that hides could be missed.

        Raises `ConfigurationError` for what is not of these types.
        """
        if type(self.level) is not Preset or self.entries != ():
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
        """Whether an entry of that name is visible at all."""
        return not self.entries or self.settings(name).enabled


class Caller(Struct, frozen=True, gc=False):
    """Who asks: an actor on a channel, with permissions, an autonomy ceiling and a trace to belong to."""

    actor: str
    channel: str = "library"
    permissions: Permissions = Permissions()
    ceiling: Autonomy = Autonomy.L3
    trace: str | None = None

    def __post_init__(self) -> None:
        """Refuse with `ConfigurationError` what is not of these types: permissions must never be guessed."""
        demand("caller", self, _CALLER)


# ---------------------------------------------------------------------------------------------------------------------


def _pair(value: object, path: Path, problems: Problems) -> object:
    """A name with its settings."""
    if not (is_items(value) and [*map(type, value)] == [str, EntrySettings]):
        note(problems, path, "type", "must be a pair: a name and its EntrySettings", value)
    return value


_SETTINGS: Forms = {"enabled": flag, "allowed_paths": each(text), "timeout": number, "requires_confirmation": flag}
_NO_SETTINGS = EntrySettings()
_PERMISSIONS: Forms = {"level": choice(Preset), "entries": each(_pair)}
_CALLER: Forms = {
    "actor": text,
    "channel": text,
    "permissions": instance(Permissions, "Permissions, such as Permissions.preset('worker')"),
    "ceiling": choice(Autonomy),
    "trace": text,
}

LOCAL_OWNER = Caller("local")
"""Who a library call without a caller is: the owner of the process."""
