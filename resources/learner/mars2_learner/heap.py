"""Memory that was freed goes back to the system."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable


def trim_heap() -> None:
    """Gives free pages back; nothing where the C library is another than glibc.

    glibc keeps what was freed between blocks in use, and passes over ever new lengths leave such gaps everywhere: a
    learner of SmolLM2-135M kept 4.2 GB after a round, 1 GB of them in use; with this it keeps 1.05 GB. It takes 0.05 to
    0.2 s where gigabytes were freed.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@functools.cache
def _trim() -> Callable[[int], int] | None:
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim
