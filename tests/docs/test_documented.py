"""All that a user can type, set, call or be told stands in the page where it is looked for."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct
from starlette.routing import Route

import prowess
from prowess.app.project import open_project
from prowess.app.settings import Settings
from prowess.authoring.options import Options
from prowess.cli.main import COMMANDS, help_text
from prowess.cli.parsing import CommandParser, load_command
from prowess.errors import ProwessError
from prowess.exposure import FORMATS
from prowess.model.manifest import Deprecation, FailureMode, Limits, Manifest, Redaction, Target
from prowess.server.answers import STATUS
from prowess.server.app import make_app
from prowess.server.door.keys import ApiKey
from tests.docs.documented import (
    broken_links,
    error_classes,
    error_row,
    missing,
    options_of,
    routes_of,
    rows_of,
    sections_about,
    settings_of,
    variables_of,
)
from tests.docs.test_pages import PAGES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

DOCS = ROOT / "docs"
AUTHORING, COMMAND_LINE, ERRORS, SERVER, TOOLS = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for name in ("authoring", "command-line", "errors", "server", "tools")
)
USERS_PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
SHARED = ["--help", "--project", "-C", "-h"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_all_that_may_follow_it_is_documented(name: str) -> None:
    """Spec: the documentation fails on an undocumented command or option."""
    assert missing([f"prowess {name}"], COMMAND_LINE) == []
    options = options_of(CommandParser(load_command(name)))
    assert missing([one for one in options if one not in SHARED], sections_about(COMMAND_LINE, f"prowess {name}")) == []
    assert missing(SHARED, COMMAND_LINE) == []


def test_the_options_before_a_command_are_documented() -> None:
    """Spec: as above."""
    words = {word.strip("[],;'.") for word in help_text().split()}
    options = [word for word in words if word.startswith("-")]
    assert "--version" in options
    assert missing(options, COMMAND_LINE) == []


@pytest.mark.parametrize(("path", "default"), settings_of(Settings).items())
def test_every_setting_is_documented_with_its_default(path: str, default: object) -> None:
    """Spec: the documentation fails on an undocumented setting."""
    row = rows_of(COMMAND_LINE)[path]
    if default or default is False:
        assert f"`{str(default).lower()}`" in row[1]


def test_every_variable_is_documented() -> None:
    """Spec: the documentation fails on an undocumented environment variable."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    variables = variables_of(settings_of(Settings), sources)
    assert {"PROWESS_API_KEY", "PROWESS_DEBUG", "PROWESS_SERVER_PORT"} <= set(variables)
    assert missing(variables, COMMAND_LINE) == []


@pytest.mark.parametrize("kind", [kind for kind in error_classes(ProwessError) if kind.__module__ == "prowess.errors"])
def test_every_error_is_in_the_table_as_it_is(kind: type[ProwessError]) -> None:
    """Spec: the documentation fails on an undocumented error."""
    code, name, _, status, tried_again = rows_of(ERRORS)[kind.code]
    assert [code, name, status, tried_again] == error_row(kind, STATUS)
    attributes = [name for name in vars(kind) if not name.startswith("_") and name != "label"]
    assert missing(attributes, ERRORS) == []


def test_every_code_of_the_server_is_in_the_table_with_its_status() -> None:
    """Spec: as above."""
    rows = rows_of(ERRORS)
    assert [code for code, status in STATUS.items() if str(status) not in rows[code]] == []


def test_every_route_is_documented(tmp_path: Path) -> None:
    """Spec: the documentation fails on an undocumented route."""
    file = tmp_path / "nothing_here.py"
    file.touch()
    routes = routes_of(make_app(open_project(file), ApiKey("key", "here")).routes)
    assert "POST /v1/skills/{name}/run" in routes
    assert missing(routes, SERVER) == []


def test_every_public_name_is_documented() -> None:
    """Spec: each name that `prowess` exports occurs in some page."""
    assert missing(prowess.__all__, "\n".join(page.read_text(encoding="utf-8") for page in USERS_PAGES)) == []


@pytest.mark.parametrize("kind", [Manifest, Target, FailureMode, Limits, Redaction, Deprecation])
def test_every_field_of_a_manifest_is_documented(kind: type[Struct]) -> None:
    """Spec: the documentation fails on an undocumented field."""
    assert missing(kind.__struct_fields__, sections_about(AUTHORING, "manifest_to_json")) == []


