"""Frames between the grader outside and the runner inside.

What a frame carries - programs, inputs, outputs - passes through memory that forked processes do not inherit, and
never becomes an object of the runner's Python: no program can find there what belongs to another one.
"""

import mmap
import os
import struct
from typing import List, NamedTuple, Optional, Tuple

REQUESTS = 0
REPORTS = 1

CANDIDATE = 1
"""Body: the entry point, then the program. The header holds the limits."""
STDIN_TEST, CALL_TEST, CHECK_TEST = 2, 5, 6
"""Body: the input or the check's source as it is."""
JSON_TEST = 3
"""Body: the test as JSON."""
END = 4
"""All tests of the candidate were sent."""

COMMON = 7
"""Body: a candidate with all its tests, which may run in the common process (common_process.py says what it holds)."""

NO_ENTRY_POINT = 0xFFFF

# Flags of a test.
STOPS = 1
"""Where it does not finish, further tests of the candidate are passed over."""
SHARES = 2
"""It may run in the process that ran the test before; else it has one of its own."""
STAYS = 4
"""Its process may stay for the next test."""
AHEAD = 8
"""It is passed over where no process has stayed: its sender may not want it any more."""
MORE = 16
"""Of COMMON: another one follows, and all of them are reported together."""

# Flags of a report.
SPENT = 1
"""This sandbox runs no further test."""
SHARED = 2
"""The test's process had run another one before."""
STAYED = 4
"""The test's process waits for the next one, or for the candidate's end."""

_REQUEST = struct.Struct("<BBHiQddQQ")
_REPORT = struct.Struct("<BBhIIIIdd")
_READY = 1
_TESTED = 2
_ROOM = 1 << 20
_PIECES = 512
"""The system takes 1,024 at once."""


class Header(NamedTuple):
    kind: int
    flags: int
    """Of a test: STOPS, SHARES, STAYS, AHEAD."""
    entry_point_bytes: int
    """NO_ENTRY_POINT: the candidate has none."""
    processes: int
    """Of the user namespace, the runner's own included; 0: no limit."""
    body_bytes: int
    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    output_bytes: int


class Region:
    """Memory of this process alone: a forked process does not have it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._map = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if hasattr(mmap, "MADV_DONTFORK"):
            self._map.madvise(mmap.MADV_DONTFORK)
        self.view = memoryview(self._map)

    def find(self, text: bytes, start: int, end: int) -> int:
        """-1: it is not there."""
        return self._map.find(text, start, end)

    def forget(self) -> None:
        """Gives the memory back to the system; the region stays and reads as zeros."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)


class Requests:
    def __init__(self) -> None:
        self._region = Region(_ROOM)
        self._from = 0
        self._to = 0

    def next(self) -> Optional[Header]:
        """The next frame's header; its body is taken by `copy_body`. None when the grader has closed its end."""
        while self._to - self._from < _REQUEST.size:
            if not self._read():
                return None
        header = Header._make(_REQUEST.unpack_from(self._region.view, self._from))
        self._from += _REQUEST.size
        return header

    def next_received(self, kind: int, flags: int) -> Optional[Header]:
        """As `next`, if a complete frame of this kind and with these flags has been received; else None."""
        if self._to - self._from < _REQUEST.size:
            return None
        header = Header._make(_REQUEST.unpack_from(self._region.view, self._from))
        if header.kind != kind or header.flags & flags != flags:
            return None
        if self._to - self._from < _REQUEST.size + header.body_bytes:
            return None
        self._from += _REQUEST.size
        return header

    def copy_body(self, length: int, descriptor: int, offset: int = 0) -> bool:
        """Into a file, from this offset on. False when the grader has closed its end before the body was there. A
        negative descriptor skips the body. An OSError of the file is raised once the body is read."""
        done = 0
        first_error: Optional[OSError] = None
        while done < length:
            if self._to == self._from and not self._read():
                return False
            piece = min(length - done, self._to - self._from)
            if descriptor >= 0 and first_error is None:
                try:
                    _write_at(descriptor, self._region.view[self._from : self._from + piece], offset + done)
                except OSError as error:
                    first_error = error
            self._from += piece
            done += piece
        if first_error is not None:
            raise first_error
        return True

    def _read(self) -> bool:
        view = self._region.view
        if self._from == self._to:
            self._from = self._to = 0
        elif self._to == self._region.size:
            rest = self._to - self._from
            view[:rest] = view[self._from : self._to]
            self._from, self._to = 0, rest
        count = os.readv(REQUESTS, [view[self._to :]])
        self._to += count
        return count > 0


def write_all(descriptor: int, data: "bytes | memoryview") -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _write_at(descriptor: int, view: memoryview, offset: int) -> None:
    while view:
        count = os.pwrite(descriptor, view, offset)
        view, offset = view[count:], offset + count


def say_ready() -> None:
    write_all(REPORTS, _REPORT.pack(_READY, 0, 0, 0, 0, 0, 0, 0, 0))


def report(
    reason: int,
    exit_status: int,
    flags: int,
    cpu_ms: float,
    wall_ms: float,
    out: memoryview,
    err: memoryview,
    child_report: memoryview,
) -> None:
    """`flags`: SPENT, SHARED, STAYED. `child_report`: what the test's process reported, as JSON."""
    sizes = (len(out), len(err), len(child_report))
    header = _REPORT.pack(_TESTED, reason, exit_status, flags, *sizes, cpu_ms, wall_ms)
    _write_pieces([memoryview(header), out, err, child_report])


def report_common(reports: List[Tuple[int, memoryview]], flags: int) -> None:
    """On several candidates: a reason and the common process's results of each."""
    pieces: List[memoryview] = []
    for reason, one in reports:
        pieces += (memoryview(_REPORT.pack(_TESTED, reason, 0, flags, 0, 0, len(one), 0, 0)), one)
    for start in range(0, len(pieces), _PIECES):
        _write_pieces(pieces[start : start + _PIECES])


def _write_pieces(pieces: List[memoryview]) -> None:
    written = os.writev(REPORTS, pieces)
    for piece in pieces:
        if written < len(piece):
            write_all(REPORTS, piece[written:])
        written = max(0, written - len(piece))
