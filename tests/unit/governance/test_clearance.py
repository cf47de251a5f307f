"""How far a caller may go with an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from prowess import Caller, Manifest, Permissions
from prowess.governance.capabilities import Capabilities, Capability
from prowess.governance.clearance import clear, is_visible
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.question import Question
from prowess.governance.rulebook import NO_RULES, Access, Rulebook
from prowess.model.manifest import Autonomy
from prowess.model.permissions import EntrySettings
from prowess.model.verdict import ALLOW, Allow, Ask, Deny, Reason

if TYPE_CHECKING:
    from prowess.model.verdict import Verdict

ME = Caller("me")


def entry(**said: Any) -> Manifest:
    """An entry that says this about itself."""
    return Manifest(name="save_note", version="1.0.0", description="Save a note.", **said)


def caller(level: str = "trusted", ceiling: str = "L3", **narrowed: Any) -> Caller:
    """A caller of a preset, narrowed."""
    permissions = Permissions(level=Permissions.preset(level).level, **narrowed)
    return Caller("me", permissions=permissions, ceiling=Autonomy(ceiling))


def rules(verdict: Verdict) -> list[str]:
    """Which rules spoke."""
    return [reason.rule for reason in verdict.reasons]


@pytest.mark.behaviour("governance.none-needed")
def test_an_entry_written_in_code_needs_no_governance_to_run() -> None:
    """Spec: autonomy L3, no capabilities, the local owner: nothing more is looked at."""
    assert clear(entry(), ME, NO_RULES).free


@pytest.mark.behaviour("governance.presets")
@pytest.mark.parametrize(
    ("said", "seen_by"),
    [
        ({"capabilities": ["files.read"]}, "yolo trusted sandboxed worker"),
        ({"capabilities": ["files.write"]}, "yolo trusted sandboxed"),
        ({"capabilities": ["notes.read"], "side_effects": ["notes.read"]}, "yolo trusted sandboxed"),
        ({"destructive": True}, "yolo trusted sandboxed"),
        ({"capabilities": ["agents.status"]}, "yolo trusted sandboxed worker"),
        ({"capabilities": ["agents.control"]}, "yolo trusted"),
        ({"side_effects": ["agents.create"]}, "yolo trusted"),
        ({}, "yolo trusted sandboxed worker"),
    ],
)
def test_each_preset_grants_what_its_table_says(said: dict[str, Any], seen_by: str) -> None:
    """Spec: `sandboxed` controls no agents, `worker` also changes nothing; what cannot be used is not seen."""
    for level in ("yolo", "trusted", "sandboxed", "worker"):
        found = clear(entry(**said), caller(level), NO_RULES)
        allowed = level in seen_by.split()
        assert found.hidden is not allowed
        assert isinstance(found.verdict, Deny) is not allowed


@pytest.mark.behaviour("governance.destructive")
@pytest.mark.parametrize(
    ("level", "confirmation", "kind"),
    [
        ("yolo", None, Allow),
        ("yolo", True, Ask),
        ("trusted", None, Ask),
        ("trusted", False, Allow),
        ("sandboxed", None, Ask),
        ("sandboxed", False, Allow),
    ],
)
def test_presets_ask_before_what_destroys(level: str, confirmation: bool | None, kind: type[Verdict]) -> None:
    """Spec: `trusted` asks before destructive entries; settings of an entry can ask always, or never."""
    settings = (("save_note", EntrySettings(requires_confirmation=confirmation)),)
    verdict = clear(entry(destructive=True), caller(level, entries=settings), NO_RULES).verdict
    assert type(verdict) is kind


def test_an_entry_that_is_switched_off_is_hidden_and_says_why() -> None:
    """Spec: `enabled` of an entry's settings; the operator sees the reason that the caller does not."""
    found = clear(entry(), caller(entries=(("save-note", EntrySettings(enabled=False)),)), NO_RULES)
    assert found.hidden
    assert rules(found.verdict) == ["permissions"]


