"""What a project says about itself in `prowess.toml`, with what `PROWESS_*` variables say instead."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import fields

from prowess.app.catalogue.sections import (
    BuildSettings,
    Count,
    DisclosureSettings,
    GovernanceSettings,
    RecordSettings,
    SearchSettings,
    SkillSettings,
)
from prowess.catalog.places import NO_SETTINGS, SETTINGS
from prowess.errors import ConfigurationError
from prowess.model.json_value import is_object
from prowess.model.names import near_names

__all__ = [
    "RuntimeSettings",
    "ServerSettings",
    "Settings",
    "load_settings",
    "parse_settings",
    "variables_fit",
]

_PREFIX = "PROWESS_"
_WORDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "object": "a table",
    "str": "text",
}
_TABLE = r"\s*\[\s*([\w-]+)\s*\]"
_KEY = r"\s*[\"']?([\w.-]+)[\"']?\s*="

Port: TypeAlias = Annotated[int, Meta(ge=0, le=65_535)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0)]
LogLevel: TypeAlias = Literal["error", "info", "debug"]


class ServerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[server]`: where `prowess serve` listens, and whom it answers."""

    host: str = "127.0.0.1"
    port: Port = 8765
    """0 takes any free port."""
    allow_remote: bool = False
    """Whether a host that other machines can reach is accepted."""
    allowed_hosts: tuple[str, ...] = ()
    """Names besides loopback ones that a request's Host header may hold."""
    max_body: Count = 1_000_000
    """Bytes of a request's body."""
    watch: bool = True
    """Whether packages are reloaded as they change."""
    max_connections: Count = 500
    request_timeout: Count = 10
    """Seconds in which a request must have come, and after which a connection that brings none is closed."""
    log: LogLevel = "info"
    """`error` tells failures of calls, `info` what handlers log as well, `debug` every request and call."""


class RuntimeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[runtime]`: how calls are run."""

    max_concurrent: Count = 10
    timeout: Seconds | None = None
    """Seconds for a call that brings no time limit of its own."""
    engine: str = "memory"


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A project's settings. A value, read once when the project opens."""

    name: str = ""
    modules: tuple[str, ...] = ()
    """Python modules below the project's folder, or installed ones; `skills.*` takes every submodule."""
    folders: tuple[str, ...] = ()
    """Folders, relative to the project's, whose `.py` files are read."""
    server: ServerSettings = ServerSettings()
    runtime: RuntimeSettings = RuntimeSettings()
    records: RecordSettings = RecordSettings()
    skills: SkillSettings = SkillSettings()
    disclosure: DisclosureSettings = DisclosureSettings()
    search: SearchSettings = SearchSettings()
    build: BuildSettings = BuildSettings()
    governance: GovernanceSettings = GovernanceSettings()


def load_settings(root: str | os.PathLike[str], environ: Mapping[str, str]) -> Settings:
    """The settings of a project's folder, the defaults where it has no `prowess.toml`.

    Raises `ConfigurationError` with every problem of the file and of the variables.
    """
    file = os.path.join(root, SETTINGS)
    return parse_settings(_text_of(file) if os.path.exists(file) else "", environ, place=file)


def parse_settings(text: str, environ: Mapping[str, str], *, place: str = SETTINGS) -> Settings:
    """Settings from the text of a `prowess.toml`; raises `ConfigurationError` with every problem."""
    types = _types()
    problems: list[str] = []
    values: dict[str, object] = {}
    for path, value in _flat(_parse(text, place)):
        problem = _problem(path, value, types) or _take(values, path, value, types[path])
        if problem:
            line = _line_of(text, path)
            problems.append(f"{place}:{line}: {problem}" if line else f"{place}: {problem}")
    problems += _override(values, types, environ)
    if problems:
        message = problems[0] if len(problems) == 1 else "\n  ".join([f"{len(problems)} problems:", *problems])
        raise ConfigurationError(message, details={"file": place, "problems": tuple(problems)})
    return _built(values)


def variables_fit(environ: Mapping[str, str]) -> bool:
    """Whether every variable is a setting, or far from one, and has a value that fits."""
    return not _override({}, _types(), environ)


# ---------------------------------------------------------------------------------------------------------------------


def _text_of(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as text:
            return text.read()
    except UnicodeDecodeError as error:
        message = f"{file}: is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
        raise ConfigurationError(message, details={"file": file}) from None
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}", details={"file": file}) from None


def _parse(text: str, place: str) -> dict[str, Any]:
    if not text:
        return {}
    from tomllib import TOMLDecodeError, loads  # noqa: PLC0415 - only where there is a file to read

    try:
        return loads(text)
    except TOMLDecodeError as error:
        problem, _, where = str(error).partition(" (at ")
        number = re.match(r"line (\d+)", where)
        at = f"{place}:{number[1] if number else len(text.splitlines())}"
        message = f"{at}: this is not TOML: {problem[:1].lower()}{problem[1:]}"
        raise ConfigurationError(message, details={"file": place}) from None


def _types() -> dict[str, Any]:
    """The type of each setting by its path, `server.port`; a section's is its struct."""
    types: dict[str, Any] = {}
    for field in fields(Settings):
        types[field.name] = field.type
        if _is_section(field.type):
            types.update({f"{field.name}.{inner.name}": inner.type for inner in fields(field.type)})
    return types


def _is_section(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _flat(values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for key, value in values.items():
        if is_object(value) and value and key in Settings.__struct_fields__:
            yield from ((f"{key}.{inner}", item) for inner, item in value.items())
        else:
            yield key, value


def _problem(path: str, value: object, types: Mapping[str, Any]) -> str | None:
    """What is wrong with a setting's name, or with a value where a table should stand."""
    if path not in types:
        near = [known for known in types if known.endswith(f".{path}")] or near_names(path, types, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(types)}"
        return f"there is no setting '{path}': {hint}"
    if _is_section(types[path]) and value != {}:
        return f"'{path}' is a table: write [{path}] on a line of its own, and its settings below"
    return None


def _take(values: dict[str, object], path: str, value: object, kind: Any, *, strict: bool = True) -> str | None:
    """Keep a value that fits its type; otherwise say what would."""
    try:
        values[path] = convert(value, kind, strict=strict)
    except ValidationError as error:
        choices = [choice for choice in get_args(kind) if isinstance(choice, str)]
        if choices:
            return f"'{path}' is {value!r}: use one of {', '.join(choices)}"
        problem = re.sub(r"`(\w+)(?: \| null)?`", lambda found: _WORDS.get(found[1], found[1]), str(error))
        return f"'{path}' is {value!r}: {problem[:1].lower()}{problem[1:]}"
    return None


def _override(values: dict[str, object], types: Mapping[str, Any], environ: Mapping[str, str]) -> list[str]:
    """Put what the environment says over what the file says; gives the problems."""
    given = {name for name in environ if name.startswith(_PREFIX)}.difference(NO_SETTINGS)
    if not given:
        return []
    paths = {_PREFIX + path.replace(".", "_").upper(): path for path, kind in types.items() if not _is_section(kind)}
    known = (*paths, *NO_SETTINGS)
    problems: list[str] = []
    for name in sorted(given):
        path = paths.get(name)
        if path is None:
            near = _near_variable(name.removeprefix(_PREFIX), [one.removeprefix(_PREFIX) for one in known])
            problems += [f"there is no setting {name}: did you mean {_PREFIX}{near}?"] if near else []
        else:
            text = environ[name].strip()
            is_list = "tuple" in str(types[path])
            value: object = [part.strip() for part in text.split(",") if part.strip()] if is_list else text
            problem = _take(values, path, value, types[path], strict=False)
            problems += [f"{name}: {problem}"] if problem else []
    return problems


def _near_variable(name: str, known: list[str]) -> str | None:
    """The variable that was probably meant: `PORT` is one of a section, written without it."""
    ends = [other for other in known if other.endswith(f"_{name}")]
    return next(iter(ends or near_names(name, known, 1)), None)


def _built(values: Mapping[str, object]) -> Settings:
    top: dict[str, Any] = {}
    sections: dict[str, dict[str, object]] = {
        "server": {},
        "runtime": {},
        "records": {},
        "skills": {},
        "disclosure": {},
        "search": {},
        "build": {},
        "governance": {},
    }
    for path, value in values.items():
        section, _, key = path.rpartition(".")
        if section:
            sections[section][key] = value
        elif path not in sections:
            top[path] = value
    return convert({**top, **sections}, Settings)


def _line_of(text: str, path: str) -> int | None:
    """The line on which a setting is written, as far as a look at the line's start can tell."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(_TABLE, line)
        table = f"{header[1]}." if header else table
        found = header or re.match(_KEY, line)
        if found and path == (found[1] if header else f"{table}{found[1]}"):
            return number
    return None
