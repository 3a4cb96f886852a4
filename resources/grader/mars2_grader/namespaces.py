"""New namespaces for each candidate inside the sandbox: user, process, mount and IPC.

bubblewrap and Python start once and serve many candidates one after the other; the process that stays never reads
a request and runs no program. What a candidate could leave behind - processes, files, shared memory - goes with
its namespaces. The network namespace is bubblewrap's: empty, and without a process nothing stays in it.
"""

import os
from typing import Callable

from . import kernel

_TMP = "size=64m,nr_inodes=16k,mode=1777"
_SHM = "size=16m,nr_inodes=1k,mode=1777"
_PLAIN = kernel.MS_NOSUID | kernel.MS_NODEV


def run(work: Callable[[], None]) -> int:
    """Runs `work` as process 1 of new namespaces, without any capability. Returns its exit status; 0: success."""
    outer = os.fork()
    if outer == 0:
        _exit_after(lambda: _enter(work))
    return os.waitstatus_to_exitcode(os.waitpid(outer, 0)[1])


def _enter(work: Callable[[], None]) -> int:
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")
    inner = os.fork()
    if inner == 0:
        _exit_after(lambda: _set_up_mounts(work))
    return os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1])


def _set_up_mounts(work: Callable[[], None]) -> int:
    kernel.mount("proc", "/proc", _PLAIN | kernel.MS_NOEXEC, "")
    kernel.mount("tmpfs", "/tmp", _PLAIN, _TMP)
    kernel.mount("tmpfs", "/dev/shm", _PLAIN, _SHM)
    # No namespaces below this one: they would give the program capabilities, and with them more of the kernel.
    _write("/proc/sys/user/max_user_namespaces", "0")
    os.chdir("/tmp")
    kernel.drop_capabilities()
    work()
    return 0


def _exit_after(step: Callable[[], int]) -> None:
    """Ends this forked process with the step's status; an exception goes to stderr, which the grader reads."""
    status = 1
    try:
        status = step()
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(status if 0 <= status < 128 else 1)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode("ascii"))
    finally:
        os.close(descriptor)
