"""Where the server's key comes from, and what is refused in its place."""

import os
import pwd
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prowess.errors import ConfigurationError
from prowess.server.door.keys import VARIABLE, ApiKey, key_file, obtain_key, problems_of_keys, refuse_loose

PORT = 8765


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user whom this machine does not know, as containers have them."""

    def unknown(number: int) -> None:
        raise KeyError(number)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)


def written(text: str, mode: int = 0o600) -> Path:
    """Put a text where the key of the port is kept."""
    file = key_file(PORT)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def refusal(**environ: str) -> str:
    """Give the reason why there is no key."""
    with pytest.raises(ConfigurationError) as caught:
        obtain_key(PORT, environ)
    return caught.value.message


@pytest.mark.behaviour("serve.key-kept")
def test_a_key_is_made_once_and_read_from_then_on(home: Path) -> None:
    """Spec: made at the first start, and the secret itself is not kept in the process."""
    first, second = obtain_key(PORT, {}), obtain_key(PORT, {})
    secret = key_file(PORT).read_bytes().strip()
    assert (first.made, second.made) == (True, False)
    assert first.fits(secret)
    assert second.fits(secret)
    assert not first.fits(secret[:-1])
    assert first.actor == second.actor
    assert [stat.S_IMODE(path.stat().st_mode) for path in (key_file(PORT).parent, key_file(PORT))] == [0o700, 0o600]


def test_servers_that_start_at_the_same_moment_have_one_key(home: Path) -> None:
    """Choice: whoever comes first makes the key, and nobody reads half of one."""
    with ThreadPoolExecutor(8) as pool:
        for port in range(20):
            start = threading.Barrier(8)

            def ask(_: int, port: int = port, start: threading.Barrier = start) -> ApiKey:
                start.wait(10)
                return obtain_key(port, {})

            actors = {key.actor for key in pool.map(ask, range(8))}
            assert len(actors) == 1
            assert list(key_file(port).parent.glob(".*")) == []


def test_the_variable_goes_before_the_file_and_makes_none(home: Path) -> None:
    """Spec: `PROWESS_API_KEY` replaces the file."""
    key = obtain_key(PORT, {VARIABLE: " pk_of_mine \n"})
    assert (key.place, key.made, key.fits(b"pk_of_mine")) == (VARIABLE, False, True)
    assert not key_file(PORT).exists()


@pytest.mark.parametrize("secret", ["two words", "schlüssel", "bell\x07"])
def test_a_key_that_cannot_stand_in_a_header_is_refused_and_not_told(secret: str, home: Path) -> None:
    """Choice: no request could ever show it, and what is wrong with a secret is told without it."""
    for message in (refusal(**{VARIABLE: secret}), (written(secret), refusal())[1]):
        assert "cannot stand in a header" in message
        assert secret not in message


def test_an_empty_key_file_says_how_to_get_a_new_one(home: Path) -> None:
    """Choice: an error says what would be right."""
    file = written("\n")
    assert refusal() == f"the API key in {file} is empty: remove the file, and a new key is made"


@pytest.mark.behaviour("serve.bad-keys")
@pytest.mark.parametrize(
    ("text", "told"),
    [("\n", "is empty"), ("x", "fewer than 8"), ("pk_one_line\nand_more", "one line"), ("k" * 10_000, "more than 512")],
)
def test_a_key_file_that_holds_no_key_is_refused_and_told_by_the_doctor(text: str, told: str, home: Path) -> None:
    """Regression: one character was a key, 10,000 bytes counted as far as they were read, and `doctor` saw nothing."""
    written(text)
    assert told in refusal()
    assert [told in problem for problem in problems_of_keys()] == [True]


@pytest.mark.behaviour("serve.bad-keys")
@pytest.mark.parametrize(("secret", "told"), [("k", "fewer than 8"), ("k" * 513, "more than 512")])
def test_a_key_in_the_variable_follows_the_same_rule_as_one_in_a_file(secret: str, told: str, home: Path) -> None:
    """Regression: one character from the variable was a key."""
    variables = {VARIABLE: secret}
    assert refusal(**variables).startswith(f"the API key in {VARIABLE} has {told}")
    assert [told in problem for problem in problems_of_keys(variables)] == [True]


@pytest.mark.behaviour("doctor.problems")
def test_a_key_that_is_only_a_link_is_a_problem(home: Path) -> None:
    """Regression: `doctor` looked at the link, and `serve` refused to follow it."""
    file = written("pk_elsewhere")
    file.symlink_to(file.rename(home / "elsewhere"))
    assert [problem.startswith(str(file)) for problem in problems_of_keys()] == [True]


@pytest.mark.behaviour("serve.refusals", "doctor.problems")
def test_a_folder_above_the_keys_that_others_can_write_to_is_refused(home: Path) -> None:
    """Regression: whoever may write to `~/.prowess` can put a folder of keys there."""
    obtain_key(PORT, {})
    (home / ".prowess").chmod(0o755)
    assert problems_of_keys() == []
    (home / ".prowess").chmod(0o777)
    assert f"chmod 700 '{home / '.prowess'}'" in refusal()
    assert len(problems_of_keys()) == 1


@pytest.mark.behaviour("serve.refusals")
def test_a_file_that_others_can_reach_or_that_is_none_is_refused(home: Path) -> None:
    """Spec: a key that others can read, or put there, is no key."""
    file = written("pk_seen", 0o640)
    assert f"chmod 600 '{file}'" in refusal()
    file.unlink()
    os.mkfifo(file, 0o600)
    assert "is not a regular file" in refusal()
    file.unlink()
    file.symlink_to(written("pk_elsewhere").rename(home / "elsewhere"))
    assert "cannot be kept" in refusal()
    file.parent.chmod(0o750)
    assert f"chmod 700 '{file.parent}'" in refusal()


def test_a_file_of_another_user_is_refused(home: Path) -> None:
    """Spec: whoever owns the file can put another key there."""
    other = os.geteuid() + 1
    facts = os.stat_result((stat.S_IFREG | 0o600, 0, 0, 1, other, 0, 7, 0, 0, 0))
    with pytest.raises(ConfigurationError, match=rf"belongs to another user \(number {other}\)"):
        refuse_loose(facts, home / "8765.key")


def test_where_no_key_can_be_kept_the_variable_is_named(home: Path) -> None:
    """Choice: an error says what would be right."""
    (home / ".prowess").write_text("", encoding="ascii")
    assert f"Set {VARIABLE} to a key of your own" in refusal()


@pytest.mark.usefixtures("homeless")
def test_a_user_without_a_home_is_told_to_name_a_key() -> None:
    """Regression: `serve` in a container, as a user of no name, was a mistake of ours."""
    assert VARIABLE in refusal()
    assert obtain_key(PORT, {VARIABLE: "pk_of_mine"}).fits(b"pk_of_mine")
    assert problems_of_keys() == []


@pytest.mark.behaviour("doctor.problems")
def test_every_key_that_others_can_reach_is_a_problem(home: Path) -> None:
    """Spec: `doctor` looks at who can read the keys."""
    assert problems_of_keys() == []
    obtain_key(1, {})
    assert problems_of_keys() == []
    written("pk_seen", 0o604)
    key_file(PORT).parent.chmod(0o755)
    assert [problem.split(" ")[0] for problem in problems_of_keys()] == [str(key_file(0).parent), str(key_file(PORT))]
