"""What a caller activated: the text it was given, marked so that the text cannot pretend to end, and kept in mind."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256

from msgspec import Struct, json

from prowess.authoring.skill import LoadedPackage
from prowess.model.caller import Caller
from prowess.model.json_value import Json
from prowess.model.manifest import Manifest

__all__ = ["Activation", "Activations", "activated", "activation_of", "mark_for", "wrapped"]

_KEPT = 1_024
_MARK = 16
"""Characters of the mark that ends a text."""


class Activation(Struct, frozen=True):
    """A package as one caller opened it."""

    source: object
    """The entry that was opened: another in its place is opened anew."""
    digest: str
    """Of a folder, that of its SKILL.md; of one made in code, its own, or else a hash of its instructions."""
    text: str
    """A hash of the instructions."""
    resources: Mapping[str, object]


class Activations:
    """What callers have activated, the latest ones of all callers; older ones are forgotten and can be activated again.

    A caller is an actor within a trace: each conversation that has a trace of its own starts with nothing. Lives as
    long as its registry, and is shared between threads.
    """

    def __init__(self, *, kept: int = _KEPT) -> None:
        self._most = kept
        self._kept: OrderedDict[tuple[str, str | None, str], Activation] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, caller: Caller, manifest: Manifest) -> Activation | None:
        """What this caller activated under the name and version of a manifest; None where it did not."""
        key = (caller.actor, caller.trace, manifest.reference)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, caller: Caller, manifest: Manifest, activation: Activation) -> None:
        """Keep what a caller activated, in the place of what it activated before under that name and version."""
        key = (caller.actor, caller.trace, manifest.reference)
        with self._lock:
            self._kept[key] = activation
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def activation_of(source: object, package: LoadedPackage) -> Activation:
    """What there is to keep of a package that was opened."""
    text = f"sha256:{_hex(package.instructions)}"
    return Activation(source, package.digest or text, text, package.resources)


def activated(
    manifest: Manifest, instructions: str, now: Activation, before: Activation | None, *, again: bool
) -> dict[str, Json]:
    """The answer of `activate_skill`: the instructions, or where the caller has them, that it has.

    `before` is what it activated before. Where the text is another now, the answer says so and gives it.
    """
    changed = before is not None and (before.text, before.digest) != (now.text, now.digest)
    keys: list[Json] = [*sorted(now.resources)]
    if before is not None and not changed and not again:
        return _already_active(manifest, now)
    told: dict[str, Json] = {"instructions": wrapped(manifest, instructions, now.digest), "resources": keys}
    if before is not None:
        told["already_active"] = True
    return {**told, "changed": True} if changed else told


def wrapped(manifest: Manifest, instructions: str, digest: str) -> str:
    """The instructions with their name and the digest of what they were read from, between a mark and its counterpart.

    The mark comes from the text's own hash and does not occur in the text, so nothing in the text can end it early.
    """
    mark = mark_for(instructions, _hex(instructions)[:_MARK])
    version = f" version={_quoted(manifest.version)}" if manifest.version else ""
    head = f'<skill name={_quoted(manifest.name)}{version} text-digest={_quoted(digest)} ends-with="/skill {mark}">'
    body = instructions.strip("\r\n")
    return f"{head}\n{body}\n</skill {mark}>"


def mark_for(text: str, guess: str) -> str:
    """A mark that does not occur in a text: the guess, or one that is made of it."""
    while guess in text:
        guess = _hex(guess)[:_MARK]
    return guess


# ---------------------------------------------------------------------------------------------------------------------


def _already_active(manifest: Manifest, activation: Activation) -> dict[str, Json]:
    """The short answer to a caller that has the instructions."""
    text = (
        f"You activated '{manifest.name}' before, and its instructions ({activation.digest}) have not changed: follow "
        f"the ones that you have. If you no longer see them, call activate_skill with again=true."
    )
    keys: list[Json] = [*sorted(activation.resources)]
    return {"instructions": text, "resources": keys, "already_active": True}


def _quoted(text: str) -> str:
    """A text in quotes which it cannot leave: a version is whatever its author wrote."""
    return json.encode(text.encode("utf-8", "replace").decode()).decode()


def _hex(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
