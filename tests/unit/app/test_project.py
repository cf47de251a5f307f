"""What opening a project registers, and what becomes of modules that fail."""

import sys
import sysconfig
from pathlib import Path

import pytest

from prowess import Services, open_project
from prowess.errors import ConfigurationError
from tests.unit.app.folder import HEAD, Folder, told


@pytest.mark.behaviour("project.modules")
def test_modules_are_imported_and_what_they_define_is_registered(folder: Folder) -> None:
    """Spec: `prowess.toml` names modules and folders."""
    folder.write("one_§.py", folder.ops("a", "b"))
    folder.write("more/two_§.py", folder.ops("c"))
    folder.write("more/test_§.py", "raise SystemExit")
    folder.write("more/_private_§.py", "raise SystemExit")
    project = folder.open('modules = ["one_§"]\nfolders = ["more"]')
    assert (project.registry.names, told(project)) == (("a", "b", "c"), [])
    assert {entry.source for entry in project.registry} == {f"one_{folder.mark}.py", f"more/two_{folder.mark}.py"}


@pytest.mark.behaviour("project.submodules")
def test_a_star_takes_every_submodule_at_any_depth(folder: Folder) -> None:
    """Spec: "skills.*" takes every submodule."""
    folder.write("p_§/__init__.py", folder.ops("top"))
    folder.write("p_§/one.py", folder.ops("one"))
    folder.write("p_§/deep/two.py", folder.ops("two"))
    folder.write("p_§/__pycache__/old.py", "raise SystemExit")
    folder.write("p_§/.hidden/old.py", "raise SystemExit")
    project = folder.open('modules = ["p_§.*"]')
    assert (project.registry.names, told(project)) == (("one", "top", "two"), [])
    assert set(project.folders) == {str(folder.path / f"p_{folder.mark}"), str(folder.path / f"p_{folder.mark}/deep")}


@pytest.mark.behaviour("project.kinds")
def test_every_way_to_write_a_skill_is_recognised(folder: Folder) -> None:
    """Spec: decorated functions, Skill objects, BaseSkill classes, pipelines, and `register(registry)`."""
    text = """
class Loud(BaseSkill):
    def __init__(self, services: Services) -> None:
        super().__init__("loud", "Say it loudly.", {"type": "object"})
    async def execute(self, **inputs: object) -> str:
        return "LOUD"

class Named(BaseSkill):
    name = "named"
    description = "Have a name."
    async def execute(self) -> str:
        return ""

class Template(BaseSkill):
    async def execute(self) -> str:
        return ""

class Needy(BaseSkill):
    def __init__(self, db: object, url: str) -> None:
        super().__init__("needy", "Need more.", {})
    async def execute(self) -> str:
        return ""

class _Private(Named):
    name = "private"

class Duck:
    name = "duck"
    description = "Quack."
    parameters = {"type": "object"}
    async def execute(self, **inputs: object) -> str:
        return "quack"

duck = Duck()
same_duck = duck
plain = Template("plain", "Be plain.")
flow = Pipeline("flow", version="1.0.0", description="Flow.").step("s", "decorated").build()

def undecorated() -> None:
    pass

def register(registry) -> None:
    registry.register(decorated)
    registry.register_factory("made", lambda services: Template("made", "Be made."))
"""
    folder.write("kinds_§.py", folder.ops("decorated") + text)
    project = folder.open('modules = ["kinds_§"]')
    names = ("decorated", "duck", "flow", "loud", "made", "named", "plain")
    assert (project.registry.names, told(project)) == (names, [])


@pytest.mark.behaviour("project.defined-there")
def test_only_what_a_module_defines_itself_is_registered(folder: Folder) -> None:
    """Choice: importing a skill to call it must not publish it."""
    folder.write(
        "helper_§.py",
        folder.ops("secret")
        + "class K:\n  name='obj'\n  description='d'\n  parameters={}\n  async def execute(self): ...\nobj = K()\n",
    )
    folder.write("face_§.py", "from helper_§ import secret, obj as other\n" + folder.ops("open_one"))
    project = folder.open('modules = ["face_§"]')
    assert project.registry.names == ("open_one",)
    assert f"helper_{folder.mark}.py" in {Path(file).name for file in project.files}


