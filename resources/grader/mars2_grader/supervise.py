"""Runs one test in a process of its own, within its limits, and says what came out."""

import json
import os
import resource
import select
import signal
import time
from typing import Any, Dict, List, Optional

from . import candidate, limits as kernel_limits, processes
from .wire import REQUESTS, write_all

_TICK_SECONDS = 0.1
_STATUS_ROOM = 1 << 16
_SHOWN = 4096
_STDERR_KEPT = 4096


class Abandoned(Exception):
    """The grader outside is gone."""


class Job:
    """One candidate: its program and how to run it."""

    def __init__(self, request: Dict[str, Any], names: Dict[str, Any]) -> None:
        self.program: str = request["program"]
        self.entry_point: Optional[str] = request["entryPoint"]
        self.limits: Dict[str, Any] = request["limits"]
        self.process_base: int = request["processBase"]
        self.names = names


class _Stream:
    """What came through one pipe, up to a number of bytes."""

    def __init__(self, descriptor: int, most: int, keep_tail: bool = False) -> None:
        self.descriptor = descriptor
        self.data = bytearray()
        self.over = False
        self._most = most
        self._keep_tail = keep_tail

    def read(self) -> bool:
        """Takes what is there; False at the end or when nothing is there."""
        try:
            piece = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return False
        if not piece:
            return False
        self.data += piece
        if len(self.data) > self._most:
            if self._keep_tail:
                del self.data[: -self._most]
            else:
                self.over = True
                del self.data[self._most :]
        return True


def run_test(job: Job, test: Dict[str, Any], wakeup: int) -> Dict[str, Any]:
    """A report: `end`, `output`, `error`, `cpuMs`, `wallMs`. Never raises for what the program does."""
    token = os.urandom(16).hex()
    stdin = _anonymous_file(test["input"] if test["kind"] == "stdin" else "")
    pipes = [os.pipe() for _ in range(3)]
    cpu_before = _children_cpu()
    kills_before = processes.oom_kills()
    started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        _become_candidate(job, test, token, stdin, [writer for _, writer in pipes])
    os.close(stdin)
    for reader, writer in pipes:
        os.close(writer)
        os.set_blocking(reader, False)
    most = job.limits["outputBytes"]
    out = _Stream(pipes[0][0], most)
    err = _Stream(pipes[1][0], _STDERR_KEPT, keep_tail=True)
    status = _Stream(pipes[2][0], most + _STATUS_ROOM)
    try:
        try:
            broken, exit_status = _watch(job, pid, started, [out, err, status], wakeup)
        finally:
            processes.kill_all(pid)
        # Nobody is left who could write, so what remains is finite.
        for stream in (out, err, status):
            while not stream.over and stream.read():
                pass
    finally:
        for reader, _ in pipes:
            os.close(reader)
    wall = time.monotonic() - started
    cpu = _children_cpu() - cpu_before
    if out.over or status.over:
        broken = "output"
    elif broken is None and cpu > job.limits["cpuSeconds"]:
        broken = "time"
    elif broken is None and exit_status == -signal.SIGKILL and processes.oom_kills() > kills_before:
        broken = "memory"
    report = _outcome(test["kind"], broken, exit_status, token, out, err, status)
    report.update(cpuMs=round(cpu * 1000, 3), wallMs=round(wall * 1000, 3))
    return report


def _become_candidate(job: Job, test: Dict[str, Any], token: str, stdin: int, writers: List[int]) -> None:
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        # First out of the way of 0 to 3, so that no dup2 overwrites one that is still needed.
        high = [os.dup(descriptor) for descriptor in [stdin, *writers]]
        spare = max(high) + 1
        high = [os.dup2(descriptor, spare + i) for i, descriptor in enumerate(high)]
        for target, descriptor in enumerate(high):
            os.dup2(descriptor, target)
        os.closerange(candidate.STATUS + 1, spare + len(high) + 1)
        kernel_limits.apply(job.limits, job.process_base + job.limits["processes"] if job.process_base >= 0 else 0)
        candidate.run(test, job.program, job.entry_point, job.names, token)
    finally:
        os._exit(125)


