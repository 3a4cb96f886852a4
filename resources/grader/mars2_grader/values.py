"""Return values as JSON text, with just as much leniency as LiveCodeBench has."""

import json
import sys
from typing import Any, List, Optional


def json_text(value: Any) -> Optional[str]:
    """The value as JSON text, or None when no JSON value equals it.

    A tuple at the top counts as a list. Fractions, decimals and complex numbers count as the numbers that they equal.
    Deeper tuples, keys that are no strings, sets and other objects equal
    nothing that JSON can say (Python: `(1,) != [1]`, `{1: 2} != {"1": 2}`).
    """
    if isinstance(value, tuple):
        value = list(value)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    value = _with_plain_numbers(value)
    try:
        # First: the encoder finds cycles, on which the walk below would not end.
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return None
    return text if _is_plain(value) else None


def plain_number(value: Any) -> Any:
    """The integer or float that a fraction, decimal or complex number equals; None when none does."""
    kind = (type(value).__module__, type(value).__name__)
    if kind == ("builtins", "complex"):
        return value.real if value.imag == 0 else None
    if kind not in (("fractions", "Fraction"), ("decimal", "Decimal")):
        return None
    try:
        for number in (int(value), float(value)):
            if number == value:
                return number
    except (OverflowError, ValueError):  # too large for a float; infinite or not a number
        if kind[1] == "Decimal" and value.is_infinite():
            return float(value)
    return None


def _with_plain_numbers(value: Any, depth: int = 0) -> Any:
    number = plain_number(value)
    if number is not None:
        return number
    if depth < 100:
        if type(value) is list:
            return [_with_plain_numbers(item, depth + 1) for item in value]
        if type(value) is dict:
            return {key: _with_plain_numbers(item, depth + 1) for key, item in value.items()}
    return value


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