@pytest.mark.behaviour("project.reopened")
def test_opening_a_project_again_gives_the_same_and_registers_nothing_twice(folder: Folder) -> None:
    """Choice: modules are imported once in a process; each registry is its own."""
    folder.write("again_§.py", folder.ops("a"))
    first = folder.open('modules = ["again_§", "again_§"]')
    second = folder.open('modules = ["again_§"]')
    assert told(first) == told(second) == []
    assert first.registry.names == second.registry.names == ("a",)
    assert first.registry is not second.registry


@pytest.mark.behaviour("project.broken-modules")
@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("x = 1\ndef f(:\n", 2, "this is not Python"),
        ("x = 1\nimport no_such_thing_anywhere\n", 2, "needs a module that is not installed: no_such_thing_anywhere"),
        ("\n\nimport sys; sys.exit(3)\n", 3, "sys.exit(3)"),
        ("raise SystemExit\n", 1, "sys.exit()"),
        ("def f():\n    return 1 / 0\nf()\n", 2, "ZeroDivisionError: division by zero"),
        ("raise BaseException('odd')\n", 1, "BaseException: odd"),
        ("from prowess import nothing_like_it\n", 1, "nothing_like_it"),
        ("\x00", None, "null bytes"),
        ("# -*- coding: no-such -*-\n", None, "no-such"),
        ("from prowess import op\n\n\n@op\ndef f(x: open): ...\n", 4, "x"),
        ("async def register(registry): ...\n", None, "register(registry) is async"),
        ("def register(registry):\n    registry.nothing()\n", 2, "has no attribute 'nothing'"),
        ("def register(registry):\n    raise SystemExit('bye')\n", 2, "sys.exit('bye')"),
    ],
)
def test_a_module_that_fails_is_told_with_its_place_and_stops_no_other(
    text: str, line: int | None, problem: str, folder: Folder
) -> None:
    """Spec: one bad module becomes a diagnostic with file and line."""
    folder.write("bad_§.py", text)
    folder.write("good_§.py", folder.ops("a"))
    project = folder.open('modules = ["bad_§", "good_§"]')
    assert project.registry.names == ("a",)
    (one,) = project.diagnostics
    assert problem in one.message
    assert (one.path, one.line) == (f"bad_{folder.mark}.py", line)
    assert one.severity == "error"


@pytest.mark.behaviour("project.missing")
@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ('modules = ["goood_§"]', "there is no module 'goood_§'"),
        ('modules = ["good_§.py"]', "did you mean 'good_§'?"),
        ('modules = ["./good_§.py"]', "did you mean 'good_§'?"),
        ('modules = [""]', "a module is named with dots"),
        ('modules = ["nowhere.*"]', "there is no module 'nowhere'"),
        ('folders = ["nowhere"]', "there is no folder"),
    ],
)
def test_a_module_or_folder_that_is_not_there_is_told(settings: str, problem: str, folder: Folder) -> None:
    """Choice: a name in the settings that finds nothing is a mistake."""
    folder.write("good_§.py", folder.ops("a"))
    (line,) = told(folder.open(settings))
    assert problem.replace("§", folder.mark) in line


@pytest.mark.behaviour("project.doubles")
def test_a_name_that_two_modules_define_is_told_with_both(folder: Folder) -> None:
    """Spec: two sources never shadow each other silently."""
    folder.write("first_§.py", folder.ops("a", "b"))
    folder.write("second_§.py", folder.ops("a", "c"))
    project = folder.open('modules = ["first_§", "second_§"]')
    assert project.registry.names == ("a", "b", "c")
    (one,) = project.diagnostics
    assert (one.code, one.path, one.line) == ("duplicate", f"second_{folder.mark}.py", 3)
    assert f"first_{folder.mark}.py" in one.message


@pytest.mark.behaviour("project.same-module-name")
def test_a_module_name_that_another_root_has_taken_is_a_clear_error(folder: Folder, tmp_path: Path) -> None:
    """Choice: a wrong module under a right name would be found out much later."""
    other = Folder(tmp_path / "other")
    other.mark = folder.mark
    for one in (folder, other):
        one.write("same_§.py", one.ops("a"))
        one.write("pack_§/__init__.py", "")
        one.write("pack_§/inner.py", one.ops("b"))
    settings = 'modules = ["same_§", "pack_§.*"]'
    assert told(folder.open(settings)) == []
    lines = told(other.open(settings))
    assert len(lines) == 2
    assert all("another module" in line and str(tmp_path) in line for line in lines)


