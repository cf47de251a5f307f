"""What is wrong with entries, told before a call finds out: schemas, definitions of outside tools, targets."""

from collections.abc import Mapping
from typing import Any

import pytest

from prowess import InvalidManifestError, Manifest, NotFoundError, Pipeline, Registry, op, skill
from prowess.errors import ConfigurationError, InvalidSchemaError, UnavailableError
from prowess.model import pipeline as model
from prowess.model.manifest import Autonomy, Status, Target
from tests.unit.app.registry.skills import Whisper, search_index, search_notes

REMOTE = {"type": "object", "properties": {"a": {"$ref": "https://example.com/schema.json"}}}
ILLEGAL = {"type": "objekt"}


class Shaped(Whisper):
    """A skill object with a schema of its author's."""

    def __init__(self, name: str, parameters: Mapping[str, object], output: Mapping[str, object] | None = None) -> None:
        self.name = name
        self.parameters = parameters
        self.output_schema = output


class Executor:
    """An outside system."""

    async def execute(self, tool: str, input: Mapping[str, object], /) -> object:  # noqa: A002 - the promised name
        """Tell what was asked."""
        return [tool, dict(input)]


@pytest.mark.behaviour("registry.schema-as-dictionary")
async def test_a_manifest_with_a_schema_as_a_dictionary_breaks_nothing() -> None:
    """Regression: it was accepted, and then tools, fingerprint and advertise failed for every entry."""
    registry = Registry()
    registry.register(search_index)
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    manifest = Manifest(name="x", description="d", input_schema=schema, tags=["t"], kind="logic")
    registry.register_factory("x", lambda _: Shaped("x", schema), manifest=manifest)
    assert [tool["function"]["name"] for tool in registry.tools()] == ["search_index", "x"]
    assert len(registry.advertise()) == 2
    assert registry.fingerprint
    assert registry.list(tag="t", kind="skill")[0].name == "x"
    assert registry.require("x").parameters == schema
    assert (await registry.require("x").execute(text="A")).output == "a"


def test_a_manifest_of_wrong_types_is_refused_with_every_problem() -> None:
    """Regression: it registered, or failed with an error of Python's."""
    wrong: dict[str, Any] = {"name": "x", "description": 5, "tags": "abc", "autonomy": "L9", "owners": ["a", 1]}
    with pytest.raises(InvalidManifestError) as caught:
        Registry().register_factory("x", lambda _: Whisper(), manifest=Manifest(**wrong))
    assert [problem.path for problem in caught.value.problems] == [
        "$.description",
        "$.tags",
        "$.autonomy",
        "$.owners[1]",
    ]


@pytest.mark.behaviour("registry.unsound-schema")
@pytest.mark.parametrize("schema", [REMOTE, ILLEGAL])
async def test_a_schema_that_cannot_be_used_is_told_before_the_first_call(schema: dict[str, Any]) -> None:
    """Regression: only the first call found out, and its error did not say whose schema it was."""
    registry = Registry()
    registry.register(search_index, Shaped("bad", schema), Shaped("worse", {"type": "object"}, schema))
    found = [(one.code, one.entry, one.severity) for one in registry.diagnostics]
    assert found == [("invalid_schema", "bad", "error"), ("invalid_schema", "worse", "error")]
    assert [tool["function"]["name"] for tool in registry.tools()] == ["search_index"]
    with pytest.raises(
        InvalidSchemaError, match=r"the schema of 'bad' cannot be used: .*; the schema of 'worse'"
    ) as caught:
        registry.check()
    assert caught.value.name == "bad"
    result = await registry.require("worse").execute(text="a")
    assert isinstance(result.error, InvalidSchemaError)
    assert result.error.name == "worse"
    assert "the schema of 'worse' cannot be used" in str(result.error)
    assert registry.filtered(names=["search_index"]).diagnostics == ()


@pytest.mark.behaviour("registry.outside-tools")
def test_wrong_definitions_of_tools_are_refused_with_every_problem_of_each() -> None:
    """Regression: anything was accepted; a list written as text was split into letters."""
    registry = Registry()
    definitions: list[Any] = [
        {"name": "good"},
        {"name": "versioned", "version": "x y@z"},
        {"name": "lettered", "capabilities": "net.read", "tags": "abc"},
        {"name": "lettered2", "capabilities": ["netread"], "description": ["d"]},
        5,
        {"function": {"name": "Bad Name!!"}},
        {"name": "shaped", "parameters": {"const": object()}, "outputSchema": "x"},
        {},
        Manifest(name="Bad", description=""),
    ]
    with pytest.raises(InvalidManifestError) as caught:
        registry.register_tools(Executor(), definitions)
    assert [problem.path for problem in caught.value.problems] == [
        "$[1].version",
        "$[2].tags",
        "$[2].capabilities",
        "$[3].description",
        "$[3].capabilities[0]",
        "$[4]",
        "$[5].name",
        "$[6].input_schema",
        "$[6].output_schema",
        "$[7].name",
        "$[8].name",
    ]
    assert "tool 'lettered': tags: must be a list" in str(caught.value)
    assert "tool 5: a definition is an object with a name" in str(caught.value)
    assert registry.names == ()


@pytest.mark.behaviour("registry.outside-tools")
def test_a_tool_of_others_needs_no_description() -> None:
    """Choice: what others made cannot be described by who takes it in."""
    registry = Registry()
    registry.register_tools(Executor(), [{"name": "ping", "version": 2}, Manifest(name="pong")])
    assert [(one.name, one.version, one.description) for one in registry.list()] == [
        ("ping", "2", ""),
        ("pong", None, ""),
    ]


