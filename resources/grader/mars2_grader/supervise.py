"""Runs tests in a process of their own, or in that of the candidate's previous test, and reports the results."""

import os
import resource
import signal
import time
from types import ModuleType
from typing import Any, List, Optional, Tuple

from . import between_tests, candidate, child_report, limits, processes, tests, watch
from .child import ChildProcess
from .streams import Stream
from .wire import AHEAD, SHARED, SHARES, SPENT, STAYED, STAYS, Header, Requests, report

_STATUS_ROOM = 1 << 16
_STDERR_ROOM = 1 << 16
_NO_BYTES = memoryview(b"")

# A process of its own costs some milliseconds, which is negligible for a test that takes longer than this many seconds
# of CPU: its process is not kept for another one. The first test of a process may have imported much.
_QUICK, _QUICK_FIRST = 0.02, 0.4
# Tests that take longer in a shared process are ended and run again in their own.
_SHARED_CPU, _SHARED_WALL = 0.1, 0.5
_AT_ONCE = 32


class Job:
    """One candidate: where its program is, and its limits."""

    def __init__(self, header: Header, program: int, module: ModuleType) -> None:
        self.limits = header
        self.program = program
        self.module = module
        self.kernel_limits = limits.of_test(header.cpu_seconds, header.memory_bytes, header.processes)


