"""Every problem a SKILL.md can have: its stable word, how much it matters, what it says and what helps.

Each word has a page in `tests/skillmd/` with a skill that has the problem and one that has not. A profile may hold a
warning for an error: what Prowess passes over, a standard or a client may refuse.
"""

from msgspec import Struct

from prowess.skillmd.document import Severity, SkillProblem

__all__ = ["CODES", "Code", "problem_of"]


class Code(Struct, frozen=True, gc=False):
    """What is the same for all problems of one code. Words in braces are filled in."""

    severity: Severity
    sentence: str
    fix: str | None = None


def problem_of(code: str, line: int = 1, column: int = 1, **words: object) -> SkillProblem:
    """The problem of that code at a place; `words` fill its sentence and its fix, `field` says what it is about."""
    known = CODES[code]
    field = words.get("field")
    return SkillProblem(
        code=code,
        severity=known.severity,
        message=known.sentence.format_map(words),
        line=line,
        column=column,
        fix=known.fix.format_map(words) if known.fix else None,
        field=field if isinstance(field, str) else None,
    )


# ---------------------------------------------------------------------------------------------------------------------

_ERROR = Severity.ERROR
_WARNING = Severity.WARNING
_NAME_RULE = "write lowercase letters, digits and single hyphens, such as {near}"

