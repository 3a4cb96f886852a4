"""What comes out of a program, in memory that its forks do not have."""

import os

from .wire import Region

_LARGE = 1 << 16
_TAIL_KEPT = 4096


class Stream:
    """What comes through one pipe, up to a number of bytes; of more, the end where `keep_tail` says so."""

    def __init__(self, most: int, keep_tail: bool = False) -> None:
        self.most = most
        self.descriptor = -1
        self.length = 0
        self.over = False
        self._keep_tail = keep_tail
        self._region = Region(most + 1)

    def begin(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.begin_again()

    def begin_again(self) -> None:
        """The next test writes into the same pipe."""
        if self.length > _LARGE:
            self._region.forget()
        self.length = 0
        self.over = False

    def read(self) -> bool:
        """Takes what is there; False at the end or when nothing is there."""
        view = self._region.view
        if self.length == self._region.size:  # only where the tail is kept
            view[:_TAIL_KEPT] = view[self.length - _TAIL_KEPT :]
            self.length = _TAIL_KEPT
        try:
            count = os.readv(self.descriptor, [view[self.length :]])
        except BlockingIOError:
            return False
        self.length += count
        if self.length > self.most and not self._keep_tail:
            self.length = self.most
            self.over = True
        return count > 0

    def drain(self) -> None:
        while not self.over and self.read():
            pass

    def find(self, text: bytes, start: int) -> int:
        """Where it stands in what has come; -1: nowhere."""
        return self._region.find(text, start, self.length)

    @property
    def data(self) -> memoryview:
        start = max(0, self.length - _TAIL_KEPT) if self._keep_tail else 0
        return self._region.view[start : self.length]
