"""A whole set of tools in one format: made of manifests once, kept as the bytes that go over the wire.

It knows no format itself: a format is a value, and the table of them is `prowess.exposure.FORMATS`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import msgspec

from prowess.errors import ConfigurationError, Problem
from prowess.model.json_value import is_array
from prowess.model.manifest import Kind, Manifest, Status
from prowess.model.names import near_names
from prowess.model.strict_arguments import without_added_nulls
from prowess.model.strict_schema import StrictRules, StrictSchema, strict_schema
from prowess.model.tool_schema import inlined_schema, shaped_schema, tool_schema
from prowess.model.wire_names import WireNames, WireTarget, wire_name

__all__ = ["EncodedTool", "Format", "Shape", "ToolCache", "ToolNote", "ToolSet", "encode_one", "is_tool"]

_SETS_KEPT = 32


class Shape(Protocol):
    """Writes one entry in a format, given its wire name and the schema of its inputs."""

    def __call__(
        self, manifest: Manifest, name: str, schema: dict[str, object], /, *, strict: bool
    ) -> dict[str, object]:
        """The definition, as values."""
        ...


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format of tool definitions: how one is written, and what its reader takes."""

    target: WireTarget
    shape: Shape
    plain_root: bool = False
    """Whether its reader refuses combinations at the root of a schema."""
    refusals: Callable[[dict[str, object]], tuple[Problem, ...]] | None = None
    """Why its reader would refuse a whole set for a tool of this schema."""
    strict: StrictRules | None = None
    """Its strict mode, where it has one."""
    strict_budget: tuple[int, int, int] | None = None
    """How many strict tools, optional properties and places of several types one set may have."""


class EncodedTool(msgspec.Struct, frozen=True, gc=False):
    """One definition as bytes. `problems` tells why it is not strict or, without bytes, why it is left out."""

    json: bytes
    problems: tuple[Problem, ...] = ()
    strict: bool = False
    costs: tuple[int, int, int] = (0, 0, 0)
    """What it takes of a strict budget."""


class ToolNote(msgspec.Struct, frozen=True, gc=False):
    """What a set says about one of its entries: it is there but not strict, or it is not there."""

    name: str
    left_out: bool
    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        state = "left out" if self.left_out else "not strict"
        return f"{self.name}: {state}: {'; '.join(map(str, self.problems))}"


