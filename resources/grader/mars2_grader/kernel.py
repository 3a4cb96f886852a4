"""System calls that Python's `os` does not have in all versions from 3.9 on."""

import ctypes
import os
from typing import Any

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000

MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8

_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_CHILD_SUBREAPER = 36
_CAPABILITY_VERSION_3 = 0x20080522
_KEYCTL_JOIN_SESSION_KEYRING = 1
_KEYCTL_NUMBERS = {"x86_64": 250, "aarch64": 219}

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def mount(kind: str, target: str, flags: int, options: str) -> None:
    texts = [text.encode() for text in (kind, target, kind, options)]
    _checked(_libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]), f"mount {target}")


def set_undumpable() -> None:
    """Processes of the same user can then neither trace this one nor open its /proc entries."""
    _checked(_libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl(PR_SET_DUMPABLE)")


def forbid_new_privileges() -> None:
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)")


def call(number: int, *arguments: int) -> int:
    """A system call by its number."""
    result: int = _libc.syscall(ctypes.c_long(number), *[ctypes.c_ulong(argument) for argument in arguments])
    return result


def become_subreaper() -> None:
    """Orphans among the descendants become children of this process."""
    _checked(_libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl(PR_SET_CHILD_SUBREAPER)")


def drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing: Any = (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")


def leave_session_keyring() -> None:
    """The user's login keys are inherited like open files; a new, empty keyring takes their place where it can."""
    number = _KEYCTL_NUMBERS.get(os.uname().machine)
    if number is not None:
        _libc.syscall(ctypes.c_long(number), _KEYCTL_JOIN_SESSION_KEYRING, None)
