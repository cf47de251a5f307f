"""Gemini's function declarations."""

from prowess.model.manifest import Manifest

__all__ = ["function_declaration"]


def function_declaration(
    manifest: Manifest, name: str, parameters: dict[str, object], *, strict: bool
) -> dict[str, object]:
    """One element of `function_declarations`; Gemini has no strict mode of its own for one."""
    del strict
    described = {"description": manifest.description} if manifest.description else {}
    return {"name": name, **described, "parameters_json_schema": parameters}
