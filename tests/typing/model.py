"""What the type checkers know of values that users hold."""

from typing import assert_type

from prowess.errors import NotFoundError, Problem, ProwessError
from prowess.model.caller import Caller
from prowess.model.json_value import Json
from prowess.model.manifest import Kind, Manifest, Target
from prowess.model.manifest_json import manifest_from_json, manifest_to_json
from prowess.model.permissions import EntrySettings, Permissions
from prowess.model.result import Result
from prowess.model.schema import Schema
from prowess.model.verdict import Allow, Ask, Deny, strictest


def a_result_is_read_by_its_error(result: Result) -> None:
    assert_type(result.ok, bool)
    assert_type(result.error, ProwessError | None)
    assert_type(result.unwrap(), Json)
    Result(output={"a": 1})
    Result(error="text")


def a_manifest_is_made_by_keyword(manifest: Manifest) -> None:
    assert_type(Manifest(name="a", kind=Kind.LOGIC), Manifest)
    assert_type(manifest.targets, tuple[Target, ...])
    assert_type(manifest.input_schema.value(), dict[str, object])
    assert_type(manifest_from_json({"name": "a"}), Manifest)
    assert_type(manifest_to_json(manifest), dict[str, object])
    assert_type(Schema.of({}), Schema)


def permissions_are_narrowed_by_values(permissions: Permissions) -> None:
    assert_type(permissions.without("a", "b"), Permissions)
    assert_type(Permissions.preset("worker", entries={"a": EntrySettings(timeout=5)}), Permissions)
    assert_type(Caller("me", permissions=permissions).permissions, Permissions)


def a_verdict_is_one_of_three() -> None:
    assert_type(strictest(), Allow | Ask | Deny)


def an_error_carries_its_data(error: NotFoundError) -> None:
    assert_type(error.near, tuple[str, ...])
    assert_type(error.name, str | None)
    assert_type(error.problems, tuple[Problem, ...])
