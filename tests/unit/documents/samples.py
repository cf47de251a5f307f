"""The three documents of the specification, unchanged, and one that declares the rest; what tests make of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from prowess.documents.loading import read_documents
from prowess.documents.values import Document, DocumentKind
from prowess.errors import DocumentProblem, InvalidDocumentError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prowess.documents.values import Loaded

SEARCH = b"""\
{"registry_version": "1.0.0", "skills": [{"name": "search_notes", "version": "1.0.0", "status": "enabled",
 "description": "Search notes in the Obsidian vault.", "kind": "logic",
 "inputs_schema": {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}},
 "outputs_schema": {"type": "object", "required": ["results"], \
"properties": {"results": {"type": "array", "items": {"type": "string"}}}},
 "capabilities": ["obsidian.read", "vault.search"], "side_effects": [], "autonomy": "L1",
 "policy_tags": ["requires_review"], "owners": ["core"], "rate_limit": {"max_per_minute": 10},
 "entrypoint": {"runtime": "python", "module": "skills.search_notes", "handler": "run"},
 "call_targets": [{"kind": "op", "name": "obsidian_search", "version": "1.0.0"}],
 "redaction": {"inputs": ["query"], "outputs": []},
 "failure_modes": [{"code": "search_failed", "description": "Search backend error.", "retryable": true}]}]}
"""
SUMMARIZE = b"""\
{"registry_version": "2.0.0", "skills": [{"name": "summarize_note", "version": "1.0.0", "status": "enabled",
 "description": "Read a note and summarize it.", "kind": "pipeline",
 "inputs_schema": {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}},
 "outputs_schema": {"type": "object", "required": ["summary"], "properties": {"summary": {"type": "string"}}},
 "capabilities": [], "autonomy": "L1",
 "steps": [
  {"id": "read", "target": {"kind": "skill", "name": "read_note", "version": "1.0.0"},
   "inputs": {"path": "$inputs.path"}, "outputs": {"content": "$step.read.content"}},
  {"id": "summarize", "target": {"kind": "skill", "name": "summarize_text", "version": "1.0.0"},
   "inputs": {"text": "$step.read.content"}, "outputs": {"summary": "$outputs.summary"}}],
 "failure_modes": [{"code": "pipeline_failed", "description": "Pipeline execution failed.", "retryable": false}]}]}
"""
OPS = b"""\
{"registry_version": "1.0.0", "ops": [{"name": "obsidian_search", "version": "1.0.0", "status": "enabled",
 "description": "Search the Obsidian vault.",
 "inputs_schema": {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}},
 "outputs_schema": {"type": "object", "required": ["results"], \
"properties": {"results": {"type": "array", "items": {"type": "string"}}}},
 "capabilities": ["obsidian.read", "vault.search"], "side_effects": [], "autonomy": "L1", "runtime": "native",
 "module": "skills.ops.obsidian", "handler": "search",
 "failure_modes": [{"code": "op_failed", "description": "Op execution failed.", "retryable": false}]}]}
"""

RIGHTS = b'["obsidian.read", "vault.search", "text.summarize"]'


def schema(*fields: str, **parts: Any) -> dict[str, Any]:
    """Give the schema of an object in which these texts, and these parts, are required."""
    properties = {**{field: {"type": "string"} for field in fields}, **parts}
    return {"type": "object", "required": list(properties), "properties": properties}


def entry(name: str, /, **more: Any) -> dict[str, Any]:
    """Give what every entry says."""
    said = {
        "name": name,
        "version": "1.0.0",
        "status": "enabled",
        "description": f"Use when {name} is wanted.",
        "inputs_schema": schema("query"),
        "outputs_schema": schema("result"),
        "capabilities": ["notes.read"],
        "autonomy": "L3",
        "failure_modes": [{"code": "failed", "description": "It failed."}],
    }
    return {key: value for key, value in {**said, **more}.items() if value is not ...}


def logic(name: str, /, **more: Any) -> dict[str, Any]:
    """Give a logic skill."""
    point = {"runtime": "python", "module": "skills.code", "handler": name}
    return entry(name, **{"kind": "logic", "entrypoint": point, "call_targets": [], **more})


def op(name: str, /, **more: Any) -> dict[str, Any]:
    """Give an op."""
    return entry(name, **{"runtime": "native", "module": "skills.code", "handler": name, **more})


def step(identity: str, target: str, inputs: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Give a step that calls an op, by default with the pipeline's own query."""
    given = {"query": "$inputs.query"} if inputs is None else inputs
    return {"id": identity, "target": {"kind": "op", "name": target}, "inputs": given, **more}


