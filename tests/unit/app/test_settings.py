"""What `prowess.toml` and `PROWESS_*` variables come to, and how mistakes in them are told."""

import re
from pathlib import Path

import pytest

from prowess.app.settings import ServerSettings, Settings, load_settings, parse_settings
from prowess.catalog.places import project_above
from prowess.errors import ConfigurationError

EVERYTHING = """
name = "notes"
modules = ["a", "skills.*"]
folders = ["more"]

[server]
host = "localhost"
port = 0
allow_remote = true
allowed_hosts = ["skills.example"]
max_body = 10

[runtime]
max_concurrent = 3
timeout = 2
engine = "memory"
"""


def problems(text: str = "", **environ: str) -> tuple[str, ...]:
    """Give what is wrong with settings."""
    with pytest.raises(ConfigurationError) as caught:
        parse_settings(text, environ)
    found = caught.value.details["problems"]
    assert isinstance(found, tuple)
    return found


@pytest.mark.behaviour("settings.defaults")
def test_nothing_said_gives_the_defaults() -> None:
    """Spec: loopback on port 8765."""
    settings = parse_settings("", {"HOME": "/root", "PATH": ""})
    assert settings == Settings()
    assert (settings.server.host, settings.server.port, settings.runtime.max_concurrent) == ("127.0.0.1", 8765, 10)
    assert parse_settings("[server]\n\n[runtime]\n", {}) == Settings()


@pytest.mark.behaviour("settings.file")
def test_every_setting_can_be_set_in_the_file() -> None:
    """Spec: `prowess.toml` names modules, folders and settings."""
    settings = parse_settings(EVERYTHING, {})
    assert (settings.name, settings.modules, settings.folders) == ("notes", ("a", "skills.*"), ("more",))
    assert settings.server == ServerSettings(
        host="localhost", port=0, allow_remote=True, allowed_hosts=("skills.example",), max_body=10
    )
    assert (settings.runtime.max_concurrent, settings.runtime.timeout) == (3, 2.0)


@pytest.mark.behaviour("settings.variables")
def test_every_setting_can_be_overridden_by_a_variable() -> None:
    """Spec: `PROWESS_*` variables override."""
    environ = {
        "PROWESS_NAME": "other",
        "PROWESS_MODULES": "x, y ,,z",
        "PROWESS_FOLDERS": "",
        "PROWESS_SERVER_HOST": "::1",
        "PROWESS_SERVER_PORT": "99",
        "PROWESS_SERVER_ALLOW_REMOTE": "false",
        "PROWESS_SERVER_ALLOWED_HOSTS": "a.example,b.example",
        "PROWESS_SERVER_MAX_BODY": "20",
        "PROWESS_RUNTIME_MAX_CONCURRENT": "4",
        "PROWESS_RUNTIME_TIMEOUT": "0.5",
        "PROWESS_RUNTIME_ENGINE": "memory",
    }
    settings = parse_settings(EVERYTHING, environ)
    assert (settings.name, settings.modules, settings.folders) == ("other", ("x", "y", "z"), ())
    assert settings.server == ServerSettings(
        host="::1", port=99, allow_remote=False, allowed_hosts=("a.example", "b.example"), max_body=20
    )
    assert (settings.runtime.max_concurrent, settings.runtime.timeout) == (4, 0.5)