@pytest.mark.behaviour("governance.capabilities")
@pytest.mark.parametrize(
    ("rights", "lacking"),
    [
        (None, ""),
        (("notes.read", "notes.write"), ""),
        (("notes.*",), ""),
        (("*",), ""),
        (("notes.admin",), ""),
        (("notes.read",), "notes.write"),
        (("other.*",), "notes.read, notes.write"),
        ((), "notes.read, notes.write"),
    ],
)
def test_a_call_needs_every_right_of_its_entry(rights: tuple[str, ...] | None, lacking: str) -> None:
    """Spec: a caller may narrow what its preset grants; one right can bring others with it."""
    book = Rulebook(
        capabilities=Capabilities.of(
            [
                Capability("notes.admin", implies=("notes.write",)),
                Capability("notes.write", implies=("notes.read", "notes.admin")),
                Capability("notes.read"),
            ]
        )
    )
    wanted = entry(capabilities=["notes.read", "notes.write"])
    found = clear(wanted, caller(capabilities=rights), book)
    assert found.hidden is bool(lacking)
    assert is_visible(wanted, caller(capabilities=rights).permissions, book) is not bool(lacking)
    assert [reason.message for reason in found.verdict.reasons] == (
        [f"the caller has no right to {lacking}"] if lacking else []
    )


@pytest.mark.behaviour("governance.nested-rights")
@pytest.mark.parametrize(
    ("within", "kind"),
    [(frozenset({"notes.read"}), Allow), (frozenset({"notes.*"}), Allow), (frozenset[str](), Deny)],
)
def test_a_nested_call_has_the_rights_of_the_calling_skill_only(within: frozenset[str], kind: type[Verdict]) -> None:
    """Spec: the intersection of the caller's and the skill's own declared capabilities."""
    found = clear(entry(capabilities=["notes.read"]), ME, NO_RULES, within=within)
    assert type(found.verdict) is kind
    assert not found.hidden


def test_the_rights_of_all_that_it_calls_count() -> None:
    """Spec: a call needs its entry's closure."""
    found = clear(entry(), caller(capabilities=("a.b",)), NO_RULES, needs=("notes.read",))
    assert found.hidden


@pytest.mark.behaviour("governance.autonomy")
@pytest.mark.parametrize(
    ("own", "ceiling", "kind", "told"),
    [
        ("L3", "L3", Allow, []),
        ("L2", "L3", Allow, ["autonomy"]),
        ("L3", "L2", Allow, ["autonomy"]),
        ("L1", "L3", Ask, []),
        ("L3", "L1", Ask, []),
        ("L2", "L1", Ask, []),
        ("L3", "L0", Deny, []),
        ("L1", "L0", Deny, []),
    ],
)
def test_the_lower_of_entry_and_ceiling_decides(own: str, ceiling: str, kind: type[Verdict], told: list[str]) -> None:
    """Spec: L0 never runs, L1 asks, L2 runs and tells, L3 runs silently."""
    found = clear(entry(autonomy=own), caller(ceiling=ceiling), NO_RULES)
    assert type(found.verdict) is kind
    assert [notice.rule for notice in found.notices] == told


def test_a_review_asks_as_l1_does_and_by_itself() -> None:
    """Spec: `policy_tags: [requires_review]`; an approval of the calling skill does not cover it."""
    assert rules(clear(entry(policy_tags=["requires_review"]), ME, NO_RULES).verdict) == ["review"]
    assert rules(clear(entry(policy_tags=["requires_review"], autonomy="L1"), ME, NO_RULES).verdict) == [
        "autonomy",
        "review",
    ]


@pytest.mark.behaviour("governance.access")
@pytest.mark.parametrize(
    ("access", "spoke"),
    [
        (Access(), []),
        (Access(actors=("me",), channels=("library",)), []),
        (Access(actors=("you",)), ["actor"]),
        (Access(channels=("http",)), ["channel"]),
        (Access(actors=(), channels=()), ["actor", "channel"]),
    ],
)
def test_an_overlay_says_who_may_call_and_from_where(access: Access, spoke: list[str]) -> None:
    """Spec: allowed channels and actors."""
    found = clear(entry(), ME, Rulebook(access={"save_note@1.0.0": access}))
    assert rules(found.verdict) == spoke
    assert isinstance(found.verdict, Deny) is bool(spoke)
    assert not found.hidden


@pytest.mark.behaviour("governance.all-reasons")
def test_every_reason_is_told_in_the_order_of_the_stages() -> None:
    """Spec: deny beats ask beats allow, and all reasons are collected."""
    book = Rulebook(
        access={"save_note@1.0.0": Access(actors=())},
        rules=(
            Rule(name="asks", effect=Effect.ASK),
            Rule(name="denies", effect=Effect.DENY, match=Match(entries=("save_*",)), reason="not today"),
        ),
    )
    found = clear(entry(capabilities=["a.write"], autonomy="L1"), caller("worker", "L0", capabilities=()), book)
    assert rules(found.verdict) == ["actor", "capability", "permissions", "autonomy", "policy:denies"]
    assert found.verdict.reasons[-1].message == "not today"


