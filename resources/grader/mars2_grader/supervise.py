"""Runs tests in processes of their own, or in that of the candidate's test before, and says what came out."""

import os
import resource
import signal
import time
from types import ModuleType
from typing import Any, List, Optional, Tuple

from . import candidate, limits, processes, tests, told, waiting, watch
from .life import Life
from .streams import Stream
from .wire import AHEAD, SHARED, SHARES, SPENT, STAYED, STAYS, Header, Requests, report

_STATUS_ROOM = 1 << 16
_STDERR_ROOM = 1 << 16
_NO_BYTES = memoryview(b"")

# A process of its own costs some milliseconds: nothing beside a test that takes longer than this many seconds of CPU,
# and so its process does not stay for another one. The first test of a process may have imported much.
_QUICK, _QUICK_FIRST = 0.02, 0.4
# Tests that take longer in another one's process are ended and run again in their own.
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
    def __init__(self, floors: List[Any]) -> None:
        self._err = Stream(_STDERR_ROOM, keep_tail=True)
        self._out = Stream(1 << 20)
        self._status = Stream((1 << 20) + _STATUS_ROOM)
        self._oom_kills = processes.oom_kills()
        self._counted_at = time.monotonic()
        self._floors = floors
        self._last_pid = processes.LastPid()
        self._life: Optional[Life] = None

    def run_test(self, job: Job, test: Header, requests: Requests) -> Tuple[bool, bool]:
        """Runs and reports it. Gives (the program finished, the sandbox can go on). Never raises for the program."""
        shares = self._life is not None and bool(test.flags & SHARES)
        if test.flags & AHEAD and not shares:
            self._take(requests, test, -1)
            _answer(watch.PASSED_OVER)
            return True, True
        try:
            if shares:
                return self._run_on(job, test, requests)
            is_clean = self.end_life()
            payload = tests.memory_file("stdin")
            self._take(requests, test, payload)
            if not is_clean:
                os.close(payload)
                _answer(watch.PASSED_OVER, flags=SPENT)
                return False, False
            return self._run_first(job, test, payload)
        except OSError as error:
            # The system refused something to the runner itself (a fork, a pipe): not the candidate's doing.
            processes.kill_all(None)
            _answer(watch.FAULT, flags=SPENT, err=memoryview(str(error).encode()))
            return False, False

    def end_life(self) -> bool:
        """Ends the process that waits for a next test. False: it left what can not be removed."""
        life, self._life = self._life, None
        if life is None:
            return True
        life.end()
        return self._is_clean()

    def _take(self, requests: Requests, test: Header, descriptor: int, offset: int = 0) -> None:
        if not requests.copy_body(test.body_bytes, descriptor, offset):
            raise watch.Abandoned

    def _is_clean(self) -> bool:
        return all([floor.is_clean() for floor in self._floors])

    def _run_first(self, job: Job, test: Header, payload: int) -> Tuple[bool, bool]:
        """In a process of its own."""
        most = job.limits
        token = _token()
        self._make_room(most.output_bytes)
        life = Life(test, payload, [self._out, self._err, self._status])
        life.cpu_at_start = _children_cpu()
        started = time.monotonic()
        if started - self._counted_at > 1:
            self._oom_kills, self._counted_at = processes.oom_kills(), started
        pid = os.fork()
        if pid == 0:
            _become_candidate(job, test, token, life)
        life.begin(pid)
        try:
            broken, exit_status = self._watch(life, [token], started).until_over(
                most.cpu_seconds, most.wall_seconds, most.memory_bytes
            )
        except BaseException:
            life.end()
            raise
        return self._conclude(job, life, token, started, broken, exit_status)

    def _run_on(self, job: Job, test: Header, requests: Requests) -> Tuple[bool, bool]:
        """In the process that ran the test before, with all further ones that are here already. Nothing counts but
        results that came as they should."""
        life = self._life
        assert life is not None
        batch = [test]
        try:
            os.ftruncate(life.payload, 0)
            self._take(requests, test, life.payload)
            offset = test.body_bytes
            while len(batch) < _AT_ONCE and batch[-1].flags & STAYS:
                more = requests.next_here(test.kind, SHARES)
                if more is None:
                    break
                batch.append(more)
                self._take(requests, more, life.payload, offset)
                offset += more.body_bytes
            tokens = [_token() for _ in batch]
            before = processes.cpu_seconds(life.pid)
            started = time.monotonic()
            lengths = [one.body_bytes for one in batch]
            life.go_on(tests.go_message(test.kind, lengths, tokens, bool(batch[-1].flags & STAYS)))
        except OSError:  # its own doing: it changed its input's file, or is gone
            return self._again(len(batch))
        most = job.limits
        cpu = (before or 0.0) + min(_SHARED_CPU + _QUICK * len(batch), most.cpu_seconds)
        wall = min(_SHARED_WALL + _QUICK * len(batch), most.wall_seconds)
        broken, exit_status = self._watch(life, tokens, started).until_over(cpu, wall, most.memory_bytes)
        if before is None or broken != watch.NOTHING or exit_status not in (None, 0):
            return self._again(len(batch))
        return self._conclude_shared(job, life, tokens, started, before, exit_status)

    def _again(self, count: int) -> Tuple[bool, bool]:
        """One of so many tests took too long, or ended its process: nothing is known of any."""
        is_clean = self.end_life()
        _answer(watch.AGAIN, flags=SHARED)
        for _ in range(1, count):
            _answer(watch.PASSED_OVER)
        if not is_clean:
            raise watch.Abandoned
        return True, True

    def _conclude_shared(
        self, job: Job, life: Life, tokens: List[bytes], started: float, before: float, exit_status: Optional[int]
    ) -> Tuple[bool, bool]:
        """Reports tests that ran in a process which had run another one. `before`: its CPU seconds when they began."""
        most = job.limits
        self._life = life
        life.tests += len(tokens)
        used = self._used_by_waiting(life) if exit_status is None else None
        is_untouched = self._is_untouched(life)
        if used is None or not is_untouched or used - before > _QUICK * len(tokens) or used > most.cpu_seconds / 2:
            cpu = self._end_and_measure(life) - before
        else:
            cpu = used - before
        told_of, _ = told.read(self._status.data, tokens)
        if not told_of or self._out.over or self._status.over or cpu > most.cpu_seconds:
            return self._again(len(tokens))
        # Where something was left behind, only the first of them was sure to find nothing.
        results: List[Tuple[memoryview, memoryview]] = []
        position = 0
        for token, one in zip(tokens, told_of if is_untouched else told_of[:1]):
            end = self._out.find(token, position)
            if end < 0:
                break
            results.append((self._out.data[position:end], one))
            position = end + len(token)
        if not results:
            return self._again(len(tokens))
        stayed = STAYED if self._life is not None else 0
        goes_on = self._life is not None or self._is_clean()
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
        self, job: Job, life: Life, token: bytes, started: float, broken: int, exit_status: Optional[int]
    ) -> Tuple[bool, bool]:
        """Reports the first test of a process. `exit_status` None: it waits for the next one, and may where it took
        little and left nothing."""
        most = job.limits
        self._life = life
        life.tests += 1
        used = self._used_by_waiting(life) if exit_status is None and broken == watch.NOTHING else None
        goes_on = True
        if used is None or used > min(_QUICK_FIRST, most.cpu_seconds / 2) or not self._is_untouched(life):
            cpu = self._end_and_measure(life)
            goes_on = self._is_clean()
        else:
            cpu = used
        wall = time.monotonic() - started
        if self._out.over or self._status.over:
            broken = watch.OUTPUT
        elif broken == watch.NOTHING and cpu > most.cpu_seconds:
            broken = watch.TIME
        elif broken == watch.NOTHING and exit_status == -signal.SIGKILL and processes.oom_kills() > self._oom_kills:
            broken = watch.MEMORY
        # Nothing else that came through the pipe is believed.
        words = told.of_first(self._status.data, token)
        flags = (0 if goes_on else SPENT) | (STAYED if self._life is not None else 0)
        report(broken, exit_status or 0, flags, cpu * 1000, wall * 1000, self._out.data, self._err.data, words)
        return broken == watch.NOTHING and bytes(words[:19]) == tests.FINISHED, goes_on

    def _used_by_waiting(self, life: Life) -> Optional[float]:
        """CPU seconds of a process that waits; None where it wrote too much, or is gone."""
        for stream in (self._out, self._err):
            stream.drain()
        return None if self._out.over else processes.cpu_seconds(life.pid)

    def _is_untouched(self, life: Life) -> bool:
        """The process has never made another one or a thread, so that its clock has all of the CPU time and nobody
        works on; and nothing was written where programs may write."""
        return self._last_pid.now() == life.pid and all([floor.is_untouched() for floor in self._floors])

    def _end_and_measure(self, life: Life) -> float:
        """Ends the process; CPU seconds of all that it was."""
        self._life = None
        life.end()
        return _children_cpu() - life.cpu_at_start

    def _watch(self, life: Life, tokens: List[bytes], started: float) -> watch.Watch:
        return watch.Watch(life, [self._out, self._err, self._status], tokens, started)

    def _make_room(self, output_bytes: int) -> None:
        if self._out.most != output_bytes:
            self._out = Stream(output_bytes)
            self._status = Stream(output_bytes + _STATUS_ROOM)


