"""What registry documents may say, and what loading them promises."""

from __future__ import annotations

from tests.ledger.behaviour import Behaviour

_SPEC = "spec: governance, registry documents"

DOCUMENTS = (
    Behaviour("documents.examples", "The three documents of the specification load unchanged.", _SPEC),
    Behaviour("documents.json", "Text that is no JSON is refused with its line and what is wrong there.", _SPEC),
    Behaviour(
        "documents.duplicate", "A key that stands twice in an object is refused.", "choice: readers differ on it"
    ),
    Behaviour("documents.yaml", "Overlays are plain YAML: no alias, anchor, tag, or key twice.", _SPEC),
    Behaviour("documents.bounded", "What is oversized, deep or costly is refused in bounded time.", _SPEC),
    Behaviour("documents.versions", "Documents of versions 1.x and 2.x load alike; others are refused.", _SPEC),
    Behaviour("documents.fields", "Every field that is wrong is told with file, line, path, value and rule.", _SPEC),
    Behaviour("documents.kinds", "Each kind of entry has its own fields, and both sides of a mix are named.", _SPEC),
    Behaviour("documents.names", "No two entries have one name@version, and no op has the name of a skill.", _SPEC),
    Behaviour("documents.entry-points", "Functions, endpoints, programs and MCP tools are read as values.", _SPEC),
    Behaviour(
        "documents.targets", "Targets that are unknown, unclear, disabled or of another kind are refused.", _SPEC
    ),
    Behaviour("documents.circles", "Entries that lead back to themselves are refused with the way around.", _SPEC),
    Behaviour(
        "documents.rights", "A pipeline's capabilities are those of all its steps; a skill's cover its targets'.", _SPEC
    ),
    Behaviour("documents.capabilities", "Where a project declares capabilities, every id used is one of them.", _SPEC),
    Behaviour("documents.pipeline", "A pipeline of a document is the value that the builder makes.", _SPEC),
    Behaviour("documents.bindings", "Every binding of a pipeline leads to a field whose schema fits.", _SPEC),
    Behaviour("documents.written", "Pipelines of the builder are written out, and read back unchanged.", _SPEC),
    Behaviour("documents.warnings", "What is only odd loads with a warning.", _SPEC),
    Behaviour(
        "documents.overlays", "Overlays change status, autonomy, rate limit, channels and actors, in order.", _SPEC
    ),
    Behaviour("documents.switched-off", "What an overlay disables makes only its dependents unavailable.", _SPEC),
    Behaviour("documents.code", "Documents may call and overlay what code has registered, and not replace it.", _SPEC),
    Behaviour("documents.load", "`registry.load` adds every entry of a folder; it needs a skill registry.", _SPEC),
    Behaviour("documents.handlers", "Handlers are imported at the first call; what cannot run says so.", _SPEC),
    Behaviour("documents.atomic", "A load changes everything or nothing; the last good state stays.", _SPEC),
    Behaviour("documents.project", "A project with a config folder opens with its documents, or not at all.", _SPEC),
    Behaviour("documents.required", "`[governance] required = true` forbids a project without documents.", _SPEC),
    Behaviour(
        "documents.watched", "A server loads documents again as they change, and keeps the last good ones.", _SPEC
    ),
    Behaviour("documents.faces", "Documents are the same through library, command line and HTTP.", _SPEC),
    Behaviour("documents.index", "`list` stays right without loading, whichever document changes or comes.", _SPEC),
    Behaviour("policy.diff", "`policy diff` tells what breaks callers, and whether versions rose enough.", _SPEC),
    Behaviour("schema.print", "`schema KIND` prints the JSON Schema that ships for that kind of document.", _SPEC),
)
