"""What `prowess serve` opens, whom it answers and how it ends."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

SERVE = (
    Behaviour(
        "serve.greeting",
        "`serve` says where it is, what to try and which file, for its owner only, holds the key; never the key.",
        SPEC,
    ),
    Behaviour("serve.key-kept", "The API key of a port is made at the first start, and opens the next one too.", SPEC),
    Behaviour(
        "serve.refusals",
        "`serve` refuses a remote host without `--allow-remote`, a host or port that it cannot have and a key file"
        " that others can read, each with the reason.",
        SPEC,
    ),
    Behaviour(
        "serve.missing-extra",
        "Where the server is not installed, `serve` says how to install it.",
        SPEC,
    ),
    Behaviour(
        "serve.bad-keys",
        "A key file that is empty, too short, too long or of several lines is refused, and `doctor` tells of it.",
        "regression: what was left of a damaged file counted as a key",
    ),
    Behaviour(
        "serve.example",
        "The call that `serve` offers to paste runs as it is, and destroys nothing; where no entry is like that, there"
        " is none.",
        "regression: a destructive skill was offered to paste",
    ),
    Behaviour(
        "serve.log",
        "A call that fails is told on standard error with its run, its entry and a traceback, and so are a handler's"
        " log lines; `server.log` says how much.",
        "regression: a handler's exception was lost",
    ),
    Behaviour(
        "serve.remote",
        "With `--allow-remote` a remote host is served, to requests for the host names in the settings.",
        "choice: opening a server to others is said, never a default",
    ),
)

HTTP = (
    Behaviour(
        "http.health",
        "`GET /health` needs no key and tells the status, the version and the numbers of entries and problems.",
        SPEC,
    ),
    Behaviour(
        "http.keys",
        "Without an API key the answer is 401, with a wrong one 403; `Authorization` and `X-API-Key` carry the right"
        " one.",
        SPEC,
    ),
    Behaviour("http.hosts", "A request whose Host header names another machine gets 403.", SPEC),
    Behaviour("http.origins", "A request that a web page of another origin sends gets 403.", SPEC),
    Behaviour(
        "http.namespaces",
        "An entry with a namespace is shown and run under its name, its slash written as `/` or `%2F`.",
        "choice: a slash in a name is a slash in the path",
    ),
    Behaviour(
        "http.bad-requests",
        "A call that is malformed, too large, of another type or for nobody gets its status and a JSON error.",
        "choice: a program can read what was wrong",
    ),
    Behaviour("http.too-large", "A body beyond `max_body` gets 413, whether its length is told or not.", SPEC),
    Behaviour(
        "http.no-http",
        "What is no HTTP, or tells its length in two ways, gets 400 and the connection ends.",
        "choice: nobody guesses where such a request ends",
    ),
    Behaviour(
        "http.head",
        "`HEAD` gets the head of what `GET` gives, and no body.",
        "choice: as HTTP has it",
    ),
    Behaviour(
        "http.wrong-routes",
        "A wrong route, method or query gets its status and a JSON error.",
        "choice: a program can read what was wrong",
    ),
    Behaviour("http.nothing-leaks", "What a handler's own exception said does not leave over HTTP.", SPEC),
    Behaviour(
        "http.side-by-side",
        "Many callers at once each get the answer to their own request.",
        "choice: no request sees another's answer",
    ),
    Behaviour(
        "http.disconnect",
        "A sender that goes away cancels its call, and others are still answered.",
        "choice: nobody pays for work that nobody waits for",
    ),
    Behaviour(
        "http.ends-in-time",
        "SIGTERM and SIGINT end the server with 0, even while a call refuses cancellation or blocks a thread.",
        "choice: a call must not keep a server that was told to end",
    ),
    Behaviour(
        "http.ends-told",
        "Whoever waits for a call that the server's end cancels is told `cancelled`, and that another try may help.",
        SPEC,
    ),
    Behaviour(
        "http.ends-at-once",
        "A second signal ends the server without waiting for calls under way.",
        "choice: who asks twice does not want to wait",
    ),
    Behaviour(
        "http.slow",
        "Headers, a body or nothing at all that do not come within `server.request_timeout` end the connection, with"
        " 408 where a request had begun.",
        "regression: such connections stayed open for ever",
    ),
    Behaviour(
        "http.connections",
        "Beyond `server.max_connections` a connection gets 503, and a path or head beyond 64 KiB 431.",
        "regression: both were without a bound",
    ),
    Behaviour(
        "http.envelope",
        "Whatever ends a call, its answer has `ok`, `error` and `duration_ms`.",
        "regression: the server's end and an exception that is no `Exception` had answers of their own",
    ),
    Behaviour(
        "http.events",
        "A sender that takes `text/event-stream` is told the pieces and the progress of a call as they come, and its"
        " result at the end.",
        "choice: a stream that is told when it has ended is none",
    ),
    Behaviour(
        "http.unsendable",
        "An output that has no form as JSON is told as the handler's mistake, also at the end of a stream.",
        "regression: it was a mistake inside the server, and a stream had no end",
    ),
    Behaviour(
        "http.backlog",
        "A call that tells more than its reader takes is stopped.",
        "regression: all that nobody read was kept",
    ),
    Behaviour(
        "http.advice",
        "A request that is nearly right is told what would be: inputs beside `inputs`, `strict=yes`, the list with a"
        " slash behind it.",
        "regression: each was refused with words that led nowhere",
    ),
    Behaviour(
        "http.frozen-loop",
        "SIGTERM ends the server with 1 even while a handler blocks the event loop.",
        "choice: such a handler is a mistake, and must not need kill -9",
    ),
)
