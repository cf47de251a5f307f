from __future__ import annotations

from typing import Any

import pytest

from prowess.errors import InvalidManifestError
from prowess.model.manifest import Autonomy, Kind, Manifest, Status, Target
from prowess.model.schema import NO_INPUTS


def test_an_entry_that_says_its_name_only_is_an_op_that_runs_silently() -> None:
    """Spec: an entry written in code needs no governance: autonomy L3, no capabilities."""
    manifest = Manifest(name="a")
    assert (manifest.kind, manifest.status, manifest.autonomy) == (Kind.OP, Status.ENABLED, Autonomy.L3)
    assert (manifest.capabilities, manifest.input_schema) == ((), NO_INPUTS)


def test_identity_is_a_name_and_perhaps_a_version() -> None:
    """Spec: an entry's identity is `name@version`; one without a version is shown without one."""
    assert Manifest(name="a", version="1.0").reference == "a@1.0"
    assert Manifest(name="acme/a").reference == "acme/a"


def test_a_namespace_stands_before_the_slash() -> None:
    """Spec: a namespace goes before a slash."""
    assert Manifest(name="acme/a").namespace == "acme"
    assert Manifest(name="a").namespace is None


@pytest.mark.parametrize(("kind", "skill"), [("op", False), ("logic", True), ("pipeline", True), ("package", True)])
def test_everything_but_an_op_is_a_skill(kind: str, skill: bool) -> None:
    """Spec: a skill composes: `logic`, `pipeline` or `package`."""
    assert Manifest(name="a", kind=Kind(kind)).is_skill is skill


def test_a_target_reads_from_a_reference_and_back() -> None:
    """Spec: targets are names, with a version constraint where one is asked for."""
    assert Target.parse("a@^1.2") == Target("a", "^1.2")
    assert str(Target.parse("a@^1.2")) == "a@^1.2"
    assert str(Target.parse("acme/a")) == "acme/a"
    target = Target("a", kind="op")
    assert Target.parse(target) is target


def test_a_manifest_that_obeys_the_rules_is_itself() -> None:
    """Spec: `Manifest.validate(profile="toolskill")` is off by default."""
    manifest = Manifest(name="a", version="1.0.0", description="USE WHEN the user asks.")
    assert manifest.validate() is manifest
    assert manifest.validate(profile="toolskill") is manifest


def test_a_manifest_that_does_not_is_told_every_rule_it_breaks() -> None:
    """Spec: all problems at once."""
    with pytest.raises(InvalidManifestError, match="'A B': ") as caught:
        Manifest(name="A B", description=" ").validate("toolskill")
    assert [problem.path for problem in caught.value.problems] == [
        "$.name",
        "$.description",
        "$.description",
        "$.version",
    ]


def test_nobody_can_change_the_extra_data_of_a_manifest() -> None:
    """Regression: `registry.list()[0].extra.update(...)` changed the registry's own manifest."""
    given: dict[str, object] = {"cost": [1]}
    manifest = Manifest(name="a", extra=given)
    given["cost"] = None
    read: Any = manifest.extra
    read["cost"].append(2)

    assert manifest.extra == {"cost": [1]}
    assert (len(manifest.extra), list(manifest.extra), repr(manifest.extra)) == (1, ["cost"], "{'cost': [1]}")
    assert not hasattr(manifest.extra, "update")
    with pytest.raises(TypeError):
        read["cost"] = 1


def test_manifests_that_say_the_same_are_one_key() -> None:
    """Regression: a manifest could not be hashed, for its extra data."""
    one, other = (Manifest(name="a", extra={"a": 1, "b": 2}), Manifest(name="a", extra={"b": 2, "a": 1}))
    assert {one, other, Manifest(name="a")} == {one, Manifest(name="a")}
