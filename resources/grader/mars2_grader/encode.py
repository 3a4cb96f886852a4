"""Python values as JSON that keeps their types, for a comparison outside the sandbox (EvalPlus' rules).

A value is a list whose first item says what it is: ["none"], ["bool", true], ["int", "12"] (in hexadecimal
where it is beyond all floats: ["int", "-0x1f"]), ["float", "0.5"], ["complex", "0.0", "1.0"], ["str", "a"], ["bytes", "6162"], ["list" | "tuple" | "set" | "frozenset", [...]],
["dict", [[key, value], ...]], ["value", "date", "datetime.date(2020, 1, 1)"] for types whose `repr` says all, and
["other", "generator"] for what equals nothing. A subclass of one of the former is ["of", name, value].
"""

from typing import Any, List, Optional

from . import values

Encoded = List[Any]
_DEEPEST = 200
_MAX_FLOAT_BITS = 1024
_COMPARED_BY_REPR = ("datetime", "decimal", "fractions")


def encoded(value: Any, depth: int = 0) -> Encoded:
    kind = type(value)
    plain = _plain(value, kind, depth)
    if plain is not None:
        return plain
    number = values.plain_number(value)
    if number is not None:
        return encoded(number)
    if kind is range:
        # Equal when they hold the same numbers.
        return ["value", "range", repr((len(value), *value[:1], *value[1:2]))]
    if kind.__module__ in _COMPARED_BY_REPR:
        return ["value", kind.__name__, repr(value)]
    for base in (bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict):
        if isinstance(value, base):
            inner = _plain(value, base, depth)
            return ["other", kind.__name__] if inner is None else ["of", kind.__name__, inner]
    return ["other", kind.__name__]


def _plain(value: Any, kind: type, depth: int) -> Optional[Encoded]:
    if value is None:
        return ["none"]
    if kind is bool:
        return ["bool", bool(value)]
    if kind is int:
        # Python writes a million decimal digits in some 15 seconds. No float equals so large a number.
        is_large = int.bit_length(value) > _MAX_FLOAT_BITS
        return ["int", int.__format__(value, "#x") if is_large else int.__repr__(value)]
    if kind is float:
        return ["float", float.__repr__(value)]
    if kind is complex:
        return ["complex", float.__repr__(value.real), float.__repr__(value.imag)]
    if kind is str:
        return ["str", str.__str__(value)]
    if kind is bytes:
        return ["bytes", bytes.hex(value)]
    if kind in (list, tuple, set, frozenset, dict) and depth >= _DEEPEST:
        return ["other", "too deep"]
    if kind is list or kind is tuple:
        return [kind.__name__, [encoded(item, depth + 1) for item in value]]
    if kind is set or kind is frozenset:
        return [kind.__name__, sorted((encoded(item, depth + 1) for item in value), key=repr)]
    if kind is dict:
        return ["dict", [[encoded(key, depth + 1), encoded(item, depth + 1)] for key, item in value.items()]]
    return None
