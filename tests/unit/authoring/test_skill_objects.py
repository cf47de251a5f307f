"""Skills, packages and other objects as entries."""

from collections.abc import AsyncIterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from prowess import BaseSkill, Context, InvalidManifestError, LoadedPackage, Manifest, Package, Skill
from prowess.authoring.handler import Style, definition_of
from prowess.model.manifest import Kind, RuntimeKind, Target
from prowess.model.schema import Schema

SCHEMA: Mapping[str, object] = {"type": "object", "properties": {"text": {"type": "string"}}}


class Whisper:
    """A skill that inherits nothing."""

    name = "whisper"
    description = "Say it softly."
    parameters = SCHEMA
    version = "1.0"
    tags = ("voice",)
    capabilities = frozenset({"voice.use", "air.move"})
    title = "Whisper"
    output_schema = Schema.of({"type": "string"})

    async def execute(self, *, ctx: Any, **inputs: Any) -> str:
        """Give the text in small letters."""
        return f"{inputs['text']}{ctx}".lower()


class Shout(BaseSkill):
    """A skill written as a class."""

    def __init__(self) -> None:
        super().__init__(
            "shout",
            "Say it loudly.",
            SCHEMA,
            version="1.0.0",
            output_schema={"type": "string"},
            tags=["voice"],
            timeout=5,
            calls=["whisper"],
        )

    async def execute(self, **inputs: Any) -> str:
        """Give the text in capitals."""
        return f"{inputs['text']}".upper()


class Repeat(BaseSkill):
    """Without parameters of its own: they are what `execute` names."""

    name = "repeat"
    description = "Say it again."

    def execute(self, text: str, times: int = 2, *, ctx: Context) -> list[str]:
        """Repeat.

        Args:
            times: how often
        """
        return [text, ctx.run_id] * times


class Manual:
    """A package made in code."""

    name = "manual"
    description = "How to speak."
    version: str | None = None

    async def load(self, context: Context) -> LoadedPackage:
        """Open it."""
        return LoadedPackage(f"Speak, {context.run_id}.", {"b": 1, "a": 2})


@pytest.mark.behaviour("authoring.structural")
def test_a_class_that_inherits_nothing_is_a_skill() -> None:
    """Spec: the protocol is satisfied without inheritance."""
    assert isinstance(Whisper(), Skill)
    assert isinstance(Shout(), Skill)
    assert not isinstance(Manual(), Skill)
    assert isinstance(Manual(), Package)


def test_an_object_tells_its_manifest_by_its_attributes() -> None:
    """Spec: version, output_schema and a few more are taken where an object has them; its version as written."""
    whisper = Whisper()
    definition = definition_of(whisper)

    assert definition.manifest == Manifest(
        name="whisper",
        version="1.0",
        description="Say it softly.",
        kind=Kind.LOGIC,
        input_schema=Schema.of(SCHEMA),
        output_schema=Schema.of({"type": "string"}),
        tags=("voice",),
        capabilities=("air.move", "voice.use"),
        title="Whisper",
    )
    assert definition.handler.call == whisper.execute
    assert definition.handler.context_parameter == "ctx"
    assert definition.handler.bind is None


async def test_a_base_skill_says_the_rest_in_its_constructor() -> None:
    """Spec: BaseSkill(name, description, parameters) with execute(**inputs)."""
    shout = Shout()
    manifest = definition_of(shout).manifest

    assert (shout.name, shout.description, shout.parameters, shout.version) == (
        "shout",
        "Say it loudly.",
        SCHEMA,
        "1.0.0",
    )
    assert manifest.limits.timeout == 5
    assert manifest.targets == (Target("whisper"),)
    assert manifest.tags == ("voice",)
    assert manifest.runtime is None
    assert await shout.execute(text="a") == "A"
    assert repr(shout) == "<Shout shout>"


