"""What type checkers know of what authors write. Checked, never run."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, assert_type

from prowess import BaseSkill, Context, LoadedPackage, Package, Pipeline, Progress, Services, Skill, op, skill
from prowess.model.json_value import Json

if TYPE_CHECKING:
    from prowess.authoring.skill import SkillFactory


@op
def bare(query: str, limit: int = 10) -> list[str]:
    """Find."""
    return [query] * limit


@op(capabilities=["notes.read"], tags=("notes",))
async def with_options(query: str) -> str:
    """Find."""
    return query


@skill(version="1.0.0", calls=[bare, with_options, "other@^1"], autonomy="L2", failure_modes=["slow", {"code": "x"}])
async def uses_context(query: str, *, ctx: Context) -> Json:
    """Find."""
    ctx.progress(1, total=2, message="half")
    ctx.log("here", query=query)
    assert_type(ctx.services, Services)
    assert_type(ctx.cancelled, bool)
    return await ctx.call("bare", query=query)


@skill
async def streams(count: int) -> AsyncIterator[int | Progress]:
    """Count."""
    for number in range(count):
        yield Progress(number, total=count)
        yield number


def late(number: int) -> int:
    """Be decorated later."""
    return number


class Notes:
    """Tools that share a state."""

    @op
    def count(self, word: str) -> int:
        """Count."""
        return len(word)

    @op(name="shout")
    @staticmethod
    def shout(word: str) -> str:
        """Say it loudly."""
        return word.upper()


class Explicit(BaseSkill):
    """A skill with a schema of its own."""

    def __init__(self) -> None:
        super().__init__("explicit", "Do it.", {"type": "object"}, version="1.0.0", tags=["a"], timeout=5)

    async def execute(self, **inputs: Any) -> str:
        """Do it."""
        return str(inputs)


class Derived(BaseSkill):
    """A skill whose schema is its signature."""

    name = "derived"
    description = "Do it."

    async def execute(self, query: str, *, ctx: Context) -> str:
        """Do it."""
        return query + ctx.run_id


class Structural:
    """A skill that inherits nothing."""

    name = "structural"
    description = "Do it."
    parameters: Mapping[str, object] = {"type": "object"}

    async def execute(self, query: str) -> str:
        """Do it."""
        return query


class Manual:
    """A package that inherits nothing."""

    name = "manual"
    description = "How to do it."
    version: str | None = None

    async def load(self, ctx: Context) -> LoadedPackage:
        """Open it."""
        return LoadedPackage(ctx.run_id).with_resource("a", 1)


async def a_decorated_function_is_called_like_the_function() -> None:
    assert_type(bare("a", limit=2), list[str])
    assert_type(await with_options("a"), str)
    assert_type(streams(3), AsyncIterator[int | Progress])
    assert_type(op(late)(number=1), int)
    assert_type(skill(late, version="1.0.0")(1), int)
    called: Callable[[str], list[str]] = bare
    called("a")


async def a_decorated_function_is_a_skill() -> None:
    entry: Skill = bare
    assert_type(await entry.execute(query="a"), Any)
    assert_type(bare.parameters, dict[str, object])
    assert_type(bare.version, str | None)


def a_method_loses_its_self() -> None:
    assert_type(Notes().count("a"), int)
    assert_type(Notes.shout("a"), str)


def objects_satisfy_the_protocols() -> None:
    skills: list[Skill] = [Explicit(), Derived(), Structural(), bare, uses_context]
    packages: list[Package] = [Manual()]
    factories: list[SkillFactory] = [lambda _services: Explicit(), lambda services: services.require("skill")]
    assert_type([factory(Services({"a": 1})) for factory in factories], list[Skill])
    assert_type((len(skills), len(packages)), tuple[int, int])


def a_pipeline_stays_a_pipeline() -> None:
    built = (
        Pipeline("research", version="1.0.0", description="Use when asked.", tags=["web"])
        .input(query=str, limit=(int, 10))
        .step("search", bare, query="$inputs.query", timeout=5)
        .requires("clock", with_options)
        .output(text="$step.search")
        .returns(list[str])
        .build()
    )
    assert_type(built, Pipeline)
    assert_type(built.version, str | None)
