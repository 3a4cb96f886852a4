"""The runner: process 1 of a sandbox that is one candidate's own.

Requests come as JSON lines: first the candidate (program, entryPoint, limits, processBase), then tests, each
answered by one report, then `end`. The runner says `ready` before each candidate.
"""

import gc
import os
import select
import shutil
import signal
import sys
from typing import Any, Dict

from . import kernel, nest, prelude, processes, supervise
from .wire import REQUESTS, Requests, report

CANNOT_NEST = 3
"""Exit code: this system forbids namespaces inside the sandbox; the grader then starts one sandbox a candidate."""


def main(nested: bool) -> None:
    """Serves candidate after candidate, each in namespaces of its own (`nested`), or one and then ends."""
    names = prelude.build()
    processes.prefer_to_be_killed()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()  # forks then copy fewer pages
    if not nested:
        report({"ready": True})
        _serve(names)
        return
    if nest.run(lambda: None) != 0:
        sys.exit(CANNOT_NEST)
    while True:
        report({"ready": True})
        if not _is_wanted():
            return
        nest.run(lambda: _serve(names))


def _is_wanted() -> bool:
    """Waits for a request without reading it: that is for the candidate's own process. False: the grader is gone."""
    poll = select.poll()
    poll.register(REQUESTS, select.POLLIN)
    return not poll.poll()[0][1] & (select.POLLHUP | select.POLLERR)


def _serve(names: Dict[str, Any]) -> None:
    """One candidate, from its first request to its `end`."""
    processes.protect_runner()
    wakeup, alarm = os.pipe()
    os.set_blocking(alarm, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
    requests = Requests()
    first = requests.next()
    if first is None:
        return
    job = supervise.Job(first, names)
    try:
        while True:
            test = requests.next()
            if test is None or test["kind"] == "end":
                return
            report(_run(job, test, wakeup))
            _empty_working_folder()
    except supervise.Abandoned:
        return


def _run(job: supervise.Job, test: Dict[str, Any], wakeup: int) -> Dict[str, Any]:
    try:
        return supervise.run_test(job, test, wakeup)
    except OSError as error:
        # The system refused something to the runner itself (a fork, a pipe): not the candidate's doing.
        return {"end": "fault", "output": None, "error": str(error), "cpuMs": 0, "wallMs": 0}


def _empty_working_folder() -> None:
    """What one test leaves in its files, no other test sees."""
    if not os.listdir("."):
        return
    pid = os.fork()
    if pid == 0:
        # In a process of its own and for a while only: the trees may be deep and wide on purpose.
        signal.alarm(5)
        try:
            for name in os.listdir("."):
                if os.path.isdir(name) and not os.path.islink(name):
                    shutil.rmtree(name, ignore_errors=True)
                else:
                    os.unlink(name)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
