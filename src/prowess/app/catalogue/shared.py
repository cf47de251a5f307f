"""What all views of one registry share."""

import threading
from typing import TYPE_CHECKING
from weakref import WeakSet

from prowess.app.catalogue.soundness import schema_problems
from prowess.errors import ConfigurationError
from prowess.execution.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from prowess.app.catalogue.disclosing import Disclosing, Disclosure, View
    from prowess.app.catalogue.searching import Searching
    from prowess.exposure.toolset import ToolCache
    from prowess.registry.entry import Entry

__all__ = ["LIST_BUDGET", "Shared"]

LIST_BUDGET = 20_000
"""Tokens of a list of skills: a tenth of what many models read at all."""


class Shared:
    """Tool definitions that were made, and what callers activated. Lives as long as the registry.

    Each part is made when it is first asked for: most commands need neither.
    """

    def __init__(self, *, list_budget: int, searching: "Callable[[], Searching]") -> None:
        if list_budget < 1:
            message = f"list_budget is {list_budget}: a list of skills takes at least 1 token"
            raise ConfigurationError(message, details={"list_budget": list_budget})
        self.rules = Rules()
        """What the project lays down about who may do what."""
        self._list_budget = list_budget
        self.searching = searching
        """What searches the registry."""
        self._lock = threading.Lock()
        self._tools: ToolCache | None = None
        self._disclosure: Disclosure | None = None
        self._faces: WeakSet[Disclosing] = WeakSet()

    @property
    def tools(self) -> "ToolCache":
        """The definitions that were made."""
        from prowess.exposure import FORMATS  # noqa: PLC0415 - running a skill asks for no definitions
        from prowess.exposure.toolset import ToolCache  # noqa: PLC0415 - as above

        with self._lock:
            if self._tools is None:
                self._tools = ToolCache(FORMATS, schema_problems)
            return self._tools

    def disclosing(self, view: "View") -> "Disclosing":
        """The tools that disclose the packages of a view; all views share what was disclosed to whom."""
        from prowess.app.catalogue import disclosing  # noqa: PLC0415 - most registries hold no package

        with self._lock:
            if self._disclosure is None:
                self._disclosure = disclosing.disclosure_with(self._list_budget, self.searching)
            face = disclosing.Disclosing(view, self._disclosure)
            self._faces.add(face)
            return face

    def holds_tool(self, entry: "Entry") -> bool:
        """Whether an entry is a tool that discloses the packages of some view of the registry."""
        with self._lock:
            faces = tuple(self._faces)
        return any(face.get(entry.name) is entry for face in faces)
