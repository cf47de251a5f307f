"""A SKILL.md from bytes to its two answers: the lenient document, and every problem that needs no profile to be one."""

from msgspec.structs import replace

from prowess.model.json_value import Json
from prowess.model.names import NAME_LIMIT, near_names
from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import Severity, SkillDocument, SkillProblem, SkillReading
from prowess.skillmd.fields import Fields, kind_of, read_fields, texts, written
from prowess.skillmd.frontmatter.reading import read_front
from prowess.skillmd.frontmatter.source import SIZE_LIMIT, Source, read_source
from prowess.skillmd.names import is_standard_name, name_fault, registry_name, same_name, written_name
from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence, plain

__all__ = ["read_skill"]

_QUOTES = frozenset("'\"")
_DESCRIPTION_LIMIT = 1024
_COMPATIBILITY_LIMIT = 500


def read_skill(data: bytes, folder: str | None = None) -> SkillReading:
    """What a SKILL.md says and what is wrong with it, in one pass; `folder` is the name of the folder it is in.

    Never raises for what a file may hold, and takes time in proportion to its size.
    """
    name = written_name(folder or "")
    if len(data) > SIZE_LIMIT:
        problem = problem_of("file-too-large", size=len(data), most=SIZE_LIMIT)
        return SkillReading(name=name, document=None, problems=(problem,))
    source = read_source(data)
    problems = [*source.problems]
    document: SkillDocument | None = None
    if source.usable:
        front = read_front(source, problems)
        if front is not None:
            name, document = _document(read_fields(*front, problems), folder, source)
    if len(problems) > 1:
        problems.sort(key=_place)
    return SkillReading(name=name, document=document, problems=tuple(problems), source=data)


# ---------------------------------------------------------------------------------------------------------------------


def _place(problem: SkillProblem) -> tuple[int, int]:
    return problem.line, problem.column


def _document(fields: Fields, folder: str | None, source: Source) -> tuple[str, SkillDocument | None]:
    """The name, and the document where there are a name and a description."""
    name = _name(fields, folder, source)
    description = _description(fields, source)
    metadata = _metadata(fields)
    if not name or not description:
        return name, None
    body = source.text[source.body :]
    document = SkillDocument(
        name=name,
        description=description,
        version=_version(fields, metadata),
        license=_text(fields, "license"),
        compatibility=_compatibility(fields),
        allowed_tools=_tools(fields, "allowed-tools"),
        disallowed_tools=_tools(fields, "disallowed-tools") or (),
        metadata=_values(metadata),
        author=_author(fields, metadata),
        tags=fields.texts_of("tags") or _inner_texts(fields, metadata, "tags"),
        triggers=fields.texts_of("triggers"),
        dependencies=fields.texts_of("dependencies"),
        when_to_use=fields.text_of("when_to_use"),
        argument_hint=fields.text_of("argument-hint"),
        model=fields.text_of("model"),
        context=fields.text_of("context"),
        paths=fields.texts_of("paths"),
        inputs=fields.json_of("inputs"),
        outputs=fields.json_of("outputs"),
        requires=fields.json_of("requires"),
        hooks=fields.json_of("hooks"),
        user_invocable=fields.flag_of("user-invocable", default=True),
        model_invocable=not fields.flag_of("disable-model-invocation", default=False),
        fields=fields.fields,
        body=body.replace("\r\n", "\n") if "\r" in body else body,
    )
    return name, document


def _name(fields: Fields, folder: str | None, source: Source) -> str:
    name = written_name(_text(fields, "name") or "")
    node = fields.nodes.get("name")
    if node is None or not name:
        instead = written_name(folder or "")
        line, column = (node.line, node.column) if node is not None else (source.line, 1)
        said = f"that of the folder, '{instead}', is used" if instead else "neither is there a folder to take one from"
        problem = problem_of("name-missing", line, column, instead=said, near=registry_name(instead or "my-skill"))
        fields.problems.append(problem if instead else replace(problem, severity=Severity.ERROR))
        return instead
    if not is_standard_name(name):
        _check_name(name, node, fields)
    if folder is not None and not same_name(name, folder):
        fields.tell("name-folder", node, name=name, folder=folder)
    return name


def _check_name(name: str, node: Node, fields: Fields) -> None:
    fault = name_fault(name)
    if len(name) > NAME_LIMIT:
        fields.tell("name-too-long", node, size=len(name))
    if fault is not None:
        fields.tell("name-grammar", node, name=name[:NAME_LIMIT], why=fault, near=registry_name(name).replace("_", "-"))
    elif not name.isascii():
        fields.tell("name-script", node, name=name[:NAME_LIMIT])