def test_a_rule_grants_nothing() -> None:
    """Spec: project rules only narrow."""
    book = Rulebook(rules=(Rule(name="opens", effect=Effect.ALLOW),))
    assert type(clear(entry(autonomy="L1"), ME, book).verdict) is Ask
    assert type(clear(entry(destructive=True), caller("worker"), book).verdict) is Deny


class Pack:
    """A pack of another language that always says the same."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def judge(self, _question: Question, /) -> Verdict:
        """Say it."""
        return self.verdict


@pytest.mark.parametrize(("hour", "kind"), [(23, Deny), (12, Allow)])
def test_what_depends_on_the_hour_is_judged_at_each_call(hour: int, kind: type[Verdict]) -> None:
    """Spec: rules match on the hour."""
    book = Rulebook(rules=(Rule(name="night", effect=Effect.DENY, match=Match(hours=(22, 23))),))
    found = clear(entry(), ME, book)
    assert found.verdict == ALLOW
    assert not found.free
    assert type(found.at(Question(entry(), ME, hour))) is kind


def test_a_rule_of_the_hour_that_is_about_others_costs_nothing() -> None:
    """Choice: a rule that can never match this caller's call is not asked again."""
    book = Rulebook(rules=(Rule(name="night", effect=Effect.DENY, match=Match(hours=(22,), actors=("you",))),))
    assert clear(entry(), ME, book).free


def test_packs_narrow_too() -> None:
    """Spec: policy packs likewise."""
    no = Deny((Reason("cedar:p0", "no"),))
    book = Rulebook(packs=(Pack(ALLOW), Pack(no)))
    assert clear(entry(), ME, book).at(Question(entry(), ME)) == no
    assert type(clear(entry(autonomy="L1"), ME, Rulebook(packs=(Pack(ALLOW),))).at(Question(entry(), ME))) is Ask


PATHS = {
    "type": "object",
    "properties": {
        "source": {"type": "string", "format": "path"},
        "targets": {"type": "array", "items": {"type": "string", "format": "path"}},
        "log": {"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]},
        "text": {"type": "string"},
        "any": True,
    },
}


@pytest.mark.behaviour("governance.paths")
@pytest.mark.parametrize(
    ("inputs", "out"),
    [
        ({"source": "notes/a", "targets": ["notes/b"], "log": None, "text": "/etc"}, 0),
        ({"source": "/etc/passwd"}, 1),
        ({"targets": ["notes/b", "../b", "/c"]}, 2),
        ({"log": "~/x"}, 1),
        ({"source": "notes/secret/a"}, 1),
        ({"source": "notes/private/a"}, 1),
        ({}, 0),
    ],
)
def test_paths_lead_nowhere_but_into_the_allowed_folders(inputs: dict[str, object], out: int) -> None:
    """Spec: `allowed_paths`, of a caller and of one entry, and `blocked_paths`, are enforced."""
    settings = (("save_note", EntrySettings(allowed_paths=("notes/secret2", "notes/a", "notes/b", "notes/secret"))),)
    bounds = clear(
        entry(input_schema=PATHS),
        caller(allowed_paths=("notes",), blocked_paths=("notes/secret",), entries=settings),
        NO_RULES,
    ).paths
    assert bounds is not None
    assert [reason.rule for reason in bounds.reasons(inputs)] == ["paths"] * out


def test_without_paths_or_bounds_nothing_is_looked_at() -> None:
    """Choice: who bounds no paths pays nothing for it, and neither does an entry that takes none."""
    assert clear(entry(input_schema=PATHS), ME, NO_RULES).paths is None
    assert clear(entry(), caller(allowed_paths=("a",)), NO_RULES).paths is None
    assert clear(entry(input_schema={"type": "object"}), caller(allowed_paths=("a",)), NO_RULES).paths is None


@pytest.mark.parametrize(
    ("deprecation", "words"),
    [
        (None, "it is deprecated"),
        ({"replaced_by": "store_note"}, "it is deprecated: use 'store_note'"),
        ({"removal_version": "2.0.0", "migration": "see the guide"}, "until version 2.0.0 (see the guide)"),
    ],
)
def test_what_is_deprecated_says_so_at_each_call(deprecation: dict[str, str] | None, words: str) -> None:
    """Spec: deprecated entries run with a warning."""
    found = clear(entry(status="deprecated", deprecation=deprecation), ME, NO_RULES)
    (notice,) = found.notices
    assert notice.rule == "deprecated"
    assert notice.message.endswith(words)
