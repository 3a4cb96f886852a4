"""The kernel's limits for one test; set in the forked process before the program starts."""

import math
import resource
from typing import Any, Dict

_MIB = 1 << 20
_ROOM_FOR_ERROR_TEXT = 64 * _MIB
_STACK = 120 * _MIB  # deep recursion uses the C stack up to Python 3.10; the kernel leaves 128 MiB below it
_FILE = 64 * _MIB
_DESCRIPTORS = 128


def apply(limits: Dict[str, Any], processes: int) -> None:
    """`processes` counts the runner too, where it shares the candidate's count."""
    # A second above the runner's own, finer clock: the kernel's is the net below it.
    cpu = math.ceil(limits["cpuSeconds"]) + 1
    _set(resource.RLIMIT_CPU, cpu, cpu)
    _set(resource.RLIMIT_CORE, 0, 0)
    _set(resource.RLIMIT_FSIZE, _FILE, _FILE)
    _set(resource.RLIMIT_NOFILE, _DESCRIPTORS, _DESCRIPTORS)
    _set(resource.RLIMIT_STACK, _STACK, _STACK)
    if processes > 0:
        _set(resource.RLIMIT_NPROC, processes, processes)
    memory = limits["memoryBytes"]
    _set(resource.RLIMIT_AS, memory, memory + _ROOM_FOR_ERROR_TEXT)


def _set(kind: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(kind)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(kind, (soft, hard))
    except (ValueError, OSError):
        # macOS refuses RLIMIT_AS and some stack sizes; on Linux all of them work.
        pass