@pytest.mark.parametrize("executor", [object(), None, 5])
def test_what_runs_no_tools_is_refused(executor: Any) -> None:
    """Regression: it was accepted, and each call failed."""
    with pytest.raises(ConfigurationError, match="runs no tools: an executor has 'async def execute"):
        Registry().register_tools(executor, [{"name": "ping"}])


async def test_an_executor_may_be_plain_or_give_something_to_await() -> None:
    """Regression: a plain `execute` ran, and then its call failed."""

    class Plain:
        def execute(self, tool: str, input: Mapping[str, object], /) -> object:  # noqa: A002 - the promised name
            return [tool, dict(input)]

    class Wrapped:
        def execute(self, tool: str, input: Mapping[str, object], /) -> object:  # noqa: A002 - the promised name
            return Executor().execute(tool, input)

    for executor in (Plain(), Wrapped(), Executor()):
        registry = Registry()
        registry.register_tools(executor, [{"name": "ping"}])  # type: ignore[arg-type]
        assert (await registry.require("ping").execute(a=1, self=2)).output == ["ping", {"a": 1, "self": 2}]


def pipeline(*targets: str) -> Pipeline:
    """A pipeline that calls these."""
    made = Pipeline("p", version="1.0.0", description="d")
    for target in targets:
        made = made.step(f"s{len(made.steps)}", target)
    return made


def registry_with(*versions: str, **fields: Any) -> Registry:
    """A registry that holds `t` in these versions."""
    registry = Registry()
    for version in versions:
        manifest = Manifest(name="t", version=version, description="d", **fields)
        registry.register_factory("t", lambda _: Whisper(), manifest=manifest)
    return registry


@pytest.mark.behaviour("registry.check-versions")
def test_a_pipelines_target_without_a_version_is_refused_where_several_match() -> None:
    """Regression: DESIGN wants it refused, and the highest was taken."""
    registry = registry_with("1.0.0", "2.0.0", "3.0.0-rc.1")
    registry.register(pipeline("t").build())
    with pytest.raises(
        InvalidManifestError, match=r"'p@1.0.0' needs 't' without a version.*t@1\.0\.0, t@2\.0\.0:"
    ) as caught:
        registry.check()
    assert caught.value.name == "t"
    registry.register(pipeline("t@^2").build(), replace=True)
    registry.check()
    registry.unregister("t@2.0.0")
    registry.register(pipeline("t").build(), replace=True)
    registry.check()


def test_code_may_name_a_target_of_several_versions_without_one() -> None:
    """Spec: no constraint means the highest; only pipelines and governed documents are held to more."""

    @skill(calls=["t"])
    async def caller() -> None:
        """Call."""

    registry = registry_with("1.0.0", "2.0.0")
    registry.register(caller)
    registry.check()


@pytest.mark.behaviour("registry.check-never-runs")
@pytest.mark.parametrize(
    ("fields", "why"), [({"status": Status.DISABLED}, "is disabled"), ({"autonomy": Autonomy.L0}, "has autonomy L0")]
)
def test_a_target_that_never_runs_is_refused(fields: dict[str, Any], why: str) -> None:
    """Regression: `check` said that all was well."""
    registry = registry_with("1.0.0", **fields)
    registry.register(pipeline("t"))
    with pytest.raises(UnavailableError, match=f"'p@1.0.0' needs 't', which {why} and never runs"):
        registry.check()


def test_check_tells_everything_under_the_gravest() -> None:
    """Spec: every problem at once; a missing target is a NotFoundError."""
    registry = registry_with("1.0.0", "2.0.0")
    registry.register_factory("broken", lambda _: None)
    registry.register(search_notes, Shaped("bad", ILLEGAL))
    registry.register(pipeline("t", "t@latest", "broken", "missing"))
    with pytest.raises(NotFoundError) as caught:
        registry.check()
    assert [problem.rule for problem in caught.value.problems] == [
        "ambiguous",
        "constraint",
        "unavailable",
        "missing",
        "missing",
        "schema",
    ]
    assert caught.value.name == "missing"
    assert caught.value.details["needed_by"] == "p@1.0.0"


@pytest.mark.behaviour("registry.unbuilt-pipeline")
def test_a_pipeline_that_was_not_built_is_checked_when_it_is_registered() -> None:
    """Regression: it was taken as it was."""
    registry = Registry()
    with pytest.raises(InvalidManifestError) as caught:
        registry.register(
            Pipeline("p", version="1.0.0", description="d").step("A b", "t", retries=-1, x="$step.zz"), search_index
        )
    assert [problem.path for problem in caught.value.problems] == [
        "$.steps[0].id",
        "$.steps[0].retries",
        "$.steps[0].inputs.x",
    ]
    assert registry.names == ()
    registry.register(pipeline("t"))
    recipe = registry.require("p").recipe
    assert isinstance(recipe, Pipeline)
    assert recipe.required_tools == ("t",)


def test_a_pipeline_of_another_maker_is_checked_too() -> None:
    """Choice: what a document was read into is held to the same rules."""
    step = model.Step(id="a", target=Target("t"))
    sound = model.Pipeline(name="p", description="d", steps=(step,))
    registry = Registry()
    registry.register(sound)
    assert registry.require("p").recipe is sound
    with pytest.raises(InvalidManifestError, match="there is another step of this id"):
        registry.register(model.Pipeline(name="q", description="d", steps=(step, step)))


async def test_an_input_may_be_called_self() -> None:
    """Regression: `execute(self=…)` was a TypeError."""

    @op
    async def echo(**words: str) -> dict[str, str]:
        """Give it back."""
        return words

    registry = Registry()
    registry.register(echo)
    assert (await registry.require("echo").execute(self="me")).output == {"self": "me"}
