"""What a search finds, in which order, and what keeps its index."""

from __future__ import annotations

from tests.ledger.behaviour import Behaviour

SEARCH_SPEC = "spec: search"

SEARCH = (
    Behaviour(
        "search.best-first",
        "`search` gives the entries that fit a request in anybody's words, best first.",
        SEARCH_SPEC,
    ),
    Behaviour(
        "search.forgets",
        "Among up to 2,000 entries, what went leaves no trace: order and scores are as if it had never been.",
        "regression: words of entries that were gone still counted",
    ),
    Behaviour(
        "search.faces",
        "Library, `prowess search` and `GET /v1/search` find the same, with the same scores.",
        SEARCH_SPEC,
    ),
    Behaviour("search.command", "`prowess search` prints a line for each hit, filtered and by page.", SEARCH_SPEC),
    Behaviour(
        "search.http-refused",
        "`GET /v1/search` refuses a parameter that does not exist or does not fit, and says what would be right.",
        SEARCH_SPEC,
    ),
    Behaviour("search.identifiers", "An identifier is found by each of its words and as a whole.", SEARCH_SPEC),
    Behaviour(
        "search.any-script",
        "Accents, width and case make no difference; scripts without spaces are found by parts of a text.",
        "choice: skills are written and asked for in every language",
    ),
    Behaviour("search.slips", "A word that nobody knows stands for the known one that is one slip away.", SEARCH_SPEC),
    Behaviour("search.any-text", "Whatever is asked, there is an answer and no error.", SEARCH_SPEC),
    Behaviour(
        "search.long-bodies", "Of a long body its beginning and its most distinctive words are found.", SEARCH_SPEC
    ),
    Behaviour(
        "search.bodies", "A package is found by its instructions, which are read when they are indexed.", SEARCH_SPEC
    ),
    Behaviour("search.explained", "A hit tells which words matched, in which part of the entry.", SEARCH_SPEC),
    Behaviour("search.deterministic", "Entries with one score come in the order of their names.", SEARCH_SPEC),
    Behaviour("search.collapsed", "Entries that say the same are one hit, which names the others.", SEARCH_SPEC),
    Behaviour("search.filters", "Kind, tag, status and source hold before the cut to `k`.", SEARCH_SPEC),
    Behaviour("search.views", "A view is searched for what it shows, with any permissions.", SEARCH_SPEC),
    Behaviour(
        "search.disabled",
        "Disabled entries are found only by who asks for that status.",
        "choice: whoever searches wants to use what he finds",
    ),
    Behaviour("search.pages", "Pages follow one another without gap or repetition.", SEARCH_SPEC),
    Behaviour(
        "search.follows",
        "A registry that changes is searched as it is, and only the difference is indexed.",
        SEARCH_SPEC,
    ),
    Behaviour("search.kept", "A project's index is kept, and a later process adds only what changed.", SEARCH_SPEC),
    Behaviour("search.damaged", "An index that is damaged or missing is made anew.", SEARCH_SPEC),
    Behaviour(
        "search.in-memory",
        "Where an index cannot be kept, each process makes its own in memory, and a diagnostic says why.",
        SEARCH_SPEC,
    ),
    Behaviour("search.formats", "An index of another format is made anew.", SEARCH_SPEC),
    Behaviour("search.one-writer", "While one process writes an index, others find what is there.", SEARCH_SPEC),
    Behaviour("search.without-tantivy", "Without tantivy SQLite searches, in the same order.", SEARCH_SPEC),
    Behaviour("search.semantic", "With `prowess[semantic]` entries are found by what they mean as well.", SEARCH_SPEC),
    Behaviour(
        "search.semantic-missing", "Where meaning is asked for and not installed, the extra is named.", SEARCH_SPEC
    ),
    Behaviour(
        "search.quality", "On two public sets the right entry is where it was measured, with every index.", SEARCH_SPEC
    ),
)
