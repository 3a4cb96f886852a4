"""The runner: process 1 of a sandbox, which runs the tests of candidates, one candidate after the other.

It says `ready`, then receives a candidate, its tests (each answered by one report), and the end (wire.py).
"""

import ast
import gc
import os
import select
import signal
import sys
from types import ModuleType
from typing import Any, List, Optional

from . import common_supervisor, limits, namespaces, prelude, processes, supervise, syscalls, tests, watch, writable_paths
from .wire import CANDIDATE, COMMON, END, REQUESTS, STOPS, Header, Requests, say_ready

# Tracebacks of Python 3.11 and later import it: half of all the time of a test that fails, if each fork did so.
_WARM = (ast,)

CANNOT = 3
"""Exit code: this system does not support this kind of sandbox; the grader then tries the next one."""


def main(way: str) -> None:
    """`shared`: serves candidates one after the other, which a filter of system calls keeps apart. `nested`: each in
    namespaces of its own. `single`: one candidate. `bare`: the same, without a sandbox."""
    module = prelude.build()
    _show_packages()
    processes.raise_oom_score()
    # A program's Ctrl-C handling is the system's. As process 1 the runner itself is safe from the signal.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ.pop("LD_BIND_NOW", None)  # was for this process alone
    _take_low_descriptors()
    limits.apply_to_runner()
    if way == "nested":
        _serve_nested(module)
        return
    if way != "bare":
        processes.protect_runner()
        if not syscalls.forbid() and way == "shared":
            sys.exit(CANNOT)
    elif sys.platform.startswith("linux"):
        processes.protect_runner()
    _freeze_heap()
    say_ready()
    paths: List[Any] = [writable_paths.WorkingFolder()] if way == "bare" else _writable_paths()
    requests = Requests()
    supervisor = supervise.Supervisor(paths)
    if way == "shared":
        _serve_shared(requests, supervisor, module, paths)
    else:
        _serve(requests, requests.next(), supervisor, module)


def _serve_shared(
    requests: Requests, supervisor: supervise.Supervisor, module: ModuleType, paths: List[Any]
) -> None:
    common: Optional[common_supervisor.CommonSupervisor] = None
    while True:
        first = requests.next()
        if first is not None and first.kind == COMMON:
            common = common or common_supervisor.CommonSupervisor(paths, processes.LastPid())
            if not _run_common(common, first, requests):
                return
            continue
        if common is not None:
            common.end()
        if not _serve(requests, first, supervisor, module):
            return


def _run_common(common: common_supervisor.CommonSupervisor, first: Header, requests: Requests) -> bool:
    try:
        return common.run(first, requests)
    except watch.Abandoned:
        return False


def _serve_nested(module: ModuleType) -> None:
    if namespaces.run(lambda: None) != 0:
        sys.exit(CANNOT)
    _freeze_heap()
    while True:
        say_ready()
        if not _wait_for_request():
            return
        namespaces.run(lambda: _serve_inside(module))


def _serve_inside(module: ModuleType) -> None:
    processes.protect_runner()
    syscalls.forbid()
    requests = Requests()
    _serve(requests, requests.next(), supervise.Supervisor(_writable_paths()), module)


def _writable_paths() -> List[Any]:
    """The folders where programs may write, if any."""
    return [writable_paths.WritablePath(path) for path in ("/tmp", "/dev/shm") if os.access(path, os.W_OK)]


def _take_low_descriptors() -> None:
    """Occupies descriptors up to 3, so that those of a test never overwrite one that the runner needs."""
    while os.dup(2) <= supervise.candidate.STATUS:
        pass


def _show_packages() -> None:
    """Some of the interpreter's packages are linked next to this one: programs can import these and no others."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "packages")
    if os.path.isdir(folder):
        sys.path.append(folder)


def _freeze_heap() -> None:
    gc.collect()
    gc.freeze()  # forks then copy fewer pages


def _wait_for_request() -> bool:
    """Waits for a request without reading it, which the candidate's own process does. False: the grader is gone."""
    poll = select.poll()
    poll.register(REQUESTS, select.POLLIN)
    return not poll.poll()[0][1] & (select.POLLHUP | select.POLLERR)


def _serve(
    requests: Requests, first: Optional[Header], supervisor: supervise.Supervisor, module: ModuleType
) -> bool:
    """One candidate, from its first request to its end. True: another candidate may follow."""
    if first is None or first.kind != CANDIDATE:
        return False
    program = tests.memory_file("program")
    prelude.seed()
    try:
        if not requests.copy_body(first.body_bytes, program):
            return False
        job = supervise.Job(first, program, module)
        is_over = False
        while True:
            test = requests.next()
            if test is None:
                return False
            if test.kind == END:
                return supervisor.end_child()
            if is_over:
                if not requests.copy_body(test.body_bytes, -1):
                    return False
                continue
            finished, goes_on = supervisor.run_test(job, test, requests)
            if not goes_on:
                return False
            is_over = bool(test.flags & STOPS) and not finished
    except watch.Abandoned:
        return False
    finally:
        supervisor.end_child()
        os.close(program)
