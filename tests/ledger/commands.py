"""What the command line does, for a script and for a person at a terminal."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

STARTING = (
    Behaviour(
        "starting.new-project",
        "`new project` makes a project whose skill runs, whose test passes, and which `doctor` finds healthy.",
        SPEC,
    ),
    Behaviour("starting.new-skill", "`new skill` adds a skill that is found and runs.", SPEC),
    Behaviour(
        "starting.new-refused",
        "`new` refuses a name that is taken or would not work, with the reason and 2, and writes no code.",
        "choice: a fresh skill that does not load is worse than none",
    ),
    Behaviour("starting.init", "`init` makes a project of a folder, and never overwrites its settings.", SPEC),
    Behaviour(
        "starting.init-odd-names",
        "`init` makes a project that opens, whatever its folder is called, and tells of files that cannot be imported.",
        "choice: a fresh project that does not open is worse than none",
    ),
    Behaviour(
        "starting.unwritable",
        "What the file system does not allow is told in a sentence with the place, and 1.",
        "choice: no traceback for what is no mistake of ours",
    ),
    Behaviour(
        "starting.init-then-new",
        "A skill that `new skill` writes after `init` is found, in a folder with modules too.",
        "regression: it was written where nobody looked",
    ),
    Behaviour(
        "starting.init-modules",
        "`init` names the modules with skills that it finds, and leaves out the others.",
        "choice: a folder that has skills already needs no moving of files",
    ),
)

COMMANDS = (
    Behaviour(
        "commands.help",
        "`prowess --help` shows the help, and each command has its own.",
        "choice: the command line explains itself",
    ),
    Behaviour(
        "commands.no-command",
        "Without a command the help goes to standard error, and the exit code is 2.",
        "choice: help where one is lost, and a script still notices",
    ),
    Behaviour(
        "commands.no-project",
        "Where there is no project a command ends with 1 and tells of `prowess init`.",
        "choice: an error says what would be right",
    ),
    Behaviour(
        "commands.project-option",
        "`-C PATH` before or after a command, or `--project=PATH`, names the project.",
        "choice: as git does",
    ),
    Behaviour(
        "commands.bare-file",
        "A command takes one Python file in place of a project, and leaves nothing beside it.",
        "choice: one file is enough to begin",
    ),
    Behaviour(
        "commands.list-lines",
        "Into a pipe, `list` prints a line for each entry, sorted, with tabs and without a head.",
        "choice: that is what `cut` and `grep` take",
    ),
    Behaviour("commands.show", "`show NAME` tells an entry's inputs, what it calls, and how to run it.", SPEC),
    Behaviour(
        "commands.show-nested",
        "`show` tells the fields of objects inside, and every bound, pattern and encoding of a field.",
        "regression: what fits had to be guessed",
    ),
    Behaviour(
        "commands.show-example",
        "The call that `show` offers fits the entry's schema; where there is no such example, there is none.",
        "regression: what was offered was refused",
    ),
    Behaviour("commands.show-constraint", "`show` takes a name alone, with a version or with a constraint.", SPEC),
    Behaviour(
        "commands.tools",
        "`tools --format` prints definitions over many lines, and with `--json` the same on one.",
        SPEC,
    ),
    Behaviour(
        "commands.tools-report",
        "`tools` tells on standard error what the provider would refuse and what could not be made strict.",
        "choice: a tool that is missing without a word is looked for in vain",
    ),
    Behaviour(
        "commands.run-text",
        "`run` prints a text as it is, and any other output as JSON.",
        "choice: that is what other programs take",
    ),
    Behaviour(
        "commands.run-inputs",
        "`run` takes `key=value` pairs, a document by `--input` from a file or standard input, or both with the"
        " pairs on top.",
        SPEC,
    ),
    Behaviour(
        "commands.run-values",
        "A value is read by what the schema says, of several types as the first that fits; what does not fit is told.",
        SPEC,
    ),
    Behaviour(
        "commands.run-fields",
        "`a.b=1` sets a field of an object, by the schema of that field, and a list grows with each pair.",
        SPEC,
    ),
    Behaviour(
        "commands.malformed-schemas",
        "An outside tool whose schema is malformed is listed and shown, and keeps no server from starting.",
        "choice: one bad tool must not stop the others; only its own calls are refused",
    ),
    Behaviour(
        "commands.run-file",
        "`key@=-` takes the text of an input from standard input.",
        "choice: long text has no place on a command line",
    ),
    Behaviour(
        "commands.run-quiet",
        "What a project's code and its child processes print goes to standard error, not into the output of `run` or of"
        " `list --json`.",
        "choice: an output can be piped, whatever a skill's code prints",
    ),
    Behaviour(
        "commands.run-ascii",
        "Where a system would have ASCII alone written, output is UTF-8, so that JSON is JSON.",
        "regression: what ASCII lacks was written as no JSON knows it",
    ),
    Behaviour(
        "commands.run-abandoned",
        "`run` tells on standard error of a handler that was left to itself and runs on.",
        "regression: the event was for the operator, and no command showed it",
    ),
    Behaviour("commands.usage", "Bad usage ends with 2, without output, and says what was wrong or meant.", SPEC),
    Behaviour(
        "commands.bad-documents",
        "An `--input` that is no JSON object, nests too deep, or holds a key twice or NaN ends `run` with 2 and the"
        " reason.",
        SPEC,
    ),
    Behaviour("commands.run-failed", "A failed `run` or `show` ends with 1 and its reason, without a traceback.", SPEC),
    Behaviour(
        "commands.broken-module",
        "A broken module is told with file and line, also where a name is missing, and the other entries list and run.",
        SPEC,
    ),
    Behaviour("commands.operators-text", "`run` tells the operator what a handler's own exception said.", SPEC),
    Behaviour(
        "commands.debug",
        "A traceback is shown with `PROWESS_DEBUG=1` and not without.",
        "choice: where an error comes from is for those who ask",
    ),
    Behaviour(
        "commands.terminal-safe",
        "`list` and `show` do not pass on an escape character of a description.",
        "choice: a description is text, whatever it holds",
    ),
    Behaviour(
        "commands.broken-pipe",
        "`list` whose reader has enough ends with 141 and prints no error.",
        "choice: `prowess ... | head -1` is no mistake",
    ),
    Behaviour(
        "commands.closed-streams",
        "A command whose standard input, output or error a shell has closed works as with an empty one.",
        "choice: services and cron start commands so",
    ),
    Behaviour(
        "commands.interrupted",
        "Ctrl-C during `run` ends it with 130 and prints nothing.",
        "choice: who interrupts knows why it ended",
    ),
    Behaviour(
        "commands.completion",
        "The completion scripts for bash, zsh and fish know every command, and ask the project for names.",
        SPEC,
    ),
    Behaviour(
        "commands.completes-names",
        "Bash completes the names of entries after `run` and `show`, of the project that `-C` names, and the inputs of"
        " the one that is run.",
        SPEC,
    ),
    Behaviour(
        "commands.where",
        "`run` names the kind of an exception of a handler's own, and file and line in the project.",
        "regression: only its words were told",
    ),
    Behaviour(
        "commands.json-always",
        "With `--json` a command that is refused or used wrongly prints its error as JSON, with the same exit code.",
        "regression: refusals were text where a program wanted JSON",
    ),
    Behaviour(
        "commands.versions-told",
        "Of a version that is not there, `run` and `show` tell those that are.",
        "regression: the name itself was offered as what was meant",
    ),
    Behaviour(
        "commands.run-meant",
        "The name of a known skill in place of a command is answered with `prowess run NAME`.",
        "regression: it was no command, and nothing more",
    ),
    Behaviour(
        "commands.run-notes",
        "`run`, `tools` and `list` tell on standard error what did not load, and end with 0 where they did their job.",
        "regression: `run` worked with half of a project, and said nothing",
    ),
    Behaviour(
        "commands.stream",
        "`run --stream` prints each piece of a stream as it comes, as JSON on a line.",
        "choice: what reads a pipe must see where a piece ends",
    ),
    Behaviour(
        "commands.problems-once",
        "Several problems are told by one headline and a line each, with the same spelling of a path.",
        "regression: each was told twice, in two spellings",
    ),
)

TERMINAL = (
    Behaviour(
        "terminal.table",
        "At a terminal `list` is a table with a head, and no line is longer than the terminal.",
        "choice: a table that wraps cannot be read",
    ),
    Behaviour(
        "terminal.nothing",
        "`list` says on standard error where no entry fits, or where there is none yet; its output stays empty.",
        "choice: a person takes silence for a mistake, a program reads the output",
    ),
    Behaviour("terminal.asks", "At a terminal `run` asks for a missing input, with its description and type.", SPEC),
    Behaviour(
        "terminal.asks-again",
        "An answer that does not fit is asked for again, and the answers before it are kept.",
        "choice: a slip of the finger does not throw the other answers away",
    ),
    Behaviour(
        "terminal.end-of-answers",
        "Ctrl-D at a question ends the questions, and `run` ends with 1 for an invalid input.",
        "choice: what is not answered is missing",
    ),
    Behaviour(
        "terminal.interrupted",
        "Ctrl-C at a question ends the command with 130 and no traceback.",
        "choice: who interrupts knows why it ended",
    ),
    Behaviour("terminal.progress", "At a terminal `run` shows the progress that a handler reports.", SPEC),
    Behaviour(
        "terminal.streams",
        "At a terminal the pieces of a stream are shown, text as it is and anything else on a line of its own, and not"
        " once more as a list.",
        SPEC,
    ),
    Behaviour(
        "terminal.safe",
        "At a terminal an escape sequence in an output is shown, not obeyed.",
        "choice: a skill's output is text, whatever it holds",
    ),
)

DOCTOR = (
    Behaviour(
        "doctor.problems",
        "`doctor` tells of a broken module, a missing target, a file that hides a module of Python's and a key file"
        " that others can read, and ends with 1.",
        SPEC,
    ),
    Behaviour(
        "doctor.no-skill",
        "`doctor` notes decorated methods and classes that look like skills and are none, and files that are not run.",
        "regression: they were passed over without a word",
    ),
    Behaviour(
        "doctor.extras",
        "`doctor` tells of the extras that this release uses, and of no other.",
        "regression: it told to install what nothing imports yet",
    ),
    Behaviour(
        "doctor.index",
        "`doctor` says whether the index is missing, up to date or out of date, or cannot be written.",
        "choice: why a list is slow is a question for the doctor",
    ),
    Behaviour(
        "doctor.settings",
        "`doctor` tells what `run`, `serve` and `build` would refuse in settings that can be read.",
        "regression: it found no problem where nothing ran",
    ),
    Behaviour(
        "doctor.built",
        "`doctor` takes a built file.",
        "regression: it never ended",
    ),
    Behaviour(
        "doctor.bare",
        "`doctor` takes one file or a folder without settings, and notes that it has none.",
        "choice: one file is enough to begin, and to ask what is wrong with it",
    ),
    Behaviour(
        "doctor.no-project",
        "Without a project `doctor` still looks at the installation, tells of `prowess init` and ends with 1.",
        "choice: a broken installation is what one calls a doctor for",
    ),
)

START = (
    Behaviour("start.help", "`prowess --help` loads no module of Prowess but the first of its command line.", SPEC),
    Behaviour(
        "start.list", "With an index, `list` and `show` load neither what opens a project nor what runs an entry.", SPEC
    ),
    Behaviour(
        "start.straight",
        "`run` of a skill that never waits needs no event loop; one that may wait has one.",
        "choice: asyncio costs more than the rest of a short run",
    ),
    Behaviour("start.run", "`run` loads no Pydantic, server or terminal library for what does not need it.", SPEC),
)