class Supervisor:
    def __init__(self, paths: List[Any]) -> None:
        self._err = Stream(_STDERR_ROOM, keep_tail=True)
        self._out = Stream(1 << 20)
        self._status = Stream((1 << 20) + _STATUS_ROOM)
        self._oom_kills = processes.oom_kills()
        self._counted_at = time.monotonic()
        self._paths = paths
        self._last_pid = processes.LastPid()
        self._child: Optional[ChildProcess] = None

    def run_test(self, job: Job, test: Header, requests: Requests) -> Tuple[bool, bool]:
        """Runs one test and reports it. Returns (the program finished, the sandbox can go on). Never raises for the
        program."""
        shares = self._child is not None and bool(test.flags & SHARES)
        if test.flags & AHEAD and not shares:
            self._take(requests, test, -1)
            _answer(watch.PASSED_OVER)
            return True, True
        try:
            if shares:
                return self._run_in_same_process(job, test, requests)
            is_clean = self.end_child()
            payload = tests.memory_file("stdin")
            self._take(requests, test, payload)
            if not is_clean:
                os.close(payload)
                _answer(watch.PASSED_OVER, flags=SPENT)
                return False, False
            return self._run_first(job, test, payload)
        except OSError as error:
            # The system refused something to the runner itself (a fork, a pipe): not the candidate's fault.
            processes.kill_all(None)
            _answer(watch.FAULT, flags=SPENT, err=memoryview(str(error).encode()))
            return False, False

    def end_child(self) -> bool:
        """Ends the process that waits for the next test. False: it left files that cannot be removed."""
        child, self._child = self._child, None
        if child is None:
            return True
        child.end()
        return self._is_clean()

    def _take(self, requests: Requests, test: Header, descriptor: int, offset: int = 0) -> None:
        if not requests.copy_body(test.body_bytes, descriptor, offset):
            raise watch.Abandoned

    def _is_clean(self) -> bool:
        return all([path.clean_up() for path in self._paths])

    def _run_first(self, job: Job, test: Header, payload: int) -> Tuple[bool, bool]:
        """In a process of its own."""
        most = job.limits
        token = _token()
        self._make_room(most.output_bytes)
        child = ChildProcess(test, payload, [self._out, self._err, self._status])
        child.cpu_at_start = _children_cpu()
        started = time.monotonic()
        if started - self._counted_at > 1:
            self._oom_kills, self._counted_at = processes.oom_kills(), started
        pid = os.fork()
        if pid == 0:
            _become_candidate(job, test, token, child)
        child.started(pid)
        try:
            broken, exit_status = self._watch(child, [token], started).wait_for_end(
                most.cpu_seconds, most.wall_seconds, most.memory_bytes
            )
        except BaseException:
            child.end()
            raise
        return self._conclude(job, child, token, started, broken, exit_status)

    def _run_in_same_process(self, job: Job, test: Header, requests: Requests) -> Tuple[bool, bool]:
        """In the process that ran the previous test, together with all further tests that have arrived. Only regular
        results count."""
        child = self._child
        assert child is not None
        batch = [test]
        try:
            os.ftruncate(child.payload, 0)
            self._take(requests, test, child.payload)
            offset = test.body_bytes
            while len(batch) < _AT_ONCE and batch[-1].flags & STAYS:
                more = requests.next_received(test.kind, SHARES)
                if more is None:
                    break
                batch.append(more)
                self._take(requests, more, child.payload, offset)
                offset += more.body_bytes
            tokens = [_token() for _ in batch]
            before = processes.cpu_seconds(child.pid)
            started = time.monotonic()
            lengths = [one.body_bytes for one in batch]
            child.send_tests(tests.go_message(test.kind, lengths, tokens, bool(batch[-1].flags & STAYS)))
        except OSError:  # caused by the program: it changed its input's file, or is gone
            return self._rerun_alone(len(batch))
        most = job.limits
        cpu = (before or 0.0) + min(_SHARED_CPU + _QUICK * len(batch), most.cpu_seconds)
        wall = min(_SHARED_WALL + _QUICK * len(batch), most.wall_seconds)
        broken, exit_status = self._watch(child, tokens, started).wait_for_end(cpu, wall, most.memory_bytes)
        if before is None or broken != watch.NOTHING or exit_status not in (None, 0):
            return self._rerun_alone(len(batch))
        return self._conclude_shared(job, child, tokens, started, before, exit_status)

    def _rerun_alone(self, count: int) -> Tuple[bool, bool]:
        """One of `count` tests took too long or ended the process, so that no result of them is known."""
        is_clean = self.end_child()
        _answer(watch.AGAIN, flags=SHARED)
        for _ in range(1, count):
            _answer(watch.PASSED_OVER)
        if not is_clean:
            raise watch.Abandoned
        return True, True

    def _conclude_shared(
        self, job: Job, child: ChildProcess, tokens: List[bytes], started: float, before: float, exit_status: Optional[int]
    ) -> Tuple[bool, bool]:
        """Reports tests that ran in a process which had run another one. `before`: its CPU seconds when they began."""
        most = job.limits
        self._child = child
        child.tests += len(tokens)
        used = self._cpu_of_waiting(child) if exit_status is None else None
        is_untouched = self._is_untouched(child)
        if used is None or not is_untouched or used - before > _QUICK * len(tokens) or used > most.cpu_seconds / 2:
            cpu = self._end_and_measure(child) - before
        else:
            cpu = used - before
        reports, _ = child_report.read(self._status.data, tokens)
        if not reports or self._out.exceeded or self._status.exceeded or cpu > most.cpu_seconds:
            return self._rerun_alone(len(tokens))
        # If something was left behind, only the first test was sure to start clean.
        results: List[Tuple[memoryview, memoryview]] = []
        position = 0
        for token, one in zip(tokens, reports if is_untouched else reports[:1]):
            end = self._out.find(token, position)
            if end < 0:
                break
            results.append((self._out.data[position:end], one))
            position = end + len(token)
        if not results:
            return self._rerun_alone(len(tokens))
        stayed = STAYED if self._child is not None else 0
        goes_on = self._child is not None or self._is_clean()
        share = 1000 / len(tokens)
        wall = time.monotonic() - started
        for out, one in results:
            report(watch.NOTHING, 0, SHARED | stayed, cpu * share, wall * share, out, _NO_BYTES, one)
        for _ in tokens[len(results) :]:
            _answer(watch.PASSED_OVER, flags=stayed)
        if not goes_on:
            raise watch.Abandoned
        return True, True

    def _conclude(
        self, job: Job, child: ChildProcess, token: bytes, started: float, broken: int, exit_status: Optional[int]
    ) -> Tuple[bool, bool]:
        """Reports the first test of a process. `exit_status` None: it waits for the next test, and is kept if it was quick
        and left nothing behind."""
        most = job.limits
        self._child = child
        child.tests += 1
        used = self._cpu_of_waiting(child) if exit_status is None and broken == watch.NOTHING else None
        goes_on = True
        if used is None or used > min(_QUICK_FIRST, most.cpu_seconds / 2) or not self._is_untouched(child):
            cpu = self._end_and_measure(child)
            goes_on = self._is_clean()
        else:
            cpu = used
        wall = time.monotonic() - started
        if self._out.exceeded or self._status.exceeded:
            broken = watch.OUTPUT
        elif broken == watch.NOTHING and cpu > most.cpu_seconds:
            broken = watch.TIME
        elif broken == watch.NOTHING and exit_status == -signal.SIGKILL and processes.oom_kills() > self._oom_kills:
            broken = watch.MEMORY
        # Only what follows the token is trusted.
        words = child_report.first(self._status.data, token)
        flags = (0 if goes_on else SPENT) | (STAYED if self._child is not None else 0)
        report(broken, exit_status or 0, flags, cpu * 1000, wall * 1000, self._out.data, self._err.data, words)
        return broken == watch.NOTHING and bytes(words[:19]) == tests.FINISHED, goes_on

    def _cpu_of_waiting(self, child: ChildProcess) -> Optional[float]:
        """CPU seconds of a waiting process; None if it wrote too much or is gone."""
        for stream in (self._out, self._err):
            stream.drain()
        return None if self._out.exceeded else processes.cpu_seconds(child.pid)

    def _is_untouched(self, child: ChildProcess) -> bool:
        """The process has never started another process or thread, so that its clock has all CPU time and nothing still
        runs; and nothing was written to the writable paths."""
        return self._last_pid.now() == child.pid and all([path.is_untouched() for path in self._paths])

    def _end_and_measure(self, child: ChildProcess) -> float:
        """Ends the process; returns its CPU seconds, descendants included."""
        self._child = None
        child.end()
        return _children_cpu() - child.cpu_at_start

    def _watch(self, child: ChildProcess, tokens: List[bytes], started: float) -> watch.Watch:
        return watch.Watch(child, [self._out, self._err, self._status], tokens, started)

    def _make_room(self, output_bytes: int) -> None:
        if self._out.limit != output_bytes:
            self._out = Stream(output_bytes)
            self._status = Stream(output_bytes + _STATUS_ROOM)


