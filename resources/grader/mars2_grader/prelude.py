"""The names that LiveCodeBench puts in front of every program (lcb_runner/evaluation/testing_util.py)."""

from typing import Any, Dict

# In LiveCodeBench's order: a later star import hides an earlier name, and the modules' own names hide both.
_STARS = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys "
    "json builtins typing"
).split()
_MODULES = [name for name in _STARS if name not in ("builtins", "typing")]

RECURSION_LIMIT = 50_000


def build() -> Dict[str, Any]:
    """A fresh namespace with these names; importing them here also warms them up for every fork."""
    namespace: Dict[str, Any] = {}
    lines = [f"from {name} import *" for name in _STARS] + [f"import {name}" for name in _MODULES]
    exec("\n".join(lines), namespace)
    return namespace
