"""What a registry gives, refuses and makes."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

REGISTRY = (
    Behaviour("registry.get-registered", "What was registered is what `get` gives.", SPEC),
    Behaviour("registry.get-unknown", "`get` gives None for a name nobody registered.", SPEC),
    Behaviour("registry.list-registered", "After two registrations `list` holds two manifests.", SPEC),
    Behaviour("registry.list-by-tag", "`list` with a tag holds the entries that carry it, no others.", SPEC),
    Behaviour("registry.duplicate-refused", "A second entry of one name and version is refused.", SPEC),
    Behaviour("registry.unregister", "An unregistered entry is no longer found.", SPEC),
    Behaviour("registry.unregister-unknown", "Unregistering a name nobody registered is refused.", SPEC),
    Behaviour("registry.advertise", "`advertise` lists every registered entry.", SPEC),
    Behaviour(
        "registry.undisturbed", "An entry that stays is found while other versions of its name come and go.", SPEC
    ),
    Behaviour(
        "registry.alias",
        "An entry's `id` finds it, in either spelling, for as long as it is there; one that finds another is refused.",
        SPEC,
    ),
    Behaviour(
        "registry.unregister-exact",
        "`unregister` takes out a name or one very version; a range is refused, also for a factory not made yet.",
        SPEC,
    ),
    Behaviour(
        "registry.schema-as-dictionary",
        "A manifest may have its schemas as dictionaries, its lists as lists, and its closed sets as words.",
        "regression: one such manifest broke the tools of every entry",
    ),
    Behaviour(
        "registry.unsound-schema",
        "An entry whose schema cannot be used is a diagnostic, no tool, and refused by `check`; errors name it.",
        "regression: only its first call found out, and did not say whose schema it was",
    ),
    Behaviour(
        "registry.outside-tools",
        "Wrong definitions of an outside executor's tools are refused, with every problem of each; a description is"
        " not asked for.",
        "choice: what others made is held to our rules, but cannot be described by who takes it in",
    ),
    Behaviour(
        "registry.unbuilt-pipeline",
        "A pipeline that was not built is checked when it is registered.",
        "regression: an invalid one was taken",
    ),
    Behaviour(
        "registry.check-versions",
        "`check` refuses a pipeline's target without a version where more than one version matches.",
        SPEC,
    ),
    Behaviour(
        "registry.check-never-runs",
        "`check` refuses a target that is disabled or of autonomy L0.",
        "choice: what calls it can never run to its end",
    ),
)

VIEWS = (
    Behaviour("views.latest", "In a view a bare name means the highest version that it shows.", SPEC),
    Behaviour(
        "views.filters",
        "Views and lists filter by the same: names in either spelling, tag, kind, status, source; what no entry can be"
        " is refused.",
        "choice: an empty list for a typing mistake is looked at in vain",
    ),
    Behaviour(
        "views.hidden",
        "A view tells nothing of what it hides, and makes no factory whose name it hides.",
        SPEC,
    ),
)

VERSIONS = (
    Behaviour("versions.latest", "Without a constraint the highest version is found.", SPEC),
    Behaviour("versions.range", "`>=1.0.0 <2.0.0` finds the highest version inside that range.", SPEC),
    Behaviour("versions.caret", "`^2.0.0` finds the highest version that keeps the major number.", SPEC),
    Behaviour("versions.prerelease", "A prerelease is found only when the constraint asks for one.", SPEC),
    Behaviour(
        "versions.odd",
        "A version that is no semantic version is shown as written, with a warning how it compares.",
        SPEC,
    ),
    Behaviour(
        "versions.alternatives",
        "Of several alternatives the highest version of any is found, as npm's maxSatisfying does.",
        "regression: a release hid a higher prerelease that another alternative asked for",
    ),
    Behaviour("versions.empty", "An empty constraint admits every release, as in npm.", SPEC),
)

FACTORIES = (
    Behaviour("factories.first-get", "A factory is called on the first `get`, not before.", SPEC),
    Behaviour("factories.called-once", "A factory is called once; later calls of `get` share its skill.", SPEC),
    Behaviour(
        "factories.side-by-side",
        "A factory waits for no other that it does not need; those that need each other are told, in any threads.",
        "regression: one slow factory held up all",
    ),
    Behaviour(
        "factories.leaving",
        "A factory that raises SystemExit fails as any other; KeyboardInterrupt goes on.",
        "regression: it took `get` and `list` down",
    ),
    Behaviour("factories.services", "What a factory receives is `registry.services`.", SPEC),
    Behaviour(
        "factories.identity",
        "A factory that makes a skill of another name, spelling or version than was said is refused.",
        SPEC,
    ),
    Behaviour("factories.named", "Whatever a factory or a skill class does wrong, the error names whose it is.", SPEC),
    Behaviour(
        "factories.missing-service",
        "Of a service that a factory misses, the error keeps the name and what was probably meant.",
        "regression: near names got lost, and any KeyError counted as a missing service",
    ),
    Behaviour(
        "factories.failures-kept",
        "A factory that failed is not tried by further looks until something is written; `get` and a call try again.",
        "regression: each look called it, and made another snapshot",
    ),
    Behaviour(
        "factories.unclosed",
        "A registry that is thrown away with instances left to close warns.",
        "choice: as services do",
    ),
)