def test_a_module_of_pythons_own_is_not_taken_for_the_projects(folder: Folder) -> None:
    """Choice: a project's json.py is neither imported as json nor breaks it."""
    folder.write("json.py", folder.ops("a"))
    (line,) = told(folder.open('modules = ["json"]'))
    assert "another module 'json' is loaded already" in line
    assert sys.path.index(str(folder.path)) > sys.path.index(sysconfig.get_path("stdlib"))


@pytest.mark.behaviour("project.bare")
def test_a_file_or_a_folder_without_settings_can_be_opened(folder: Folder) -> None:
    """Choice: one file is enough to begin."""
    name = folder.write("alone-§.py", folder.ops("a"))
    folder.write("other_§.py", folder.ops("b"))
    (folder.path / "empty").mkdir()
    assert open_project(folder.path / name).registry.names == ("a",)
    assert open_project(folder.path).registry.names == ("a", "b")
    with pytest.raises(ConfigurationError, match="neither"):
        open_project(folder.path / "empty")
    with pytest.raises(ConfigurationError, match="there is no file or folder"):
        open_project(folder.path / "nowhere")
    (folder.path / "notes.txt").touch()
    with pytest.raises(ConfigurationError, match="neither a project's"):
        open_project(folder.path / "notes.txt")


def test_the_script_that_opens_its_own_folder_is_not_run_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choice: `open_project(".")` in a script beside its skills must not recurse."""
    name = folder.write("script_§.py", "raise SystemExit\n")
    folder.write("skills_§.py", folder.ops("a"))
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(folder.path / name), raising=False)
    project = open_project(folder.path)
    assert (project.registry.names, told(project)) == (("a",), [])


@pytest.mark.behaviour("project.services")
def test_services_given_reach_factories_and_classes(folder: Folder) -> None:
    """Spec: `registry.services` is what factories receive."""
    text = """
class Told(BaseSkill):
    def __init__(self, services: Services, name: str = "by_class") -> None:
        super().__init__(name, "Tell of " + services.require("db"), {})
    async def execute(self) -> str:
        return ""

def register(registry) -> None:
    registry.register_factory("by_factory", lambda services: Told(services, "by_factory"))
"""
    folder.write("serviced_§.py", HEAD + text)
    folder.write("prowess.toml", 'modules = ["serviced_§"]')
    services = Services({"db": "postgres"})
    project = open_project(folder.path, services=services, environ={})
    assert {one.name: one.description for one in project.registry.list()} == {
        "by_class": "Tell of postgres",
        "by_factory": "Tell of postgres",
    }
    assert (project.registry.services, told(project)) == (services, [])


@pytest.mark.behaviour("settings.variables")
def test_variables_hold_for_a_file_without_settings_too(folder: Folder) -> None:
    """Regression: `PROWESS_SERVER_PORT=9000 prowess serve skills.py` listened on 8765."""
    name = folder.write("alone_§.py", folder.ops("a"))
    folder.write("prowess.toml", 'name = "not asked for"')
    project = open_project(folder.path / name, environ={"PROWESS_SERVER_PORT": "9000"})
    assert (project.settings.server.port, project.settings.name) == (9000, "")


@pytest.mark.behaviour("settings.variables")
def test_variables_choose_the_modules(folder: Folder) -> None:
    """Spec: `PROWESS_*` variables override."""
    folder.write("first_§.py", folder.ops("a"))
    folder.write("second_§.py", folder.ops("b"))
    project = folder.open('modules = ["first_§"]', PROWESS_MODULES=f"second_{folder.mark}", PROWESS_NAME="named")
    assert (project.name, project.registry.names) == ("named", ("b",))
    assert folder.open("").name == folder.path.name


def test_a_failing_factory_is_among_the_diagnostics(folder: Folder) -> None:
    """Spec: a factory that fails is left out with a diagnostic."""
    text = "def register(registry):\n    registry.register_factory('never', lambda services: 1 / 0)\n"
    folder.write("failing_§.py", text)
    (one,) = folder.open('modules = ["failing_§"]').diagnostics
    assert (one.subject, one.severity) == ("never", "error")
    assert "ZeroDivisionError" in one.message


def test_a_project_says_in_a_prompt_what_it_is(folder: Folder) -> None:
    """Regression: it looked like an address in memory."""
    folder.write("named.py", folder.ops("a", "b"))
    shown = repr(folder.open('name = "shop"\nmodules = ["named"]'))
    assert shown == f"<Project 'shop' in {folder.path}: <Registry of 2 names>>"
