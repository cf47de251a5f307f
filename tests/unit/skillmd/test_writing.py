from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from prowess.errors import InvalidManifestError
from prowess.model.manifest import Kind, Manifest
from prowess.skillmd.document import Field, SkillDocument
from prowess.skillmd.writing.manifest import from_manifest, to_manifest
from prowess.skillmd.writing.scalars import in_quotes, written_text, written_value
from prowess.skillmd.writing.skill import write_skill
from prowess.yamltext.nodes import Scalar, plain, scalar_value
from prowess.yamltext.reading import read_yaml
from tests.unit.skillmd.samples import document, front, skill

if TYPE_CHECKING:
    from prowess.model.json_value import Json

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(TEXT)
def test_a_text_is_written_so_that_it_is_read_as_that_text(text: str) -> None:
    """Spec: round trip."""
    for written in (written_text(text), in_quotes(text)):
        root = read_yaml(f"x: {written}\ny: 1").root
        assert root is not None
        assert plain(root) == {"x": text, "y": 1}
    alone = read_yaml(written_text(text)).root
    assert isinstance(alone, Scalar)
    assert scalar_value(alone) == text


@given(JSON)
def test_a_value_is_written_so_that_it_is_read_as_that_value(value: Json) -> None:
    """Spec: as above."""
    root = read_yaml(f"x: {written_value(value)}").root
    assert root is not None
    assert plain(root) == {"x": value}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Reads PDF files, and writes them.", "Reads PDF files, and writes them."),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        ("yes", '"yes"'),
        ("1.0", '"1.0"'),
        ("", '""'),
        ("- a", '"- a"'),
        (" a", '" a"'),
        ("a\nb", '"a\\nb"'),
        ('say "hi"', 'say "hi"'),
        ("\ud800", '"\N{REPLACEMENT CHARACTER}"'),
        ("\x7f", '"\\u007f"'),
    ],
)
def test_a_text_is_in_quotes_only_where_it_needs_them(text: str, written: str) -> None:
    """Choice: a file that people read."""
    assert written_text(text) == written


SOURCE = skill(
    "# ours\nlicense:   'MIT'   # why\nversion: 1.10\nallowed-tools:\n  - Read # a\n  - Bash(git *)\n"
    "metadata:\n  a: [1]\n# more\nodd_one: |\n  x\ntags: [a]\n",
    "\r\nbody\n",
)


@pytest.mark.behaviour("skillmd.same-bytes")
@pytest.mark.parametrize(
    "source", [SOURCE, SOURCE.replace("\n", "\r\n"), front("description: a: b\n"), "\ufeff" + SOURCE]
)
def test_an_unchanged_document_gives_the_same_bytes(source: str) -> None:
    """Spec: writing an unchanged document gives the same bytes."""
    data = source.encode()
    assert write_skill(document(data), data) == data


@pytest.mark.behaviour("skillmd.same-bytes")
@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        ({"description": "Writes: PDF"}, "description: Reads PDF files.", 'description: "Writes: PDF"'),
        ({"license": "BSD"}, "license:   'MIT'   # why", "license: BSD   # why"),
        ({"license": None}, "license:   'MIT'   # why\n", ""),
        ({"version": "2.0"}, "version: 1.10", 'version: "2.0"'),
        ({"allowed_tools": ("Edit",)}, "allowed-tools:\n  - Read # a\n  - Bash(git *)", "allowed-tools: Edit"),
        ({"allowed_tools": ("A b", "c")}, "allowed-tools:\n  - Read # a\n  - Bash(git *)", "allowed-tools: [A b, c]"),
        ({"allowed_tools": ()}, "allowed-tools:\n  - Read # a\n  - Bash(git *)", 'allowed-tools: ""'),
        ({"metadata": {"b": "c"}}, "metadata:\n  a: [1]", "metadata: {b: c}"),
        ({"metadata": {}}, "metadata:\n  a: [1]\n", ""),
        ({"tags": ("a", "b c")}, "tags: [a]", "tags: [a, b c]"),
        ({"model": "opus"}, "tags: [a]\n", "tags: [a]\nmodel: opus\n"),
        ({"user_invocable": False}, "tags: [a]\n", "tags: [a]\nuser-invocable: false\n"),
        ({"model_invocable": False}, "tags: [a]\n", "tags: [a]\ndisable-model-invocation: true\n"),
        ({"body": "new\n"}, "\r\nbody\n", "new\n"),
    ],
)
def test_a_change_touches_its_field_only(change: dict[str, object], old: str, new: str) -> None:
    """Spec: touches nothing else."""
    changed = replace(document(SOURCE), **change)
    written = write_skill(changed, SOURCE.encode())
    assert written.decode() == SOURCE.replace(old, new)
    again = document(written)
    assert {name: getattr(again, name) for name in change} == change


def test_an_unknown_field_may_be_changed_too() -> None:
    """Spec: unknown fields are kept."""
    before = document(SOURCE)
    fields = tuple(Field("odd_one", "z", 0, 0) if one.name == "odd_one" else one for one in before.fields)
    written = write_skill(replace(before, fields=fields), SOURCE.encode()).decode()
    assert written == SOURCE.replace("odd_one: |\n  x", "odd_one: z")