def _watch(job: Job, pid: int, started: float, streams: List[_Stream], wakeup: int) -> Any:
    """Waits for the end of the test's first process. Gives (the limit that was broken or None, its exit status)."""
    wall_limit: float = job.limits["wallSeconds"]
    cpu_limit: float = job.limits["cpuSeconds"]
    poll = select.poll()
    open_streams = {stream.descriptor: stream for stream in streams}
    for descriptor in open_streams:
        poll.register(descriptor, select.POLLIN)
    poll.register(wakeup, select.POLLIN)
    poll.register(REQUESTS, 0)  # a hang-up is always told: the grader is gone
    while True:
        exit_status = _exit_status(pid)
        if exit_status is not None:
            return None, exit_status
        elapsed = time.monotonic() - started
        if elapsed >= wall_limit:
            return "time", None
        used = processes.cpu_seconds(pid)
        if used is not None and used >= cpu_limit:
            return "time", None
        if elapsed >= _TICK_SECONDS and processes.resident_bytes() > job.limits["memoryBytes"]:
            return "memory", None
        # A program with one thread cannot use CPU faster than time passes: looking again after what is left of
        # its budget is soon enough, and threads are met by the tick.
        pause = min(_TICK_SECONDS, wall_limit - elapsed, cpu_limit if used is None else cpu_limit - used)
        for descriptor, event in poll.poll(max(1, pause * 1000)):
            if descriptor == REQUESTS:
                raise Abandoned
            if descriptor == wakeup:
                os.read(wakeup, 512)
            elif not open_streams[descriptor].read() and event & (select.POLLHUP | select.POLLERR):
                poll.unregister(descriptor)
            elif open_streams[descriptor].over:
                return "output", None


def _exit_status(pid: int) -> Optional[int]:
    """Reaps what has ended, orphans too; the status of `pid` as subprocess gives it (negative: a signal)."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == pid:
            return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        if ended == 0:
            return None


def _outcome(
    kind: str, broken: Optional[str], exit_status: Optional[int], token: str, out: _Stream, err: _Stream, status: _Stream
) -> Dict[str, Any]:
    if broken is not None:
        return {"end": broken, "output": _shown(out.data), "error": None}
    told = _told(bytes(status.data), token)
    if told is None and kind == "stdin" and exit_status == 0:
        told = {"end": "finished"}  # os._exit(0): what it has written counts
    if told is None:
        return {"end": "error", "output": _shown(out.data), "error": _how_it_ended(exit_status, bytes(err.data))}
    if kind == "stdin":
        output = _text(out.data) if told["end"] == "finished" else _shown(out.data)
    else:
        output = told.get("output")
    return {"end": told["end"], "output": output, "error": told.get("error")}


def _told(data: bytes, token: str) -> Optional[Dict[str, Any]]:
    """What the process said of itself after the end; nothing else that came through the pipe is believed."""
    mark = token.encode("ascii")
    if not data.startswith(mark):
        return None
    try:
        told = json.loads(data[len(mark) :])
        return told if told["end"] in ("finished", "no-json", "error", "memory") else None
    except (ValueError, TypeError, KeyError):
        return None


def _how_it_ended(exit_status: Optional[int], stderr: bytes) -> str:
    if exit_status is not None and exit_status < 0:
        try:
            name = signal.Signals(-exit_status).name
        except ValueError:
            name = f"signal {-exit_status}"
        text = f"The program was ended by {name}."
    else:
        text = f"The program ended itself with exit code {exit_status} before the test was done."
    tail = stderr.decode("utf-8", "replace").strip()
    return f"{text}\n{tail}" if tail else text


def _text(data: bytearray) -> str:
    return data.decode("utf-8", "replace")


def _shown(data: bytearray) -> str:
    if len(data) <= 2 * _SHOWN:
        return _text(data)
    return f"{_text(data[:_SHOWN])}\n... ({len(data) - 2 * _SHOWN} bytes left out) ...\n{_text(data[-_SHOWN:])}"


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _anonymous_file(text: str) -> int:
    """Standard input as a file, as judges redirect it: whole reads, fstat and mmap work."""
    data = text.encode("utf-8", "surrogatepass")
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("stdin")
    else:
        path = f".stdin-{os.getpid()}"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.unlink(path)
    write_all(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
