# What we use of it; it ships no types.
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

class SessionOptions:
    intra_op_num_threads: int
    log_severity_level: int

class InferenceSession:
    def __init__(self, path_or_bytes: str | bytes, sess_options: SessionOptions, providers: Sequence[str]) -> None: ...
    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]: ...
