"""An entry made ready to be called: its validators, its code and its limits looked up once, not at each call."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

from prowess.authoring.annotations.writing import write_plainly
from prowess.authoring.handler import Handler, Style
from prowess.authoring.signature.binding import Bind, UnlessFloats
from prowess.errors import InvalidInputError, InvalidOutputError, InvalidSchemaError, Problem, UnavailableError
from prowess.execution.failures import StoppedError
from prowess.execution.validation.problems import describe
from prowess.execution.validation.scalars import scalars_check
from prowess.execution.validation.validator import ValidatorCache
from prowess.governance.redaction import masker
from prowess.model.event import Stage
from prowess.model.json_value import Json, NotJsonError, is_ordinary, json_type, to_json_value
from prowess.model.manifest import Autonomy, Manifest, Status
from prowess.model.pipeline import Pipeline
from prowess.model.result import Result
from prowess.model.schema import Schema
from prowess.model.versions import version_key
from prowess.registry.entry import OURS, Entry
from prowess.registry.scope import Scope

if TYPE_CHECKING:
    from prowess.governance.clearance import Clearance
    from prowess.governance.rulebook import Rulebook
    from prowess.model.caller import Caller

__all__ = ["Plan", "check_removal", "make_plan"]

_ANY_VALUE = frozenset({True, False, None}).__contains__
_SCALARS: Mapping[bytes, tuple[type | None, Callable[..., bool]]] = {
    b'{"type":"string"}': (str, str.isascii),
    b'{"type":"boolean"}': (bool, _ANY_VALUE),
    b'{"type":"integer"}': (int, is_ordinary),
    b'{"type":"null"}': (type(None), _ANY_VALUE),
}


_Coroutine: TypeAlias = Callable[..., Awaitable[object]]
_Straight: TypeAlias = tuple[Callable[[object], bool], _Coroutine]
_Note: TypeAlias = Callable[[_Coroutine], _Coroutine]
"""Makes a function that may wait tell which call it carries out."""


class Plan:
    """One entry in one scope. Kept by the gate for as long as it is in use often enough."""

    __slots__ = (
        "_returns",
        "_validators",
        "bare",
        "bind",
        "clearances",
        "cleared",
        "fits",
        "handler",
        "is_plain",
        "manifest",
        "masks",
        "passes_rights",
        "reference",
        "scalar",
        "straight",
        "timeout",
    )

    def __init__(self, entry: Entry, handler: Handler, validators: ValidatorCache, note: _Note) -> None:
        manifest = entry.manifest
        inputs = validators.get(manifest.input_schema)
        output = None if manifest.output_schema is None else validators.get(manifest.output_schema)
        self.manifest = manifest
        self.reference = manifest.reference
        self.handler = handler
        self.bind: Bind | None = None if handler.bind is None else partial(self._bound, handler.bind)
        """From inputs that fit the schema to arguments; raises `InvalidInputError` with every problem."""
        self.timeout = manifest.limits.timeout
        text = None if manifest.output_schema is None else manifest.output_schema.text
        simple: tuple[type | None, Callable[..., bool]] = _SCALARS.get(text or b"", (None, bool))
        self.scalar, self.is_plain = simple
        """The one Python type that a simple output schema asks for, and which of its values are JSON for certain."""
        self.bare: _Coroutine | None = _bare(handler, self.timeout, note)
        """The coroutine function itself, where a call needs nothing around it."""
        self.fits, self.straight = _straight(manifest.input_schema, handler.bind, self.bare)
        """A check of inputs, and the function to which those that pass go as they are."""
        self.masks = masker(manifest.redaction)
        self.passes_rights = entry.source == OURS
        """Whether what it calls has its caller's rights: only a tool that stands for its caller."""
        self.clearances: dict[tuple[Caller, frozenset[str] | None], tuple[Rulebook, Clearance]] = {}
        """What governance found out for each caller and each set of rights of a calling skill."""
        self.cleared: Caller | None = None
        """The last caller whose own calls go straight to the handler where their inputs fit."""
        self._returns = None if output is None else output.is_valid
        self._validators = (inputs, output)

    @property
    def goes_straight(self) -> bool:
        """Whether any inputs can."""
        return self.fits is not _never

    def fit(self, inputs: Mapping[str, object]) -> dict[str, Json]:
        """Inputs as plain JSON that fits the schema; raises `InvalidInputError` with every problem otherwise."""
        try:
            if isinstance(inputs, dict) and self.fits(inputs):
                return cast("dict[str, Json]", inputs)
        except ValueError:  # a value that has no JSON form
            raise self.input_error(inputs) from None
        plain = self._plain_inputs(inputs)
        if not self._validators[0].is_valid(plain):
            raise self.input_error(plain)
        return plain

    def accept(self, outcome: object) -> Json:
        """What a handler returned as plain JSON that fits the schema.

        Raises `InvalidOutputError`, or the error that the handler returned.
        """
        if isinstance(outcome, Result):
            outcome = outcome.unwrap()
        if self.handler.dump is not None:
            outcome = self.handler.dump(outcome)
        output = self.plain(outcome)
        try:
            fits = self._returns is None or self._returns(output)
        except ValueError:
            fits = False
        if not fits:
            raise self._output_error(output)
        return output

    def input_error(self, inputs: object) -> InvalidInputError:
        """Every problem of inputs that the schema refused, with those that only the types of the handler know."""
        problems = self._validators[0].problems(inputs)
        known = [problem.path for problem in problems]
        others = (one for one in self._type_problems(inputs) if not any(_about_one(one.path, path) for path in known))
        return self._invalid((*problems, *others))

    def _type_problems(self, inputs: object) -> tuple[Problem, ...]:
        """What is wrong with values that only their types can tell: a date that there is not, say."""
        if self.handler.bind is None or not isinstance(inputs, dict):
            return ()
        try:
            self.handler.bind(cast("dict[str, Json]", inputs))
        except InvalidInputError as error:
            return error.problems
        return ()

    def _bound(self, bind: Bind, inputs: dict[str, Json]) -> dict[str, object]:
        try:
            return bind(inputs)
        except InvalidInputError as error:
            if not error.problems:
                raise  # a type's own words
            raise self._invalid(error.problems) from None

    def _invalid(self, problems: tuple[Problem, ...]) -> InvalidInputError:
        message = f"{self.manifest.name}: {describe(problems)}"
        return InvalidInputError(message, details={"name": self.manifest.name, "problems": problems})

    def _plain_inputs(self, inputs: object) -> dict[str, Json]:
        """Inputs as plain JSON; raises `InvalidInputError` for what is none."""
        if not isinstance(inputs, Mapping):
            problem = Problem(
                path="$", rule="type", message="expected an object of named inputs", type=json_type(inputs)
            )
            raise InvalidInputError(f"{self.manifest.name}: {problem.message}", details=self._details(problem))
        try:
            return to_json_value(dict(inputs))  # type: ignore[return-value]
        except NotJsonError as error:
            problem = Problem(path=error.path, rule="json", message=error.problem)
            raise InvalidInputError(f"{self.manifest.name}: {problem}", details=self._details(problem)) from None

    def plain_piece(self, piece: object) -> Json:
        """One piece of a stream as it will stand in the output."""
        dump = self.handler.dump
        (plain,) = cast("list[Json]", self.plain([piece] if dump is None else dump([piece])))
        return plain

    def plain(self, output: object) -> Json:
        """A value of the handler's as plain JSON; raises `InvalidOutputError` for what has no JSON form."""
        try:
            try:
                return to_json_value(output)
            except NotJsonError:  # keys that are numbers, say: as where the return type says so
                return to_json_value(write_plainly(output))
        except NotJsonError as error:
            problem = Problem(path=error.path, rule="json", message=error.problem)
            message = f"{self.manifest.name} returned what JSON cannot hold: {problem}"
            raise _bad_output(self.manifest, message, (problem,)) from None

    def _output_error(self, output: Json) -> InvalidOutputError:
        validator = self._validators[1]
        problems = () if validator is None else validator.problems(output)
        message = f"{self.manifest.name} returned what its output schema does not allow: {describe(problems)}"
        return _bad_output(self.manifest, message, problems)

    def _details(self, problem: Problem) -> dict[str, object]:
        return {"name": self.manifest.name, "problems": (problem,)}