def test_every_option_of_the_decorators_is_documented() -> None:
    """Spec: as above."""
    assert missing(Options.__annotations__, sections_about(AUTHORING, "capabilities")) == []


def test_the_glossary_leads_from_the_names_of_other_systems_to_ours() -> None:
    """Spec: these names are mapped."""
    theirs = ["tool_definitions", "get_definitions", "get_definitions_for_permissions", "GetByName", "ServiceContainer"]
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    assert missing([*theirs, "ToolResult", "SkillOutput", "LoadedSkill"], page) == []
    assert missing(["registry.tools", "registry.get", "Services", "Result", "LoadedPackage"], page) == []


def test_every_tool_format_is_documented() -> None:
    """Choice: a format that nobody finds is of no use."""
    assert [name for name in FORMATS if name not in rows_of(TOOLS)] == []


@pytest.mark.parametrize(
    "page", sorted({*PAGES, *ROOT.glob("*.md")}), ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Choice: a reader who follows a link arrives."""
    assert broken_links(page) == []


def test_every_page_is_linked_in_the_readme() -> None:
    """Choice: a page that nothing leads to is not read."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"(docs/{page.name})" not in readme] == []


# The checks themselves, against made-up things that are not documented.


class Door(Struct, frozen=True):
    """A made-up section of settings."""

    colour: str = "red"


class House(Struct, frozen=True):
    """Made-up settings."""

    door: Door = Door()
    rooms: tuple[str, ...] = ()


def test_what_is_not_written_as_code_is_missing() -> None:
    """Choice: a word in a sentence is no documentation of a name."""
    page = "A port, a `server.port`, and\n```toml\nhost = 1\n```\nthe `--host-name`."
    assert missing(["server.port", "host"], page) == []
    assert missing(["port", "--host", "A", "name"], page) == ["port", "--host", "A", "name"]


def test_an_option_of_another_command_is_missing() -> None:
    """Choice: `--json` of one command says nothing about another's."""
    page = "# All\n## List\n`prowess list --json`\n```text\n## no heading\n```\n## Show\n`prowess show`\n"
    assert missing(["--json"], sections_about(page, "prowess list")) == []
    assert missing(["--json"], sections_about(page, "prowess show")) == ["--json"]


def test_options_and_choices_are_found() -> None:
    """Choice: what is not found is not missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-m", "--made-up", help="see --other")
    parser.add_argument("shape", choices=("round", "square"))
    found = options_of(parser)
    assert {"-m", "--made-up", "round", "square"} <= set(found)
    assert missing(["--made-up"], COMMAND_LINE) == ["--made-up"]


def test_settings_and_variables_are_found() -> None:
    """Choice: as above."""
    assert settings_of(House) == {"door.colour": "red", "rooms": ()}
    variables = variables_of(settings_of(House), ['environ["PROWESS_MADE_UP"]', "PROWESS_* and PROWESS_"])
    assert variables == ["PROWESS_DOOR_COLOUR", "PROWESS_MADE_UP", "PROWESS_ROOMS"]
    assert missing(variables, COMMAND_LINE) == variables
    assert "door.colour" not in rows_of(COMMAND_LINE)


def test_errors_below_errors_are_found() -> None:
    """Choice: as above."""
    made_up = type("MadeUpError", (ProwessError,), {"code": "made_up", "retryable": True})
    below = type("BelowError", (made_up,), {"code": "below"})
    assert list(error_classes(made_up)) == [made_up, below]
    assert error_row(below, {"below": 418}) == ["`below`", "`BelowError`", "418", "yes"]
    assert "below" not in rows_of(ERRORS)


def test_routes_are_found() -> None:
    """Choice: as above."""

    async def answer(_request: Request) -> Response:
        raise NotImplementedError

    routes = routes_of([Route("/v2/{name:path}", answer, methods=["GET", "PUT"])])
    assert routes == ["GET /v2/{name}", "PUT /v2/{name}"]
    assert missing(routes, SERVER) == routes


def test_links_to_nowhere_are_found(tmp_path: Path) -> None:
    """Choice: as above."""
    page = tmp_path / "page.md"
    links = ["page.md", "#the-end", "other.md", "page.md#the-middle", "https://example.com/x"]
    page.write_text("".join(f"[x]({link})\n" for link in links) + "## The `end`!\n", encoding="utf-8")
    assert broken_links(page) == ["other.md", "page.md#the-middle"]
