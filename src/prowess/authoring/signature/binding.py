"""From the JSON inputs of a call to the keyword arguments of its function."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from prowess.authoring.annotations.codec import Codec, Flaw, Gathering, MismatchError, Read
from prowess.authoring.annotations.scalars import read_integer
from prowess.errors import InvalidInputError, Problem
from prowess.model.json_value import Json

__all__ = ["Bind", "UnlessFloats", "bind_with"]

Bind: TypeAlias = Callable[[dict[str, Json]], dict[str, object]]


class UnlessFloats:
    """Binds the inputs of functions of whole numbers and plain values: without floats, inputs are the arguments."""

    __slots__ = ("_convert",)

    def __init__(self, convert: Bind) -> None:
        self._convert = convert

    def __call__(self, inputs: dict[str, Json]) -> dict[str, object]:
        """The keyword arguments."""
        if float in map(type, inputs.values()):
            return self._convert(inputs)
        return inputs  # type: ignore[return-value]


def bind_with(
    name: str,
    parameters: Mapping[str, Codec],
    others: Codec | None = None,
    fill: Mapping[str, Callable[[], object]] | None = None,
) -> Bind | None:
    """What binds the inputs of the function `name`, which fit its schema already; None where they are the arguments.

    `others` reads what `**kwargs` takes, `fill` makes the values of missing inputs that have no default in Python.
    """
    changing = {parameter: codec for parameter, codec in parameters.items() if not codec.plain}
    rest = others if others is not None and not others.plain else None
    if not changing and rest is None and not fill:
        return None
    readers = {parameter: codec.read for parameter, codec in changing.items()}
    convert = _converter(name, readers, None if rest is None else (frozenset(parameters), rest.read), fill or {})
    if fill or not all(
        _changes_floats_only(codec) for codec in (*changing.values(), *([] if rest is None else [rest]))
    ):
        return convert
    return UnlessFloats(convert)


# ---------------------------------------------------------------------------------------------------------------------


def _changes_floats_only(codec: Codec) -> bool:
    if codec.members:
        return all(member.plain or member.read is read_integer for member in codec.members)
    return codec.read is read_integer


def _converter(
    name: str,
    readers: Mapping[str, Read],
    rest: tuple[frozenset[str], Read] | None,
    fill: Mapping[str, Callable[[], object]],
) -> Bind:
    def bind(inputs: dict[str, Json]) -> dict[str, object]:
        bound: dict[str, object] = dict(inputs)
        parts = Gathering({})
        for parameter, read in readers.items():
            if parameter in inputs:
                bound[parameter] = parts.read(parameter, read, inputs[parameter])
        if rest is not None:
            known, read = rest
            bound |= {key: parts.read(key, read, inputs[key]) for key in inputs.keys() - known}
        for parameter, make in fill.items():
            if parameter not in inputs:
                bound[parameter] = make()
        try:
            parts.done()
        except MismatchError as error:
            raise _invalid(name, error.flaws) from None
        return bound

    return bind


def _invalid(name: str, flaws: Iterable[Flaw]) -> InvalidInputError:
    problems = tuple(
        Problem(path=f"${flaw.path}", rule=flaw.rule, message=flaw.message, type=flaw.type) for flaw in flaws
    )
    message = f"{name}: {'; '.join(map(str, problems))}"
    return InvalidInputError(message, details={"name": name, "problems": problems})
