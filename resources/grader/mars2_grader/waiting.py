"""A program's process between two tests of the same candidate: what the test before has left is put back.

All of this runs in the program's own process, so nothing here is trusted: where it does not do what it should, the
next test does not pass, and is run again in a process of its own.
"""

import decimal
import os
import sys
from types import ModuleType
from typing import Any, Dict, List, Optional, Tuple

from . import prelude
from .tests import memory_file, message_of, read_go_message
from .wire import STDIN_TEST, write_all

KEPT = 110
"""From here on the descriptors that stay open: those of 0 to 3, and the one on which the next test is told."""
_MESSAGE = 1 << 14
_FIRST_DECIMAL = repr(decimal.DefaultContext)


class Home:
    def __init__(self, go: int) -> None:
        for descriptor in range(4):
            os.dup2(descriptor, KEPT + descriptor)
        os.dup2(go, KEPT + 4)
        # Of the test that runs: its mark behind its output, where it was not the first.
        self._mark = b""
        self._may_stay = True
        self._kind = 0
        self._offset = 0
        self._waiting: List[Tuple[str, int]] = []
        self._told: List[bytes] = []

    def can_stay(self) -> bool:
        """What watches every line can outlast a test. Threads are seen by the runner."""
        is_watched = sys.gettrace() is not None or sys.getprofile() is not None
        return (self._may_stay or bool(self._waiting)) and not is_watched

    def tell(self, status: bytes, stays: bool) -> None:
        """How a test ended. What is told of several goes out with the last one: each word wakes the runner."""
        if self._mark:
            # Parts the output of this test from that of the next one.
            write_all(KEPT + 1, self._mark)
        self._told.append(status)
        if not stays or not self._waiting:
            write_all(3, b"".join(self._told))
            self._told = []

    def next(self, module: Optional[ModuleType]) -> Tuple[str, Dict[str, Any]]:
        """Lets go of the test's module and waits for the next test: its token, and what is asked. Ends the process
        when there is no next one."""
        # What writes while it is thrown away writes nowhere.
        for descriptor in range(3):
            _close(descriptor)
        sys.stdin = sys.stdout = sys.stderr = None  # type: ignore[assignment]
        sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = None  # type: ignore[misc, assignment]
        if module is not None:
            module.__dict__.clear()
        if not self._waiting:
            message = os.read(KEPT + 4, _MESSAGE)
            if not message:
                os._exit(0)
            self._kind, self._may_stay, self._waiting = read_go_message(message)
            self._offset = 0
        token, length = self._waiting.pop(0)
        self._mark = token.encode("ascii")
        text = self._put_back(length)
        self._offset += length
        return token, message_of(self._kind, text)

    def _put_back(self, length: int) -> str:
        """Gives the text of a test whose text is not its standard input."""
        text = ""
        if self._kind == STDIN_TEST and self._offset == 0 and not self._waiting:
            os.dup2(KEPT, 0)
        else:
            data = os.pread(KEPT, length, self._offset)
            file = memory_file("stdin")
            if self._kind == STDIN_TEST:
                write_all(file, data)
                os.lseek(file, 0, os.SEEK_SET)
            else:
                text = data.decode("utf-8")
            if file != 0:
                os.dup2(file, 0)
                os.close(file)
        for descriptor in range(1, 4):
            os.dup2(KEPT + descriptor, descriptor)
        os.closerange(4, KEPT)
        # As Python opens them in UTF-8 mode.
        sys.stdin = sys.__stdin__ = _stream(0, "r", "surrogateescape", "<stdin>")  # type: ignore[misc]
        sys.stdout = sys.__stdout__ = _stream(1, "w", "surrogateescape", "<stdout>")  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = _stream(2, "w", "backslashreplace", "<stderr>")  # type: ignore[misc]
        prelude.put_back()
        if repr(decimal.DefaultContext) != _FIRST_DECIMAL:
            os._exit(0)
        decimal.setcontext(decimal.DefaultContext.copy())
        return text


def _stream(descriptor: int, mode: str, errors: str, name: str) -> Any:
    is_stderr = descriptor == 2
    stream: Any = open(
        descriptor, mode, 1 if is_stderr else -1, encoding="utf-8", errors=errors, newline="\n", closefd=False
    )
    stream.buffer.raw.name = name
    return stream


def _close(descriptor: int) -> None:
    try:
        os.close(descriptor)
    except OSError:
        pass
