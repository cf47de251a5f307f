"""What is seen of a call under way: progress bars, log lines, and output as it comes."""

from __future__ import annotations

import sys
from enum import Enum
from importlib import import_module

from prowess.cli.terminal.printing import at_terminal, json_line, safe
from prowess.model.event import (
    ABANDONED,
    CallStarted,
    Event,
    HandlerAbandoned,
    MessageLogged,
    OutputStreamed,
    ProgressReported,
)

__all__ = ["Pieces", "Watcher"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from prowess.cli.terminal.bars import Bars


_OUTERMOST = 1
"""A runtime counts its calls from 1, and the command's own is the first."""


class Pieces(Enum):
    """How the pieces of a stream are printed as they come: not at all, at a terminal as text, or anywhere as JSON."""

    NONE = 0
    TEXT = 1
    JSON = 2


class Watcher:
    """Reads the events of one call in a new runtime, for the person at the terminal. Close it when the call is over.

    Bars and log lines go to standard error; bars only where that is a terminal.
    """

    def __init__(self, name: str, pieces: Pieces, output: TextIO) -> None:
        self.streamed = False
        """Whether output was printed already."""
        self._pieces = pieces if pieces is Pieces.JSON or at_terminal(output) else Pieces.NONE
        self._draw = at_terminal(sys.stderr)
        self._output = output
        self._entries = {_OUTERMOST: name}
        self._bars: Bars | None = None
        self._open_line = False

    def __call__(self, event: Event) -> None:
        """Show one event."""
        if isinstance(event, CallStarted):
            self._entries[event.call] = event.entry.partition("@")[0]
        elif isinstance(event, ProgressReported):
            self._progress(event)
        elif isinstance(event, MessageLogged):
            self._log(event)
        elif isinstance(event, HandlerAbandoned):
            self._say(f"{self._entries.get(event.call, event.entry)}: {ABANDONED}")
        elif isinstance(event, OutputStreamed) and self._pieces is not Pieces.NONE and event.call == _OUTERMOST:
            self._piece(event)

    def close(self) -> None:
        """Take the bars away and end the last line."""
        if self._bars is not None:
            self._bars.stop()
        if self._open_line:
            print(file=self._output, flush=True)

    # -----------------------------------------------------------------------------------------------------------------

    def _progress(self, event: ProgressReported) -> None:
        if not self._draw or self.streamed:
            return
        bars = self._bars = self._bars or _new_bars()
        bars.show(event.call, self._entries.get(event.call, ""), event)

    def _log(self, event: MessageLogged) -> None:
        fields = "".join(f" {name}={json_line(value)}" for name, value in event.fields.items())
        name = self._entries.get(event.call)
        self._say(f"{name}: {event.message}{fields}" if name else f"{event.message}{fields}")

    def _say(self, text: str) -> None:
        line = safe(text)
        if self._bars is not None:
            self._bars.print(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def _piece(self, event: OutputStreamed) -> None:
        """Pieces of text are parts of one text; any other piece stands on a line of its own."""
        if self._bars is not None:
            self._bars.stop()
        self.streamed = True
        as_text = isinstance(event.piece, str) and self._pieces is Pieces.TEXT
        text = str(event.piece) if as_text else ("\n" if self._open_line else "") + json_line(event.piece) + "\n"
        text = text if self._pieces is Pieces.JSON else safe(text)
        print(text, end="", file=self._output, flush=True)
        self._open_line = not text.endswith("\n")


def _new_bars() -> Bars:
    """Bars, whose library takes longer to import than most calls to run: not before there is something to draw."""
    bars: Bars = import_module("prowess.cli.terminal.bars").Bars()
    return bars
