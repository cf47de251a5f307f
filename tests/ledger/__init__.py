"""The behaviours Prowess promises: one row each, and at least one test for every row.

A test names the rows it proves: `@pytest.mark.behaviour("registry.get-unknown")`. A row's id is
`area.what-happens`; its source says who requires it: `spec`, `choice` (ours, with the reason) or
`regression` (with what went wrong). `gap` is what we know to be missing: the tests of such a row are
marked as expected to fail, and pass on the day the gap is closed.

Rows stand by area, areas in the module of what they are about.
"""

from __future__ import annotations

from tests.ledger.authoring import AUTHORING, PIPELINES, SERVICES
from tests.ledger.behaviour import SPEC, Behaviour
from tests.ledger.building import BUILDING
from tests.ledger.commands import COMMANDS, DOCTOR, START, STARTING, TERMINAL
from tests.ledger.disclosure import DISCLOSURE, EXPLAIN, FILES
from tests.ledger.documents import DOCUMENTS
from tests.ledger.governance import GOVERNANCE
from tests.ledger.packages import ARCHIVES, PINNING, PLACES, SOURCES
from tests.ledger.policies import POLICIES, REDACTION
from tests.ledger.projects import INDEX, PROJECT, SETTINGS
from tests.ledger.records import APPROVALS, AUDIT, RECORDS
from tests.ledger.registry import FACTORIES, REGISTRY, VERSIONS, VIEWS
from tests.ledger.running import FACES, GATE, JSON, RUNNING, TOOLS, VALIDATION
from tests.ledger.searching import SEARCH
from tests.ledger.server import HTTP, SERVE
from tests.ledger.skills import LINT, SKILLMD, YAML

__all__ = ["LEDGER", "SPEC", "Behaviour"]

LEDGER: tuple[Behaviour, ...] = (
    *AUTHORING,
    *SERVICES,
    *PIPELINES,
    *REGISTRY,
    *VIEWS,
    *VERSIONS,
    *FACTORIES,
    *RUNNING,
    *GATE,
    *GOVERNANCE,
    *VALIDATION,
    *TOOLS,
    *JSON,
    *FACES,
    *STARTING,
    *PROJECT,
    *SETTINGS,
    *INDEX,
    *COMMANDS,
    *TERMINAL,
    *DOCTOR,
    *START,
    *SOURCES,
    *ARCHIVES,
    *PINNING,
    *PLACES,
    *BUILDING,
    *SERVE,
    *HTTP,
    *YAML,
    *SKILLMD,
    *LINT,
    *DISCLOSURE,
    *EXPLAIN,
    *FILES,
    *SEARCH,
    *REDACTION,
    *POLICIES,
    *RECORDS,
    *APPROVALS,
    *AUDIT,
    *DOCUMENTS,
)
