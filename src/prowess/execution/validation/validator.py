"""Schemas compiled into validators that answer in bounded time, whatever the schema and the value.

An ordinary schema's `is_valid` is the native method itself; what can multiply work is counted (`counting`).
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from prowess.errors import InvalidSchemaError, Problem
from prowess.execution.validation.compiling import PROBLEMS_LIMIT, compile_native, refusal
from prowess.execution.validation.counting import CountedCheck, Meter, needs_counting
from prowess.execution.validation.problems import explain
from prowess.execution.validation.survey import Survey, survey
from prowess.model.schema import Schema

if TYPE_CHECKING:
    from prowess.model.json_value import Json

__all__ = ["Validator", "ValidatorCache", "compile_validator"]


class Validator:
    """One compiled schema, for values that are plain JSON and at most `DEPTH_LIMIT` deep. Safe in any thread.

    `is_valid` raises `ValueError` for what is no JSON, such as text with half a surrogate pair.
    """

    __slots__ = ("_counted", "_survey", "is_valid")

    is_valid: Callable[[object], bool]

    def __init__(self, found: Survey) -> None:
        self._survey = found
        self._counted = CountedCheck(found) if needs_counting(found) else None
        self.is_valid = compile_native(found) if self._counted is None else self._counted.is_valid

    def problems(self, value: object) -> tuple[Problem, ...]:
        """Everything that is wrong with a value, up to a number; none exactly where `is_valid` holds. Never raises."""
        try:
            fits = self.is_valid(value) if self._counted is None else self._counted.verdict(value)
        except ValueError:
            return (Problem(path="$", rule="json", message="holds what JSON cannot"),)
        if fits is False:
            matches = Meter(self._survey.grades, value).seems_to_match
            return explain(self._survey, cast("Json", value), matches, PROBLEMS_LIMIT)
        return () if fits is True else (Problem(path="$", rule="cost", message=f"too costly to check: {fits}"),)


def compile_validator(schema: Schema) -> Validator:
    """Compile a schema; raises `InvalidSchemaError` with every problem where it is illegal or costs too much."""
    found = survey(schema)
    if found.problems:
        raise refusal(found.problems)
    return Validator(found)


class ValidatorCache:
    """The validators in use, each schema compiled once, and the refusals; beyond the limit, the oldest go."""

    def __init__(self, limit: int = 4_096) -> None:
        self._limit = limit
        self._kept: dict[bytes, Validator | InvalidSchemaError] = {}
        self._lock = threading.Lock()

    def get(self, schema: Schema) -> Validator:
        """The validator of a schema; raises `InvalidSchemaError` as `compile_validator` does."""
        kept = self._kept.get(schema.text)
        if kept is None:
            kept = self._add(schema)
        if isinstance(kept, InvalidSchemaError):
            raise InvalidSchemaError(kept.message, details=kept.details)
        return kept

    def _add(self, schema: Schema) -> Validator | InvalidSchemaError:
        """Compile outside the lock: two threads may do it twice, none waits for a stranger's schema."""
        try:
            made: Validator | InvalidSchemaError = compile_validator(schema)
        except InvalidSchemaError as error:
            made = InvalidSchemaError(error.message, details=error.details)
        with self._lock:
            while len(self._kept) >= self._limit:
                del self._kept[next(iter(self._kept))]
            return self._kept.setdefault(schema.text, made)
