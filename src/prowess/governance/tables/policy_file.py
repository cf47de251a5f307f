"""`policy.toml`: a project's rules, presets and policy packs, read all at once, with every problem and its line.

channels = ["slack"]                  # those of your own code, beside those of Prowess

[[rules]]
name = "nights"
effect = "deny"
match = { capabilities = "notes.write", hour = "22-6" }
reason = "Nothing is written at night."

[presets.reviewer]
extends = "sandboxed"
allowed_paths = ["notes"]

[[packs]]
policies = "policies/team.cedar"
schema = "policies/team.cedarschema"
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from tomllib import TOMLDecodeError, loads

from msgspec import Struct
from msgspec.structs import replace

from prowess.errors import ConfigurationError, Problem
from prowess.governance.capabilities import NO_CAPABILITIES, Capabilities
from prowess.governance.policy import Rule
from prowess.governance.tables.lines import lines_of, nearest_line
from prowess.governance.tables.presets import presets
from prowess.governance.tables.rules import PackFiles, pack, rule, words
from prowess.model.forms import Form, Forms, Path, Problems, is_items, note, read_fields, sentence
from prowess.model.json_value import is_object, json_path
from prowess.model.permissions import Permissions

__all__ = ["NO_POLICY", "PackFiles", "PolicyFile", "read_policy"]

TEXT_LIMIT = 1_000_000
"""Characters of the file."""


class PolicyFile(Struct, frozen=True, kw_only=True):
    """What the file says, read and checked."""

    rules: tuple[Rule, ...] = ()
    presets: Mapping[str, Permissions] = {}
    packs: tuple[PackFiles, ...] = ()
    channels: tuple[str, ...] = ()
    """Those from which the project's own code calls."""


NO_POLICY = PolicyFile()


def read_policy(text: str, place: str = "policy.toml", capabilities: Capabilities = NO_CAPABILITIES) -> PolicyFile:
    """What a `policy.toml` says, for a project with these capabilities.

    Raises `ConfigurationError` with every problem: its line, its key, what would be right, and a near name.
    """
    problems: Problems = []
    said = read_fields(_parsed(text, place), _FILE, (), problems, {})
    rules = [one for one in _items(said, "rules") if isinstance(one, Rule)]
    problems += _doubled(rules)
    lines = lines_of(text)
    if problems:
        raise _refusal(problems, lines, place)
    return PolicyFile(
        rules=tuple(_placed(one, at, lines, place, capabilities) for at, one in enumerate(rules)),
        presets=_presets(said.get("presets")),
        packs=tuple(one for one in _items(said, "packs") if isinstance(one, PackFiles)),
        channels=tuple(map(str, _items(said, "channels"))),
    )


# ---------------------------------------------------------------------------------------------------------------------


def _tables(form: Form, name: str) -> Form:
    def take(value: object, path: Path, problems: Problems) -> object:
        if not is_items(value):
            note(problems, path, "type", f"must be a list of tables: write [[{name}]]", value)
            return ()
        return tuple(form(item, (*path, at), problems) for at, item in enumerate(value))

    return take


_FILE: Forms = {
    "rules": _tables(rule, "rules"),
    "presets": presets,
    "packs": _tables(pack, "packs"),
    "channels": words(),
}


def _parsed(text: str, place: str) -> object:
    if len(text) > TEXT_LIMIT:
        raise _unreadable(f"{place}: is longer than {TEXT_LIMIT:,} characters", place)
    try:
        return loads(text)
    except TOMLDecodeError as error:
        problem, _, where = str(error).partition(" (at ")
        number = re.match(r"line (\d+)", where)
        line = number[1] if number else len(text.splitlines())
        raise _unreadable(f"{place}:{line}: this is not TOML: {problem[:1].lower()}{problem[1:]}", place) from None
    except RecursionError:
        raise _unreadable(f"{place}: is nested deeper than anything that could stand there", place) from None


def _unreadable(message: str, place: str) -> ConfigurationError:
    return ConfigurationError(message, details={"file": place})


def _items(said: Mapping[str, object], key: str) -> Iterable[object]:
    value = said.get(key)
    return value if is_items(value) else ()


def _presets(value: object) -> dict[str, Permissions]:
    return {name: one for name, one in value.items() if isinstance(one, Permissions)} if is_object(value) else {}


def _doubled(rules: Iterable[Rule]) -> Iterator[Problem]:
    counts = Counter(one.name for one in rules)
    seen: set[str] = set()
    for at, one in enumerate(rules):
        if counts[one.name] > 1 and one.name in seen:
            path = json_path(["rules", at, "name"])
            yield Problem(path=path, rule="duplicate", message="is the name of another rule: reasons name their rule")
        seen.add(one.name)


def _placed(one: Rule, at: int, lines: dict[str, int], place: str, capabilities: Capabilities) -> Rule:
    line = nearest_line(lines, json_path(["rules", at]))
    return replace(one, match=one.match.among(capabilities), place=f"{place}:{line}")


def _refusal(problems: Problems, lines: dict[str, int], place: str) -> ConfigurationError:
    said: list[tuple[int, str]] = []
    for problem in problems:
        line = nearest_line(lines, problem.path)
        said.append((line, f"{place}:{line}: {sentence(problem).message}"))
    texts = [message for _, message in sorted(said, key=lambda one: one[0])]
    message = texts[0] if len(texts) == 1 else "\n  ".join([f"{len(texts)} problems:", *texts])
    return ConfigurationError(message, details={"file": place, "problems": tuple(problems)})
