"""What an entry says of itself as a document of an index: three texts that overlap, and what it can be narrowed by."""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b

import msgspec
from msgspec import Struct

from prowess.catalog.search.words import every_word, words_of
from prowess.model.json_value import Json
from prowess.model.manifest import Manifest
from prowess.model.names import key_of as name_key

__all__ = ["PARTS", "Document", "Text", "chosen", "digest_of", "document_of", "facet", "key_of", "text_of"]

PARTS = ("name", "description", "when", "tags", "triggers", "parameters", "body")
"""The parts of an entry that are searched, in the order in which a match is told."""

_BODY_HEAD = 150
"""Words of a body that are indexed from its start: what comes first says what it is about."""
_BODY_MARKS = 64
"""The most distinctive words of the rest."""
_SAID_OF_INPUTS = 500
"""Texts that are taken from a schema."""
_WHEN = ("when", "when_to_use", "whenToUse", "when-to-use")
_TRIGGERS = ("triggers", "keywords")


class Text(Struct, frozen=True, gc=False):
    """All that is searched of one entry, by part."""

    name: str
    description: str = ""
    when: str = ""
    tags: str = ""
    triggers: str = ""
    parameters: str = ""
    body: str = ""


class Document(Struct, frozen=True, gc=False):
    """One entry as an index takes it: words with spaces between them. A value, made when the entry is indexed."""

    key: int
    """Which entry it is: the same for the same name and version, and below 2 ** 63."""
    digest: int
    """What of the entry was indexed: another one means that the entry changed."""
    twin: int
    """The same for entries that say the same of themselves under the same name, wherever they come from."""
    everything: str
    """Name, description, when, tags, triggers, parameter names, body."""
    meta: str
    """The same without the body, the name twice."""
    name: str
    """The name, stop words included."""
    facets: tuple[str, ...]
    """What it can be narrowed by, each as `facet` writes it."""


def text_of(manifest: Manifest, body: str = "") -> Text:
    """The text of an entry; of its schema the inputs' names are parameters, and what is said about them is body."""
    parameters, about = _inputs(manifest)
    return Text(
        name=" ".join(filter(None, (manifest.name, manifest.title, manifest.id))),
        description=manifest.description,
        when=_said(manifest.extra, _WHEN),
        tags=" \n".join(manifest.tags),
        triggers=_said(manifest.extra, _TRIGGERS),
        parameters=" \n".join(parameters),
        body=" \n".join((*about, *manifest.examples, body)),
    )


def document_of(manifest: Manifest, source: str, text: Text, digest: int) -> Document:
    """The document of an entry whose text is known."""
    name = every_word(text.name)
    meta = words_of(f"{text.description} \n{text.when} \n{text.tags} \n{text.triggers} \n{text.parameters}")
    own = " ".join(name)
    rest = " ".join(meta)
    return Document(
        key=key_of(manifest.reference),
        digest=digest,
        twin=_hash(" ".join((_local_key(manifest.name), *sorted(set(meta)))).encode("utf-8", "surrogatepass")),
        everything=" ".join((own, rest, *chosen(words_of(text.body)))),
        meta=f"{own} {own} {rest}",
        name=own,
        facets=(
            facet("name", name_key(manifest.name)),
            facet("kind", manifest.kind),
            facet("status", manifest.status),
            facet("source", source),
            *(facet("tag", tag) for tag in manifest.tags),
        ),
    )


def key_of(reference: str) -> int:
    """The number that `name@version`, or a bare name, has in every index."""
    return _hash(reference.encode("utf-8", "surrogatepass"))


def digest_of(manifest: Manifest, source: str, revision: str = "") -> int:
    """The digest of all that `document_of` would use, the body by its revision: asked for every entry at each start."""
    said = (
        *(manifest.name, manifest.version, manifest.title, manifest.id, manifest.kind, manifest.status),
        *(manifest.description, manifest.tags, manifest.examples, manifest.input_schema.text, source, revision),
        *([manifest.extra.get(key) for key in (*_WHEN, *_TRIGGERS)] if manifest.extra else ()),
    )
    try:
        return _hash(msgspec.msgpack.encode(said))
    except UnicodeEncodeError:  # half of a surrogate pair, which no index takes
        return _hash(repr(said).encode("utf-8", "surrogatepass"))


def facet(kind: str, value: str) -> str:
    """What entries are narrowed by, as one word of an index: `tag=notes`."""
    return f"{kind}={value}" if value.isascii() else f"{kind}={value.encode(errors='backslashreplace').decode()}"


def chosen(body: list[str]) -> list[str]:
    """The first words of a body, and those that the rest says most often and the first ones do not.

    What is distinctive is told from the body alone, so an entry's document is the same in whatever index it stands.
    """
    head, rest = body[:_BODY_HEAD], body[_BODY_HEAD:]
    if not rest:
        return head
    counts = Counter(rest)
    for word in set(head):
        counts.pop(word, None)
    marks = sorted(counts, key=lambda word: (-counts[word], -len(word), word))
    return head + marks[:_BODY_MARKS]


# ---------------------------------------------------------------------------------------------------------------------


def _local_key(name: str) -> str:
    """A name without its namespace, in one of its two spellings."""
    return name.rpartition("/")[2].replace("-", "_")


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big") >> 1


def _said(extra: Mapping[str, Json], keys: Iterable[str]) -> str:
    """The text under these keys, of lists every text in them."""
    if not extra:
        return ""
    found: list[str] = []
    for key in keys:
        value = extra.get(key)
        found += [value] if isinstance(value, str) else _texts(value)
    return " \n".join(found)


def _texts(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _inputs(manifest: Manifest) -> tuple[list[str], list[str]]:
    """The names of the inputs, and everything their schema says about them."""
    schema: Json = msgspec.json.decode(manifest.input_schema.text)
    about: list[str] = []
    properties = schema.pop("properties", None) if isinstance(schema, dict) else None
    _gather(schema, about)
    if not isinstance(properties, dict):
        return [], about
    for one in properties.values():
        _gather(one, about)
    return list(properties), about


def _gather(node: Json, about: list[str]) -> None:
    """Add descriptions, choices, and the names of inner fields, as far as a bound on their number."""
    if len(about) >= _SAID_OF_INPUTS:
        return
    if isinstance(node, list):
        for item in node:
            _gather(item, about)
    elif isinstance(node, dict):
        for key, value in node.items():
            _gather_of(key, value, about)


def _gather_of(key: str, value: Json, about: list[str]) -> None:
    if isinstance(value, str):
        if key == "description":
            about.append(value)
    elif key == "enum":
        about += _texts(value)
    else:
        if key == "properties" and isinstance(value, dict):
            about += value
        _gather(value, about)
