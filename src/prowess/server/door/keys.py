"""The server's API key: one file for each port, readable by its owner only, made when first needed."""

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from prowess.errors import ConfigurationError

__all__ = ["VARIABLE", "ApiKey", "key_file", "obtain_key", "problems_of_keys", "refuse_loose"]

VARIABLE = "PROWESS_API_KEY"
_PREFIX = "pk_"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_SHORTEST, _LONGEST = 8, 512
_REMEDY = "remove the file, and a new key is made"


class ApiKey:
    """A key that requests must show. The secret itself is not kept: only its digest is compared."""

    __slots__ = ("_digest", "actor", "made", "place")

    def __init__(self, secret: str, place: str, *, made: bool = False) -> None:
        self._digest = hashlib.sha256(secret.encode()).digest()
        self.place = place
        """Where its owner finds it: a path, or the name of a variable."""
        self.made = made
        """Whether it was made just now."""
        self.actor = f"key:{self._digest.hex()[:8]}"
        """Who a caller with this key is, told without telling the key."""

    def fits(self, given: bytes) -> bool:
        """Whether a request's key is this one; how long the answer takes tells nothing about it."""
        return hmac.compare_digest(hashlib.sha256(given).digest(), self._digest)


def key_file(port: int) -> Path:
    """Where the key of the server on this port is kept. Raises `ConfigurationError` for a user without a home."""
    try:
        return Path.home() / ".prowess" / "apikeys" / f"{port}.key"
    except RuntimeError:
        message = f"there is no home folder to keep the API key in: set HOME, or {VARIABLE} to a key of your own"
        raise ConfigurationError(message) from None


def obtain_key(port: int, environ: Mapping[str, str]) -> ApiKey:
    """The key for this port: what `PROWESS_API_KEY` holds, else the file's, which is made where there is none.

    Raises `ConfigurationError` where others than the owner may reach the file, or it cannot be kept.
    """
    secret = environ.get(VARIABLE, "").strip()
    if secret:
        return ApiKey(_checked(secret, VARIABLE), VARIABLE)
    file = key_file(port)
    try:
        _make_folder(file.parent)
        missing = not os.path.lexists(file)
        if missing:
            _make(file)
        return ApiKey(_secret_in(file), str(file), made=missing)
    except OSError as error:
        message = f"the API key cannot be kept in {file}: {error.strerror}. Set {VARIABLE} to a key of your own instead"
        raise ConfigurationError(message, details={"file": str(file)}) from None


def problems_of_keys(environ: Mapping[str, str] = os.environ) -> list[str]:
    """What is wrong with the keys that are there, for `prowess doctor`; one sentence each."""
    secret = environ.get(VARIABLE, "").strip()
    checks: list[Callable[[], object]] = [partial(_checked, secret, VARIABLE)] if secret else []
    with suppress(ConfigurationError):  # without a home there are no files
        folder = key_file(0).parent
        checks += [partial(_check_folder, path) for path in (folder.parent, folder) if path.is_dir()]
        checks += [partial(_secret_in, path) for path in sorted(folder.glob("*.key"))]
    problems: list[str] = []
    for check in checks:
        try:
            check()
        except ConfigurationError as error:
            problems.append(error.message)
        except OSError as error:
            problems.append(f"{error.filename}: {error.strerror}")
    return problems


def refuse_loose(facts: os.stat_result, path: Path, others: int = _OTHERS) -> None:
    """Raise `ConfigurationError` where others can read a key, or put their own in its place.

    `others` are the rights that nobody else may have.
    """
    owner = os.geteuid() if hasattr(os, "geteuid") else facts.st_uid
    is_folder = stat.S_ISDIR(facts.st_mode)
    if facts.st_uid != owner:
        message = f"{path} belongs to another user (number {facts.st_uid}): it must be yours"
    elif not is_folder and not stat.S_ISREG(facts.st_mode):
        message = f"{path} is not a regular file: remove it, and a new key is made"
    elif os.name == "posix" and facts.st_mode & others:
        mode = f"{stat.S_IMODE(facts.st_mode):03o}"
        fix = f"chmod {'700' if is_folder else '600'} '{path}'"
        otherwise = "" if is_folder else ", or remove it for a new key if somebody may have read it"
        message = f"{path} can be reached by other users (mode {mode}): say  {fix}{otherwise}"
    else:
        return
    raise ConfigurationError(message, details={"file": str(path)})


# ---------------------------------------------------------------------------------------------------------------------


def _make_folder(folder: Path) -> None:
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    for path in (folder.parent, folder):
        _check_folder(path)


def _check_folder(path: Path) -> None:
    """Nobody else may look into the folder of the keys, nor put another in the place of that."""
    refuse_loose(path.stat(), path, _OTHERS if path == key_file(0).parent else _OTHERS_WRITE)


def _make(file: Path) -> None:
    """Write a new key and give it its name in one step: whoever comes first wins, and all read the same key."""
    mine = file.with_name(f".{file.name}.{secrets.token_hex(6)}")
    descriptor = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(f"{_PREFIX}{secrets.token_urlsafe(32)}\n")
        os.link(mine, file)
    except FileExistsError:
        pass
    finally:
        mine.unlink()


def _secret_in(file: Path) -> str:
    """What a key file holds, checked."""
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        refuse_loose(os.fstat(descriptor), file)
        secret = _checked(os.read(descriptor, 2 * _LONGEST).decode(errors="replace").strip(), str(file))
    finally:
        os.close(descriptor)
    return secret


def _checked(secret: str, place: str) -> str:
    """The key where it can stand in a header, and is more than the few characters that are soon guessed."""
    remedy = "" if place == VARIABLE else f": {_REMEDY}"
    if not secret:
        raise ConfigurationError(f"the API key in {place} is empty{remedy}")
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        message = f"the API key in {place} cannot stand in a header: use one line of printable ASCII without spaces"
        raise ConfigurationError(message)
    if len(secret) < _SHORTEST:
        raise ConfigurationError(f"the API key in {place} has fewer than {_SHORTEST} characters{remedy}")
    if len(secret) > _LONGEST:
        raise ConfigurationError(f"the API key in {place} has more than {_LONGEST} characters{remedy}")
    return secret
