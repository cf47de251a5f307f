"""What a call comes to, what a model is offered, and that every way in agrees."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

RUNNING = (
    Behaviour("running.valid-input", "An input that fits the schema runs.", SPEC),
    Behaviour("running.invalid-input", "An input that does not fit the schema is an InvalidInputError.", SPEC),
    Behaviour(
        "running.authors-errors",
        "A model reads the words of an author's three errors and of nothing else that a handler raises.",
        SPEC,
    ),
    Behaviour(
        "running.over-is-over",
        "A call that has ended, at its deadline or otherwise, can call nothing any more.",
        "regression: a handler in a thread went on after its call was told as timed out",
    ),
    Behaviour(
        "running.stoppable",
        "In a stoppable runtime cancelling ends a call even where its handler swallows that.",
        "choice: a server must get its place back; a library call should not pay a task for it",
    ),
    Behaviour(
        "running.inside",
        "A call that a handler makes by itself, in whichever task, takes no place and waits for no turn.",
        "regression: handlers that made calls in task groups waited for one another for ever",
    ),
    Behaviour(
        "running.left-behind",
        "What a handler left behind waits for its turn like anybody.",
        "regression: tasks that outlived their call were never bound by `max_concurrent` again",
    ),
    Behaviour(
        "running.cleanup",
        "A call that is made while a cancelled task cleans up comes to its end.",
        "regression: it ran and was told as cancelled",
    ),
    Behaviour(
        "running.stopped-is-stopped",
        "A handler that can be stopped does not go on after its deadline, its cancellation or the end of its runtime.",
        "regression: a second cancellation, and closing, left handlers running that swallow theirs",
    ),
    Behaviour(
        "running.always-a-result",
        "Whatever a handler, a caller or a reader does, a call that nobody cancelled gives a result.",
        SPEC,
    ),
    Behaviour(
        "running.only-json",
        "What JSON cannot hold neither reaches a handler nor leaves it, on the quick paths too.",
        SPEC,
    ),
    Behaviour(
        "running.deadline-in-line",
        "A call's own time limit counts while it waits for its turn.",
        "regression: a call of 0.2 s waited two seconds",
    ),
    Behaviour(
        "running.all-problems",
        "What only a type can tell of an input, such as a date that there is not, is told with all else, spelt alike.",
        "regression: it was found once the rest was mended",
    ),
    Behaviour(
        "running.number-keys",
        "Keys that are numbers or dates are written as text, whatever the return annotation.",
        "regression: an output of `object` was refused for them",
    ),
    Behaviour(
        "running.deadline-held",
        "What a handler comes to after its deadline, since it held the event loop, is `TimedOutError` too.",
        "regression: it was told as a success",
    ),
    Behaviour(
        "running.own-cancellation",
        "A handler that ends with a cancellation that nobody asked for is told with the true reason in every runtime.",
        "regression: in a stoppable one it was said that the runtime had been closed",
    ),
    Behaviour(
        "running.closed", "A closed runtime gives its calls time to end, stops what it can and runs nothing more.", SPEC
    ),
    Behaviour(
        "running.kept-entries",
        "An entry that was taken out, replaced or hidden is not found, also where it is given itself.",
        "regression: whoever had kept it could still run it",
    ),
    Behaviour(
        "running.declared-versions",
        "A nested call may name a version, and gets it only where a declared target admits it.",
        "regression: `calls=['sub@^1']` could call sub@2.0.0",
    ),
)

GATE = (
    Behaviour(
        "gate.stages",
        "What a stage of the gate refuses never reaches the handler, and the error is that stage's, with every reason.",
        SPEC,
    ),
)

VALIDATION = (
    Behaviour("validation.problems", "Every problem of a value is told, with path, rule and what was expected.", SPEC),
    Behaviour("validation.near-names", "Where a near name helps it is told: fields, options, missing fields.", SPEC),
    Behaviour(
        "validation.same-verdict",
        "What is looked at before the native validator never changes its verdict, and a refusal says why.",
        "choice: bounds must not become a dialect of their own",
    ),
    Behaviour("validation.references-stay", "A `$ref` that leaves its schema is refused; nothing is fetched.", SPEC),
    Behaviour(
        "validation.bounded",
        "Schemas and values that could cost hours or the process are refused in bounded time.",
        SPEC,
    ),
)

TOOLS = (
    Behaviour("tools.openai-shape", "OpenAI definitions have exactly the documented shape.", SPEC),
    Behaviour(
        "tools.references",
        "A definition keeps only the references that lead back to themselves; reports and descriptions tell of the"
        " field that they are about.",
        "regression: one recursive reference kept all others",
    ),
    Behaviour(
        "tools.strict-exact",
        "What fits a strict schema fits the entry's, limits that are told in words aside; else the tool is not strict.",
        "regression: `not`, `if`, `type` beside `enum` and the one of `oneOf` were lost without a word",
    ),
    Behaviour(
        "tools.never-runs",
        "An entry whose schemas the gate always refuses is left out of tool definitions, and the report says why.",
        "regression: a model was told of tools that nobody could call",
    ),
)

JSON = (
    Behaviour(
        "json.refused",
        "Text that is not strict JSON, holds a key twice or NaN, or nests too deep is refused.",
        SPEC,
    ),
    Behaviour(
        "json.exact",
        "JSON text, also over HTTP, is read as exactly the value it spells; a long integer is not rounded.",
        "regression: the quick parser made floats of integers beyond 64 bits",
    ),
)

# Everywhere: in the library, at the command line and over HTTP.
FACES = (
    Behaviour(
        "faces.same-manifests",
        "Everywhere the same entries are shown with the same manifests.",
        "choice: one JSON form of an entry, wherever it is read",
    ),
    Behaviour(
        "faces.wrong-types",
        "An argument of the wrong type, in Python, is refused with `ConfigurationError` that says what would be right.",
        "regression: it was an error from somewhere inside, if it was refused at all",
    ),
    Behaviour("faces.filters", "Everywhere tag, kind and status filter the list, and narrow it together.", SPEC),
    Behaviour(
        "faces.same-tools",
        "Everywhere the tool definitions are the same, in every format.",
        "choice: a model sees one definition, whichever way it is offered",
    ),
    Behaviour("faces.nested-call", "Everywhere a skill reaches a target that it declares.", SPEC),
    Behaviour(
        "faces.text-untouched",
        "Everywhere a text, a number and null come back as they were given.",
        "choice: no way in reads, trims or recodes a value",
    ),
    Behaviour("faces.same-code", "Everywhere a failure has the same code.", SPEC),
    Behaviour("faces.near-name", "Everywhere an unknown name is answered with a near one.", SPEC),
    Behaviour("faces.deadline", "Everywhere a call that outlasts its own time limit ends with `timed_out`.", SPEC),
    Behaviour(
        "faces.authors-words",
        "Everywhere the text of an ExecutionFailedError that an author raises is told.",
        SPEC,
    ),
)
