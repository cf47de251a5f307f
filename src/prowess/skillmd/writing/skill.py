"""A document as a SKILL.md: the bytes that it was read from, but for what was changed since; or a new file."""

from prowess.model.json_value import Json
from prowess.skillmd.document import SkillDocument
from prowess.skillmd.fields import meant
from prowess.skillmd.reading import read_skill
from prowess.skillmd.tools import read_tools
from prowess.skillmd.writing.draft import Draft
from prowess.skillmd.writing.scalars import written_text, written_value

__all__ = ["write_skill"]


def write_skill(document: SkillDocument, source: bytes = b"") -> bytes:
    """The file that says what the document says.

    `source` is what the document was read from. Where nothing was changed it is given back; else only the lines of the
    changed fields are written anew, and the body, where that was changed.
    """
    before = read_skill(source, document.name).document
    if before is None:
        return _new(document)
    had, wanted = _entries(before), _entries(document)
    data = source
    for name in {**had, **wanted}:
        if had.get(name) != wanted.get(name):
            data = _with_field(data, name, wanted.get(name))
    if document.body != before.body:
        draft = Draft(data)
        data = draft.written(draft.text[: draft.source.body] + document.body)
    after = read_skill(data, document.name).document
    written = after is not None and after.body == document.body and _entries(after) == wanted
    return data if written else _new(document)


# ---------------------------------------------------------------------------------------------------------------------


def _entries(document: SkillDocument) -> dict[str, Json]:
    """The fields that say what a document says, in the order in which a new file has them."""
    tools = document.allowed_tools
    inner = _said_by_metadata(document)
    entries: dict[str, Json] = {
        "name": document.name,
        "description": document.description,
        "license": document.license,
        "compatibility": document.compatibility,
        "version": None if document.version == inner.version else document.version,
        "author": None if document.author == inner.author else document.author,
        "tags": None if document.tags == inner.tags else [*document.tags] or None,
        "triggers": [*document.triggers] or None,
        "dependencies": [*document.dependencies] or None,
        "when_to_use": document.when_to_use,
        "argument-hint": document.argument_hint,
        "model": document.model,
        "context": document.context,
        "paths": [*document.paths] or None,
        "inputs": document.inputs,
        "outputs": document.outputs,
        "requires": document.requires,
        "hooks": document.hooks,
        "user-invocable": None if document.user_invocable else False,
        "disable-model-invocation": None if document.model_invocable else True,
        "disallowed-tools": [*document.disallowed_tools] or None,
        "allowed-tools": None if tools is None else [*tools],
        "metadata": document.metadata or None,
    }
    kept = {name: value for name, value in entries.items() if value is not None}
    return kept | {field.name: field.value for field in document.fields if meant(field.name) is None}


def _said_by_metadata(document: SkillDocument) -> SkillDocument:
    """A document whose version, author and tags are those that the metadata says, where the fields say none."""
    lines = f"name: x\ndescription: x\nmetadata: {written_value(document.metadata)}"
    said = read_skill(f"---\n{lines}\n---\n".encode()).document
    return said if said is not None else document


def _with_field(data: bytes, name: str, value: Json) -> bytes:
    draft = Draft(data)
    field = draft.field(name) or next((pair for pair in draft.fields() if pair[0].text == name), None)
    if field is None:
        at = draft.source.end - draft.source.start
        return draft.put(at, at, _line(name, value) + draft.line_end)
    key, node = field
    end = draft.end_of(node)
    if value is not None:
        return draft.put(key.start, end, _line(name, value))
    rest = draft.between(end)
    return draft.put(key.start, end + len(rest) - len(rest.partition("\n")[2]), "")


def _line(name: str, value: Json) -> str:
    if name in {"allowed-tools", "disallowed-tools"} and isinstance(value, list):
        tools = " ".join(tool for tool in value if isinstance(tool, str))
        if [*read_tools(tools).tools] == value:
            value = tools
    return f"{written_text(name)}: {written_value(value)}"


def _new(document: SkillDocument) -> bytes:
    lines = [_line(name, value) for name, value in _entries(document).items()]
    return "\n".join(("---", *lines, "---", document.body)).encode()
