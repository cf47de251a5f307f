"""SKILL.md packages: reading them, what is told of them, repairing them."""

from __future__ import annotations

from tests.ledger.behaviour import Behaviour

_SPEC = "spec: SKILL.md packages"

YAML = (
    Behaviour(
        "yaml.as-written", "A scalar keeps the text that its author wrote: `1.10`, `2024-01-05`, `yes`, `0755`.", _SPEC
    ),
    Behaviour("yaml.places", "Every node and every problem has its line and column.", _SPEC),
    Behaviour("yaml.bounded", "Bytes, values, depth and aliases are bounded, whatever a document holds.", _SPEC),
    Behaviour(
        "yaml.strict",
        "A strict document with an alias, an anchor, a tag or a key twice is refused, with all of them.",
        _SPEC,
    ),
    Behaviour("yaml.aliases", "A lenient document may use aliases within a budget, and a tag is kept as text.", _SPEC),
    Behaviour(
        "yaml.anchors",
        "An anchor to which nothing refers is told, and a plain text that begins with it keeps it.",
        "regression: it was lost without a word",
    ),
    Behaviour(
        "yaml.agrees",
        "The structure is the one that PyYAML's own composer sees.",
        "choice: what is YAML is not ours to say",
    ),
)

SKILLMD = (
    Behaviour("skillmd.two-answers", "One reading gives the document that can be used and every problem.", _SPEC),
    Behaviour("skillmd.corpus", "All of the real skills load, and the report agrees with the standard on each.", _SPEC),
    Behaviour("skillmd.never-raises", "No bytes make reading fail or take long.", _SPEC),
    Behaviour(
        "skillmd.real-files", "What real files hold is read: byte order marks, CRLF, tabs, UTF-16, blank lines.", _SPEC
    ),
    Behaviour(
        "skillmd.delimiters", "Only a line that is --- ends the front matter; dashes in values and code do not.", _SPEC
    ),
    Behaviour(
        "skillmd.characters",
        "A character that looks like a space, a colon or nothing is named with its place, and read as that.",
        "regression: such a front matter was not loadable, and the message did not name the character",
    ),
    Behaviour(
        "skillmd.delimiters-meant",
        "Lines that can only be meant as the --- around a name and a description are read so, with a warning.",
        "choice: at least 98.5 of 100 unseen skills load",
    ),
    Behaviour(
        "skillmd.fields-meant",
        "Fields in bold, in a list, with = or beside lines of text are read as fields, with a warning.",
        "choice: at least 98.5 of 100 unseen skills load",
    ),
    Behaviour("skillmd.mended", "A value that is no YAML is read as if it were in quotes, with a warning.", _SPEC),
    Behaviour(
        "skillmd.names",
        "Names in other scripts load, with a warning; how a letter is composed makes no difference.",
        _SPEC,
    ),
    Behaviour("skillmd.lenient", "The file's name wins over the folder's, and a missing one falls back to it.", _SPEC),
    Behaviour("skillmd.not-loadable", "What cannot be loaded says `frontmatter`, `name` or `description`.", _SPEC),
    Behaviour("skillmd.versions", "A version is shown as written, be it a float, a date or a text.", _SPEC),
    Behaviour(
        "skillmd.tools", "Tools have one form, whether they are separated by spaces, by commas or a list.", _SPEC
    ),
    Behaviour("skillmd.fields", "Unknown fields are kept, in order, and those that authors use are understood.", _SPEC),
    Behaviour(
        "skillmd.refused", "An alias bomb, deep nesting and a huge file are refused with a clear problem.", _SPEC
    ),
    Behaviour(
        "skillmd.pages", "Each problem code has a page with a skill that has the problem and one that has not.", _SPEC
    ),
    Behaviour(
        "skillmd.sections", "Sections are found by their heading, whatever its case; code has no headings.", _SPEC
    ),
    Behaviour(
        "skillmd.registry-name", "A written name becomes one that the registry holds, and stays as title and id.", _SPEC
    ),
    Behaviour("skillmd.manifest", "A document becomes a manifest, and the manifest that document again.", _SPEC),
    Behaviour(
        "skillmd.same-bytes",
        "Writing an unchanged document gives the same bytes; a change touches its field only.",
        _SPEC,
    ),
    Behaviour("skillmd.fix", "A repair touches nothing but what is wrong, and doing it twice is doing it once.", _SPEC),
    Behaviour(
        "skillmd.profiles",
        "A profile says what is wrong by its rules, and a client's whether it would load the skill.",
        _SPEC,
    ),
    Behaviour("skillmd.unknown-profile", "An unknown profile is refused with the nearest name.", _SPEC),
)

LINT = (
    Behaviour(
        "lint.lines", "`lint` prints path, line, column, severity, code, message and fix, then the counts.", _SPEC
    ),
    Behaviour("lint.json", "`lint --json` has a row for every SKILL.md, loadable or not.", _SPEC),
    Behaviour(
        "lint.exit", "`lint` ends with 1 where there is an error, and with 0 where there are only warnings.", _SPEC
    ),
    Behaviour("lint.usage", "An unknown profile or option ends `lint` with 2 and the nearest name.", _SPEC),
    Behaviour(
        "lint.missing-path", "A path that does not exist is an error, and the other paths are still looked at.", _SPEC
    ),
    Behaviour(
        "lint.finds",
        "Folders are searched through links without end; versions' and packages' own folders are not.",
        _SPEC,
    ),
    Behaviour(
        "lint.not-a-file", "A pipe, a device or a folder named SKILL.md is a problem and keeps nobody waiting.", _SPEC
    ),
    Behaviour(
        "lint.fix-unwritable",
        "A file that `lint --fix` cannot write is told by its name, stays as it is, and stops no other.",
        "regression: everything after it was left out",
    ),
    Behaviour(
        "lint.fix",
        "`lint --fix` writes what it repaired and says so; the file keeps its mode, and a link stays one.",
        _SPEC,
    ),
)
