"""Whether calls of an entry could be checked at all, asked of every entry before any is called."""

from functools import lru_cache

from prowess.errors import InvalidSchemaError, Problem
from prowess.model.manifest import Manifest
from prowess.model.plain_schema import is_plain
from prowess.model.schema import NO_INPUTS, Schema

__all__ = ["problems_of_schema", "schema_problems"]


def schema_problems(manifest: Manifest) -> tuple[Problem, ...]:
    """Why no call of an entry could be checked: its schemas are illegal, reach outside themselves, or cost too much."""
    found = () if manifest.input_schema is NO_INPUTS else problems_of_schema(manifest.input_schema)
    return found if manifest.output_schema is None else (*found, *problems_of_schema(manifest.output_schema))


@lru_cache(maxsize=65_536)
def problems_of_schema(schema: Schema) -> tuple[Problem, ...]:
    """The same for one schema."""
    if is_plain(schema):
        return ()
    from prowess.execution.validation.validator import compile_validator  # noqa: PLC0415 - 18 ms that few lists need

    try:
        compile_validator(schema)
    except InvalidSchemaError as error:
        return error.problems
    return ()
