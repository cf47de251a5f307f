"""Modules that come in odd ways, and what of them is taken for a skill."""

import py_compile
import sys

import pytest

from prowess import open_project
from prowess.app.listing import keep_listing
from tests.unit.app.folder import HEAD, Folder, told

INTERRUPTED = "raise KeyboardInterrupt\n"


@pytest.mark.parametrize("text", [INTERRUPTED, f"def register(registry):\n    {INTERRUPTED}"])
def test_ctrl_c_while_a_module_is_read_ends_the_opening(text: str, folder: Folder) -> None:
    """Choice: whoever interrupts means the command, where any other exception is the module's own."""
    folder.write("stuck_§.py", text)
    with pytest.raises(KeyboardInterrupt):
        folder.open('modules = ["stuck_§"]')


def test_a_file_whose_name_cannot_be_imported_is_read_and_once_mended_read_again(folder: Folder) -> None:
    """Choice: a file of any name can hold skills, and a failure leaves nothing half made in the process."""
    name = folder.write("not-a-name-§.py", "x = 1 / 0\n")
    before = set(sys.modules)
    (one,) = open_project(folder.path / name).diagnostics
    assert (one.path, one.line, "division by zero" in one.message) == (name, 1, True)
    assert set(sys.modules) == before
    folder.write("not-a-name-§.py", folder.ops("mended") + "assert __file__.endswith('§.py') and __spec__.origin\n")
    projects = [open_project(folder.path / name) for _ in range(2)]
    assert [project.registry.names for project in projects] == [("mended",), ("mended",)]
    assert [told(project) for project in projects] == [[], []]


def test_a_module_without_its_source_is_read(folder: Folder) -> None:
    """Choice: code that is shipped as bytecode has skills, too."""
    text = 'class Whisper(BaseSkill):\n    async def execute(self) -> str:\n        return ""\n'
    name = folder.write("compiled_§.py", HEAD + text + 'whisper = Whisper("whisper", "Say it softly.")\n')
    file = folder.path / name
    py_compile.compile(str(file), cfile=f"{file}c", doraise=True)
    file.unlink()
    project = folder.open(f'modules = ["compiled_{folder.mark}"]')
    assert (project.registry.names, told(project)) == (("whisper",), [])


def test_an_object_that_answers_no_question_is_no_skill_and_one_with_a_definition_is(folder: Folder) -> None:
    """Choice: a module may hold anything, and what hands out an entry's definition is that entry."""
    text = """
class Closed:
    def __getattr__(self, name: str) -> object:
        raise RuntimeError("not connected")

class Carrier:
    def __init__(self, entry: object) -> None:
        self.definition = entry.definition

class Half:
    name = "half"
    description = 3

closed, half = Closed(), Half()
carrier = Carrier(op(name="carried", description="Be carried.")(lambda: None))
"""
    folder.write("odd_§.py", HEAD + text)
    project = folder.open(f'modules = ["odd_{folder.mark}"]')
    assert (project.registry.names, told(project)) == (("carried",), [])


def test_a_skill_that_cannot_be_registered_is_told_and_stops_no_other(folder: Folder) -> None:
    """Spec: one bad skill never stops the others from loading."""
    text = """
class Loud(BaseSkill):
    name = "No Name"
    description = "Say it loudly."
    async def execute(self) -> str:
        return ""
"""
    name = folder.write("wrong_§.py", folder.ops("right") + text)
    project = folder.open(f'modules = ["wrong_{folder.mark}"]')
    assert project.registry.names == ("right",)
    (one,) = project.diagnostics
    assert (one.code, one.path, "No Name" in one.message) == ("invalid_manifest", name, True)


@pytest.mark.behaviour("index.not-kept")
def test_a_project_with_a_line_break_in_a_files_name_opens_and_keeps_no_index(folder: Folder) -> None:
    """Choice: what the index cannot hold is read each time."""
    folder.write("two\nlines.py", folder.ops("a"))
    project = folder.open('folders = ["."]')
    assert (project.registry.names, project.root) == (("a",), folder.path)
    assert [row.name for row in keep_listing(project).rows] == ["a"]
    assert not (folder.path / ".prowess" / "index.msgpack").exists()


def test_a_script_that_opens_its_own_project_is_not_run_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choice: what it registers is there already, and what it does would be done twice."""
    name = folder.write("script_§.py", "raise AssertionError('run again')\n")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(folder.path / name), raising=False)
    assert told(open_project(folder.path / name)) == []
