# What we use of watchfiles: its own annotations name a package that is not installed.
from collections.abc import AsyncGenerator, Callable
from enum import IntEnum

class Change(IntEnum):
    added = 1
    modified = 2
    deleted = 3

def awatch(
    *paths: str,
    watch_filter: Callable[[Change, str], bool] | None = ...,
    debounce: int = ...,
    step: int = ...,
    recursive: bool = ...,
    ignore_permission_denied: bool | None = ...,
) -> AsyncGenerator[set[tuple[Change, str]]]: ...