def _description(fields: Fields, source: Source) -> str:
    text = _text(fields, "description") or ""
    node = fields.nodes.get("description")
    description = text.strip()
    if node is None or not description:
        line, column = (node.line, node.column) if node is not None else (source.line, 1)
        why = _why_missing(fields) if node is None else ": the field 'description' is empty"
        fields.problems.append(problem_of("description-missing", line, column, why=why))
        return ""
    if len(description) > _DESCRIPTION_LIMIT:
        fields.tell("description-too-long", node, size=len(description))
    if isinstance(node, Scalar):
        if node.style in _QUOTES:
            if (
                description != text and fields.text == source.front
            ):  # quotes that are the author's, not put there to mend
                fields.tell("description-space", node)
        elif not node.style:
            _check_rest(node, fields)
    return description


def _why_missing(fields: Fields) -> str:
    near = near_names("description", (field.name for field in fields.fields), 1)
    return f": is the field '{near[0]}' meant to be it?" if near else ""


def _check_rest(node: Scalar, fields: Fields) -> None:
    """Look for what a ` #` cuts off."""
    end = fields.text.find("\n", node.end)
    rest = fields.text[node.end : end if end >= 0 else None]
    if "#" in rest:
        column = node.column + rest.index("#") + node.end - node.start
        fields.problems.append(problem_of("description-comment", node.line, column))


def _text(fields: Fields, name: str) -> str | None:
    """A field that is one text, and a problem where it is not."""
    text = fields.text_of(name)
    if text is not None:
        node = fields.nodes[name]
        kind = kind_of(node)
        if kind is not None:
            code = "value-unquoted" if isinstance(node, Scalar) else "value-not-text"
            fields.tell(code, node, field=name, what=kind)
    return text


def _compatibility(fields: Fields) -> str | None:
    text = _text(fields, "compatibility")
    node = fields.nodes.get("compatibility")
    if node is not None:
        size = len((text or "").strip())
        if not 1 <= size <= _COMPATIBILITY_LIMIT:
            what = f"{size} characters long, more than {_COMPATIBILITY_LIMIT}" if size else "empty"
            fields.tell("compatibility-length", node, what=what)
    return text


def _metadata(fields: Fields) -> Mapping | None:
    node = fields.nodes.get("metadata")
    if node is None or isinstance(node, Mapping):
        return node
    if fields.text_of("metadata") is not None:
        what = "a list" if isinstance(node, Sequence) else "a text"
        fields.tell("metadata-not-a-map", node, what=what)
    return None


def _values(metadata: Mapping | None) -> dict[str, Json]:
    values = plain(metadata) if metadata is not None else None
    return values if isinstance(values, dict) else {}


def _inner(metadata: Mapping | None, name: str) -> Node | None:
    """A field inside the metadata; the last one, where there are several."""
    found: Node | None = None
    for key, value in metadata.named() if metadata is not None else ():
        if key.text == name:
            found = value
    return found


def _inner_texts(fields: Fields, metadata: Mapping | None, name: str) -> tuple[str, ...]:
    node = _inner(metadata, name)
    return () if node is None else texts(node, fields.text)


def _version(fields: Fields, metadata: Mapping | None) -> str | None:
    """As written, whatever YAML would make of it."""
    node = fields.nodes.get("version") or _inner(metadata, "version")
    version = "" if node is None else written(node, fields.text).strip()
    if node is None or not version or version == "~":
        return None
    kind = kind_of(node)
    if kind is not None:
        fields.tell("version-unquoted", node, version=version, what=kind)
    return version


def _author(fields: Fields, metadata: Mapping | None) -> str | None:
    node = fields.nodes.get("author") or _inner(metadata, "author")
    if node is None:
        return None
    return ", ".join(texts(node, fields.text)) or None


def _tools(fields: Fields, name: str) -> tuple[str, ...] | None:
    read = fields.tools_of(name)
    if read is None:
        return None
    node = fields.nodes[name]
    if isinstance(node, Mapping):
        fields.tell("tools-not-text", node, field=name, what="is keys with values, of which none is read")
    elif isinstance(node, Sequence) and not all(isinstance(item, Scalar) for item in node.items):
        fields.tell("tools-not-text", node, field=name, what="has items that are no text, and are read as written")
    for tool in read.twice:
        fields.tell("tools-duplicate", node, field=name, tool=tool)
    if read.unbalanced is not None:
        fields.tell("tools-brackets", node, field=name, tool=read.unbalanced)
    return read.tools
