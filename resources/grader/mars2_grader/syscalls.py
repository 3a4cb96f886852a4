"""The filter of system calls: what no program needs, and what could outlast a program or reach the runner.

A list of what is refused, not of what is allowed, so that programs run as they do anywhere else; but calls younger
than the list do not exist for them. Numbers: Linux' asm/unistd_64.h (x86-64) and asm-generic/unistd.h (aarch64).
"""

import ctypes
import errno
import os
import struct
import sys
from typing import Dict, List, Optional, Tuple

from . import kernel

# What traces or reads other processes, makes namespaces or mounts, loads code into the kernel, keeps something
# beyond a process (keys, System V and POSIX queues, attributes of files), reaches far into the kernel, or changes
# how the runner is scheduled. Name: (x86-64, aarch64), -1: does not exist there.
_REFUSED: Dict[str, Tuple[int, int]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "get_robust_list": (274, 100),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "personality": (135, 92),
    "seccomp": (317, 277),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
    "ustat": (136, -1),
    "sysfs": (139, -1),
    "memfd_secret": (447, 447),
    "set_mempolicy": (238, 237),
    "mbind": (237, 235),
    "set_mempolicy_home_node": (450, 450),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
_YOUNGEST = 450

# Refused by their arguments.
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_SOCKET = (41, 198)
_SOCKETPAIR = (53, 199)
_PRLIMIT = (302, 261)
_SCHED_SETAFFINITY = (203, 122)
_SETPRIORITY = (141, 140)
_IOCTL = (16, 29)

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_NEW_NAMESPACES = 0x7E020000
_AF_UNIX = 1
_TIOCSTI = 0x5412
_X32 = 0x40000000

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the numbers, and the kernel's name of the machine (AUDIT_ARCH_...)."""

_SECCOMP = (317, 277)
_SET_MODE_FILTER = 1
_SPEC_ALLOW = 4  # no slower memory for all programs of an older kernel; nothing in this process is to be kept secret

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16

_Step = Tuple[int, int, int, int]


def program(machine: str) -> Optional[List[_Step]]:
    """The filter as classic BPF: (code, steps if true, steps if false, operand). None: not for this machine."""
    if machine not in _MACHINES or sys.byteorder != "little":
        return None
    column, name = _MACHINES[machine]
    # Another machine's calls (32-bit programs) have other numbers.
    steps: List[_Step] = [(_LOAD, 0, 0, _MACHINE_AT), (_JUMP_EQUAL, 1, 0, name), _returns(_KILL)]
    steps += [(_LOAD, 0, 0, _NUMBER_AT)]
    # "Not implemented", so that libraries fall back to the older call. This covers x32's numbers too.
    steps += [(_JUMP_AT_LEAST, 0, 1, min(_YOUNGEST + 1, _X32)), _returns(_ERROR | errno.ENOSYS)]
    steps += [(_JUMP_EQUAL, 0, 1, _CLONE3[column]), _returns(_ERROR | errno.ENOSYS)]
    refuse, allow = _returns(_ERROR | errno.EPERM), _returns(_ALLOW)
    no_family = _returns(_ERROR | errno.EAFNOSUPPORT)
    steps += _if_number(_CLONE[column], [_argument(0), (_JUMP_SET, 0, 1, _NEW_NAMESPACES), refuse, allow])
    for family in (_SOCKET, _SOCKETPAIR):
        steps += _if_number(family[column], [_argument(0), (_JUMP_EQUAL, 1, 0, _AF_UNIX), no_family, allow])
    # Only one's own: process 1 has the same user.
    for own in (_PRLIMIT, _SCHED_SETAFFINITY):
        steps += _if_number(own[column], [_argument(0), (_JUMP_EQUAL, 1, 0, 0), refuse, allow])
    steps += _if_number(
        _SETPRIORITY[column],
        [_argument(0), (_JUMP_EQUAL, 1, 0, 0), refuse, _argument(1), (_JUMP_EQUAL, 1, 0, 0), refuse, allow],
    )
    steps += _if_number(_IOCTL[column], [_argument(1), (_JUMP_EQUAL, 0, 1, _TIOCSTI), refuse, allow])
    for numbers in _REFUSED.values():
        if numbers[column] >= 0:
            steps += [(_JUMP_EQUAL, 0, 1, numbers[column]), refuse]
    return steps + [allow]


def forbid() -> bool:
    """Puts the filter on this process and all that come from it, for ever. False: there is none for this machine."""
    steps = program(_machine())
    if steps is None:
        return False
    code = b"".join(struct.pack("<HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    # struct sock_fprog
    head = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(buffer)))
    kernel.forbid_new_privileges()
    number = _SECCOMP[_MACHINES[_machine()][0]]
    return kernel.call(number, _SET_MODE_FILTER, _SPEC_ALLOW, ctypes.addressof(head)) == 0


def _machine() -> str:
    # A 32-bit Python on a 64-bit kernel says the kernel's name.
    return os.uname().machine if sys.maxsize > 1 << 32 else "other"


def _returns(value: int) -> _Step:
    return (_RETURN, 0, 0, value)


def _argument(index: int) -> _Step:
    """The lower half of an argument: those that are looked at are ints."""
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)


def _if_number(number: int, steps: List[_Step]) -> List[_Step]:
    return [(_JUMP_EQUAL, 0, len(steps), number), *steps]
