"""Return values as JSON text, with just as much leniency as LiveCodeBench has."""

import json
import sys
from typing import Any, List, Optional


def json_text(value: Any) -> Optional[str]:
    """The value as JSON text, or None when no JSON value equals it.

    A tuple at the top counts as a list. Deeper tuples, keys that are no strings, sets and other objects equal
    nothing that JSON can say (Python: `(1,) != [1]`, `{1: 2} != {"1": 2}`).
    """
    if isinstance(value, tuple):
        value = list(value)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    try:
        # First: the encoder finds cycles, on which the walk below would not end.
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return None
    return text if _is_plain(value) else None


def _is_plain(value: Any) -> bool:
    stack: List[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            return False
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            if not all(isinstance(key, str) for key in item):
                return False
            stack.extend(item.values())
    return True


def short_repr(value: Any) -> str:
    """What to show of a value that is no JSON."""
    try:
        text = repr(value)
    except BaseException as error:  # a hostile __repr__ may raise anything
        return f"<{type(value).__name__} without a repr: {type(error).__name__}>"
    return text if len(text) <= 4000 else f"{text[:2000]} ... {text[-2000:]}"