def test_parameters_come_from_execute_where_none_are_given() -> None:
    """Choice: what execute names need not be said twice."""
    repeat = Repeat()
    definition = definition_of(repeat)

    assert repeat.parameters == {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "times": {"type": "integer", "description": "how often", "default": 2},
        },
        "required": ["text"],
        "additionalProperties": False,
    }
    assert Repeat.parameters == repeat.parameters
    assert definition.manifest.input_schema.value() == repeat.parameters
    assert definition.manifest.output_schema == Schema.of({"type": "array", "items": {"type": "string"}})
    assert definition.handler.style is Style.THREAD
    assert definition.handler.context_parameter == "ctx"
    assert definition.handler.bind is not None
    assert definition.handler.bind({"text": "a", "times": 3.0}) == {"text": "a", "times": 3}


def test_an_output_schema_of_its_own_comes_before_the_annotation() -> None:
    """Choice: what is said outright is meant."""

    class Louder(Repeat):
        output_schema: Mapping[str, object] | None = {"type": "array"}

    assert definition_of(Louder()).manifest.output_schema == Schema.of({"type": "array"})


def test_a_skill_that_names_no_inputs_takes_none() -> None:
    """Choice: without parameters and without names there is nothing that a caller could know to send."""

    class Ping(BaseSkill):
        async def execute(self, **inputs: Any) -> str:
            """Answer."""
            return f"pong {inputs}"

    ping = Ping("ping", "Answer.")
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}

    assert ping.parameters == BaseSkill.parameters == nothing
    assert definition_of(ping).manifest.input_schema == Schema.of(nothing)


def test_an_async_generator_may_be_what_executes() -> None:
    """Choice: a skill object streams like a function."""

    class Count:
        name = "count"
        description = "Count."
        parameters: Mapping[str, object] = {"type": "object"}

        async def execute(self, **inputs: Any) -> AsyncIterator[int]:
            """Count."""
            yield len(inputs)

    assert definition_of(Count()).handler.style is Style.STREAM


def test_a_field_named_ctx_is_an_input_where_the_schema_has_it() -> None:
    """Choice: a schema that its author wrote is followed to the letter."""

    class Echo:
        name = "echo"
        description = "Echo."
        parameters: Mapping[str, object] = {"type": "object", "properties": {"ctx": {}}}

        async def execute(self, ctx: Any) -> Any:
            """Give it back."""
            return ctx

    assert definition_of(Echo()).handler.context_parameter is None


def test_an_object_with_a_manifest_is_described_by_it() -> None:
    """Choice: an entry of another registry, or whatever has a manifest and runs, is an entry."""
    manifest = Manifest(name="tool", description="Do it.", kind=Kind.OP, runtime=RuntimeKind.MCP)
    tool = SimpleNamespace(manifest=manifest, execute=print)

    assert definition_of(tool).manifest is manifest
    with pytest.raises(InvalidManifestError, match="description is empty"):
        definition_of(SimpleNamespace(manifest=Manifest(name="tool"), execute=iter))


@pytest.mark.parametrize(
    ("without", "words"),
    [
        (["name"], "SimpleNamespace has no name:"),
        (["description"], "SimpleNamespace has no description:"),
        (["parameters"], "SimpleNamespace has no parameters:"),
        (["execute"], "SimpleNamespace has no execute:"),
        (["name", "execute"], "SimpleNamespace has no name, execute:"),
    ],
)
def test_what_is_missing_is_named(without: list[str], words: str) -> None:
    """Spec: InvalidManifestError names what is missing."""
    parts: dict[str, object] = {"name": "x", "description": "d", "parameters": {}, "execute": print}
    thing = SimpleNamespace(**{key: value for key, value in parts.items() if key not in without})

    with pytest.raises(InvalidManifestError, match=words):
        definition_of(thing)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"name": 5}, "has no usable name"),
        ({"description": None, "name": 5}, "has no description and no usable name"),
        ({"execute": 5}, "has no usable execute"),
        ({"parameters": print}, "parameters is a builtin_function_or_method: give a JSON Schema as a dictionary"),
        ({"output_schema": 5}, "output_schema is a int"),
        ({"version": 1.0}, "version 1.0 is not text: write it in quotes"),
        ({"name": "Bad Name"}, "name 'Bad Name' is not a name"),
        ({"description": ""}, "description is empty"),
        ({"tags": [5]}, r"tags\[0\]: must be text"),
    ],
)
def test_what_is_wrong_is_named(changed: dict[str, object], words: str) -> None:
    """Choice: a skill object that is nearly right is told what to change."""
    parts: dict[str, object] = {"name": "x", "description": "d", "parameters": {}, "execute": print}

    with pytest.raises(InvalidManifestError, match=words):
        definition_of(SimpleNamespace(**{**parts, **changed}))


