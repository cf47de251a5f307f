"""What the server tells its operator: calls that fail, with the place where, and what handlers log.

The log is Python's own, under `prowess.server`. A process that mounts the application has its say over where it goes;
`prowess serve` writes it to standard error.
"""

import logging
import sys
from collections.abc import Callable, Mapping

from prowess.app.json_text import encode_json
from prowess.catalog.listing import one_line, safe
from prowess.governance.masking.texts import masked_text
from prowess.model.event import ABANDONED, CallFinished, CallStarted, Event, HandlerAbandoned, MessageLogged
from prowess.server.answers import STATUS

__all__ = ["LOG", "CallLog", "log_to_stderr"]

LOG = logging.getLogger("prowess.server")
_OURS = "prowess."
_SERVERS_FAULT = 500


def log_to_stderr(level: str) -> None:
    """Write what is logged from now on to standard error; of libraries only warnings."""
    handler = logging.StreamHandler()
    handler.setFormatter(_SafeFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    LOG.setLevel(level.upper())
    logging.getLogger("uvicorn.access").setLevel(level.upper())


class CallLog:
    """An event reader, told starts as well, that logs what becomes of calls. Lives as long as its runtime."""

    def __init__(self, run_id: Callable[[int], str]) -> None:
        self._run_id = run_id
        self._open: dict[int, tuple[str, str]] = {}
        """The run and the entry of each call under way."""

    def __call__(self, event: Event) -> None:
        """Log one event."""
        if isinstance(event, CallStarted):
            run, _ = self._open.get(event.parent or 0, (self._run_id(event.call), ""))
            self._open[event.call] = (run, event.entry)
        elif isinstance(event, MessageLogged):
            run, entry = self._open.get(event.call, (self._run_id(event.call), "a call that has ended"))
            LOG.info("%s %s: %s%s", run, entry, one_line(event.message), _written(event.fields))
        elif isinstance(event, HandlerAbandoned):
            run, _ = self._open.get(event.call, (self._run_id(event.call), ""))
            LOG.warning("%s %s: %s", run, event.entry, ABANDONED)
        elif isinstance(event, CallFinished):
            run, _ = self._open.pop(event.call, (self._run_id(event.call), ""))
            self._finished(run, event)

    def _finished(self, run: str, event: CallFinished) -> None:
        """A call that the server is to blame for is an error; what came of a nested one its caller decides."""
        if event.error is None:
            LOG.debug("%s %s: ok in %.3f ms", run, event.entry, event.duration * 1e3)
            return
        to_blame = (
            event.parent is None
            and event.error != "cancelled"
            and STATUS.get(event.error, _SERVERS_FAULT) >= _SERVERS_FAULT
        )
        level = logging.ERROR if to_blame else logging.DEBUG
        cause = _cause(sys.exception()) if to_blame else None  # the gate tells while it handles what ended the call
        LOG.log(level, "%s %s: %s", run, event.entry, one_line(event.message or event.error), exc_info=cause)


# ---------------------------------------------------------------------------------------------------------------------


class _SafeFormatter(logging.Formatter):
    """Lets nothing through that would steer a terminal, or that looks like a secret."""

    def format(self, record: logging.LogRecord) -> str:
        return safe(masked_text(super().format(record)))


def _written(fields: Mapping[str, object]) -> str:
    return "".join(f" {name}={encode_json(value).decode()}" for name, value in fields.items())


def _cause(failure: BaseException | None) -> BaseException | None:
    """The exception of somebody else's code that is behind one of ours: only its traceback tells more than we do."""
    while failure is not None and type(failure).__module__.startswith(_OURS):
        failure = failure.__cause__
    return failure
