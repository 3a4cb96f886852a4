"""Each change is made once, however often it is requested: a retry after a lost answer gets the same answer."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .json_http import Answer
from .wire import Refused, whole


@dataclass
class _Entry:
    number: int
    digest: str
    done: threading.Event = field(default_factory=threading.Event)
    answer: Answer = (500, b"")


class RetryCache:
    """The last change: its number, request and answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: _Entry | None = None

    def run_once(self, operation: str, seq_id: Any, body: bytes, carry_out: Callable[[], Answer]) -> Answer:
        """Carries out a change whose `seq_id` is new; repeats the answer of the last; refuses an older or another."""
        number = whole(seq_id, "seq_id", 0, 2**53)
        digest = hashlib.sha256(operation.encode() + b"\0" + body).hexdigest()
        with self._lock:
            last = self._last
            repeated = last is not None and number == last.number
            if last is not None and number < last.number:
                raise Refused(f"seq_id {number} is older than {last.number}, the last one here", 409)
            if last is not None and repeated and digest != last.digest:
                raise Refused(f"seq_id {number} was used for another request", 409)
            entry = last if last is not None and repeated else _Entry(number, digest)
            self._last = entry
        if repeated:
            entry.done.wait()
            return entry.answer
        try:
            entry.answer = carry_out()
        finally:
            entry.done.set()
        return entry.answer
