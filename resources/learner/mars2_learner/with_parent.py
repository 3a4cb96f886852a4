"""Runs a Python program that ends with all its processes when its starter has: `with_parent.py PID -m MODULE ...`.

For inference engines, which do not look after that themselves: the workers of a killed vLLM server live on, and keep
their GPU. Needs no package, as an engine may have an environment of its own.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
# Together less than the trainer waits before it kills this process.
SECONDS_TO_END = 15.0
SECONDS_BEFORE_KILL = 5.0
POLL_SECONDS = 0.1


def main() -> int:
    """Passes SIGTERM on (the system sends it when the starter dies), then ends what the program has left behind."""
    starter = int(sys.argv[1])
    _end_with_starter()
    # It may have died before the line above.
    if os.getppid() != starter:
        print(f"process {starter} has ended", file=sys.stderr)
        return 1
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    program = subprocess.Popen([sys.executable, *sys.argv[2:]], preexec_fn=_end_with_starter)
    stopped_at: list[float] = []

    def stop(*_: object) -> None:
        stopped_at.append(time.monotonic())
        program.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while (code := program.poll()) is None:
        if stopped_at and time.monotonic() - stopped_at[0] > SECONDS_TO_END:
            program.kill()
        time.sleep(POLL_SECONDS)
    _end_children()
    return code if code >= 0 else 128 - code


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _end_with_starter() -> None:
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _end_children() -> None:
    """Orphans of the program are this process's children: terminated first, then killed."""
    began = time.monotonic()
    for sent in (signal.SIGTERM, signal.SIGKILL):
        while children := _children():
            for child in children:
                try:
                    os.kill(child, sent)
                    os.waitpid(child, os.WNOHANG)
                except (ProcessLookupError, ChildProcessError):
                    continue
            if sent == signal.SIGTERM and time.monotonic() - began > SECONDS_BEFORE_KILL:
                break
            time.sleep(POLL_SECONDS)


def _children() -> list[int]:
    """Processes whose parent this one is. Empty where there is no /proc."""
    own = str(os.getpid())
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of the program, in brackets, may hold spaces and brackets.
            if stat.read_text().rpartition(")")[2].split()[1] == own:
                found.append(int(stat.parent.name))
        except (OSError, IndexError):
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
