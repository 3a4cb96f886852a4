"""Requests for samples that wait together are written as one batch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from .model import LoadedModel
from .sampler import Answer, Draw, finished, write_answers


class _Request:
    def __init__(self, draws: Sequence[Draw], version: Callable[[], int]) -> None:
        self.draws = draws
        self.version = version
        self.updates = 0
        self.error: Exception | None = None
        self.done = threading.Event()


class SamplingQueue:
    """A thread that takes what waits, at most `rows` answers, and writes it while it holds the weights' lock."""

    def __init__(self, model: LoadedModel, weights: threading.Lock, rows: int) -> None:
        self._model = model
        self._weights = weights
        self._rows = rows
        self._waiting: list[_Request] = []
        self._changed = threading.Condition()
        threading.Thread(target=self._work, daemon=True, name="sampling").start()

    def write(self, draws: Sequence[Draw], version: Callable[[], int]) -> tuple[list[Answer], int]:
        """The finished answers, and the version of the weights that wrote them."""
        request = _Request(draws, version)
        with self._changed:
            self._waiting.append(request)
            self._changed.notify()
        request.done.wait()
        if request.error is not None:
            raise request.error
        return [finished(self._model, draw) for draw in draws], request.updates

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._waiting))
            with self._weights:
                # Only now: what came while the weights were busy is in the same batch.
                batch = self._take()
                try:
                    if batch:
                        write_answers(self._model, [draw for request in batch for draw in request.draws])
                    for request in batch:
                        request.updates = request.version()
                except Exception as error:  # handed to those who wait; the thread goes on
                    for request in batch:
                        request.error = error
            for request in batch:
                request.done.set()

    def _take(self) -> list[_Request]:
        """The next batch: at least one request, whole ones as long as they fit. Those without a client are dropped."""
        with self._changed:
            taken: list[_Request] = []
            rows = 0
            while self._waiting and (not taken or rows + len(self._waiting[0].draws) <= self._rows):
                request = self._waiting.pop(0)
                if not request.draws[0].wanted():
                    request.done.set()
                    continue
                taken.append(request)
                rows += len(request.draws)
            return taken
