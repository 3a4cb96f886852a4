"""Error texts for people: the program's own frames, not the runner's."""

import io
import linecache
import os
import sys
import traceback
from types import TracebackType
from typing import Optional

from .tests import memory_file
from .wire import write_all

PROGRAM = "program.py"

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
_LINES = 20
_FRAMES = 12


_source = ""


def remember_source(source: str) -> None:
    """Lets tracebacks show the program's lines, which are in no file."""
    global _source
    _source = source
    linecache.cache[PROGRAM] = (len(source), None, source.splitlines(True), PROGRAM)


def forget_source() -> None:
    global _source
    _source = ""
    linecache.cache.pop(PROGRAM, None)


def describe(error: BaseException) -> str:
    try:
        frames = _outside_runner(error.__traceback__)
        text = _native(error, frames) if _is_plain(error, frames) else None
        if text is None:
            text = "".join(traceback.format_exception(type(error), error, frames, limit=-_FRAMES))
        lines = text.strip().splitlines()
        if len(lines) > _LINES:
            lines = [lines[0], "  ..."] + lines[-(_LINES - 2) :]
        text = "\n".join(lines)
        return text if len(text) <= 8000 else f"{text[:4000]} ... {text[-4000:]}"
    except BaseException as second:  # a hostile exception may refuse to be shown
        return f"{type(error).__name__} (could not be shown: {type(second).__name__})"


def _is_plain(error: BaseException, frames: Optional[TracebackType]) -> bool:
    """One of Python's own errors and few frames, all of the program."""
    count = 0
    while frames is not None:
        count += 1
        if count > _FRAMES or frames.tb_frame.f_code.co_filename != PROGRAM:
            return False
        frames = frames.tb_next
    is_alone = error.__context__ is None and error.__cause__ is None and not hasattr(error, "__notes__")
    return count > 0 and is_alone and type(error) in PLAIN


PLAIN = (
    ArithmeticError, AssertionError, AttributeError, EOFError, IndexError, KeyError, LookupError, NotImplementedError,
    OverflowError, RuntimeError, StopIteration, TypeError, UnboundLocalError, ValueError, ZeroDivisionError,
)  # fmt: skip


def _native(error: BaseException, frames: Optional[TracebackType]) -> Optional[str]:
    """What Python prints for a program that ends so, by its own C code: it touches a third of the memory that the module
    `traceback` does."""
    saved = sys.stderr, io.open
    shown = io.StringIO()
    file = -1
    try:
        file = memory_file("program")
        write_all(file, _source.encode("utf-8"))
        sys.stderr = shown
        io.open = lambda *_args, **_named: io.FileIO(file, closefd=False)  # type: ignore[assignment]
        sys.__excepthook__(type(error), error.with_traceback(frames), frames)
    except BaseException:
        return None
    finally:
        sys.stderr, io.open = saved  # type: ignore[assignment]
        if file >= 0:
            os.close(file)
    text = shown.getvalue()
    return text if text.startswith("Traceback") else None


def _outside_runner(frames: Optional[TracebackType]) -> Optional[TracebackType]:
    while frames is not None and frames.tb_frame.f_code.co_filename.startswith(_OWN_FOLDER):
        frames = frames.tb_next
    return frames