def _answer(reason: int, flags: int = 0, err: memoryview = _NO_BYTES) -> None:
    """A report without a result."""
    report(reason, 0, flags, 0, 0, _NO_BYTES, err, _NO_BYTES)


def _token() -> bytes:
    return os.urandom(child_report.TOKEN_CHARACTERS // 2).hex().encode("ascii")


def _become_candidate(job: Job, test: Header, token: bytes, child: ChildProcess) -> None:
    try:
        # What follows is written for few touched pages of memory: each costs the child a copy.
        os.setsid()
        payload = child.payload
        length = job.limits.entry_point_bytes
        data = os.pread(job.program, job.limits.body_bytes, 0)
        message = tests.first_message(test.kind, test.body_bytes, payload)
        # 3 and below are never among these: the runner keeps them taken.
        os.lseek(payload, 0, os.SEEK_SET)
        os.dup2(payload, 0)
        os.dup2(child.writers[0], 1)
        os.dup2(child.writers[1], 2)
        os.dup2(child.writers[2], candidate.STATUS)
        loop = between_tests.TestLoop(child.go) if child.go >= 0 else None
        os.closerange(candidate.STATUS + 1, between_tests.KEPT)
        limits.apply(job.kernel_limits)
        candidate.run(message, data, length, job.module, token.decode("ascii"), loop)
    finally:
        os._exit(125)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
