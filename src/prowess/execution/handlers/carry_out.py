"""Carrying a call out where the handler is more than a bare coroutine function.

It may want a context, run in a thread, stream, or have a deadline. Its arguments come bound: the gate did that.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import aclosing, closing
from functools import partial
from typing import assert_never, cast

from prowess.authoring.context import Progress
from prowess.authoring.handler import Style
from prowess.errors import TimedOutError
from prowess.execution.eventloop import asyncio
from prowess.execution.handlers.context import CallContext, Host
from prowess.execution.handlers.deadline import DeadlinePassedError, run_stoppable
from prowess.execution.handlers.nesting import noted
from prowess.execution.plan import Plan
from prowess.model.event import OutputStreamed

__all__ = ["carry_out"]


async def carry_out(
    host: Host, plan: Plan, arguments: Mapping[str, object], context: CallContext, seconds: float | None
) -> object:
    """What the handler returns or raises; `TimedOutError` where it is not done after `seconds`."""
    handler = plan.handler
    given: dict[str, object] = {} if handler.context_parameter is None else {handler.context_parameter: context}
    call = partial(handler.call, **arguments, **given)
    start = noted(host, partial(_run, host, plan, call, context))
    try:
        if seconds is None and not host.stoppable:
            return await start()
        return await run_stoppable(host, start, seconds, context)
    except DeadlinePassedError:
        raise _timed_out(plan, seconds) from None
    finally:
        context.cancel()


# ---------------------------------------------------------------------------------------------------------------------


async def _run(host: Host, plan: Plan, call: Callable[[], object], context: CallContext) -> object:
    style = plan.handler.style
    if style is Style.COROUTINE:
        outcome = call()
        return await outcome if isinstance(outcome, Awaitable) else outcome
    if style is Style.THREAD:
        return await _in_thread(host, call, context)
    if style is Style.STREAM:
        return await _streamed(host, cast("AsyncGenerator[object, None]", call()), plan, context)
    if style is Style.THREAD_STREAM:
        return await _in_thread(host, partial(_drained, host, call, plan, context), context)
    assert_never(style)


async def _in_thread(host: Host, call: Callable[[], object], context: CallContext) -> object:
    try:
        outcome = await host.threads.run(call)
    except asyncio.CancelledError:
        context.cancel()
        context.abandon()
        raise
    # A decorator that is no coroutine function may hide one.
    return await outcome if isinstance(outcome, Awaitable) else outcome


async def _streamed(host: Host, pieces: AsyncGenerator[object, None], plan: Plan, context: CallContext) -> list[object]:
    collected: list[object] = []
    async with aclosing(pieces) as stream:
        async for piece in stream:
            _tell(host, piece, collected, plan, context)
            if context.cancelled:  # it swallowed that
                break
    return collected


def _drained(host: Host, call: Callable[[], object], plan: Plan, context: CallContext) -> list[object]:
    collected: list[object] = []
    with closing(cast("Generator[object, None, None]", call())) as pieces:
        for piece in pieces:
            if context.cancelled:
                break
            _tell(host, piece, collected, plan, context)
    return collected


def _tell(host: Host, piece: object, collected: list[object], plan: Plan, context: CallContext) -> None:
    """Tell one piece as it comes, and keep it for the output; a report of progress is only told."""
    if isinstance(piece, Progress):
        context.progress(piece.done, piece.total, piece.message)
        return
    host.emit(OutputStreamed(context.call_number, host.now(), plan.plain_piece(piece)))
    collected.append(piece)


def _timed_out(plan: Plan, seconds: float | None) -> TimedOutError:
    message = f"'{plan.manifest.name}' did not end within {seconds} s"
    return TimedOutError(message, details={"name": plan.manifest.name, "reason": message, "timeout": seconds})
