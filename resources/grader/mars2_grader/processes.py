"""What the runner can see and do about the processes of a test."""

import os
import signal
import sys
import time
from typing import List, Optional

from . import kernel

_PAGE = os.sysconf("SC_PAGE_SIZE")
_IS_LINUX = sys.platform.startswith("linux")


def raise_oom_score() -> None:
    """When memory is short, the kernel kills a candidate before any process of the user."""
    if not _IS_LINUX:
        return
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("800")
    except OSError:
        pass  # an outer sandbox may forbid it


def protect_runner() -> None:
    """Called once, before any program runs.

    As process 1 of its namespace the runner is safe from every signal without a handler, and as "not dumpable"
    from being traced or read through /proc.
    """
    if not _IS_LINUX:
        return
    kernel.leave_session_keyring()
    kernel.set_undumpable()
    if os.getpid() != 1:
        kernel.become_subreaper()


def kill_all(leader: Optional[int]) -> None:
    """Ends everything that the test has started and reaps it. `leader`: the test's first process, where it is known."""
    while True:
        if os.getpid() == 1:
            # Everything in the namespace but ourselves; atomic against forks.
            _kill_if_alive(-1)
        else:
            if leader is not None:
                _kill_if_alive(-leader)
            for pid in _children():
                _kill_if_alive(pid)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def cpu_seconds(pid: int) -> Optional[float]:
    """CPU time of a living process with all its threads, to the nanosecond; None where the system has no such clock."""
    try:
        # Linux: the clock of a process is ~pid * 8 + 2 (see clock_getcpuclockid).
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, OverflowError):
        return None


def resident_bytes() -> int:
    """Memory of all processes of the test together, when there is more than one; 0 else (RLIMIT_AS holds then)."""
    if os.getpid() != 1:
        return 0
    pids = [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]
    if len(pids) < 2:
        return 0
    pages = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm") as file:
                fields = file.read().split()
        except OSError:
            continue
        # Shared pages count once for each process that maps them, so only the others are added up.
        pages += int(fields[1]) - int(fields[2])
    return pages * _PAGE


class LastPid:
    """The number of the process or thread that was made last in this namespace, so that a new one is always noticed."""

    def __init__(self) -> None:
        try:
            self._load = os.open("/proc/loadavg", os.O_RDONLY)
        except OSError:
            self._load = -1

    def now(self) -> int:
        """-1: it cannot be known."""
        try:
            return int(os.pread(self._load, 128, 0).rsplit(None, 1)[1])
        except (OSError, ValueError, IndexError):
            return -1


def oom_kills() -> int:
    """How many processes this computer's kernel has killed for want of memory since it started."""
    try:
        with open("/proc/vmstat") as file:
            for line in file:
                if line.startswith("oom_kill "):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def _children() -> List[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def _kill_if_alive(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