@pytest.mark.behaviour("settings.problems")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('nam = "x"', r"prowess.toml:1: there is no setting 'nam': did you mean 'name'\?"),
        ("\n\nport = 1", r"prowess.toml:3: there is no setting 'port': did you mean 'server.port'\?"),
        ("[servr]\nport = 1", r"prowess.toml:1: there is no setting 'servr': did you mean 'server'\?"),
        ("[server]\nprot = 1", r"prowess.toml:2: there is no setting 'server.prot': did you mean 'server.port'\?"),
        ("[server]\nport = 70000", r"prowess.toml:2: 'server.port' is 70000: expected a whole number <= 65535"),
        ('[server]\nport = "x"', r"prowess.toml:2: 'server.port' is 'x': expected a whole number, got text"),
        ("server.port = -1", r"prowess.toml:1: 'server.port' is -1: expected a whole number >= 0"),
        ("server = 1", r"prowess.toml:1: 'server' is a table: write \[server\]"),
        ("[[server]]\nport = 1", r"'server' is a table"),
        ('modules = "a"', r"prowess.toml:1: 'modules' is 'a': expected a list, got text"),
        ("modules = [1]", r"prowess.toml:1: 'modules' is \[1\]: expected text, got a whole number"),
        ("[runtime]\ntimeout = 0", r"prowess.toml:2: 'runtime.timeout' is 0: expected a number > 0"),
        ("[runtime]\nmax_concurrent = 0", r"'runtime.max_concurrent' is 0: expected a whole number >= 1"),
        ("[runtime]\nmax_concurrent = 1.5", r"'runtime.max_concurrent' is 1.5: expected a whole number, got a number"),
        ("[server]\nallow_remote = 1", r"'server.allow_remote' is 1: expected true or false, got a whole number"),
        ("name = 2026-01-01", r"'name' is .*: expected text"),
        ('"" = 1', r"there is no setting ''"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(text: str, expected: str) -> None:
    """Spec: unknown key with near name, wrong type, file, line."""
    (problem,) = problems(text)
    assert re.search(expected, problem), problem


@pytest.mark.behaviour("settings.every-problem")
def test_every_problem_is_told_at_once() -> None:
    """Spec: configuration errors are all collected before raising."""
    text = 'nam = 1\nmodules = 1\n[server]\nport = "x"\n'
    found = problems(text, PROWESS_SERVER_PORT="y", PROWESS_RUNTIME_TIMEOUT="-1", PROWESS_SERVER_PROT="1")
    assert len(found) == 6
    assert found[3:] == (
        "PROWESS_RUNTIME_TIMEOUT: 'runtime.timeout' is '-1': expected a number > 0.0",
        "PROWESS_SERVER_PORT: 'server.port' is 'y': expected a whole number, got text",
        "there is no setting PROWESS_SERVER_PROT: did you mean PROWESS_SERVER_PORT?",
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a = ", "prowess.toml:1: "),
        ("[a]\n[a]", "prowess.toml:2: "),
        ('x = "\n', "prowess.toml:1: "),
        ("x = 1\nx = 2", "prowess.toml"),
    ],
)
def test_text_that_is_no_toml_is_told_with_its_line(text: str, place: str) -> None:
    """Spec: line where tomllib gives one."""
    with pytest.raises(ConfigurationError, match=re.escape(place)) as caught:
        parse_settings(text, {})
    assert "not TOML" in str(caught.value)


def test_a_variable_without_its_section_is_told() -> None:
    """Choice: `PROWESS_PORT` is what one writes first, and was passed over in silence."""
    (problem,) = problems(PROWESS_PORT="9000")
    assert problem == "there is no setting PROWESS_PORT: did you mean PROWESS_SERVER_PORT?"


def test_a_variable_that_is_nobodys_mistake_is_let_be() -> None:
    """Choice: the prefix is also used by what is read elsewhere, and by others."""
    environ = {"PROWESS_API_KEY": "x", "PROWESS_DEBUG": "1", "PROWESS_ZZZZ_QQQQ": "1"}
    assert parse_settings("", environ) == Settings()


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """Choice: no traceback for a user's mistake."""
    (tmp_path / "prowess.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(ConfigurationError, match="not UTF-8 text: byte 8 is 0xff"):
        load_settings(tmp_path, {})
    (tmp_path / "prowess.toml").unlink()
    (tmp_path / "prowess.toml").mkdir()
    with pytest.raises(ConfigurationError, match=r"prowess\.toml"):
        load_settings(tmp_path, {})


@pytest.mark.behaviour("project.found-above")
def test_the_nearest_project_above_is_found(tmp_path: Path) -> None:
    """Spec: a project is found from anywhere inside it."""
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    assert project_above(str(inside)) is None
    (tmp_path / "prowess.toml").touch()
    assert project_above(str(inside)) == str(tmp_path)
    (tmp_path / "a" / "prowess.toml").touch()
    assert project_above(str(inside)) == str(tmp_path / "a")
