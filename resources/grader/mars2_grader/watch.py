"""Waits for the end of tests, and ends the wait when they use up what they may."""

import os
import select
import time
from typing import Any, List, Optional, Tuple

from . import processes, told
from .life import Life
from .streams import Stream
from .wire import REQUESTS

NOTHING, TIME, MEMORY, OUTPUT, FAULT, AGAIN, PASSED_OVER = range(7)
"""What a report says of a test: the limit that was broken, or why there is no result."""

_FIRST_LOOK_MS = 4
_TICK_SECONDS = 0.1
_BLIND_TICK_SECONDS = 0.005


class Abandoned(Exception):
    """The grader outside is gone."""


class Watch:
    """Over the tests of one process."""

    def __init__(self, life: Life, streams: List[Stream], tokens: List[bytes], started: float) -> None:
        """`streams`: output, errors and what the process tells. `started`: by the monotonic clock."""
        self._life = life
        self._streams = {stream.descriptor: stream for stream in streams}
        self._status = streams[2]
        self._tokens = tokens
        self._started = started
        self._is_listening = False

    def until_over(self, cpu_seconds: float, wall_seconds: float, memory_bytes: int) -> Tuple[int, Optional[int]]:
        """Gives (the limit that was broken, the exit status of the process, None: it waits for the next test).
        `cpu_seconds`: what the process may have used since it began."""
        life = self._life
        if life.has_ending:
            # Most tests end at once: to be woken for each piece of their output would cost more than they do.
            if life.can_stay:
                life.poll.register(self._status.descriptor, select.POLLIN)
            for descriptor, _ in life.poll.poll(_FIRST_LOOK_MS):
                if descriptor == self._status.descriptor and self._status.read() and self._is_waiting():
                    return NOTHING, None
        try:
            while True:
                exit_status = life.exit_status()
                if exit_status is not None:
                    return NOTHING, exit_status
                self._listen()
                elapsed = time.monotonic() - self._started
                if elapsed >= wall_seconds:
                    return TIME, 0
                used = processes.cpu_seconds(life.pid)
                if used is not None and used >= cpu_seconds:
                    return TIME, 0
                if elapsed >= _TICK_SECONDS and processes.resident_bytes() > memory_bytes:
                    return MEMORY, 0
                # A program with one thread cannot use CPU faster than time passes: looking again after what is left
                # of its budget is soon enough, and threads are met by the tick.
                left = wall_seconds - elapsed
                left = min(left, cpu_seconds - used if used is not None else left)
                end = self._look(min(_TICK_SECONDS if life.has_ending else _BLIND_TICK_SECONDS, left))
                if end is not None:
                    return end, None if end == NOTHING else 0
        finally:
            if self._is_listening:
                for descriptor in (*self._streams, REQUESTS):
                    _unregister(life.poll, descriptor)

    def _listen(self) -> None:
        if self._is_listening:
            return
        self._is_listening = True
        for descriptor in self._streams:
            os.set_blocking(descriptor, False)
            self._life.poll.register(descriptor, select.POLLIN)
        self._life.poll.register(REQUESTS, 0)  # a hang-up is always told: the grader is gone

    def _look(self, seconds: float) -> Optional[int]:
        """Takes what comes within this time. None: it goes on."""
        for descriptor, event in self._life.poll.poll(max(1, seconds * 1000)):
            if descriptor == REQUESTS:
                raise Abandoned
            stream = self._streams.get(descriptor)
            if stream is None:
                continue
            if not stream.read() and event & (select.POLLHUP | select.POLLERR):
                self._life.poll.unregister(descriptor)
            elif stream.over:
                return OUTPUT
            elif stream is self._status and self._life.can_stay and self._is_waiting():
                return NOTHING
        return None

    def _is_waiting(self) -> bool:
        words = self._status.data
        if told.is_by_another(words, self._tokens):
            self._life.let_go()
        return told.read(words, self._tokens)[1]


def _unregister(poll: Any, descriptor: int) -> None:
    try:
        poll.unregister(descriptor)
    except KeyError:
        pass