def pipeline(name: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Give a pipeline whose last step gives the result."""
    last = [{**one, "outputs": {"result": "$outputs.result"}} for one in steps[-1:] if "outputs" not in one]
    said = {"kind": "pipeline", "capabilities": [], "steps": [*steps[: len(steps) - len(last)], *last]}
    return entry(name, **{**said, **more})


def _registry(kind: DocumentKind, field: str, entries: Iterable[dict[str, Any]], file: str, version: str) -> Document:
    lines = ",\n".join(json.dumps(one) for one in entries)
    text = f'{{"registry_version": "{version}", "{field}": [\n{lines}]}}'
    return Document(kind=kind, file=file, data=text.encode())


def skills(*entries: dict[str, Any], file: str = "skills.json", version: str = "1.0.0") -> Document:
    """Give a skill registry, a line for each entry."""
    return _registry(DocumentKind.SKILLS, "skills", entries, file, version)


def ops(*entries: dict[str, Any], file: str = "ops.json", version: str = "1.0.0") -> Document:
    """Give an op registry, a line for each entry."""
    return _registry(DocumentKind.OPS, "ops", entries, file, version)


def rights(value: object, file: str = "rights.json") -> Document:
    """Give a capability document."""
    return Document(kind=DocumentKind.CAPABILITIES, file=file, data=json.dumps(value).encode())


def overlay(text: str, *, file: str = "overlay.yaml", mine: bool = True) -> Document:
    """Give an overlay."""
    return Document(kind=DocumentKind.OVERLAY, file=file, data=text.encode(), may_raise=mine)


REST = skills(
    logic(
        "read_note",
        inputs_schema=schema("path"),
        outputs_schema=schema("content"),
        capabilities=["obsidian.read"],
    ),
    logic(
        "summarize_text",
        inputs_schema=schema("text"),
        outputs_schema=schema("summary"),
        capabilities=["text.summarize"],
    ),
    file="rest.json",
)


def examples(
    *more: Document, search: bytes = SEARCH, summarize: bytes = SUMMARIZE, given: bytes = OPS
) -> list[Document]:
    """Give the specification's documents with what they need."""
    return [
        Document(kind=DocumentKind.SKILLS, file="search.json", data=search),
        Document(kind=DocumentKind.SKILLS, file="summarize.json", data=summarize),
        Document(kind=DocumentKind.OPS, file="ops.json", data=given),
        Document(kind=DocumentKind.CAPABILITIES, file="capabilities.json", data=RIGHTS),
        REST,
        *more,
    ]


def loaded(*documents: Document) -> Loaded:
    """Read documents that are right."""
    return read_documents(documents)


def problems(documents: Iterable[Document], **more: Any) -> list[DocumentProblem]:
    """Read documents that are wrong, and give what is."""
    with pytest.raises(InvalidDocumentError) as refused:
        read_documents(documents, **more)
    found = [one for one in refused.value.problems if isinstance(one, DocumentProblem)]
    assert len(found) == len(refused.value.problems)
    assert found
    return found


def told(*documents: Document, **more: Any) -> list[str]:
    """Give the problems of documents that are wrong, as an operator reads them."""
    return [str(problem) for problem in problems(documents, **more)]
