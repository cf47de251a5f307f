"""Reading a resource of an opened package, of whatever kind it is."""

import os
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

from prowess.authoring.opening import CommandOutput, Readable
from prowess.catalog.files import OpenFile, PackageFile
from prowess.errors import ExecutionFailedError, ForbiddenError, UnavailableError
from prowess.execution.eventloop import asyncio, running_loop
from prowess.execution.failures import is_authored
from prowess.exposure.disclosure.resources import (
    answer_of_bytes,
    answer_of_text,
    binary_facts,
    part_if_text,
    text_facts,
)
from prowess.model.json_value import Json
from prowess.sandbox.files import FolderFiles

__all__ = ["Wanted", "read_resource"]

_CHUNK = 1_048_576
_MOST_HASHED = 67_108_864

_Made = TypeVar("_Made")


class Wanted(Struct, frozen=True, gc=False):
    """Which resource is asked for, and which part of it."""

    skill: str
    key: str
    start: int
    limit: int


async def read_resource(resource: object, wanted: Wanted) -> dict[str, Json]:
    """The answer of `read_skill_resource`. Raises a `ProwessError` where the resource cannot be read."""
    if isinstance(resource, os.PathLike):
        return await _off_loop(partial(_of_path, os.fsdecode(resource), wanted))
    if isinstance(resource, PackageFile):
        return await _off_loop(partial(_of_file, resource, wanted))
    if isinstance(resource, CommandOutput):
        message = (
            f"'{wanted.key}' of '{wanted.skill}' is what a command prints: it needs a sandbox, and there is none yet"
        )
        raise UnavailableError(message, details={"name": wanted.skill})
    if isinstance(resource, Readable):
        resource = await _read(resource, wanted)
    if isinstance(resource, str):
        return answer_of_text(resource, wanted.start, wanted.limit)
    if isinstance(resource, bytes | bytearray):
        return answer_of_bytes(wanted.key, bytes(resource), wanted.start, wanted.limit)
    raise _unreadable(wanted, f"{type(resource).__name__} is neither text nor bytes, and has no read()")


# ---------------------------------------------------------------------------------------------------------------------


async def _off_loop(work: Callable[[], _Made]) -> _Made:
    """What may wait for a disk, in a thread where an event loop would wait with it."""
    return work() if running_loop() is None else await asyncio.to_thread(work)


def _of_path(path: str, wanted: Wanted) -> dict[str, Json]:
    folder, name = os.path.split(os.path.abspath(path))
    return _of_file(PackageFile(FolderFiles(folder), name), wanted)


def _of_file(resource: PackageFile, wanted: Wanted) -> dict[str, Json]:
    with resource.files.open(resource.key) as file:
        size = file.facts.size
        start = min(wanted.start, size)
        part = part_if_text(resource.key, file.read(start, wanted.limit), start, size)
        return binary_facts(resource.key, size, _hash(file, wanted)) if part is None else text_facts(part, size)


def _hash(file: OpenFile, wanted: Wanted) -> str:
    size = file.facts.size
    if size > _MOST_HASHED:
        message = f"'{wanted.key}' of '{wanted.skill}' has {size} bytes: no more than {_MOST_HASHED} are looked at"
        raise ForbiddenError(message, details={"name": wanted.skill})
    digest = sha256()
    for start in range(0, size, _CHUNK):
        digest.update(file.read(start, _CHUNK))
    return digest.hexdigest()


async def _read(resource: Readable, wanted: Wanted) -> object:
    try:
        outcome: object = resource.read()
        return await outcome if isinstance(outcome, Awaitable) else outcome
    except Exception as error:
        if is_authored(error):
            raise
        raise _unreadable(wanted, f"{type(error).__name__}: {error}") from error


def _unreadable(wanted: Wanted, reason: str) -> ExecutionFailedError:
    """The error for a resource of an author's own: what went wrong is for the operator."""
    about = f"resource '{wanted.key}' of '{wanted.skill}' cannot be read"
    details = {"name": wanted.skill, "reason": reason}
    return ExecutionFailedError(f"{about}: {reason}", details=details, model_text=f"execution failed: {about}")