def test_an_unknown_trait_is_a_type_error() -> None:
    """Choice: a typing mistake must not be ignored."""
    wrong: dict[str, Any] = {"tag": ["a"]}

    class Mistaken(Repeat):
        def __init__(self) -> None:
            super().__init__(**wrong)

    with pytest.raises(TypeError, match=r"Mistaken\(\) has no option 'tag', did you mean 'tags'"):
        Mistaken()


def test_execute_has_to_be_written() -> None:
    """Spec: execute is abstract."""
    abstract: Any = type("Nothing", (BaseSkill,), {})

    with pytest.raises(TypeError, match="execute"):
        abstract("x", "d", {})


def test_a_skill_without_a_name_says_so() -> None:
    """Choice: what a debugger shows may not fail."""

    class Nameless(Repeat):
        def __init__(self) -> None:
            """Leave it all out."""

    del_name: Any = type("Nameless", (BaseSkill,), {"execute": Repeat.execute})
    assert repr(del_name()) == "<Nameless without a name>"
    assert definition_of(Nameless()).manifest.name == "repeat"


def test_a_class_is_not_yet_an_entry() -> None:
    """Choice: the registry makes instances, with services."""
    with pytest.raises(InvalidManifestError, match="'Shout' is a class: make an instance of it"):
        definition_of(Shout)


def test_a_plain_function_is_an_op() -> None:
    """Spec: definition_of takes functions too."""

    def find(query: str) -> str:
        """Find."""
        return query

    assert definition_of(find).manifest.kind is Kind.OP


async def test_a_package_loads_only_when_it_is_activated() -> None:
    """Spec: a package made in code registers like any skill and loads only on activation."""
    definition = definition_of(Manual())

    assert (definition.manifest.kind, definition.manifest.name) == (Kind.PACKAGE, "manual")
    assert definition.handler.context_parameter == "context"
    assert definition.handler.dump is not None
    loaded = LoadedPackage("Speak.", {"b": 1, "a": 2})
    assert definition.handler.dump(loaded) == {"instructions": "Speak.", "resources": ["a", "b"]}
    assert definition.handler.dump("other") == "other"


def test_a_package_may_do_without_a_context() -> None:
    """Choice: a loader that needs nothing takes nothing."""
    package = SimpleNamespace(name="p", description="d", load=lambda: LoadedPackage("x"))

    assert definition_of(package).handler.context_parameter is None
    with pytest.raises(InvalidManifestError, match="has no description"):
        definition_of(SimpleNamespace(name="p", load=print))


def test_a_loaded_package_is_a_value() -> None:
    """Spec: with_resource overwrites and gives a new one; resource_keys are sorted."""
    package = LoadedPackage("Speak.")
    more = package.with_resource("b", 1).with_resource("a", 2).with_resource("b", 3)

    assert package.resource_keys() == []
    assert more.resource_keys() == ["a", "b"]
    assert more.resources["b"] == 3
    assert more.instructions == "Speak."


def test_native_code_may_execute() -> None:
    """Regression: what does not tell its parameters takes no context."""
    parts: dict[str, Any] = {"name": "x", "description": "d", "parameters": {}, "execute": iter}

    assert definition_of(SimpleNamespace(**parts)).handler.context_parameter is None
