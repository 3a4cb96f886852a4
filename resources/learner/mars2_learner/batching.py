"""Requests for samples that wait together are written as one batch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from .heap import trim_heap
from .model import LoadedModel
from .sampler import Answer, Draw, finished, write_answers


def model_thread() -> ThreadPoolExecutor:
    """The one thread that touches a model: one operation at a time, in the order they came in.

    Not the threads of the connections: torch's libraries keep some 60 MB of buffers for every thread that multiplied,
    and a trainer has over a hundred connections.
    """
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")


class _Request:
    def __init__(self, draws: Sequence[Draw], version: Callable[[], int]) -> None:
        self.draws = draws
        self.version = version
        self.written_by: Future[int] = Future()


class SamplingQueue:
    """Takes what waits, at most `rows` answers, and writes it as one batch on the model's thread."""

    def __init__(self, model: LoadedModel, thread: ThreadPoolExecutor, rows: int) -> None:
        self._model = model
        self._thread = thread
        self._rows = rows
        self._waiting: list[_Request] = []
        self._lock = threading.Lock()

    def write(self, draws: Sequence[Draw], version: Callable[[], int]) -> tuple[list[Answer], int]:
        """The finished answers, and the version of the weights that wrote them."""
        request = _Request(draws, version)
        with self._lock:
            self._waiting.append(request)
        # A task for every request: one that came while the model was busy may find its answers written already.
        self._thread.submit(self._write_batch)
        updates = request.written_by.result()
        return [finished(self._model, draw) for draw in draws], updates

    def _write_batch(self) -> None:
        batch = self._take()
        if not batch:
            return
        try:
            write_answers(self._model, [draw for request in batch for draw in request.draws])
            versions = [request.version() for request in batch]
        except Exception as error:  # handed to the waiting callers; the thread continues
            for request in batch:
                request.written_by.set_exception(error)
            return
        finally:
            trim_heap()
        for request, version in zip(batch, versions, strict=True):
            request.written_by.set_result(version)

    def _take(self) -> list[_Request]:
        """The next batch: at least one request, whole ones as long as they fit. Those without a client are dropped."""
        with self._lock:
            taken: list[_Request] = []
            rows = 0
            while self._waiting and (not taken or rows + len(self._waiting[0].draws) <= self._rows):
                request = self._waiting.pop(0)
                if not request.draws[0].is_wanted():
                    request.written_by.set_result(0)
                    continue
                taken.append(request)
                rows += len(request.draws)
            return taken
