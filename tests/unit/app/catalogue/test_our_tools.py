"""The four tools as a face of the registry: reached by name, and no part of its content."""

from __future__ import annotations

import pytest

from prowess import NotFoundError, Permissions, Registry, Runtime, op
from prowess.errors import ConfigurationError
from tests.unit.app.catalogue.packages import ME, Manual, call

OURS = ["activate_skill", "list_skills", "read_skill_resource", "search_skills"]


@op
async def add(numbers: list[int]) -> int:
    """Add numbers."""
    return sum(numbers)


def names_of(tools: list[dict[str, dict[str, str]]]) -> list[str]:
    """The names of definitions in OpenAI's format."""
    return [tool["function"]["name"] for tool in tools]


@pytest.fixture
def registry() -> Registry:
    """One op and one package."""
    registry = Registry()
    registry.register(add, Manual())
    return registry


@pytest.mark.behaviour("disclosure.standing")
def test_they_are_found_and_not_counted(registry: Registry) -> None:
    """Choice: they are a face of the registry, not its content."""
    bare = Registry()
    bare.register(add, Manual())
    for name in OURS:
        entry = registry.require(name)
        assert (entry.name, entry.source, entry.manifest.kind) == (name, "prowess", "op")
        assert (
            entry is registry.get(name.replace("_", "-")) is registry.get(name, "^1") is registry.get(f"{name}@1.0.0")
        )
        assert registry.get(name, "^2") is None
        assert name in registry
    assert registry.names == ("add", "manual")
    assert len(registry) == len(registry.list()) == len(list(registry)) == len(registry.advertise()) == 2
    assert registry.fingerprint == bare.fingerprint
    assert registry.diagnostics == ()
    with pytest.raises(NotFoundError):
        registry.unregister("list_skills")


@pytest.mark.behaviour("disclosure.offered")
def test_they_are_offered_where_a_package_can_be_seen(registry: Registry) -> None:
    """Choice: a model that has nothing to activate is not offered to activate."""
    assert names_of(registry.tools()) == [
        "activate_skill",
        "add",
        "list_skills",
        "read_skill_resource",
        "search_skills",
    ]
    assert names_of(registry.tools(permissions=Permissions().without("manual"))) == ["add"]
    assert names_of(registry.filtered(names=["manual"]).tools()) == OURS
    assert names_of(registry.filtered(kind="op").tools()) == ["add"]
    registry.unregister("manual")
    assert names_of(registry.tools()) == ["add"]


async def test_permissions_hide_them_like_any_entry(registry: Registry) -> None:
    """Choice: a caller may be told what there is without being allowed to open it."""
    permissions = Permissions().without("activate_skill", "read_skill_resource")
    view = registry.filtered(permissions=permissions).filtered(kind="package")
    assert names_of(view.tools()) == ["list_skills", "search_skills"]
    assert view.get("activate_skill") is None
    assert view.get("list_skills") is not None
    async with Runtime(view) as runtime:
        assert (await runtime.run("list_skills")).ok
        assert isinstance((await runtime.run("activate_skill", {"name": "manual"})).error, NotFoundError)


async def test_a_view_discloses_what_it_shows(registry: Registry) -> None:
    """Choice: a view never shows more than its filters, by no tool either."""
    registry.register(Manual("other"))
    view = registry.filtered(names=["other", "add"])
    async with Runtime(view) as runtime:
        listed = (await runtime.run("list_skills")).unwrap()
        refused = await runtime.run("activate_skill", {"name": "manual"})
        activated = await runtime.run("activate_skill", {"name": "other"}, caller=ME)
    assert listed == {"skills": [{"name": "other", "description": "Use when the user wants the other."}]}
    assert isinstance(refused.error, NotFoundError)
    assert activated.ok
    assert (await call(registry, "activate_skill", name="other"))["already_active"] is True


async def test_a_tool_runs_where_its_own_view_or_all_may_be_seen(registry: Registry) -> None:
    """Choice: a tool that was kept shows what its view shows; no narrower reader takes a wider one's."""
    view = registry.filtered(kind="package")
    wide, narrow = registry.require("list_skills"), view.require("list_skills")
    assert (await narrow.execute()).ok
    assert (await wide.execute()).ok
    async with Runtime(view) as runtime:
        assert (await runtime.run(narrow)).ok
        assert isinstance((await runtime.run(wide)).error, NotFoundError)
    forged = type(wide)(wide.manifest, wide.recipe, wide.source, wide.door)
    assert isinstance((await forged.execute()).error, NotFoundError)


@pytest.mark.behaviour("disclosure.replaced")
async def test_an_entry_of_that_name_takes_its_place(registry: Registry) -> None:
    """Choice: a user's own entry wins, and a diagnostic says so."""

    @op
    async def list_skills() -> str:
        """List mine."""
        return "mine"

    registry.register(list_skills)
    assert await call(registry, "list_skills") == "mine"
    assert registry.get("list_skills", "^9") is None
    assert names_of(registry.tools()).count("list_skills") == 1
    (diagnostic,) = registry.diagnostics
    assert (diagnostic.code, diagnostic.entry, diagnostic.severity) == ("tool_replaced", "list_skills", "warning")
    hidden = registry.filtered(permissions=Permissions().without("list_skills"))
    assert hidden.get("list_skills") is None
    registry.unregister("manual")
    assert registry.diagnostics == ()


async def test_a_factory_of_that_name_takes_its_place_too(registry: Registry) -> None:
    """Choice: as above; what a name means does not depend on whether it was made yet."""
    registry.register_factory("search-skills", lambda _: Manual("search-skills", "Mine."))
    assert (await call(registry, "search_skills"))["instructions"] == "Mine."


def test_a_wrong_name_leads_to_them(registry: Registry) -> None:
    """Choice: they are among the names that were probably meant."""
    with pytest.raises(NotFoundError, match="did you mean 'list_skills'"):
        registry.require("list_skils")
    hidden = registry.filtered(permissions=Permissions().without("list_skills"))
    with pytest.raises(NotFoundError) as caught:
        hidden.require("list_skils")
    assert "list_skills" not in caught.value.near


async def test_without_packages_there_is_nothing_to_list() -> None:
    """Choice: a call by name is answered, also where nothing offers it."""
    assert await call(Registry(), "list_skills") == {"skills": []}


def test_a_budget_is_at_least_one() -> None:
    """Choice: told where it is set."""
    with pytest.raises(ConfigurationError, match="list_budget is 0"):
        Registry(list_budget=0)


def test_what_a_model_would_be_offered_can_be_asked(registry: Registry) -> None:
    """Spec: explained for a user's words, with permissions and a budget."""
    told = registry.explain("add some numbers")
    assert [(one.manifest.name, one.rank, one.offered) for one in told.offers] == [
        ("add", 1, "tool"),
        ("manual", None, "list_skills"),
    ]
    told = registry.explain("add", permissions=Permissions().without("add"), budget=7)
    assert told.budget == 7
    assert [(one.manifest.name, one.offered) for one in told.offers] == [("add", None), ("manual", "list_skills")]