def make_plan(entry: Entry, scope: Scope, validators: ValidatorCache, note: _Note) -> Plan:
    """Look everything up; raises `UnavailableError` for what may not run, and for a broken factory or schema."""
    refusal = _refusal(entry.manifest)
    if refusal is not None:
        raise refusal
    recipe = entry.recipe
    if isinstance(recipe, Pipeline):
        message = f"'{entry.name}' is a pipeline: this release can declare and check pipelines, not run them yet"
        raise UnavailableError(message, details={"name": entry.name})
    handler = recipe if isinstance(recipe, Handler) else scope.definition(entry.name, recipe).handler
    try:
        return Plan(entry, handler, validators, note)
    except InvalidSchemaError as error:
        message = f"the schema of '{entry.manifest.reference}' cannot be used: {error.message}"
        raise InvalidSchemaError(message, details={**error.details, "name": entry.name}) from None


def check_removal(plan: Plan, resolve: Callable[[str], Entry | None]) -> None:
    """Raise `StoppedError` for a deprecated entry whose time is over: its name has reached the removal version."""
    manifest = plan.manifest
    said = manifest.deprecation
    if said is None or said.removal_version is None:
        return
    highest = resolve(manifest.name)
    if highest is None or version_key(highest.version) < version_key(said.removal_version):
        return
    instead = f": use '{said.replaced_by}'" if said.replaced_by else f": {said.migration}" if said.migration else ""
    message = f"'{manifest.reference}' was removed with version {said.removal_version}{instead}"
    details = {"name": manifest.name, "replaced_by": said.replaced_by}
    raise StoppedError(Stage.STATUS, UnavailableError(message, details=details))


