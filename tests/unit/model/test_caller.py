from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.errors import ConfigurationError
from prowess.model.caller import LOCAL_OWNER, Caller
from prowess.model.manifest import Autonomy
from prowess.model.permissions import EntrySettings, Permissions, Preset

if TYPE_CHECKING:
    from collections.abc import Callable

HIDDEN = EntrySettings(enabled=False)
LOOSE_PERMISSIONS: Any = Permissions
LOOSE_SETTINGS: Any = EntrySettings
LOOSE_CALLER: Any = Caller
NAMES = st.lists(st.sampled_from(["a", "b_c", "b-c", "d/e", "zz"]), max_size=6)


def test_a_preset_is_asked_for_by_name() -> None:
    """Spec: the presets are `yolo`, `trusted`, `sandboxed`, `worker`."""
    assert [Permissions.preset(name).level for name in ("yolo", "trusted", "sandboxed", "worker")] == list(Preset)


@pytest.mark.parametrize(("name", "hint"), [("sandbox", "did you mean 'sandboxed'"), ("zzz", "worker$")])
def test_a_preset_that_does_not_exist_is_refused_with_those_that_do(name: str, hint: str) -> None:
    """Spec: a wrong setting is told with what would be right."""
    with pytest.raises(ConfigurationError, match=f"use one of yolo, trusted.*{hint}"):
        Permissions.preset(name)


def test_settings_are_found_under_either_spelling() -> None:
    """Spec: `-` and `_` are one key."""
    permissions = Permissions.preset("trusted", entries={"read-file": EntrySettings(timeout=5)})
    assert permissions.settings("read_file").timeout == 5
    assert permissions.settings("other") == EntrySettings()


@given(NAMES, NAMES)
def test_what_is_hidden_is_never_shown(hidden: list[str], others: list[str]) -> None:
    """Regression: settings given out of order were not found, so that a hidden entry was shown."""
    entries = (*((name, EntrySettings()) for name in others), *((name, HIDDEN) for name in hidden))
    keys = {name.replace("-", "_") for name in hidden}
    for permissions in (Permissions(entries=entries), Permissions(entries=entries[: len(others)]).without(*hidden)):
        shown = {name for name in ("a", "b_c", "b-c", "d/e", "zz", "new") if permissions.shows(name)}
        assert shown == {name for name in ("a", "b_c", "b-c", "d/e", "zz", "new") if name.replace("-", "_") not in keys}


def test_hiding_keeps_what_else_is_set() -> None:
    """Choice: `without` changes visibility only."""
    permissions = Permissions.preset("worker", entries={"a": EntrySettings(timeout=5)}).without("a")
    assert permissions.settings("a") == EntrySettings(enabled=False, timeout=5)
    assert permissions.level is Preset.WORKER


def test_permissions_are_a_value() -> None:
    """Choice: freely shared, and a key of what was built for them."""
    one = Permissions.preset("trusted", entries={"b": HIDDEN, "a": HIDDEN})
    other = Permissions.preset("trusted").without("a", "b")
    assert one == other
    assert hash(one) == hash(other)


def test_a_library_call_without_a_caller_is_the_local_owner() -> None:
    """Spec: the local owner with the `trusted` preset."""
    assert LOCAL_OWNER.permissions.level is Preset.TRUSTED
    assert Caller("me") == Caller("me", "library", Permissions(), Autonomy.L3, None)


@pytest.mark.behaviour("callers.types")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LOOSE_PERMISSIONS.preset(None), "there is no preset None"),
        (lambda: LOOSE_PERMISSIONS.preset("worker", entries=5), "the settings of entries are a mapping"),
        (lambda: LOOSE_PERMISSIONS(level="work"), "permissions: level: must be one of .*, did you mean 'worker'"),
        (lambda: LOOSE_PERMISSIONS(entries=5), "permissions: entries: must be a list"),
        (lambda: LOOSE_PERMISSIONS(entries=(("a", 5),)), "entries.0.: must be a pair: a name and its EntrySettings"),
        (
            lambda: LOOSE_SETTINGS(enabled="no", timeout="5"),
            "enabled: must be true or false; timeout: must be a number",
        ),
        (lambda: LOOSE_CALLER(None), "caller: actor: must be text"),
        (
            lambda: LOOSE_CALLER("x", permissions="worker"),
            r"permissions: must be Permissions, such as Permissions.preset\('",
        ),
        (lambda: LOOSE_CALLER("x", ceiling="L9"), "ceiling: must be one of L0, L1, L2, L3"),
        (lambda: LOOSE_CALLER(1, 2, 3, 4, 5), "actor: .*; channel: .*; permissions: .*; ceiling: .*; trace: "),
    ],
)
def test_a_caller_that_cannot_be_is_refused_with_every_problem(make: Callable[[], object], words: str) -> None:
    """Regression: `Caller("x", permissions="worker")` was made, and nobody looked at it again."""
    with pytest.raises(ConfigurationError, match=words):
        make()


def test_words_stand_for_members_of_a_closed_set() -> None:
    """Choice: as in a manifest."""
    assert LOOSE_CALLER("x", ceiling="L1").ceiling is Autonomy.L1
    assert LOOSE_PERMISSIONS(level="worker").level is Preset.WORKER
    assert LOOSE_SETTINGS(allowed_paths=["notes"]).allowed_paths == ("notes",)
