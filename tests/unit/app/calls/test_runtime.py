"""What a call comes to: results, refusals and failures."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

import pytest

from prowess import (
    ExecutionFailedError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    Pipeline,
    Registry,
    Result,
    Runtime,
    op,
)
from prowess.errors import (
    CallCancelledError,
    InvalidOutputError,
    InvalidSchemaError,
    UnavailableError,
)
from prowess.model.manifest import Manifest
from tests.unit.app.calls.calling import echo, registry_of, run


@pytest.mark.parametrize("target", [echo, None])
async def test_a_function_that_was_not_registered_is_told_to_be(target: str) -> None:
    """Regression: it was an AttributeError of ours, told as a failure of the handler."""
    error = (await Runtime(Registry()).run(target, {"text": "a"})).error
    assert str(error).startswith("not found: that is no entry: register it")
    assert ("run it by its name, 'echo'" in str(error)) is (target is not None)


@pytest.mark.behaviour("running.valid-input")
async def test_a_valid_input_runs() -> None:
    """Spec: a valid input runs."""
    result = await run(echo, {"text": "hello"})
    assert result.ok
    assert result.unwrap() == "hello"
    assert result.duration_ms > 0


@pytest.mark.behaviour("running.invalid-input")
async def test_an_invalid_input_is_an_error_with_every_problem() -> None:
    """Spec: all problems are reported at once, and such an input never reaches a handler."""
    reached: list[str] = []

    @op
    async def search(query: str, limit: int = 10) -> str:
        """Search."""
        reached.append(query)
        return query

    result = await run(search, {"qurey": "rust", "limit": "many"})
    assert isinstance(result.error, InvalidInputError)
    assert str(result.error).startswith("invalid input: search: ")
    assert {problem.path for problem in result.error.problems} >= {"$.limit", "$.qurey"}
    assert "many" not in result.error.model_text
    assert reached == []
    with pytest.raises(InvalidInputError):
        result.unwrap()


@pytest.mark.behaviour("running.all-problems")
async def test_what_only_types_can_tell_is_told_with_all_else_and_spelt_alike() -> None:
    """Regression: it was found once the rest was mended, and named in another spelling."""

    @op
    async def book(day: date, who: UUID, seats: int, nights: list[date]) -> str:
        """Book."""
        return f"{day} {who} {seats} {nights}"

    wrong = {"day": "tomorrow", "who": "me", "seats": "many", "nights": ["2024-02-30", 7]}
    error = (await run(book, wrong)).error
    assert error is not None
    assert {problem.path for problem in error.problems} == {
        "$.day",
        "$.who",
        "$.seats",
        "$.nights[0]",
        "$.nights[1]",
    }
    fine = {"day": "2024-01-01", "who": str(UUID(int=1)), "seats": 2, "nights": []}
    assert (await run(book, fine)).ok
    assert str((await run(book, {**fine, "day": "tomorrow"})).error).startswith("invalid input: book: day: ")


@pytest.mark.behaviour("running.number-keys")
async def test_keys_that_are_numbers_have_a_form_where_nothing_is_promised_too() -> None:
    """Regression: `-> dict[int, str]` was written as JSON, and the same value returned as `object` refused."""

    @op
    async def count() -> object:
        """Count."""
        return {1: "one", 2: {date(2024, 1, 1): "day"}}

    assert (await run(count)).output == {"1": "one", "2": {"2024-01-01": "day"}}


@pytest.mark.parametrize("inputs", [["text"], "text", 3])
async def test_inputs_that_are_no_object_are_refused(inputs: object) -> None:
    """Choice: inputs have names, so anything else is answered like other wrong inputs."""
    assert isinstance((await run(echo, inputs)).error, InvalidInputError)


@pytest.mark.parametrize("value", [b"bytes", float("nan"), object(), {1: 2}])
async def test_values_that_are_no_json_are_refused(value: object) -> None:
    """Choice: only JSON passes the gate."""
    assert isinstance((await run(echo, {"text": value})).error, InvalidInputError)


async def test_a_bottomless_value_is_refused_and_the_process_lives() -> None:
    """Spec: a deep instance is refused without taking the process down."""

    @op
    async def take(value: object) -> None:
        """Take anything."""

    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    result = await run(take, {"value": deep})
    assert isinstance(result.error, InvalidInputError)
    assert "deeper" in str(result.error)
    loop: dict[str, object] = {}
    loop["self"] = loop
    assert isinstance((await run(take, {"value": loop})).error, InvalidInputError)


async def test_an_unknown_entry_is_not_found_with_near_names() -> None:
    """Spec: a failure tells near names."""
    async with Runtime(registry_of(echo)) as runtime:
        result = await runtime.run("ehco")
    assert isinstance(result.error, NotFoundError)
    assert result.error.near == ("echo",)


async def test_a_constraint_in_the_name_is_honoured() -> None:
    """Choice: where `run` takes `name@version`, it takes a constraint too."""
    async with Runtime(registry_of(echo)) as runtime:
        assert (await runtime.run("echo@^1", {"text": "a"})).ok
        assert isinstance((await runtime.run("echo@^2", {"text": "a"})).error, NotFoundError)


async def test_a_hidden_entry_does_not_exist_for_a_views_runtime() -> None:
    """Choice: what a view hides is not found, where forbidden would tell that it is there."""
    view = registry_of(echo).filtered(names=["other"])
    async with Runtime(view) as runtime:
        result = await runtime.run("ehco")
        assert isinstance((await runtime.run("echo", {"text": "a"})).error, NotFoundError)
    assert isinstance(result.error, NotFoundError)
    assert result.error.near == ()


@pytest.mark.parametrize("option", [{"status": "disabled"}, {"autonomy": "L0"}])
async def test_what_may_not_run_says_why(option: dict[str, str]) -> None:
    """Spec: the stage status; `L0` never runs."""

    @op(**option)  # type: ignore[call-overload, untyped-decorator, unused-ignore]
    async def never() -> None:
        """Never run."""

    result = await run(never)
    assert isinstance(result.error, UnavailableError)
    assert next(iter(option.values())) in str(result.error)


async def test_a_pipeline_says_that_it_cannot_run_yet() -> None:
    """Choice: until pipelines run, a clear refusal and never a wrong result."""
    result = await run(Pipeline("p", version="1.0.0", description="Use when.").step("a", "echo").build())
    assert isinstance(result.error, UnavailableError)


async def test_a_handlers_own_exception_stays_with_the_operator() -> None:
    """Spec: the text of any other exception stays with the operator."""

    @op
    async def fail() -> None:
        """Fail."""
        message = "no such row: hunter2"
        raise ValueError(message)

    result = await run(fail)
    assert isinstance(result.error, ExecutionFailedError)
    assert (result.error.name, result.error.reason) == ("fail", "ValueError: no such row: hunter2")
    assert "hunter2" in str(result.error)
    assert "hunter2" not in result.error.model_text
    assert isinstance(result.error.__cause__, ValueError)


@pytest.mark.parametrize(
    "error", [InvalidInputError("no such note"), ForbiddenError("not yours"), ExecutionFailedError("busy")]
)
async def test_an_authors_error_keeps_its_kind_and_text(error: ExecutionFailedError) -> None:
    """Spec: kind and text of these three reach the model."""

    @op
    async def fail() -> None:
        """Fail."""
        raise error

    result = await run(fail)
    assert result.error is error
    assert result.error.model_text == str(error)


async def test_a_handler_may_return_its_result_or_its_error() -> None:
    """Spec: a handler may return `Result(output=…)` or `Result(error="text")`."""

    @op
    async def answer(good: bool) -> Result:
        """Answer."""
        return Result(output={"a": 1}) if good else Result(error="the index is empty")

    assert (await run(answer, {"good": True})).output == {"a": 1}
    failed = await run(answer, {"good": False})
    assert isinstance(failed.error, ExecutionFailedError)
    assert failed.error.model_text == "execution failed: the index is empty"


async def test_a_handler_that_exits_fails_like_any_other() -> None:
    """Choice: one skill does not end the server."""

    @op
    async def leave() -> None:
        """Leave."""
        raise SystemExit(3)

    assert isinstance((await run(leave)).error, ExecutionFailedError)


async def test_a_wrong_output_is_an_error_that_tells_a_model_nothing_of_it() -> None:
    """Spec: outputs are checked, and the text for a model is safe."""

    @op
    async def wrong() -> list[int]:
        """Give the wrong thing."""
        return ["secret"]  # type: ignore[list-item]

    result = await run(wrong)
    assert isinstance(result.error, InvalidOutputError)
    assert "secret" not in result.error.model_text
    assert result.output is None


@pytest.mark.parametrize("value", [object(), float("inf"), {1: 1}])
async def test_an_output_without_a_json_form_is_an_error(value: object) -> None:
    """Spec: what a handler returns is JSON, or has a JSON form."""

    @op
    async def odd() -> str:
        """Give something odd."""
        return value  # type: ignore[return-value]

    assert isinstance((await run(odd)).error, InvalidOutputError)


async def test_dataclasses_tuples_and_models_come_out_as_json() -> None:
    """Spec: a handler may return a dataclass."""

    @dataclass
    class Note:
        title: str
        tags: tuple[str, ...]

    @op
    async def notes() -> list[Note]:
        """List notes."""
        return [Note("a", ("x", "y"))]

    assert (await run(notes)).output == [{"title": "a", "tags": ["x", "y"]}]


async def test_a_schema_that_reaches_outside_is_refused_before_the_handler() -> None:
    """Spec: remote references are refused."""
    reached: list[int] = []

    class Remote:
        name = "remote"
        description = "d"
        parameters = {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/schema"}}}  # noqa: RUF012 - read only

        async def execute(self, **_: object) -> None:
            reached.append(1)

    result = await run(Remote(), {"a": 1})
    assert isinstance(result.error, InvalidSchemaError)
    assert reached == []


async def test_a_factorys_skill_is_made_at_its_first_call() -> None:
    """Spec: `register_factory(name, factory, manifest=…)` stays lazy."""

    class Loud:
        name = "loud"
        description = "d"
        parameters = {"type": "object"}  # noqa: RUF012 - read only

        async def execute(self, **_: object) -> str:
            return "LOUD"

    registry = Registry()
    registry.register_factory("loud", lambda _: Loud(), manifest=Manifest(name="loud", description="d"))
    registry.register_factory("broken", lambda s: s.require("x"), manifest=Manifest(name="broken", description="d"))
    async with Runtime(registry) as runtime:
        assert (await runtime.run("loud")).output == "LOUD"
        assert isinstance((await runtime.run("broken")).error, UnavailableError)


async def test_an_entry_runs_itself_through_the_same_gate() -> None:
    """Spec: an entry's `execute` goes through the gate and opens no second path."""
    registry = registry_of(echo)
    assert (await registry.require("echo").execute(text="a")).output == "a"
    assert isinstance((await registry.require("echo").execute()).error, InvalidInputError)
    await registry.aclose()


async def test_an_integer_written_as_a_float_arrives_as_an_integer() -> None:
    """Choice: 5.0 is an integer to JSON Schema, and the handler's annotation says int."""

    @op
    async def kind(number: int) -> str:
        """Tell the type."""
        return type(number).__name__

    assert (await run(kind, {"number": 5.0})).output == "int"


async def test_a_cancelled_error_of_the_family_is_an_error_like_others() -> None:
    """Choice: it tells of a cancelled run, and cancels nobody."""

    @op
    async def fail() -> None:
        """Fail."""
        message = "the run was cancelled"
        raise CallCancelledError(message)

    assert (await run(fail)).error is not None
