"""The runner: process 1 of a sandbox, which runs the tests of one candidate after the other.

It says `ready`, then gets a candidate, its tests, each answered by one report, and the end (wire.py).
"""

import ast
import gc
import os
import select
import signal
import sys
from types import ModuleType
from typing import Any, List, Optional

from . import commons, floor, limits, nest, prelude, processes, supervise, syscalls, tests, watch
from .wire import CANDIDATE, COMMON, END, REQUESTS, STOPS, Header, Requests, say_ready

# Tracebacks of Python 3.11 and later import it: half of all the time of a test that fails, if each fork did so.
_WARM = (ast,)

CANNOT = 3
"""Exit code: this system does not have what this way of running needs; the grader then takes the next one."""


def main(way: str) -> None:
    """`shared`: serves candidates one after the other, which a filter of system calls keeps apart. `nested`: each in
    namespaces of its own. `single`: one candidate. `bare`: the same, without a sandbox."""
    module = prelude.build()
    _show_packages()
    processes.prefer_to_be_killed()
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
    _settle()
    say_ready()
    floors: List[Any] = [floor.WorkingFolder()] if way == "bare" else _floors()
    requests = Requests()
    supervisor = supervise.Supervisor(floors)
    if way == "shared":
        _serve_shared(requests, supervisor, module, floors)
    else:
        _serve(requests, requests.next(), supervisor, module)


def _serve_shared(
    requests: Requests, supervisor: supervise.Supervisor, module: ModuleType, floors: List[Any]
) -> None:
    common: Optional[commons.Commons] = None
    while True:
        first = requests.next()
        if first is not None and first.kind == COMMON:
            common = common or commons.Commons(floors, processes.LastPid())
            if not _goes_on(common, first, requests):
                return
            continue
        if common is not None:
            common.end()
        if not _serve(requests, first, supervisor, module):
            return


def _goes_on(common: commons.Commons, first: Header, requests: Requests) -> bool:
    try:
        return common.run(first, requests)
    except watch.Abandoned:
        return False


def _serve_nested(module: ModuleType) -> None:
    if nest.run(lambda: None) != 0:
        sys.exit(CANNOT)
    _settle()
    while True:
        say_ready()
        if not _is_wanted():
            return
        nest.run(lambda: _serve_inside(module))


def _serve_inside(module: ModuleType) -> None:
    processes.protect_runner()
    syscalls.forbid()
    requests = Requests()
    _serve(requests, requests.next(), supervise.Supervisor(_floors()), module)


def _floors() -> List[Any]:
    """Where nothing is writable, nothing is looked after."""
    return [floor.Floor(path) for path in ("/tmp", "/dev/shm") if os.access(path, os.W_OK)]


def _take_low_descriptors() -> None:
    """What the runner opens later is above 3, so that a test's own descriptors overwrite none that is still needed."""
    while os.dup(2) <= supervise.candidate.STATUS:
        pass


def _show_packages() -> None:
    """Some of the interpreter's packages lie beside this one, as links: programs find them and no others."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "packages")
    if os.path.isdir(folder):
        sys.path.append(folder)


def _settle() -> None:
    gc.collect()
    gc.freeze()  # forks then copy fewer pages


def _is_wanted() -> bool:
    """Waits for a request without reading it: that is for the candidate's own process. False: the grader is gone."""
    poll = select.poll()
    poll.register(REQUESTS, select.POLLIN)
    return not poll.poll()[0][1] & (select.POLLHUP | select.POLLERR)


def _serve(
    requests: Requests, first: Optional[Header], supervisor: supervise.Supervisor, module: ModuleType
) -> bool:
    """One candidate, from its first request to its end. True: another one may follow."""
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
                return supervisor.end_life()
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
        supervisor.end_life()
        os.close(program)
