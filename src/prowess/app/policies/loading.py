"""What a project lays down in `policy.toml`, with the policy packs that it names opened."""

import os
from collections.abc import Mapping, Sequence

from msgspec import Struct

from prowess.catalog.places import POLICY
from prowess.errors import ConfigurationError, MissingExtraError
from prowess.governance.capabilities import NO_CAPABILITIES, Capabilities
from prowess.governance.policy import Rule
from prowess.governance.rulebook import PolicyPack
from prowess.governance.tables.policy_file import NO_POLICY, PackFiles, PolicyFile, read_policy
from prowess.model.permissions import Permissions, is_below

__all__ = ["NO_POLICIES", "Policies", "load_policies"]

_TEXT_LIMIT = 1_000_000
"""Bytes of a file of a pack, or of `policy.toml`."""


class Policies(Struct, frozen=True, kw_only=True):
    """A project's rules, presets and packs, ready to be part of a `Rulebook`. A reload exchanges them whole."""

    rules: tuple[Rule, ...] = ()
    packs: tuple[PolicyPack, ...] = ()
    presets: Mapping[str, Permissions] = {}
    channels: tuple[str, ...] = ()
    """Those from which the project's own code calls, beside those of Prowess."""
    files: tuple[str, ...] = ()
    """The files that were read, relative to the project's folder."""


NO_POLICIES = Policies()


def load_policies(root: str | os.PathLike[str], capabilities: Capabilities = NO_CAPABILITIES) -> Policies:
    """What the `policy.toml` in a project's folder says; nothing where there is none.

    Raises `ConfigurationError` with every problem of the file or of its packs, and `MissingExtraError` for a pack whose
    language is not installed: a project whose policies cannot be read does not open.
    """
    said = _policy(os.fspath(root), capabilities)
    if said is NO_POLICY:
        return NO_POLICIES
    of_packs = (file for pack in said.packs for file in (*pack.policies, pack.schema, pack.entities) if file)
    return Policies(
        rules=said.rules,
        packs=_opened(os.fspath(root), said.packs),
        presets=said.presets,
        channels=said.channels,
        files=tuple(dict.fromkeys((POLICY, *of_packs))),
    )


# ---------------------------------------------------------------------------------------------------------------------


def _policy(root: str, capabilities: Capabilities) -> PolicyFile:
    file = os.path.join(root, POLICY)
    return read_policy(_text(root, POLICY), file, capabilities) if os.path.lexists(file) else NO_POLICY


def _opened(root: str, packs: Sequence[PackFiles]) -> tuple[PolicyPack, ...]:
    if not packs:
        return ()
    try:
        from prowess.policies.cedar import CALL_SCHEMA, CedarPack  # noqa: PLC0415 - an extra
    except ImportError:
        message = f"{os.path.join(root, POLICY)}: policy packs need Cedar: install 'prowess[cedar]'"
        raise MissingExtraError(message, details={"extra": "cedar"}) from None
    return tuple(
        CedarPack(
            pack.name,
            "\n".join(_text(root, file) for file in pack.policies),
            schema=_text(root, pack.schema) if pack.schema else CALL_SCHEMA,
            entities=_text(root, pack.entities) if pack.entities else "[]",
        )
        for pack in packs
    )


def _text(root: str, file: str) -> str:
    path = os.path.join(root, file)
    if not is_below(file, (".",)):
        raise _unreadable(path, "leads out of the project's folder")
    try:
        with open(path, "rb") as opened:
            data = opened.read(_TEXT_LIMIT + 1)
        if len(data) > _TEXT_LIMIT:
            raise _unreadable(path, f"is larger than {_TEXT_LIMIT:,} bytes")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = f"byte {error.start} is {error.object[error.start]:#04x}"
        raise _unreadable(path, f"is not UTF-8 text: {at}") from None
    except OSError as error:
        raise _unreadable(path, error.strerror or "cannot be read") from None


def _unreadable(path: str, problem: str) -> ConfigurationError:
    return ConfigurationError(f"{path}: {problem}", details={"file": path})
