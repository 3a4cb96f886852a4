"""Error texts for people: the program's own frames, not the runner's."""

import linecache
import os
import traceback
from types import TracebackType
from typing import Optional

PROGRAM = "program.py"

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
_LINES = 20
_FRAMES = 12


def remember_source(source: str) -> None:
    """Lets tracebacks show the program's lines, which are in no file."""
    linecache.cache[PROGRAM] = (len(source), None, source.splitlines(True), PROGRAM)


def describe(error: BaseException) -> str:
    try:
        pieces = traceback.format_exception(type(error), error, _outside_runner(error.__traceback__), limit=-_FRAMES)
        lines = "".join(pieces).strip().splitlines()
        if len(lines) > _LINES:
            lines = [lines[0], "  ..."] + lines[-(_LINES - 2) :]
        text = "\n".join(lines)
        return text if len(text) <= 8000 else f"{text[:4000]} ... {text[-4000:]}"
    except BaseException as second:  # a hostile exception may refuse to be shown
        return f"{type(error).__name__} (could not be shown: {type(second).__name__})"


def _outside_runner(frames: Optional[TracebackType]) -> Optional[TracebackType]:
    while frames is not None and frames.tb_frame.f_code.co_filename.startswith(_OWN_FOLDER):
        frames = frames.tb_next
    return frames
