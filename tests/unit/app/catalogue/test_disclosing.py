"""Packages disclosed by the four tools: listed, searched, activated, read."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from prowess import (
    Caller,
    Context,
    ExecutionFailedError,
    ForbiddenError,
    InvalidInputError,
    InvalidManifestError,
    LoadedPackage,
    Manifest,
    NotFoundError,
    Permissions,
    Registry,
    Runtime,
    op,
    skill,
)
from prowess.errors import ProwessError, UnavailableError
from prowess.model.manifest import Kind, Status
from tests.unit.app.catalogue.packages import ME, Manual, call, registry_of, result_of


@op(tags=["sums"])
async def add_numbers(numbers: list[int]) -> int:
    """Add numbers of any size."""
    return sum(numbers)


@pytest.mark.behaviour("disclosure.list")
async def test_packages_are_listed_by_name() -> None:
    """Spec: `{"skills": [{name, description, version?}]}`, sorted, key omitted when absent; nothing is opened."""
    manual, zebra = Manual(version="1.0.0"), Manual("zebra")
    assert await call(registry_of(zebra, manual, add_numbers), "list_skills") == {
        "skills": [
            {"name": "manual", "description": manual.description, "version": "1.0.0"},
            {"name": "zebra", "description": zebra.description},
        ]
    }
    assert manual.opened == []


@pytest.mark.behaviour("disclosure.list-visible")
async def test_only_what_the_caller_may_see_is_listed() -> None:
    """Spec: only what this caller may see; a disabled package, and one for people only, are not offered."""
    registry = registry_of(Manual("a"), Manual("b"))
    for name, facts in (
        ("off", {"status": Status.DISABLED}),
        ("people", {"extra": {"disable-model-invocation": True}}),
    ):
        manifest = Manifest(name=name, description="x", kind=Kind.PACKAGE, **facts)
        registry.register_factory(name, lambda _: Manual(), manifest=manifest)
    narrow = Caller("me", permissions=Permissions().without("b"))
    assert [row["name"] for row in (await call(registry, "list_skills", narrow))["skills"]] == ["a"]
    assert [row["name"] for row in (await call(registry, "list_skills"))["skills"]] == ["a", "b"]
    assert [row["name"] for row in (await call(registry, "search_skills", narrow, query="b"))["skills"]] == []
    with pytest.raises(NotFoundError, match="there is no skill 'b'"):
        await call(registry, "activate_skill", narrow, name="b")
    with pytest.raises(UnavailableError, match="'off' is disabled"):
        await call(registry, "activate_skill", name="off")
    error = (await result_of(registry, "activate_skill", name="people")).error
    assert isinstance(error, NotFoundError)
    assert "people only" in str(error)
    assert error.model_text == "not found: there is no skill 'people': list_skills tells which there are"


@pytest.mark.behaviour("disclosure.budget")
async def test_a_list_keeps_within_its_budget_and_leads_on() -> None:
    """Spec: a token budget chooses and trims; it says what it left out; a query decides what comes first."""
    registry = registry_of(*(Manual(f"manual-{number:02}") for number in range(40)), Manual("zebra"))
    first = await call(registry, "list_skills", budget=150)
    assert first["left_out"]["count"] == 41 - len(first["skills"])
    assert first["next"] == first["skills"][-1]["name"]
    second = await call(registry, "list_skills", budget=150, after=first["next"])
    assert second["skills"][0]["name"] > first["next"]
    asked = await call(registry, "list_skills", budget=150, query="the zebra")
    assert asked["skills"][-1]["name"] == "zebra"
    more = await call(registry, "list_skills", budget=150, query="the zebra", after=asked["next"])
    assert not {row["name"] for row in more["skills"]} & {row["name"] for row in asked["skills"]}
    whole = await call(registry, "list_skills", query="the zebra")
    assert [row["name"] for row in whole["skills"]] == sorted(registry.names)
    with pytest.raises(InvalidInputError, match="after"):
        await call(registry, "list_skills", query="the zebra", budget=150, after="nobody")


async def test_a_registry_has_a_budget_of_its_own() -> None:
    """Choice: who embeds a registry knows its models."""
    registry = Registry(list_budget=60)
    registry.register(*(Manual(f"manual-{number:02}") for number in range(40)))
    assert "left_out" in await call(registry, "list_skills")
    assert "left_out" not in await call(registry, "list_skills", budget=10_000)


async def test_a_list_follows_the_registry() -> None:
    """Choice: what is registered later is listed at the next call."""
    registry = registry_of(Manual("a"))
    assert len((await call(registry, "list_skills"))["skills"]) == 1
    registry.register(Manual("b"))
    assert len((await call(registry, "list_skills"))["skills"]) == 2


@pytest.mark.behaviour("disclosure.search")
async def test_every_visible_entry_is_found_with_the_reason() -> None:
    """Spec: ranked entries with why each matched; rows carry their kind."""
    registry = registry_of(Manual("numbers", tags=("sums", "maths")), Manual("zebra"), add_numbers)
    rows = (await call(registry, "search_skills", query="add numbers"))["skills"]
    assert [(row["name"], row["kind"]) for row in rows] == [("add_numbers", "op"), ("numbers", "package")]
    assert rows[0]["score"] > rows[1]["score"]
    assert all(row["why"] for row in rows)
    assert len((await call(registry, "search_skills", query="add numbers", k=1))["skills"]) == 1
    tagged = await call(registry, "search_skills", query="add numbers", tags=["maths"])
    assert [row["name"] for row in tagged["skills"]] == ["numbers"]


@pytest.mark.behaviour("disclosure.whole")
async def test_a_whole_number_may_be_written_with_a_point() -> None:
    """Regression: `{"k": 5.0}` is an integer to JSON Schema, and ended in an exception."""
    registry = registry_of(Manual(resources={"a.md": "abcdef"}))
    assert len((await call(registry, "search_skills", query="manual", k=5.0))["skills"]) == 1
    assert (await call(registry, "list_skills", budget=500.0))["skills"]
    await call(registry, "activate_skill", name="manual")
    part = await call(registry, "read_skill_resource", skill="manual", key="a.md", start=1.0, limit=4.0)
    assert part["text"] == "bcde"
    assert repr(part["start"]) == "1"


@pytest.mark.behaviour("disclosure.activate")
async def test_a_package_is_opened_when_it_is_activated() -> None:
    """Spec: instructions wrapped with name and digest, resource keys sorted, never their bytes."""
    manual = Manual(resources={"b.png": b"\x89PNG", "a.md": "secret text"})
    answer = await call(registry_of(manual), "activate_skill", name="manual")
    assert answer["resources"] == ["a.md", "b.png"]
    assert answer["instructions"].startswith('<skill name="manual" text-digest="sha256:')
    assert "Speak softly." in answer["instructions"]
    assert set(answer) == {"instructions", "resources"}
    assert "secret" not in str(answer)
    assert manual.opened == [ME]


@pytest.mark.behaviour("disclosure.again")
async def test_a_second_activation_opens_nothing() -> None:
    """Spec: remembered per caller, so a second activation is cheap; the model can ask for the text again."""
    manual = Manual()
    registry = registry_of(manual)
    first = await call(registry, "activate_skill", name="manual")
    second = await call(registry, "activate_skill", name="manual")
    assert second["already_active"] is True
    assert "Speak softly." not in second["instructions"]
    assert len(manual.opened) == 1
    again = await call(registry, "activate_skill", name="manual", again=True)
    assert again["instructions"] == first["instructions"]
    other = await call(registry, "activate_skill", Caller("me", trace="2"), name="manual")
    assert other == first


@pytest.mark.behaviour("disclosure.changed")
async def test_a_text_that_changed_is_told() -> None:
    """Spec: a reload tells that the text changed; one that did not stays short."""
    registry = registry_of(Manual())
    await call(registry, "activate_skill", name="manual")
    registry.register(Manual(), replace=True)
    assert (await call(registry, "activate_skill", name="manual"))["already_active"] is True
    registry.register(Manual(text="Shout."), replace=True)
    answer = await call(registry, "activate_skill", name="manual")
    assert answer["changed"] is True
    assert "Shout." in answer["instructions"]


@pytest.mark.behaviour("disclosure.once")
async def test_callers_at_the_same_time_share_one_opening() -> None:
    """Spec: once per activation, concurrently asked once; another caller has one of its own."""
    ready, both = asyncio.Event(), asyncio.Event()

    class Slow(Manual):
        async def load(self, ctx: Context) -> LoadedPackage:
            self.opened.append(ctx.caller)
            if len(self.opened) == 2:
                both.set()
            await ready.wait()
            return LoadedPackage(self.text, {})

    slow = Slow()
    async with Runtime(registry_of(slow)) as runtime:
        calls = [
            asyncio.create_task(runtime.run("activate_skill", {"name": "manual"}, caller=caller))
            for caller in (ME, ME, ME, Caller("other"))
        ]
        await asyncio.wait_for(both.wait(), 10)
        ready.set()
        answers = [(await one).output for one in calls]
    assert answers == [answers[0]] * 4
    assert slow.opened == [ME, Caller("other")]


@pytest.mark.behaviour("disclosure.no-package")
async def test_what_is_no_package_is_called_as_a_tool() -> None:
    """Spec: activating what is no package tells the model to call it as a tool."""
    registry = registry_of(add_numbers, Manual())
    for name in ("add_numbers", "add-numbers", "list_skills"):
        with pytest.raises(InvalidInputError, match=f"call '{name.replace('-', '_')}' itself"):
            await call(registry, "activate_skill", name=name)


@pytest.mark.behaviour("disclosure.unknown")
async def test_an_unknown_name_or_key_names_near_ones() -> None:
    """Spec: an unknown name or key names near ones."""
    registry = registry_of(Manual(resources={"guide.md": "x"}))
    for name, inputs in (
        ("activate_skill", {"name": "manul"}),
        ("read_skill_resource", {"skill": "manul", "key": "x"}),
    ):
        with pytest.raises(NotFoundError, match="did you mean 'manual'") as caught:
            await call(registry, name, **inputs)
        assert caught.value.near == ("manual",)
    with pytest.raises(NotFoundError, match="list_skills tells which there are"):
        await call(registry, "activate_skill", name="qqqqqq")
    with pytest.raises(InvalidInputError, match="newest"):
        await call(registry, "activate_skill", name="manual@newest")
    await call(registry, "activate_skill", name="manual")
    with pytest.raises(NotFoundError, match=r"did you mean 'guide\.md'"):
        await call(registry, "read_skill_resource", skill="manual", key="guide.txt")
    with pytest.raises(NotFoundError, match="activate_skill lists the keys"):
        await call(registry, "read_skill_resource", skill="manual", key="qqqq")
    with pytest.raises(NotFoundError, match="the instructions that activate_skill gives"):
        await call(registry, "read_skill_resource", skill="manual", key="SKILL.md")


@pytest.mark.behaviour("disclosure.read-inactive")
async def test_reading_before_activation_tells_what_to_do() -> None:
    """Spec: reading before activation by this caller is refused, and says to activate first."""
    registry = registry_of(Manual(resources={"a.md": "text"}))
    await call(registry, "activate_skill", Caller("other"), name="manual")
    with pytest.raises(ForbiddenError, match="call activate_skill with name='manual' first"):
        await call(registry, "read_skill_resource", skill="manual", key="a.md")


@pytest.mark.behaviour("disclosure.read")
async def test_a_resource_is_read_after_activation() -> None:
    """Spec: `{text}`, parts of a long one, or what is known of other bytes."""
    registry = registry_of(Manual(resources={"a.md": "Grüße an alle", "b.png": b"\x89PNG"}))
    await call(registry, "activate_skill", name="manual")
    assert await call(registry, "read_skill_resource", skill="manual", key="a.md") == {"text": "Grüße an alle"}
    part = await call(registry, "read_skill_resource", skill="manual", key="a.md", start=3, limit=5)
    assert part == {"text": "ße ", "start": 4, "end": 8, "size_bytes": 15, "next": 8}
    facts = await call(registry, "read_skill_resource", skill="manual", key="b.png")
    assert (facts["mime_type"], facts["size_bytes"]) == ("image/png", 4)
    assert set(facts) == {"mime_type", "size_bytes", "sha256"}


async def test_a_package_that_was_switched_off_is_read_no_more() -> None:
    """Choice: what was activated before is no way round a status."""
    registry = registry_of(Manual(resources={"a.md": "text"}))
    await call(registry, "activate_skill", name="manual")
    off = replace(registry.require("manual").manifest, status=Status.DISABLED)
    registry.register_factory("manual", lambda _: Manual(), manifest=off, replace=True)
    for name, inputs in (
        ("activate_skill", {"name": "manual"}),
        ("read_skill_resource", {"skill": "manual", "key": "a.md"}),
    ):
        with pytest.raises(UnavailableError, match="'manual' is disabled"):
            await call(registry, name, **inputs)


@pytest.mark.behaviour("disclosure.load-fails")
async def test_a_package_that_fails_names_itself() -> None:
    """Spec: the failing package is named; the model gets the safe text; nothing is remembered."""

    class Broken(Manual):
        fails = True

        async def load(self, ctx: Context) -> LoadedPackage:
            if self.fails:
                raise RuntimeError("the plan is hunter2")
            return await super().load(ctx)

    broken = Broken("broken")
    registry = registry_of(broken)
    error = (await result_of(registry, "activate_skill", name="broken")).error
    assert isinstance(error, ExecutionFailedError)
    assert error.name == "broken"
    assert "hunter2" in str(error)
    assert error.model_text == "execution failed: broken failed"
    broken.fails = False
    assert "Speak softly." in (await call(registry, "activate_skill", name="broken"))["instructions"]


async def test_a_packages_entry_can_be_called_as_before() -> None:
    """Spec: calling a package's own entry opens it; it shares its code with activation."""
    manual = Manual(resources={"a": "x"})
    registry = registry_of(manual)
    assert await call(registry, "manual") == {"instructions": "Speak softly.", "resources": ["a"]}
    with pytest.raises(ForbiddenError, match="is not active"):
        await call(registry, "read_skill_resource", skill="manual", key="a")


