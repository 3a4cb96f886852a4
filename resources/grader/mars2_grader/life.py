"""A forked process of a candidate, in which one test runs, or several one after the other; and the ways to it."""

import os
import select
from typing import Any, List, Optional

from . import processes
from .streams import Stream
from .wire import STAYS, Header


class Life:
    def __init__(self, first: Header, payload: int, streams: List[Stream]) -> None:
        """`payload`: what becomes the program's standard input; it belongs to this life."""
        self.payload = payload
        self.pid = 0
        self.tests = 0
        self._may_stay = bool(first.flags & STAYS)
        self._streams = streams
        pipes = [os.pipe() for _ in streams]
        self._readers = [reader for reader, _ in pipes]
        self.writers = [writer for _, writer in pipes]
        self.go, self._say_go = os.pipe() if self._may_stay else (-1, -1)
        self._ending = -1
        self.cpu_at_start = 0.0
        self.poll: Any = None

    def begin(self, pid: int) -> None:
        """In the runner, after the fork."""
        self.pid = pid
        for writer in self.writers:
            os.close(writer)
        if self._may_stay:
            os.close(self.go)
        for stream, reader in zip(self._streams, self._readers):
            stream.begin(reader)
        self._ending = _pidfd(pid)
        self.poll = select.poll()
        if self.has_ending:
            self.poll.register(self._ending, select.POLLIN)
        if self._may_stay:
            for reader in self._readers:
                os.set_blocking(reader, False)

    @property
    def has_ending(self) -> bool:
        """The end of its first process wakes the poll."""
        return self._ending >= 0

    @property
    def can_stay(self) -> bool:
        return self._may_stay and self.has_ending

    def go_on(self, message: bytes) -> None:
        """The next test: its input lies in the file already."""
        os.lseek(self.payload, 0, os.SEEK_SET)
        for stream in self._streams:
            stream.begin_again()
        os.write(self._say_go, message)

    def let_go(self) -> None:
        """It ends when its test is over."""
        if self._say_go >= 0:
            os.close(self._say_go)
        self._say_go = -1
        self._may_stay = False

    def exit_status(self) -> Optional[int]:
        """Reaps what has ended, orphans too; as subprocess gives it (negative: a signal). None: it runs."""
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if ended == self.pid:
                return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            if ended == 0:
                return None

    def end(self) -> None:
        """Nothing of it is left afterwards but what it has written."""
        try:
            processes.kill_all(self.pid)
            # Nobody is left who could write, so what remains is finite.
            for stream in self._streams:
                stream.drain()
        finally:
            for descriptor in (*self._readers, self._ending, self._say_go, self.payload):
                if descriptor >= 0:
                    os.close(descriptor)




def _pidfd(pid: int) -> int:
    """-1 on systems without it."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1
