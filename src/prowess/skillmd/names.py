"""How skills are named: the standard's grammar, names in other scripts, and the name that the registry gives one."""

import re
from unicodedata import category, normalize

from prowess.model.names import NAME_LIMIT

__all__ = ["is_standard_name", "name_fault", "registry_name", "same_name", "written_name"]

_STANDARD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_REGISTRY = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
_SEPARATORS = re.compile(r"[-_]+")


def written_name(text: str) -> str:
    """A name as a field holds it: in NFC, so that two ways to compose a letter are one, on one line."""
    name = " ".join(text.split())
    return name if name.isascii() else normalize("NFC", name)


def is_standard_name(name: str) -> bool:
    """Whether a name obeys the standard: `a` to `z`, digits, single hyphens between them, at most 64 characters."""
    return len(name) <= NAME_LIMIT and _STANDARD.fullmatch(name) is not None


def name_fault(name: str) -> str | None:
    """What is wrong with a name beside its length, as the end of a sentence; None for one in another script."""
    if name != name.lower():
        return "has uppercase letters"
    foreign = next((char for char in name if char != "-" and not _is_letter(char)), None)
    if foreign is not None:
        return "has spaces" if foreign == " " else f"has the character {foreign!r}"
    if name.startswith("-") or name.endswith("-"):
        return "begins or ends with a hyphen"
    return "has two hyphens in a row" if "--" in name else None


def same_name(name: str, folder: str) -> bool:
    """Whether a name is that of a folder, however each of them composes its letters."""
    return name == folder or (not folder.isascii() and name == normalize("NFC", folder))


def registry_name(document_name: str) -> str:
    """The name under which the registry holds a package, the same as written where that is one already.

    Otherwise lowercase, in NFC, letters of other scripts kept, anything else a single `-`, at most 64 characters. A
    name without letters gets one that is made of its hash.
    """
    if len(document_name) <= NAME_LIMIT and _REGISTRY.fullmatch(document_name):
        return document_name
    lowered = normalize("NFC", normalize("NFC", document_name).lower())
    kept = "".join(char if char == "_" or _is_letter(char) else "-" for char in lowered)
    joined = _SEPARATORS.sub(lambda run: run.group() if len(run.group()) == 1 else "-", kept).strip("-_")
    cut = joined[:NAME_LIMIT].rstrip("-_")
    if cut:
        return cut
    from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL, and most commands ask no digest

    return f"skill-{blake2b(document_name.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


# ---------------------------------------------------------------------------------------------------------------------


def _is_letter(char: str) -> bool:
    """A letter, a digit, or a mark that belongs to the letter before it, as the vowels of many scripts are."""
    return char.isalnum() or (not char.isascii() and category(char)[0] == "M")