async def test_a_loader_may_give_what_a_call_gives() -> None:
    """Choice: a plain answer is taken for its instructions; its keys would lead nowhere."""

    async def load() -> object:
        return {"instructions": "Speak.", "resources": ["ghost"]}

    registry = registry_of(SimpleNamespace(name="plain", description="x", load=load), Manual(resources={"a": "x"}))
    await call(registry, "manual")
    answer = await call(registry, "activate_skill", name="plain")
    assert "Speak." in answer["instructions"]
    assert answer["resources"] == []


async def test_a_package_made_by_a_factory_is_opened_through_the_gate() -> None:
    """Choice: whatever a package is made of, activating it is a call of its entry."""
    registry = Registry()
    registry.register_factory("manual", lambda _: Manual())
    assert "Speak softly." in (await call(registry, "activate_skill", name="manual"))["instructions"]


async def test_a_factory_that_makes_another_skill_is_told_as_it_is() -> None:
    """Choice: what is wrong with an entry is not the model's mistake."""
    registry = Registry()
    registry.register_factory("manual", lambda _: Manual("other"))
    with pytest.raises(InvalidManifestError, match="made a skill named 'other'"):
        await call(registry, "activate_skill", name="manual")


async def test_versions_of_a_package_are_activated_apart() -> None:
    """Choice: what was activated is a name and a version; without one it is the highest."""
    registry = registry_of(Manual(version="1.0.0", text="One."), Manual(version="2.0.0", text="Two."))
    assert "Two." in (await call(registry, "activate_skill", name="manual"))["instructions"]
    assert "One." in (await call(registry, "activate_skill", name="manual@^1"))["instructions"]
    assert len((await call(registry, "list_skills"))["skills"]) == 1


