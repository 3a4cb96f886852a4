"""The names that LiveCodeBench puts in front of every program (lcb_runner/evaluation/testing_util.py)."""

import builtins
import os
import sys
import types
from typing import Any, Dict

from .failures import PROGRAM

# In LiveCodeBench's order: a later star import hides an earlier name, and the modules' own names hide both.
_STARS = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys "
    "json builtins typing"
).split()
_MODULES = [name for name in _STARS if name not in ("builtins", "typing")]

RECURSION_LIMIT = 50_000
INTEGER_DIGITS = 50_000

_IMPORTS = "\n".join([f"from {name} import *" for name in _STARS] + [f"import {name}" for name in _MODULES])
SOURCE = f"{_IMPORTS}\nsys.setrecursionlimit({RECURSION_LIMIT})\n"
"""As text in front of a program, for the published way to run it."""


def build() -> types.ModuleType:
    """The module with these names, for the first test of each fork. To import them here warms them up for all."""
    # `random` would give itself a new seed in each fork: see `seed`.
    register, os.register_at_fork = os.register_at_fork, lambda **_functions: None
    try:
        exec(_IMPORTS, MODULE.__dict__)
    finally:
        os.register_at_fork = register
    os.register_at_fork(after_in_child=_reseed)
    sys.argv = [PROGRAM]
    # `site` is not loaded, so these two are missing although programs use them.
    setattr(builtins, "exit", sys.exit)
    setattr(builtins, "quit", sys.exit)
    _NAMES.update(MODULE.__dict__)
    return MODULE


MODULE = types.ModuleType("__main__")
"""Each fork has one of its own: to copy the names into another one would touch every object they name."""

_NAMES: Dict[str, Any] = {}
_runner = 0


def another_module() -> types.ModuleType:
    """A new module with the same names, for a further test in one process."""
    module = types.ModuleType("__main__")
    module.__dict__.update(_NAMES)
    return module


def seed() -> None:
    """In the runner: chance comes out the same in each process that it forks, because unseeded it would give another
    verdict each time. A program's own forks draw other numbers than it does, as usual."""
    global _runner
    _runner = os.getpid()
    _random().seed(0)


def restore() -> None:
    """For a further test in one process: chance and the arguments are as they were for the first."""
    _random().seed(0)
    sys.argv = [PROGRAM]


def _reseed() -> None:
    if os.getppid() != _runner:
        _random()._inst.seed()


def _random() -> Any:
    return sys.modules["random"]


def widen_limits() -> None:
    """LiveCodeBench lets programs recurse deeply and print long integers."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(INTEGER_DIGITS)
