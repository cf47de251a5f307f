"""The four tools as clients see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prowess.exposure import FORMATS
from prowess.exposure.disclosure.tools import TOOLS
from prowess.exposure.mcp import hints
from prowess.exposure.toolset import encode_one

if TYPE_CHECKING:
    from prowess.model.manifest import Manifest


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_tool_says_that_it_only_reads(tool: Manifest) -> None:
    """Spec: all are read-only and idempotent, and say so in their annotations."""
    assert hints(tool) == {"readOnlyHint": True, "idempotentHint": True}
    assert tool.validate() is tool


@pytest.mark.parametrize("name", FORMATS)
def test_each_tool_can_be_offered_everywhere(name: str) -> None:
    """Spec: offered as ordinary tools so that any client can use them."""
    for tool in TOOLS:
        assert encode_one(FORMATS[name], tool).problems == ()


def test_they_stand_by_name() -> None:
    """Choice: tool definitions are sorted, and so are these among them."""
    assert [tool.name for tool in TOOLS] == ["activate_skill", "list_skills", "read_skill_resource", "search_skills"]