class ToolSet(msgspec.Struct, frozen=True, dict=True, kw_only=True, eq=False):
    """The definitions of one set of entries. Immutable, shared between threads."""

    format: str
    strict: bool
    json: bytes
    """The definitions as one JSON array."""
    tools: tuple[bytes, ...]
    """Each definition as JSON."""
    manifests: tuple[Manifest, ...]
    """The entries behind them, in the same order."""
    report: tuple[ToolNote, ...]
    target: WireTarget

    @property
    def definitions(self) -> tuple[dict[str, Any], ...]:
        """The definitions as fresh values: adapters add keys to them, which must not reach the next reader."""
        return tuple(msgspec.json.decode(self.json))

    @cached_property
    def names(self) -> WireNames:
        """The names that these definitions use, there and back."""
        return WireNames((manifest.name for manifest in self.manifests), self.target)

    def inputs(self, name: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """The inputs of an entry from the arguments that a model wrote for it.

        Strict mode makes a model write null where it would leave something out; such a null is left out here.
        """
        manifest = self._by_name.get(name) if self.strict else None
        if manifest is None:
            return dict(arguments)
        return without_added_nulls(tool_schema(manifest.input_schema, plain_root=True), arguments)

    @cached_property
    def _by_name(self) -> dict[str, Manifest]:
        return {manifest.name: manifest for manifest in self.manifests}

    def __len__(self) -> int:
        return len(self.tools)


def is_tool(manifest: Manifest) -> bool:
    """Whether an entry appears among tools: not a package, which is disclosed instead, and not a disabled one.

    An entry of autonomy L0 does appear: that a model suggests it is what it is for.
    """
    return manifest.kind is not Kind.PACKAGE and manifest.status is not Status.DISABLED


def encode_one(format: Format, manifest: Manifest, *, strict: bool = False) -> EncodedTool:  # noqa: A002 - its name here
    """One definition; one that cannot be strict is written without, and says why."""
    root = inlined_schema(manifest.input_schema)
    if not _takes_object(root):
        return EncodedTool(b"", (_TAKES_NO_OBJECT,))
    schema = shaped_schema(root, plain_root=format.plain_root)
    refused = () if format.refusals is None else format.refusals(schema)
    if refused:
        return EncodedTool(b"", refused)
    name = wire_name(manifest.name, format.target)
    exact = shaped_schema(root, plain_root=False)  # of which a plain root may say less
    made = strict_schema(exact, format.strict) if strict and format.strict is not None else _NOT_STRICT
    if made.schema is None:
        return EncodedTool(msgspec.json.encode(format.shape(manifest, name, schema, strict=False)), made.problems)
    encoded = msgspec.json.encode(format.shape(manifest, name, made.schema, strict=True))
    return EncodedTool(encoded, strict=True, costs=(1, made.optional, made.unions))


Problems: TypeAlias = Callable[[Manifest], tuple[Problem, ...]]
"""Why no call of an entry could be checked."""
_Kept: TypeAlias = dict[int, tuple[Manifest, EncodedTool]]


class ToolCache:
    """The definitions that one registry has made. Lives as long as it; shared by its threads without a lock.

    A manifest's definition is made once, and a whole set is joined from them once.
    An entry of which `problems` tells some can never be called and is left out, with these as the reason.
    Manifests that are gone are forgotten when more than `tools_kept` definitions of one format have gathered.
    """

    def __init__(
        self, formats: Mapping[str, Format], problems: "Problems | None" = None, *, tools_kept: int = 100_000
    ) -> None:
        self._formats = formats
        self._problems = problems or _nothing_wrong
        self._tools_kept = tools_kept
        self._tools: dict[tuple[str, bool], _Kept] = {}
        self._sets: tuple[tuple[tuple[Manifest, ...], ToolSet], ...] = ()

    def get(self, format: str, manifests: Iterable[Manifest], *, strict: bool = False) -> ToolSet:  # noqa: A002 - as above
        """The set of these entries, of which no two may share a name.

        Raises `ConfigurationError` for a format that does not exist, and for `strict` with one that cannot be.
        """
        wanted = tuple(manifests)
        for known, kept in self._sets:
            if (kept.format, kept.strict, len(known)) == (format, strict, len(wanted)) and known == wanted:
                return kept
        made = self._make(format, wanted, strict=strict)
        self._sets = ((wanted, made), *self._sets)[:_SETS_KEPT]  # of two threads' sets one may be lost, and made again
        return made

    def _make(self, name: str, manifests: Sequence[Manifest], *, strict: bool) -> ToolSet:
        chosen = self._format(name, strict=strict)
        kept = self._tools.setdefault((name, strict), {})
        budget = _Budget(chosen.strict_budget)
        listed: list[Manifest] = []
        tools: list[bytes] = []
        report: list[ToolNote] = []
        for manifest in manifests:
            tool = (kept.get(id(manifest)) or self._encode(kept, chosen, manifest, strict=strict))[1]
            if tool.strict and not budget.takes(tool.costs):
                tool = EncodedTool(encode_one(chosen, manifest).json, (_OVER_BUDGET,))
            if tool.problems:
                report.append(ToolNote(manifest.name, left_out=not tool.json, problems=tool.problems))
            if tool.json:
                listed.append(manifest)
                tools.append(tool.json)
        return ToolSet(
            format=name,
            strict=strict,
            json=b"[" + b",".join(tools) + b"]",
            tools=tuple(tools),
            manifests=tuple(listed),
            report=tuple(report),
            target=chosen.target,
        )

    def _format(self, name: object, *, strict: bool) -> Format:
        chosen = self._formats.get(name) if isinstance(name, str) else None
        if chosen is None:
            near = near_names(str(name), self._formats)
            hint = f", did you mean '{near[0]}'?" if near else ""
            message = f"there is no tool format {name!r}: use one of {', '.join(self._formats)}{hint}"
            raise ConfigurationError(message, details={"name": name, "near": near})
        if strict and chosen.strict is None:
            able = ", ".join(known for known, other in self._formats.items() if other.strict is not None)
            message = f"the tool format {name!r} has no strict mode: use one of {able}"
            raise ConfigurationError(message, details={"name": name})
        return chosen

    def _encode(self, kept: _Kept, chosen: Format, manifest: Manifest, *, strict: bool) -> tuple[Manifest, EncodedTool]:
        if len(kept) >= self._tools_kept:
            kept.clear()
        tool = _NO_TOOL
        if is_tool(manifest):
            wrong = self._problems(manifest)
            tool = EncodedTool(b"", wrong) if wrong else encode_one(chosen, manifest, strict=strict)
        kept[id(manifest)] = made = (manifest, tool)  # with the manifest, so that no other gets its id
        return made


# ---------------------------------------------------------------------------------------------------------------------

_NO_TOOL = EncodedTool(b"")
_TAKES_NO_OBJECT = Problem(path="$", rule="type", message="takes no object, and inputs are one: no call can succeed")
_NOT_STRICT = StrictSchema(schema=None)
_OVER_BUDGET = Problem(
    path="$",
    rule="strict-budget",
    message="one request takes no more strict tools, optional properties and values of several types than those before",
)


def _takes_object(root: Mapping[str, object]) -> bool:
    """Whether inputs, which are an object, can fit a schema: a model that is told of another tool calls it in vain."""
    kinds = root.get("type", "object")
    return kinds == "object" or (is_array(kinds) and "object" in kinds)


def _nothing_wrong(_manifest: Manifest) -> tuple[Problem, ...]:
    return ()


class _Budget:
    """What is left of it, while a set is made."""

    def __init__(self, budget: tuple[int, int, int] | None) -> None:
        self._left = budget

    def takes(self, costs: tuple[int, int, int]) -> bool:
        if self._left is None:
            return True
        tools, optional, unions = (left - cost for left, cost in zip(self._left, costs, strict=True))
        if min(tools, optional, unions) < 0:
            return False
        self._left = (tools, optional, unions)
        return True
