"""One project seen through the library, the command line and HTTP: three faces that must show the same."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from prowess import Caller, Runtime, open_project
from prowess.app.listing import entry_json
from tests.behaviour.processes import KEY, prowess

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from prowess.app.project import Project


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call came to, as far as every face tells it."""

    output: Any = None
    code: str | None = None
    paths: tuple[str, ...] = ()
    text: str = ""
    """All that was said about a failure."""


class Face(Protocol):
    """A way in."""

    def run(self, reference: str, inputs: dict[str, Any], timeout: float | None = None) -> Outcome:
        """Run an entry."""
        ...

    def entries(self, **filters: str) -> list[dict[str, Any]]:
        """The entries that fit."""
        ...

    def tools(self, provider: str) -> list[dict[str, Any]]:
        """The tool definitions."""
        ...


class Library:
    """`open_project`, `Registry`, `Runtime`."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def run(self, reference: str, inputs: dict[str, Any], timeout: float | None = None) -> Outcome:
        """Run an entry in a runtime of its own."""
        return asyncio.run(self._run(reference, inputs, timeout))

    async def _run(self, reference: str, inputs: dict[str, Any], timeout: float | None) -> Outcome:
        async with Runtime(self._project.registry) as runtime:
            result = await runtime.run(reference, inputs, caller=Caller("me"), timeout=timeout)
        return _outcome(result.to_json())

    def entries(self, **filters: str) -> list[dict[str, Any]]:
        """What `list` gives, as the other faces write it."""
        chosen = {(one.name, one.version) for one in self._project.registry.list(**filters)}
        entries = [entry for entry in self._project.registry if (entry.name, entry.version) in chosen]
        return [json.loads(json.dumps(entry_json(entry))) for entry in entries]

    def tools(self, provider: str) -> list[dict[str, Any]]:
        """What `tools` gives."""
        return self._project.registry.tools(provider)


class CommandLine:
    """`prowess list`, `run` and `tools`, each a process."""

    def __init__(self, project: Path, home: Path) -> None:
        self._project = project
        self._home = home

    def run(self, reference: str, inputs: dict[str, Any], timeout: float | None = None) -> Outcome:
        """Run an entry with its inputs as a document."""
        limit = [] if timeout is None else ["--timeout", str(timeout)]
        ended = self._prowess("run", reference, "--json", "--input", "-", *limit, stdin=json.dumps(inputs))
        if not ended.out:
            return Outcome(code=_code_in(ended.err), text=ended.err)
        return _outcome(json.loads(ended.out))

    def entries(self, **filters: str) -> list[dict[str, Any]]:
        """What `list --json` prints."""
        options = [word for name, value in filters.items() for word in (f"--{name}", value)]
        found: list[dict[str, Any]] = json.loads(self._prowess("list", "--json", *options).out)["skills"]
        return found

    def tools(self, provider: str) -> list[dict[str, Any]]:
        """What `tools --json` prints."""
        found: list[dict[str, Any]] = json.loads(self._prowess("tools", "--json", "--format", provider).out)
        return found

    def _prowess(self, *words: str, stdin: str = "") -> Any:
        return prowess(*words, cwd=self._project, home=self._home, stdin=stdin.encode())


class Http:
    """The JSON API of a running server."""

    def __init__(self, url: str) -> None:
        self._url = url

    def run(self, reference: str, inputs: dict[str, Any], timeout: float | None = None) -> Outcome:
        """Post a call."""
        body = {"inputs": inputs, **({} if timeout is None else {"timeout": timeout})}
        name = urllib.parse.quote(reference)
        _, answer = request(f"{self._url}/v1/skills/{name}/run", json.dumps(body).encode())
        return _outcome(answer)

    def entries(self, **filters: str) -> list[dict[str, Any]]:
        """What `GET /v1/skills` gives."""
        _, answer = request(f"{self._url}/v1/skills?{urllib.parse.urlencode(filters)}")
        found: list[dict[str, Any]] = answer["skills"]
        return found

    def tools(self, provider: str) -> list[dict[str, Any]]:
        """What `GET /v1/tools` gives."""
        _, answer = request(f"{self._url}/v1/tools?format={provider}")
        found: list[dict[str, Any]] = answer
        return found


def request(
    url: str,
    body: bytes | None = None,
    *,
    method: str | None = None,
    key: str = KEY,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, Any]:
    """Send one request with the key and give the status and the JSON of the answer."""
    sent = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"} if key else {}
    asked = urllib.request.Request(url, body, {**sent, **(headers or {})}, method=method)  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310 - as above
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.load(refusal)


def opened(path: Path) -> Library:
    """The library's face of a project."""
    return Library(open_project(path))


# ---------------------------------------------------------------------------------------------------------------------


def _outcome(result: dict[str, Any]) -> Outcome:
    error = result.get("error")
    if error is None:
        return Outcome(output=result["output"])
    problems = error["details"].get("problems", [])
    return Outcome(code=error["code"], paths=tuple(one["path"] for one in problems), text=json.dumps(result))


def _code_in(complaint: str) -> str | None:
    """The code of a complaint that came before any result: it starts with the error's label."""
    label = complaint.removeprefix("prowess: ").partition(":")[0]
    return label.replace(" ", "_")
