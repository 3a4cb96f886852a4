"""Ends this process when the one that wants it has died, so that no GPU stays taken."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

POLL_SECONDS = 2.0


def watch_parent(pid: int) -> None:
    """Polls every two seconds, from a thread of its own."""
    started = _start_time_of(pid)

    def poll() -> None:
        while _is_alive(pid) and _start_time_of(pid) == started:
            time.sleep(POLL_SECONDS)
        # Not by an exception: the main thread may be within a pass that takes minutes.
        os._exit(1)

    threading.Thread(target=poll, daemon=True, name="parent").start()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _state_of(pid) != "Z"


def _fields_of(pid: int) -> list[str]:
    """What follows the program's name in /proc/PID/stat; the name may hold spaces and brackets. Empty off Linux."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _state_of(pid: int) -> str:
    return (_fields_of(pid) or [""])[0]


def _start_time_of(pid: int) -> str:
    """When it was started, in clock ticks since boot: a number that was given to another process differs."""
    fields = _fields_of(pid)
    return fields[19] if len(fields) > 19 else ""
