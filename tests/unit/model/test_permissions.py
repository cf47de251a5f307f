"""What somebody may hand on of their own permissions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.model.permissions import EntrySettings, Permissions, Preset, is_below

LEVELS = [*Preset]


@pytest.mark.behaviour("permissions.grant")
@pytest.mark.parametrize("parent", LEVELS)
@pytest.mark.parametrize("child", LEVELS)
def test_a_preset_grants_itself_and_what_is_narrower(parent: Preset, child: Preset) -> None:
    """Spec: every pair of presets has a stated answer."""
    granted = {
        Preset.YOLO: {"yolo", "trusted", "sandboxed", "worker"},
        Preset.TRUSTED: {"trusted", "sandboxed", "worker"},
        Preset.SANDBOXED: {"sandboxed", "worker"},
        Preset.WORKER: {"worker"},
    }
    assert Permissions(level=parent).can_grant(Permissions(level=child)) is (child in granted[parent])


def settings(**said: object) -> Permissions:
    """Trusted permissions with settings for one entry."""
    return Permissions().with_entries({"fetch": EntrySettings(**said)})  # type: ignore[arg-type]


@pytest.mark.behaviour("permissions.grant")
@pytest.mark.parametrize(
    ("parent", "child", "granted"),
    [
        (Permissions(capabilities=("notes.read",)), Permissions(), False),
        (Permissions(capabilities=("notes.read",)), Permissions(capabilities=("notes.read",)), True),
        (Permissions(capabilities=("notes.read",)), Permissions(capabilities=("notes.write",)), False),
        (Permissions(capabilities=("notes.*",)), Permissions(capabilities=("notes.write",)), True),
        (Permissions(capabilities=("notes.read",)), Permissions(capabilities=("notes.*",)), False),
        (Permissions(capabilities=("*",)), Permissions(capabilities=("notes.*",)), True),
        (Permissions(), Permissions(capabilities=()), True),
        (Permissions(allowed_paths=("/srv",)), Permissions(), False),
        (Permissions(allowed_paths=("/srv",)), Permissions(allowed_paths=("/srv/a",)), True),
        (Permissions(allowed_paths=("/srv",)), Permissions(allowed_paths=("/srv/../etc",)), False),
        (Permissions(allowed_paths=("/srv",)), Permissions(allowed_paths=()), True),
        (Permissions(), Permissions(allowed_paths=("notes",)), True),
        (Permissions(), Permissions(allowed_paths=("../notes",)), False),
        (Permissions(), Permissions(allowed_paths=("/srv",)), False),
        (Permissions(level=Preset.YOLO), Permissions(allowed_paths=("/srv",)), True),
        (Permissions(blocked_paths=("a/b",)), Permissions(), False),
        (Permissions(blocked_paths=("a/b",)), Permissions(blocked_paths=("a",)), True),
        (settings(enabled=False), Permissions(), False),
        (settings(enabled=False), settings(enabled=False), True),
        (settings(timeout=5), Permissions(), False),
        (settings(timeout=5), settings(timeout=6), False),
        (settings(timeout=5), settings(timeout=5), True),
        (settings(requires_confirmation=True), Permissions(), False),
        (settings(requires_confirmation=True), settings(requires_confirmation=True), True),
        (Permissions(), settings(requires_confirmation=False), False),
        (settings(requires_confirmation=False), Permissions(), True),
        (Permissions(level=Preset.YOLO), settings(requires_confirmation=False), True),
        (settings(allowed_paths=("a",)), Permissions(), False),
        (settings(allowed_paths=("a",)), settings(allowed_paths=("a/b",)), True),
        (Permissions(allowed_paths=("a",)), Permissions(allowed_paths=("a",)), True),
        (
            Permissions(allowed_paths=("a",)),
            Permissions(allowed_paths=("a",)).with_entries({"fetch": EntrySettings(allowed_paths=("b",))}),
            False,
        ),
    ],
)
def test_a_child_exceeds_its_parent_in_no_point(parent: Permissions, child: Permissions, granted: bool) -> None:
    """Spec: never in level, entries, paths, blocked paths or the settings of single entries."""
    assert parent.can_grant(child) is granted


PERMISSIONS = st.builds(
    Permissions,
    level=st.sampled_from(LEVELS),
    capabilities=st.none() | st.lists(st.sampled_from(["a.read", "a.write", "b.read", "a.*", "*"])).map(tuple),
    allowed_paths=st.none() | st.lists(st.sampled_from(["a", "a/b", "b", "/", "/srv", "..", "~"])).map(tuple),
    blocked_paths=st.lists(st.sampled_from(["a", "a/b", "b"])).map(tuple),
    entries=st.lists(
        st.tuples(
            st.sampled_from(["x", "y"]),
            st.builds(
                EntrySettings,
                enabled=st.booleans(),
                timeout=st.none() | st.sampled_from([1.0, 2.0]),
                requires_confirmation=st.none() | st.booleans(),
            ),
        ),
        max_size=2,
    ).map(tuple),
)


@given(PERMISSIONS, PERMISSIONS, PERMISSIONS)
def test_what_is_granted_twice_is_within_the_first(one: Permissions, two: Permissions, three: Permissions) -> None:
    """Spec: always under the parent's ceiling, by a second hop too."""
    if one.can_grant(two) and two.can_grant(three):
        assert one.can_grant(three)


@pytest.mark.parametrize(
    ("path", "folders", "inside"),
    [
        ("notes/a.md", ("notes",), True),
        ("./notes//a.md", ("notes",), True),
        ("notes\\a.md", ("notes",), True),
        ("notes", ("notes",), True),
        ("notes2/a.md", ("notes",), False),
        ("notes/../a.md", ("notes",), False),
        ("a.md", (".",), True),
        ("../a.md", (".",), False),
        ("/etc/passwd", (".",), False),
        ("~/a.md", (".",), False),
        ("C:\\a.md", (".",), False),
        ("C:\\notes\\a.md", ("C:/notes",), True),
        ("/srv/a", ("/srv",), True),
        ("/srv/a", ("/",), True),
        ("/srv/a", (), False),
        ("", (".",), True),
    ],
)
def test_a_path_is_inside_by_its_parts(path: str, folders: tuple[str, ...], inside: bool) -> None:
    """Spec: `..`, `~`, drives and both slashes mean what they mean everywhere."""
    assert is_below(path, folders) is inside
