"""Progress bars on standard error."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from prowess.catalog.listing import one_line
from prowess.model.event import ProgressReported

__all__ = ["Bars"]


class Bars:
    """One bar for each call that tells how far it is. Stop them before anything else is printed."""

    def __init__(self) -> None:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
        self._progress.start()
        self._tasks: dict[int, TaskID] = {}

    def show(self, call: int, name: str, event: ProgressReported) -> None:
        """Draw how far a call is."""
        if call not in self._tasks:
            self._tasks[call] = self._progress.add_task(name, total=event.total)
        text = one_line(": ".join(part for part in (name, event.message) if part))
        self._progress.update(self._tasks[call], completed=event.done, total=event.total, description=text)

    def print(self, line: str) -> None:
        """Print a line above the bars."""
        self._progress.console.print(Text(line))

    def stop(self) -> None:
        """Take the bars away."""
        self._progress.stop()
