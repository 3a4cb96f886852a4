"""Waits for the end of tests, and stops waiting when they exceed a limit."""

import os
import select
import time
from typing import Any, List, Optional, Tuple

from . import child_report, processes
from .child import ChildProcess
from .streams import Stream
from .wire import REQUESTS

NOTHING, TIME, MEMORY, OUTPUT, FAULT, AGAIN, PASSED_OVER = range(7)
"""The reason in a report: the limit that was exceeded, or why there is no result."""

_FIRST_POLL_MS = 4
_TICK_SECONDS = 0.1
_BLIND_TICK_SECONDS = 0.005


class Abandoned(Exception):
    """The grader outside is gone."""


class Watch:
    """Over the tests of one process."""

    def __init__(self, child: ChildProcess, streams: List[Stream], tokens: List[bytes], started: float) -> None:
        """`streams`: output, errors and what the process reports. `started`: by the monotonic clock."""
        self._child = child
        self._streams = {stream.descriptor: stream for stream in streams}
        self._status = streams[2]
        self._tokens = tokens
        self._started = started
        self._is_listening = False

    def wait_for_end(self, cpu_seconds: float, wall_seconds: float, memory_bytes: int) -> Tuple[int, Optional[int]]:
        """Returns the exceeded limit and the exit status of the process (None: it waits for the next test). `cpu_seconds`:
        limit on the total of the process."""
        child = self._child
        if child.has_pidfd:
            # Most tests end at once: waking up for each piece of their output would cost more than the test.
            if child.can_stay:
                child.poll.register(self._status.descriptor, select.POLLIN)
            for descriptor, _ in child.poll.poll(_FIRST_POLL_MS):
                if descriptor == self._status.descriptor and self._status.read() and self._is_waiting():
                    return NOTHING, None
        try:
            while True:
                exit_status = child.exit_status()
                if exit_status is not None:
                    return NOTHING, exit_status
                self._listen()
                elapsed = time.monotonic() - self._started
                if elapsed >= wall_seconds:
                    return TIME, 0
                used = processes.cpu_seconds(child.pid)
                if used is not None and used >= cpu_seconds:
                    return TIME, 0
                if elapsed >= _TICK_SECONDS and processes.resident_bytes() > memory_bytes:
                    return MEMORY, 0
                # A program with one thread cannot use CPU faster than time passes, so waiting for the rest of its budget
                # is soon enough; the tick covers programs with threads.
                left = wall_seconds - elapsed
                left = min(left, cpu_seconds - used if used is not None else left)
                end = self._poll(min(_TICK_SECONDS if child.has_pidfd else _BLIND_TICK_SECONDS, left))
                if end is not None:
                    return end, None if end == NOTHING else 0
        finally:
            if self._is_listening:
                for descriptor in (*self._streams, REQUESTS):
                    _unregister(child.poll, descriptor)

    def _listen(self) -> None:
        if self._is_listening:
            return
        self._is_listening = True
        for descriptor in self._streams:
            os.set_blocking(descriptor, False)
            self._child.poll.register(descriptor, select.POLLIN)
        self._child.poll.register(REQUESTS, 0)  # a hang-up is always reported: the grader is gone

    def _poll(self, seconds: float) -> Optional[int]:
        """Reads what comes within this time. None: continue."""
        for descriptor, event in self._child.poll.poll(max(1, seconds * 1000)):
            if descriptor == REQUESTS:
                raise Abandoned
            stream = self._streams.get(descriptor)
            if stream is None:
                continue
            if not stream.read() and event & (select.POLLHUP | select.POLLERR):
                self._child.poll.unregister(descriptor)
            elif stream.exceeded:
                return OUTPUT
            elif stream is self._status and self._child.can_stay and self._is_waiting():
                return NOTHING
        return None

    def _is_waiting(self) -> bool:
        data = self._status.data
        if child_report.has_foreign_bytes(data, self._tokens):
            self._child.end_after_test()
        return child_report.read(data, self._tokens)[1]


def _unregister(poll: Any, descriptor: int) -> None:
    try:
        poll.unregister(descriptor)
    except KeyError:
        pass
