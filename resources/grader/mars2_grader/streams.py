"""The output of a program, in memory that forked processes do not inherit."""

import os

from .wire import Region

_LARGE = 1 << 16
_TAIL_KEPT = 4096


class Stream:
    """The bytes of one pipe, up to a limit; with `keep_tail`, the last bytes of a longer output."""

    def __init__(self, limit: int, keep_tail: bool = False) -> None:
        self.limit = limit
        self.descriptor = -1
        self.length = 0
        self.exceeded = False
        self._keep_tail = keep_tail
        self._region = Region(limit + 1)

    def start(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.restart()

    def restart(self) -> None:
        """The next test writes into the same pipe."""
        if self.length > _LARGE:
            self._region.forget()
        self.length = 0
        self.exceeded = False

    def read(self) -> bool:
        """Reads what is available; False at the end or when nothing is."""
        view = self._region.view
        if self.length == self._region.size:  # only where the tail is kept
            view[:_TAIL_KEPT] = view[self.length - _TAIL_KEPT :]
            self.length = _TAIL_KEPT
        try:
            count = os.readv(self.descriptor, [view[self.length :]])
        except BlockingIOError:
            return False
        self.length += count
        if self.length > self.limit and not self._keep_tail:
            self.length = self.limit
            self.exceeded = True
        return count > 0

    def drain(self) -> None:
        while not self.exceeded and self.read():
            pass

    def find(self, text: bytes, start: int) -> int:
        """Position of `text` in the bytes so far; -1: not found."""
        return self._region.find(text, start, self.length)

    @property
    def data(self) -> memoryview:
        start = max(0, self.length - _TAIL_KEPT) if self._keep_tail else 0
        return self._region.view[start : self.length]
