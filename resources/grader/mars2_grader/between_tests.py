"""A candidate's process between two tests: restores the state that the previous test may have changed.

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
"""From here on: copies of descriptors 0 to 3, and the one that receives the next tests."""
_MESSAGE = 1 << 14
_FIRST_DECIMAL = repr(decimal.DefaultContext)


class TestLoop:
    def __init__(self, go: int) -> None:
        for descriptor in range(4):
            os.dup2(descriptor, KEPT + descriptor)
        os.dup2(go, KEPT + 4)
        # Written after the output of the running test, unless it is the first.
        self._mark = b""
        self._may_stay = True
        self._kind = 0
        self._offset = 0
        self._pending: List[Tuple[str, int]] = []
        self._reports: List[bytes] = []

    def can_stay(self) -> bool:
        """A trace function can outlast a test. Threads are detected by the runner."""
        is_watched = sys.gettrace() is not None or sys.getprofile() is not None
        return (self._may_stay or bool(self._pending)) and not is_watched

    def report(self, status: bytes, stays: bool) -> None:
        """Reports how a test ended. The reports of a batch go out together, because each write wakes the runner."""
        if self._mark:
            # Separates the output of this test from that of the next one.
            write_all(KEPT + 1, self._mark)
        self._reports.append(status)
        if not stays or not self._pending:
            write_all(3, b"".join(self._reports))
            self._reports = []

    def next(self, module: Optional[ModuleType]) -> Tuple[str, Dict[str, Any]]:
        """Drops the test's module and waits for the next test: its token and its message. Ends the process when there is
        no next test."""
        # Finalizers that write must not reach the next test's output.
        for descriptor in range(3):
            _close(descriptor)
        sys.stdin = sys.stdout = sys.stderr = None  # type: ignore[assignment]
        sys.__stdin__ = sys.__stdout__ = sys.__stderr__ = None  # type: ignore[misc, assignment]
        if module is not None:
            module.__dict__.clear()
        if not self._pending:
            message = os.read(KEPT + 4, _MESSAGE)
            if not message:
                os._exit(0)
            self._kind, self._may_stay, self._pending = read_go_message(message)
            self._offset = 0
        token, length = self._pending.pop(0)
        self._mark = token.encode("ascii")
        text = self._restore(length)
        self._offset += length
        return token, message_of(self._kind, text)

    def _restore(self, length: int) -> str:
        """Restores the streams and the interpreter's state; returns the text of a test that is not standard input."""
        text = ""
        if self._kind == STDIN_TEST and self._offset == 0 and not self._pending:
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
        prelude.restore()
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
