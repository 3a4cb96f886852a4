"""The runner: process 1 of a sandbox that lives for one candidate.

Requests come as JSON lines: first the candidate (program, entryPoint, limits, processBase), then tests, each
answered by one report. The end of the requests ends the runner.
"""

import gc
import os
import shutil
import signal
from typing import Any, Dict

from . import prelude, processes, supervise
from .wire import Requests, report


def main() -> None:
    processes.protect_runner()
    names = prelude.build()
    wakeup, alarm = os.pipe()
    os.set_blocking(alarm, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
    gc.collect()
    gc.freeze()  # forks then copy fewer pages
    report({"ready": True})
    requests = Requests()
    first = requests.next()
    if first is None:
        return
    job = supervise.Job(first, names)
    try:
        while True:
            test = requests.next()
            if test is None:
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
