"""A forked process of a candidate, in which one test runs or several in turn, with its pipes."""

import os
import select
from typing import Any, List, Optional

from . import processes
from .streams import Stream
from .wire import STAYS, Header


class ChildProcess:
    def __init__(self, first: Header, payload: int, streams: List[Stream]) -> None:
        """`payload`: the file that becomes the program's standard input; owned by this object."""
        self.payload = payload
        self.pid = 0
        self.tests = 0
        self._may_stay = bool(first.flags & STAYS)
        self._streams = streams
        pipes = [os.pipe() for _ in streams]
        self._readers = [reader for reader, _ in pipes]
        self.writers = [writer for _, writer in pipes]
        self.go, self._send_go = os.pipe() if self._may_stay else (-1, -1)
        self._pidfd = -1
        self.cpu_at_start = 0.0
        self.poll: Any = None

    def started(self, pid: int) -> None:
        """In the runner, after the fork."""
        self.pid = pid
        for writer in self.writers:
            os.close(writer)
        if self._may_stay:
            os.close(self.go)
        for stream, reader in zip(self._streams, self._readers):
            stream.start(reader)
        self._pidfd = _open_pidfd(pid)
        self.poll = select.poll()
        if self.has_pidfd:
            self.poll.register(self._pidfd, select.POLLIN)
        if self._may_stay:
            for reader in self._readers:
                os.set_blocking(reader, False)

    @property
    def has_pidfd(self) -> bool:
        """The end of the process wakes the poll."""
        return self._pidfd >= 0

    @property
    def can_stay(self) -> bool:
        return self._may_stay and self.has_pidfd

    def send_tests(self, message: bytes) -> None:
        """Starts the next tests; their input is in the payload already."""
        os.lseek(self.payload, 0, os.SEEK_SET)
        for stream in self._streams:
            stream.restart()
        os.write(self._send_go, message)

    def end_after_test(self) -> None:
        """The process ends when its current test is over."""
        if self._send_go >= 0:
            os.close(self._send_go)
        self._send_go = -1
        self._may_stay = False

    def exit_status(self) -> Optional[int]:
        """Reaps ended processes, orphans too; the status is as in subprocess (negative: a signal). None: it still runs."""
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if ended == self.pid:
                return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            if ended == 0:
                return None

    def end(self) -> None:
        """Kills the process and its descendants; what they wrote stays readable."""
        try:
            processes.kill_all(self.pid)
            # No writer is left, so what remains is finite.
            for stream in self._streams:
                stream.drain()
        finally:
            for descriptor in (*self._readers, self._pidfd, self._send_go, self.payload):
                if descriptor >= 0:
                    os.close(descriptor)


def _open_pidfd(pid: int) -> int:
    """-1 on systems without it."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1
