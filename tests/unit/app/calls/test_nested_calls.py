"""What a call tells and what its handler may do through its context."""

import pytest

from prowess import (
    Caller,
    Context,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    Registry,
    Runtime,
    Services,
    op,
    skill,
)
from prowess.model.event import (
    CallFinished,
    CallStarted,
    MessageLogged,
    Stage,
)
from prowess.testing import EventLog
from tests.unit.app.calls.calling import echo, registry_of


async def test_an_error_is_told_with_the_stage_where_the_call_stopped() -> None:
    """Choice: one event tells of every stage, by naming the last that the call reached."""
    registry, log = registry_of(echo), EventLog()
    async with Runtime(registry) as runtime:
        stop = runtime.subscribe(log, starts=True)
        await runtime.run("echo", {"text": "a"}, caller=Caller("ada", "test"))
        await runtime.run("echo", {"text": 1})
        await runtime.run("nothing")
        stop()
        await runtime.run("echo", {"text": "a"})
    assert [event.stage for event in log.of(CallFinished)] == [Stage.RECORD, Stage.INPUTS, Stage.RESOLVE]
    assert [event.error for event in log.of(CallFinished)] == [None, "invalid_input", "not_found"]
    (started,) = log.of(CallStarted)
    assert (started.entry, started.caller.actor, started.caller.channel) == ("echo", "ada", "test")


async def test_a_nested_call_goes_through_the_gate_as_its_parents_child() -> None:
    """Spec: a nested call goes through the gate, as there is no other path."""

    @skill(calls=["echo"])
    async def twice(text: str, *, ctx: Context) -> object:
        """Say it twice."""
        ctx.log("calling", text=text)
        return [await ctx.call("echo", text=text), await ctx.call("echo@^1", text=text)]

    registry, log = registry_of(twice, echo), EventLog()
    async with Runtime(registry, readers=[log]) as runtime:
        assert (await runtime.run("twice", {"text": "a"})).output == ["a", "a"]
    outer = log.of(CallFinished)[-1]
    assert [event.parent for event in log.of(CallFinished)] == [outer.call, outer.call, None]
    assert [(event.message, event.fields) for event in log.of(MessageLogged)] == [("calling", {"text": "a"})]


async def test_an_undeclared_call_is_forbidden_and_names_what_is_declared() -> None:
    """Spec: a logic skill may call only its declared targets."""

    @skill(calls=["ech"])
    async def sly(*, ctx: Context) -> object:
        """Call something else."""
        return await ctx.call("echo", text="a")

    async with Runtime(registry_of(sly, echo)) as runtime:
        result = await runtime.run("sly")
    assert isinstance(result.error, ForbiddenError)
    assert "'ech'" in str(result.error)


async def test_a_nested_failure_keeps_its_kind() -> None:
    """Choice: what the inner call came to is what the outer one tells."""

    @skill(calls=["echo"])
    async def outer(*, ctx: Context) -> object:
        """Call wrongly."""
        return await ctx.call("echo", txt="a")

    async with Runtime(registry_of(outer, echo)) as runtime:
        assert isinstance((await runtime.run("outer")).error, InvalidInputError)


async def test_the_context_knows_caller_services_run_and_key() -> None:
    """Spec: a context has the caller, the services, the run's id and an idempotency key."""

    @skill(calls=["inner"])
    async def outer(*, ctx: Context) -> object:
        """Tell."""
        first, second = await ctx.call("inner"), await ctx.call("inner")
        return [
            ctx.caller.actor,
            ctx.services.get("voice"),
            ctx.run_id,
            ctx.idempotency_key,
            first,
            second,
            ctx.cancelled,
        ]

    @op
    async def inner(*, ctx: Context) -> list[str]:
        """Tell."""
        return [ctx.run_id, ctx.idempotency_key]

    services = Services()
    services.register("voice", "low")
    registry = Registry(services)
    registry.register(outer, inner)
    async with Runtime(registry) as runtime:
        output = (await runtime.run("outer", caller=Caller("ada"))).unwrap()
    assert isinstance(output, list)
    actor, voice, run_id, key, first, second, cancelled = output
    assert (actor, voice, cancelled) == ("ada", "low", False)
    assert first == [run_id, f"{key}/1:inner"]
    assert second == [run_id, f"{key}/2:inner"]


async def test_call_sync_on_the_event_loop_says_what_to_write() -> None:
    """Choice: blocking the loop would be a deadlock."""

    @skill(calls=["echo"])
    async def outer(*, ctx: Context) -> object:
        """Block."""
        return ctx.call_sync("echo", text="a")

    async with Runtime(registry_of(outer, echo)) as runtime:
        assert "await ctx.call" in str((await runtime.run("outer")).error)


@pytest.mark.behaviour("running.declared-versions")
async def test_a_nested_call_gets_only_versions_that_its_declaration_admits() -> None:
    """Regression: the version in the call took the place of the declared one."""

    def sub(version: str) -> object:
        @op(name="sub", version=version)
        async def tell() -> str:
            """Tell the version."""
            return version

        return tell

    @skill(calls=["sub@^1", "sub@~3.1"])
    async def outer(reference: str, *, ctx: Context) -> object:
        """Call."""
        return await ctx.call(reference)

    registry = registry_of(*(sub(version) for version in ("1.0.0", "1.4.0", "2.0.0", "3.1.5")), outer)
    async with Runtime(registry) as runtime:
        outcomes = {
            reference: await runtime.run("outer", {"reference": reference})
            for reference in ("sub", "sub@1.0.0", "sub@^1", "sub@3.x", "sub@^2", "sub@9")
        }
    assert {reference: result.output for reference, result in outcomes.items() if result.ok} == {
        "sub": "1.4.0",
        "sub@1.0.0": "1.0.0",
        "sub@^1": "1.4.0",
        "sub@3.x": "3.1.5",
    }
    assert isinstance(outcomes["sub@^2"].error, ForbiddenError)
    assert "may not call 'sub@2.0.0'" in str(outcomes["sub@^2"].error)
    assert isinstance(outcomes["sub@9"].error, NotFoundError)