def test_a_document_made_in_code_becomes_a_file() -> None:
    """Choice: `new` and conversions write files."""
    made = SkillDocument(
        name="pdf-tools",
        description="Reads: PDF",
        version="1.10",
        allowed_tools=("Bash(git add *)", "Read"),
        tags=("a",),
        metadata={"team": "docs", "level": 3},
        body="Text.\n",
    )
    written = write_skill(made)
    assert written.decode() == (
        '---\nname: pdf-tools\ndescription: "Reads: PDF"\nversion: "1.10"\ntags: [a]\n'
        "allowed-tools: Bash(git add *) Read\nmetadata: {team: docs, level: 3}\n---\nText.\n"
    )
    assert said(document(written)) == said(made)


def test_what_cannot_be_changed_in_place_is_written_anew() -> None:
    """Choice: what the file says counts more than how it says it."""
    source = "---\n{name: pdf-tools, description: d}\n---\nx"
    changed = replace(document(source), license="MIT")
    assert said(document(write_skill(changed, source.encode()))) == said(changed)


def said(found: SkillDocument) -> dict[str, object]:
    """What a document says, without where its fields stand."""
    return {name: value for name, value in asdict(found).items() if name != "fields"}


WORDS = st.lists(st.from_regex(r"[a-z][a-z ]{0,8}[a-z]", fullmatch=True), max_size=3, unique=True).map(tuple)
DOCUMENTS = st.builds(
    SkillDocument,
    name=st.from_regex(r"[a-z0-9]+(-[a-z0-9]+){0,2}", fullmatch=True)
    | st.sampled_from(["PDF Tools", "技能", "a/b", "a:b"]),
    description=TEXT.map(str.strip).filter(bool),
    version=st.none() | st.sampled_from(["1.0", "1.10", "1.0.0", "2024-01-05", "v2", "one two"]),
    license=st.none() | TEXT,
    compatibility=st.none() | TEXT.filter(bool),
    allowed_tools=st.none() | WORDS,
    disallowed_tools=WORDS,
    metadata=st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), JSON, max_size=3),
    author=st.none() | st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True),
    tags=WORDS,
    triggers=WORDS,
    model=st.none() | TEXT.filter(bool),
    inputs=JSON,
    user_invocable=st.booleans(),
    model_invocable=st.booleans(),
    body=TEXT.map(lambda text: text.replace("\r", "")),
)


@given(DOCUMENTS)
def test_what_is_written_is_read_again(made: SkillDocument) -> None:
    """Spec: to a manifest and back; round trip."""
    assert said(document(write_skill(made))) == said(made)


@given(DOCUMENTS, DOCUMENTS)
def test_any_change_can_be_written(before: SkillDocument, after: SkillDocument) -> None:
    """Spec: as above."""
    assert said(document(write_skill(after, write_skill(before)))) == said(after)


@pytest.mark.behaviour("skillmd.manifest")
@given(DOCUMENTS)
def test_a_manifest_gives_its_document_again(made: SkillDocument) -> None:
    """Spec: to a manifest and back."""
    found = document(write_skill(made))
    manifest = to_manifest(found)
    assert manifest.kind is Kind.PACKAGE
    manifest.validate() if manifest.name.isascii() else None
    assert said(from_manifest(manifest, found.body)) == said(found)


@pytest.mark.behaviour("skillmd.manifest")
def test_a_manifest_says_what_the_document_says() -> None:
    """Spec: unknown fields into `extra`; a written version is shown as written."""
    manifest = to_manifest(
        document(skill("version: 1.10\nauthor: Ada\ntags: a, b\nodd: [1.50]\nallowed_tools: Read, Edit\n"))
    )
    assert manifest == Manifest(
        name="pdf-tools",
        version="1.10",
        description="Reads PDF files.",
        kind=Kind.PACKAGE,
        tags=("a", "b"),
        author="Ada",
        extra={"odd": ["1.50"], "allowed-tools": ["Read", "Edit"]},
    )


@pytest.mark.behaviour("skillmd.registry-name")
@pytest.mark.parametrize(
    ("written", "name", "known_as"),
    [("PDF-Tools", "pdf-tools", "PDF-Tools"), ("PDF Tools", "pdf-tools", None), ("acme/pdf", "acme-pdf", "acme/pdf")],
)
def test_a_name_that_breaks_the_grammar_becomes_an_alias_and_the_title(
    written: str, name: str, known_as: str | None
) -> None:
    """Spec: the written name becomes the manifest's `id` alias and `title`."""
    manifest = to_manifest(document(front(f"name: {written}\ndescription: d\n")))
    assert (manifest.name, manifest.id, manifest.title) == (name, known_as, written)
    assert from_manifest(manifest).name == written


def test_what_a_manifest_cannot_hold_stays_in_extra() -> None:
    """Choice: a version of two words must not keep a skill out."""
    manifest = to_manifest(document(skill("version: one two\ntags: ['a\\nb', c]\nlicense: MIT\n")))
    assert manifest.validate().version is None
    assert manifest.extra["version"] == "one two"
    assert manifest.tags == ("a\\nb", "c")
    manifest = to_manifest(document(skill('tags: ["a\\nb", c]\n')))
    assert manifest.validate().tags == ("c",)
    assert from_manifest(manifest).tags == ("a\nb", "c")


def test_a_manifest_without_a_description_is_no_package() -> None:
    """Choice: the error names it."""
    with pytest.raises(InvalidManifestError, match="'x'"):
        from_manifest(Manifest(name="x"))
    assert from_manifest(Manifest(name="acme/x", description="d", version="1.0.0")).version == "1.0.0"
