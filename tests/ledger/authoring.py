"""What an author of skills can rely on."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

AUTHORING = (
    Behaviour("authoring.structural", "A class that inherits nothing satisfies the Skill protocol.", SPEC),
    Behaviour(
        "authoring.types",
        "Whatever the type of an option of a decorator, a pipeline or a step, what is wrong is told, all at once.",
        SPEC,
    ),
    Behaviour(
        "authoring.defaults",
        "A default that its own schema refuses, or that JSON has not, is refused with its parameter.",
        "regression: one was advertised, the other left out without a word",
    ),
    Behaviour(
        "callers.types",
        "A caller or permissions of wrong types are refused, with every problem.",
        "regression: a caller with permissions that were text was made",
    ),
)

SERVICES = (
    Behaviour("services.require-missing", "Requiring a service nobody registered raises a KeyError.", SPEC),
    Behaviour(
        "services.lent",
        "A registry closes the container of services that it made, and leaves alone one that it was given.",
        "choice: whoever makes a container closes it",
    ),
)

PIPELINES = (
    Behaviour("pipelines.no-name", "A pipeline without a name is refused, and the message says `name`.", SPEC),
    Behaviour("pipelines.no-version", "One without a version is refused, and the message says `version`.", SPEC),
    Behaviour(
        "pipelines.no-description", "One without a description is refused, and the message says `description`.", SPEC
    ),
    Behaviour("pipelines.schema", "A schema given to the builder is the one the pipeline has.", SPEC),
    Behaviour("pipelines.required-tools", "Required tools are the steps' targets: in order, none twice.", SPEC),
)
