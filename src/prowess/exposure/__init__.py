"""Manifests in the shapes that model providers and protocols take, without transport and without their SDKs."""

from collections.abc import Mapping
from types import MappingProxyType

from prowess.exposure import anthropic, gemini, mcp, openai
from prowess.exposure.toolset import Format, ToolCache, ToolNote, ToolSet
from prowess.model.wire_names import WireTarget

__all__ = ["FORMATS", "Format", "ToolCache", "ToolNote", "ToolSet"]

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "openai": Format(
            target=WireTarget.OPENAI,
            shape=openai.chat_tool,
            plain_root=True,
            strict=openai.STRICT_RULES,
        ),
        "openai-responses": Format(
            target=WireTarget.OPENAI_RESPONSES,
            shape=openai.responses_tool,
            plain_root=True,
            strict=openai.STRICT_RULES,
        ),
        "anthropic": Format(
            target=WireTarget.ANTHROPIC,
            shape=anthropic.tool,
            plain_root=True,
            refusals=anthropic.refusals,
            strict=anthropic.STRICT_RULES,
            strict_budget=anthropic.STRICT_BUDGET,
        ),
        "gemini": Format(target=WireTarget.GEMINI, shape=gemini.function_declaration),
        "mcp": Format(target=WireTarget.MCP, shape=mcp.tool),
    }
)
"""Every format of tool definitions, by the name under which it is asked for."""
