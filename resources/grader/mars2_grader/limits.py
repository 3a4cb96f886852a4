"""The kernel's limits for programs."""

import math
import resource
from typing import List, Tuple

Limits = List[Tuple[int, Tuple[int, int]]]

_MIB = 1 << 20
_ROOM = 64 * _MIB  # for the error text
_STACK = 120 * _MIB  # deep recursion uses the C stack up to Python 3.10; the kernel leaves 128 MiB below it
_FILE = 64 * _MIB
_DESCRIPTORS = 128


def apply_to_runner() -> None:
    """Those that are the same for every test; the runner keeps them itself, and its forks inherit them."""
    _set(resource.RLIMIT_CORE, 0, 0)
    _set(resource.RLIMIT_FSIZE, _FILE, _FILE)
    _set(resource.RLIMIT_NOFILE, _DESCRIPTORS, _DESCRIPTORS)
    _set(resource.RLIMIT_STACK, _STACK, _STACK)
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        _set(resource.RLIMIT_MSGQUEUE, 0, 0)


def of_test(cpu_seconds: float, memory_bytes: int, processes: int) -> Limits:
    """Those of one test. `processes` 0: no limit on them."""
    # Far above the runner's own, finer clock: the kernel's is the net below it, and it counts whole ticks, which on a
    # busy virtual machine were seen to be a sixth more than what the program had used.
    cpu = math.ceil(1.5 * cpu_seconds) + 2
    found: Limits = [(resource.RLIMIT_CPU, (cpu, cpu)), (resource.RLIMIT_AS, (memory_bytes, memory_bytes + _ROOM))]
    return [*found, (resource.RLIMIT_NPROC, (processes, processes))] if processes > 0 else found


def apply(limits: Limits) -> None:
    """Sets them in the test's own process before the program starts."""
    for kind, pair in limits:
        try:
            resource.setrlimit(kind, pair)
        except (ValueError, OSError):
            _lower(kind, *pair)


def _set(kind: int, soft: int, hard: int) -> None:
    try:
        resource.setrlimit(kind, (soft, hard))
    except (ValueError, OSError):
        # The user's own limit is lower, or macOS, which refuses RLIMIT_AS and some stack sizes.
        _lower(kind, soft, hard)


def _lower(kind: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(kind)[1]
    if ceiling == resource.RLIM_INFINITY:
        return
    try:
        resource.setrlimit(kind, (min(soft, ceiling), min(hard, ceiling)))
    except (ValueError, OSError):
        pass