async def test_a_nested_call_reaches_the_tools() -> None:
    """Spec: nested calls know them, with the rights of the caller."""

    @skill(calls=["list_skills", "activate_skill"], capabilities=["skills.list", "skills.read"])
    async def plan(*, ctx: Context) -> object:
        """Plan with what there is."""
        listed = await ctx.call("list_skills")
        return [listed, await ctx.call("activate_skill", name="manual")]

    registry = registry_of(plan, Manual(), Manual("hidden"))
    registry.check()
    listed, activated = await call(registry, "plan", Caller("me", permissions=Permissions().without("hidden")))
    assert [row["name"] for row in listed["skills"]] == ["manual"]
    assert "Speak softly." in activated["instructions"]


async def test_the_events_tell_which_package_was_opened() -> None:
    """Spec: nothing but the gate calls a handler: an activation tells of the call it makes."""
    told: list[str] = []
    registry = registry_of(Manual())
    async with Runtime(registry, readers=[lambda event: told.append(getattr(event, "entry", ""))]) as runtime:
        await runtime.run("activate_skill", {"name": "manual"})
    assert told == ["manual", "activate_skill"]


async def test_a_search_goes_on_where_the_nearest_are_for_people_only() -> None:
    """Choice: what is not offered takes no place of what is."""
    registry = registry_of(Manual("far-manual"))
    for word in ("forms", "maps", "music", "minds", "maths", "menus", "meters", "mails"):
        manifest = Manifest(
            name=f"{word}-manual",
            description=f"Manual, the manual of {word}.",
            kind=Kind.PACKAGE,
            extra={"disable-model-invocation": True},
        )
        registry.register_factory(manifest.name, lambda _: Manual(), manifest=manifest)
    found = await call(registry, "search_skills", query="manual", k=1)
    assert [row["name"] for row in found["skills"]] == ["far-manual"]


@pytest.mark.parametrize(("name", "kind"), [("odd", InvalidManifestError), ("odd@^1", InvalidInputError)])
async def test_a_factory_that_makes_nothing_of_use_is_told_by_whose_mistake_it_may_be(
    name: str, kind: type[ProwessError]
) -> None:
    """Choice: the host's, and with a version perhaps that of who asked for it."""
    registry = registry_of(Manual())
    registry.register_factory("odd", lambda _: object())
    error = (await result_of(registry, "activate_skill", name=name)).error
    assert type(error) is kind
    assert "'odd' cannot be made" in error.message