# ---------------------------------------------------------------------------------------------------------------------


def _about_one(path: str, other: str) -> bool:
    """Whether two paths are of one value, or of one and a part of it."""
    short, long = sorted((path, other), key=len)
    return long.startswith(short) and long[len(short) : len(short) + 1] in {"", ".", "["}


def _straight(schema: Schema, bind: Bind | None, bare: _Coroutine | None) -> _Straight:
    if bare is None or not (bind is None or isinstance(bind, UnlessFloats)):
        return _NOT_STRAIGHT
    check = scalars_check(schema)
    return _NOT_STRAIGHT if check is None else (check, bare)


def _bare(handler: Handler, timeout: float | None, note: _Note) -> _Coroutine | None:
    simple = handler.style is Style.COROUTINE and handler.context_parameter is None
    if simple and timeout is None and inspect.iscoroutinefunction(handler.call):
        return note(handler.call)
    return None


def _never(_inputs: object) -> bool:
    return False


async def _nothing(**_inputs: object) -> None:
    """What no inputs ever reach."""


_NOT_STRAIGHT: _Straight = (_never, _nothing)


def _refusal(manifest: Manifest) -> UnavailableError | None:
    details = {"name": manifest.name}
    if manifest.status is Status.DISABLED:
        return UnavailableError(f"'{manifest.reference}' is disabled", details=details)
    if manifest.autonomy is Autonomy.L0:
        message = f"'{manifest.reference}' has autonomy L0: it may be suggested, and never runs"
        return UnavailableError(message, details=details)
    return None


def _bad_output(manifest: Manifest, message: str, problems: tuple[Problem, ...]) -> InvalidOutputError:
    safe = f"{manifest.name} failed: it returned a result of the wrong shape"
    return InvalidOutputError(
        message, details={"name": manifest.name, "reason": message, "problems": problems}, model_text=safe
    )