def _answer(reason: int, flags: int = 0, err: memoryview = _NO_BYTES) -> None:
    """A report without a result."""
    report(reason, 0, flags, 0, 0, _NO_BYTES, err, _NO_BYTES)


def _token() -> bytes:
    return os.urandom(told.TOKEN_CHARACTERS // 2).hex().encode("ascii")


def _become_candidate(job: Job, test: Header, token: bytes, life: Life) -> None:
    try:
        # What follows is written for few touched pages of memory: each costs the child a copy.
        os.setsid()
        payload = life.payload
        length = job.limits.entry_point_bytes
        data = os.pread(job.program, job.limits.body_bytes, 0)
        message = tests.first_message(test.kind, test.body_bytes, payload)
        # 3 and below are never among these: the runner keeps them taken.
        os.lseek(payload, 0, os.SEEK_SET)
        os.dup2(payload, 0)
        os.dup2(life.writers[0], 1)
        os.dup2(life.writers[1], 2)
        os.dup2(life.writers[2], candidate.STATUS)
        home = waiting.Home(life.go) if life.go >= 0 else None
        os.closerange(candidate.STATUS + 1, waiting.KEPT)
        limits.apply(job.kernel_limits)
        candidate.run(message, data, length, job.module, token.decode("ascii"), home)
    finally:
        os._exit(125)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