CODES: dict[str, Code] = {
    # The file
    "file-unreadable": Code(_ERROR, "the file cannot be read: {why}"),
    "file-kind": Code(_ERROR, "this is {what} and no regular file", "put a file with text in its place"),
    "file-too-large": Code(
        _ERROR,
        "the file has {size} bytes, more than the {most} that are read",
        "move what is rarely needed to files beside it",
    ),
    "file-name": Code(_WARNING, "the file is named {name}, and some clients find only SKILL.md", "name it SKILL.md"),
    "file-encoding": Code(_WARNING, "the text is not UTF-8: {what}", "save the file as UTF-8"),
    "file-mark": Code(_WARNING, "the file begins with a byte order mark, which hides the front matter", "remove it"),
    "file-line-ends": Code(_WARNING, "{crlf} lines end with CRLF and {lf} with LF", "end all lines the same way"),
    "file-returns": Code(
        _WARNING, "the lines end with CR alone, where many readers see one long line", "end them with LF"
    ),
    "file-control": Code(_WARNING, "the {where} holds the control character U+{number:04X}", "remove it"),
    # The front matter
    "frontmatter-missing": Code(
        _ERROR,
        "there is no front matter: {why}",
        "begin the file with a line ---, then name: and description:, then a line ---",
    ),
    "frontmatter-unclosed": Code(
        _ERROR, "the front matter does not end: no line below is ---", "put a line --- below its last field"
    ),
    "frontmatter-empty": Code(_ERROR, "the front matter is empty", "say a name and a description in it"),
    "frontmatter-not-a-map": Code(
        _ERROR, "the front matter is {what} and holds no fields", "write each field as 'name: value' on its own line"
    ),
    "frontmatter-yaml": Code(_ERROR, "the front matter cannot be read as YAML: {why}", "put the text in quotes"),
    "frontmatter-too-large": Code(
        _ERROR, "the front matter {why}", "move what is no field to the text below the front matter"
    ),
    "frontmatter-too-deep": Code(_ERROR, "the front matter {why}", "write it with fewer levels"),
    "frontmatter-aliases": Code(_ERROR, "the front matter is refused: {why}", "write the values where they are needed"),
    "frontmatter-second": Code(_WARNING, "the front matter {why}", "leave out the dashes at the beginning of the line"),
    "frontmatter-late": Code(
        _WARNING,
        "the front matter begins in line {number}, and some clients look in the first only",
        "put it at the top of the file",
    ),
    "frontmatter-delimiter": Code(
        _WARNING, "the line {found} is taken for the --- that {what} the front matter", "write exactly three dashes"
    ),
    "frontmatter-unopened": Code(
        _WARNING,
        "no line --- begins the front matter, and it is read from here to {what}",
        "put a line --- above and below it",
    ),
    "frontmatter-character": Code(_WARNING, "the character {char} stands {what}", "{advice}"),
    "frontmatter-text": Code(
        _WARNING, "this line of the front matter is no field, and is passed over", "put it below the front matter"
    ),
    "frontmatter-tab": Code(
        _WARNING, "a tab indents this line of the front matter, which YAML forbids", "indent with spaces"
    ),
    "frontmatter-layout": Code(
        _WARNING,
        "the field '{field}' of the front matter is {what}",
        "write '{field}: value' at the beginning of the line",
    ),
    "frontmatter-quotes": Code(
        _WARNING,
        "the value of '{field}' breaks YAML and is read as if it were in quotes: {why}",
        "put the value in quotes",
    ),
    # Fields
    "field-unreadable": Code(
        _WARNING, "the field '{field}' is passed over, since it cannot be read: {why}", "put its text in quotes"
    ),
    "field-duplicate": Code(_WARNING, "{why}, and the last one counts", "keep one of them"),
    "field-spelling": Code(_WARNING, "the field '{found}' is read as '{field}'", "write it {field}"),
    "field-unknown": Code(_WARNING, "the field '{field}' is {what}", "{advice}"),
    "yaml-alias": Code(_WARNING, "{why}", "write the value itself"),
    "yaml-anchor": Code(
        _WARNING, "{why}, which is kept where it begins a text", "leave it out, or put the value in quotes"
    ),
    "yaml-tag": Code(
        _WARNING, "the value {why}, which is kept as text", "leave the tag out, or put the value in quotes"
    ),
    "value-not-text": Code(
        _WARNING, "'{field}' is {what}, and is read as the text that it was written as", "write one text"
    ),
    "value-unquoted": Code(
        _WARNING,
        "the value of '{field}' is {what} to YAML, and is read as the text that it was written as",
        "put it in quotes",
    ),
    "version-unquoted": Code(
        _WARNING, "the version {version} is {what} to YAML, where other readers may change it", "put it in quotes"
    ),
    # The name
    "name-missing": Code(_WARNING, "there is no name: {instead}", "add the field 'name: {near}'"),
    "name-grammar": Code(_WARNING, "the name '{name}' {why}", _NAME_RULE),
    "name-too-long": Code(_WARNING, "the name has {size} characters, more than 64", "shorten it"),
    "name-script": Code(
        _WARNING, "the name '{name}' has letters besides a to z, which not every client takes", "write it with a to z"
    ),
    "name-folder": Code(_WARNING, "the name '{name}' is not that of its folder, '{folder}'", "rename one of the two"),
    "name-reserved": Code(
        _ERROR, "the name '{name}' holds '{word}', which Claude keeps for itself", "leave the word out"
    ),
    # The description
    "description-missing": Code(
        _ERROR,
        "there is no description{why}",
        "add the field 'description:' that says what the skill does and when to use it",
    ),
    "description-too-long": Code(
        _WARNING, "the description has {size} characters, more than 1024", "keep what tells when to use the skill"
    ),
    "description-space": Code(_WARNING, "the description begins or ends with white space", "remove it"),
    "description-comment": Code(
        _WARNING,
        "the rest of this line is a comment to YAML and no part of the description",
        "put the description in quotes",
    ),
    "description-markup": Code(
        _ERROR, "the description holds <{tag}>, and Claude takes no markup there", "write it without angle brackets"
    ),
    "description-line": Code(
        _WARNING, "the description spans several lines, and FastMCP shows its first line only", "write it on one line"
    ),
    "description-use-when": Code(
        _ERROR, "the description does not begin with 'Use when'", "begin it with 'Use when', and say when"
    ),
    # Other fields
    "compatibility-length": Code(
        _WARNING, "the compatibility is {what}", "write 1 to 500 characters, or leave the field out"
    ),
    "metadata-not-a-map": Code(
        _WARNING, "the metadata is {what}, not keys with values", "write 'key: value' lines below 'metadata:'"
    ),
    "metadata-value": Code(
        _WARNING, "'{key}' in the metadata is {what}, and the standard has text only", "write the value as text"
    ),
    "tools-form": Code(_WARNING, "'{field}' is {what}, and the standard has tools separated by spaces", "write {near}"),
    "tools-duplicate": Code(_WARNING, "'{field}' names '{tool}' twice", "name it once"),
    "tools-brackets": Code(_WARNING, "'{field}' has a bracket without its other half in '{tool}'", "close the bracket"),
    "tools-not-text": Code(_WARNING, "'{field}' {what}", "name the tools, separated by spaces"),
    "flag-not-boolean": Code(
        _WARNING, "'{field}' is neither true nor false, and counts as {instead}", "write true or false"
    ),
    "version-missing": Code(_ERROR, "there is no version", "add the field 'version: 1.0.0'"),
    "version-semver": Code(
        _ERROR,
        "the version '{version}' is not a semantic version: it compares as {shown}",
        "write three numbers, such as {shown}",
    ),
    "body-empty": Code(_WARNING, "there is nothing below the front matter", "write there what a model is to do"),
    "frontmatter-dashes": Code(
        _WARNING,
        "this line of the front matter holds ---, where {client} takes it to end",
        "write the dashes otherwise",
    ),
}
