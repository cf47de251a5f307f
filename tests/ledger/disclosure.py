"""How a model learns of packages: what it is told, what it may open and read."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

DISCLOSURE = (
    Behaviour("disclosure.list", "`list_skills` gives name, description and version of each package, sorted.", SPEC),
    Behaviour("disclosure.list-visible", "Only packages that the caller may see and may be offered are told of.", SPEC),
    Behaviour(
        "disclosure.budget",
        "A list keeps within its budget of tokens, says what it left out, and leads on to every package.",
        SPEC,
    ),
    Behaviour("disclosure.search", "`search_skills` gives visible entries of every kind, ranked, and why.", SPEC),
    Behaviour(
        "disclosure.activate",
        "`activate_skill` gives instructions, wrapped with name and digest, and resource keys, never their bytes.",
        SPEC,
    ),
    Behaviour("disclosure.again", "A second activation opens nothing, is short, and can give the text again.", SPEC),
    Behaviour(
        "disclosure.sessions",
        "Over HTTP each session that a client names has activations of its own.",
        "regression: whoever held the key shared what any of them had activated",
    ),
    Behaviour("disclosure.changed", "An activation after a reload says where the text changed.", SPEC),
    Behaviour("disclosure.once", "A package is opened once for a caller that asks several times at once.", SPEC),
    Behaviour(
        "disclosure.no-package",
        "Activating what is no package is an InvalidInputError that says to call it as a tool.",
        SPEC,
    ),
    Behaviour("disclosure.unknown", "An unknown skill or key is a NotFoundError that names near ones.", SPEC),
    Behaviour("disclosure.read-inactive", "Reading before activation is refused, and says to activate first.", SPEC),
    Behaviour("disclosure.read", "A resource is text, in parts of whole characters, or type, size and hash.", SPEC),
    Behaviour("disclosure.kinds", "Resources are text, bytes, files, or anything with an async `read`.", SPEC),
    Behaviour("disclosure.files", "A file is read when it is asked for, and without following a link.", SPEC),
    Behaviour("disclosure.load-fails", "A package that fails to open is named; a model gets the safe text.", SPEC),
    Behaviour("disclosure.folder", "A SKILL.md folder is disclosed as a package made in code is.", SPEC),
    Behaviour(
        "disclosure.standing",
        "The four tools are found by name, and are in no list, count, fingerprint or agent card.",
        "choice: they are a face of the registry, not its content",
    ),
    Behaviour(
        "disclosure.offered",
        "The four tools are offered as tools where at least one package can be seen.",
        "choice: a model that has nothing to activate is not offered to activate",
    ),
    Behaviour(
        "disclosure.replaced",
        "A user's own entry of such a name takes the tool's place, with a diagnostic.",
        "choice: what a project registers is what its name means",
    ),
    Behaviour(
        "disclosure.whole",
        "A whole number may be written with a point in the inputs of the tools.",
        "regression: 5.0 is an integer to JSON Schema, and ended in an exception",
    ),
    Behaviour("disclosure.faces", "Everywhere packages are listed and activated alike.", SPEC),
)

EXPLAIN = (
    Behaviour(
        "explain.every-entry",
        "`prowess explain` tells of every entry its rank, what a model reads of it, and why not more.",
        SPEC,
    ),
    Behaviour("explain.json", "With `--json` it prints the same as JSON.", SPEC),
)

FILES = (
    Behaviour("files.beneath", "No key of a package's file leads out of its folder.", SPEC),
    Behaviour("files.races", "Nor does one while another process swaps folders, files and links.", SPEC),
    Behaviour("files.regular", "Only regular files of one link are read: no link, pipe, socket or device.", SPEC),
)
