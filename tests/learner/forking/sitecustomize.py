"""On PYTHONPATH it makes a vLLM on processors fork its engine and its worker, as it does on GPUs.

There it would start each anew, for OpenMP's threads, of which a tiny model has one; each would take seven seconds of
work to import the same modules again.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import BaseContext

_context_of = multiprocessing.get_context


def _forking(method: str | None = None) -> BaseContext:
    return _context_of("fork" if method == "spawn" else method)


multiprocessing.get_context = _forking  # type: ignore[assignment]
