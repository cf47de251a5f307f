"""What a project holds, what its settings say, and when its index counts."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

PROJECT = (
    Behaviour(
        "project.found-above",
        "From a folder inside a project, the nearest project above is the one that is used.",
        "choice: as git does",
    ),
    Behaviour(
        "project.foreign",
        "A project above the given folder is refused where another user owns its settings; named itself, it is taken.",
        "choice: opening a project runs its code, and anybody can write to /tmp",
    ),
    Behaviour(
        "project.bare",
        "A Python file or a folder of them opens without settings; a folder without any, another file, and a path"
        " that is not there are refused.",
        "choice: one file is enough to begin",
    ),
    Behaviour(
        "project.modules",
        "What the modules and folders in `prowess.toml` define is registered; tests and private files are left out.",
        SPEC,
    ),
    Behaviour(
        "project.only-ours",
        "Of a folder only the files that import prowess are run, and one that begins to is found.",
        "regression: opening a folder ran every Python file in it",
    ),
    Behaviour(
        "project.elsewhere",
        "What comes from a folder outside the project is listed with its path as its source.",
        "regression: it had the name that we give a module whose file has none",
    ),
    Behaviour(
        "project.told",
        "A module's name that is none, a file that is not UTF-8, a wrong decorator and a `prowess.toml` that is no file"
        " are told as that.",
        "regression: each was told as something else",
    ),
    Behaviour(
        "project.missing-extra",
        "A module that is missing and that an extra brings is told with the command that installs it.",
        "regression: whoever lacked Pydantic was not told that we can bring it",
    ),
    Behaviour(
        "project.submodules",
        "`skills.*` takes a package with all its modules, at any depth.",
        "choice: a new file needs no new setting",
    ),
    Behaviour(
        "project.kinds",
        "Decorated functions, skill objects, `BaseSkill` classes and pipelines of a module are registered, and what"
        " its `register(registry)` adds.",
        "choice: whatever `registry.register` takes needs no second mention",
    ),
    Behaviour(
        "project.defined-there",
        "An entry that a module only imports is not registered.",
        "choice: importing a skill to call it must not publish it",
    ),
    Behaviour("project.services", "Services given to `open_project` are what its factories and classes receive.", SPEC),
    Behaviour(
        "project.reopened",
        "Opening a project again, or naming a module twice, registers nothing twice; each time the registry is new.",
        "choice: modules are imported once in a process, and each registry is its own",
    ),
    Behaviour(
        "project.broken-modules",
        "A module that fails is a diagnostic with its file and, where there is one, its line; the others are there.",
        SPEC,
    ),
    Behaviour(
        "project.missing",
        "A module or folder in the settings that is not there is a diagnostic; `skills.py` is answered with `skills`.",
        "choice: a name in the settings that finds nothing is a mistake",
    ),
    Behaviour(
        "project.doubles", "A name that two modules define is registered once, and a diagnostic names both files.", SPEC
    ),
    Behaviour(
        "project.same-module-name",
        "A module whose name another project's module has taken in this process is a diagnostic.",
        "choice: a wrong module under a right name would be found out much later",
    ),
)

SETTINGS = (
    Behaviour(
        "settings.variables-checked",
        "A variable that is nearly a setting, or whose value does not fit, is refused, also where the index would do.",
        "regression: with an index, `list` took whatever the variables said",
    ),
    Behaviour(
        "settings.defaults", "Without settings the address is 127.0.0.1:8765, and at most ten calls run at once.", SPEC
    ),
    Behaviour("settings.file", "`prowess.toml` sets name, modules, folders, and how to serve and to run.", SPEC),
    Behaviour("settings.variables", "A `PROWESS_*` variable overrides what `prowess.toml` sets.", SPEC),
    Behaviour(
        "settings.problems",
        "A mistake in `prowess.toml` is told with its line, and with a near name or with what would be right.",
        "choice: an error says what would be right",
    ),
    Behaviour(
        "settings.every-problem",
        "All mistakes in `prowess.toml` and in variables are told together, also by a command.",
        "choice: one round of mending is enough",
    ),
)

INDEX = (
    Behaviour("index.read-back", "The index gives back the manifests and diagnostics that were written.", SPEC),
    Behaviour(
        "index.changes",
        "An index no longer counts once a source changed, came or went, or settings or interpreter are others.",
        SPEC,
    ),
    Behaviour(
        "index.unrelated",
        "A test, a private file, a cache or a note beside the sources does not end an index.",
        "choice: what a project does not load cannot make its list wrong",
    ),
    Behaviour(
        "index.moved",
        "A project that is moved as a whole keeps its index.",
        "choice: paths inside the project are relative",
    ),
    Behaviour(
        "index.damaged",
        "An index with one byte changed, cut short or added counts as missing, and can be written again.",
        "choice: a slow list is better than a wrong one",
    ),
    Behaviour(
        "index.foreign",
        "A folder, a pipe, a link to a device or foreign bytes in its place are no index; all but a folder give way.",
        "choice: a command neither waits nor fails for what it does not need",
    ),
    Behaviour(
        "index.unwritable",
        "Where an index cannot be written there is none, and no error.",
        "choice: the index only saves time",
    ),
    Behaviour(
        "index.not-kept",
        "No index is kept of a load with a failed import, or with a source that changed just now, is gone or has a"
        " line break in its name.",
        "choice: what may already be wrong is not kept",
    ),
    Behaviour(
        "index.concurrent",
        "A reader beside several writers sees a whole index, and no other file is left behind.",
        "choice: two commands may run in one project at once",
    ),
)
