"""The runner's side of the common process: sends it programs in batches, and replaces it when one of them takes long or
leaves something behind."""

import mmap
import os
import select
import time
from typing import Any, List, Optional, Tuple

from . import allowed_names, common_process, limits, prelude, processes, static_check, tests, watch
from .wire import MORE, REQUESTS, SPENT, Header, Requests, report_common

_RESULT_BYTES = 8 << 20
_TICK_MS = 5
_WALL_SECONDS = 10.0
"""Wall clock limit of a test. A test there cannot sleep, so this only matters on a stalled computer."""
_PROCESS_CPU_SECONDS = 60
_ALIVE, _ENDED, _BROKEN = range(3)
_NOTHING = memoryview(b"")


class CommonSupervisor:
    def __init__(self, paths: List[Any], last_pid: processes.LastPid) -> None:
        self._paths = paths
        self._last_pid = last_pid
        self._names = allowed_names.AllowedNames(dict(vars(prelude.MODULE)))
        self._taken = static_check.builtin_type_attributes()
        self._map: Optional[mmap.mmap] = None
        self._payload = tests.memory_file("programs")
        self._pid = self._last_made = 0
        self._memory_bytes = 0
        self._pidfd = self._send_go = self._receive_done = -1

    def run(self, first: Header, requests: Requests) -> bool:
        """Runs a batch, and reports on each program. False: this sandbox cannot be used any further."""
        count, cpu_limit = self._copy_candidates(first, requests)
        if self._pid and self._memory_bytes != first.memory_bytes:
            self.end()
        if not self._pid:
            self._start(first)
        # Clears the results of the previous batch.
        common_process.HEAD.pack_into(self._result_memory(), 0, 0, 0, 0, 0, 0)
        os.write(self._send_go, b"%d" % count)
        outcome = self._wait(cpu_limit)
        if outcome != _ALIVE:
            self.end()
        reports = self._results(count, outcome == _BROKEN)
        is_untouched = self._is_untouched()
        if not is_untouched:
            # One of them had an effect outside of itself, and it is unknown which.
            self.end()
            reports = [(watch.AGAIN, _NOTHING)] * count
        is_usable = is_untouched or all([path.clean_up() for path in self._paths])
        report_common(reports, 0 if is_usable else SPENT)
        return is_usable

    def end(self) -> None:
        """Nothing of the process is left."""
        if not self._pid:
            return
        processes.kill_all(self._pid)
        for descriptor in (self._pidfd, self._send_go, self._receive_done):
            os.close(descriptor)
        self._pid = 0

    def _copy_candidates(self, first: Header, requests: Requests) -> Tuple[int, float]:
        """Writes the candidates into their file; returns their number and the smallest of their CPU limits."""
        os.ftruncate(self._payload, 0)
        header: Optional[Header] = first
        offset = count = 0
        cpu_limit = first.cpu_seconds
        while header is not None and requests.copy_body(header.body_bytes, self._payload, offset):
            offset += header.body_bytes
            count += 1
            cpu_limit = min(cpu_limit, header.cpu_seconds)
            if not header.flags & MORE:
                return count, cpu_limit
            header = requests.next()
        raise watch.Abandoned

    def _start(self, first: Header) -> None:
        memory = self._result_memory()
        memory.madvise(mmap.MADV_DOFORK)
        go, self._send_go = os.pipe()
        self._receive_done, send_done = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._run_child(go, send_done, memory, first)
        os.close(go)
        os.close(send_done)
        # Processes forked for other candidates must not inherit these results.
        memory.madvise(mmap.MADV_DONTFORK)
        self._pid = self._last_made = pid
        self._memory_bytes = first.memory_bytes
        self._pidfd = os.pidfd_open(pid)

    def _result_memory(self) -> mmap.mmap:
        if self._map is None:
            self._map = mmap.mmap(-1, _RESULT_BYTES, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        return self._map

    def _run_child(self, go: int, done: int, memory: mmap.mmap, first: Header) -> None:
        try:
            os.setsid()
            os.dup2(go, common_process.START)
            os.dup2(done, common_process.DONE)
            os.dup2(self._payload, common_process.PAYLOAD)
            nothing = os.open("/dev/null", os.O_RDWR)
            for descriptor in range(3):
                os.dup2(nothing, descriptor)
            os.closerange(3, common_process.START)
            # It makes no process and no thread.
            limits.apply(limits.of_test(_PROCESS_CPU_SECONDS, first.memory_bytes + _RESULT_BYTES, 1))
            common_process.CommonProcess(memoryview(memory), self._names, self._taken).serve()
        finally:
            os._exit(125)

    def _wait(self, cpu_limit: float) -> int:
        """Until all are done (ALIVE), the process ended itself (ENDED), or a program ended it or took long (BROKEN)."""
        poll = select.poll()
        poll.register(self._receive_done, select.POLLIN)
        poll.register(self._pidfd, select.POLLIN)
        poll.register(REQUESTS, 0)  # a hang-up is always reported: the grader is gone
        steps, cpu_then, wall_then = -1, 0.0, 0.0
        while True:
            events = dict(poll.poll(_TICK_MS))
            if REQUESTS in events:
                self.end()
                raise watch.Abandoned
            if self._receive_done in events:
                word = os.read(self._receive_done, 1)
                return {b".": _ALIVE, b"!": _ENDED}.get(word, _BROKEN)
            if self._pidfd in events:
                return _BROKEN
            # In this order: what the process used before this step must not be counted for it, however long the runner
            # itself has to wait for a processor.
            now, _, _, _, seconds = self._progress()
            cpu, wall = processes.cpu_seconds(self._pid) or 0.0, time.monotonic()
            if now != steps:
                steps, cpu_then, wall_then = now, cpu, wall
            elif cpu - cpu_then > min(common_process.TEST_SECONDS, seconds, cpu_limit) or wall - wall_then > _WALL_SECONDS:
                return _BROKEN

    def _progress(self) -> Tuple[int, int, int, int, float]:
        head: Tuple[int, int, int, int, float] = common_process.HEAD.unpack_from(self._result_memory(), 0)
        return head

    def _results(self, count: int, blame_running: bool) -> List[Tuple[int, memoryview]]:
        """The results of each program; those that were not started are skipped. With `blame_running`, the first that is
        not done ended the process or made it necessary."""
        memory = memoryview(self._result_memory())
        _, written, done, running_bytes, _ = self._progress()
        at, end = common_process.HEAD.size, common_process.HEAD.size + written
        found: List[memoryview] = []
        while len(found) < min(done, count) and at + common_process.ENTRY.size <= min(end, _RESULT_BYTES):
            (size,) = common_process.ENTRY.unpack_from(memory, at)
            at += common_process.ENTRY.size
            found.append(memory[at : at + size])
            at += size
        if blame_running and len(found) < count:
            found.append(memory[end + common_process.ENTRY.size :][:running_bytes])
        reasons = [(watch.NOTHING if one else watch.AGAIN, one) for one in found]
        return reasons + [(watch.PASSED_OVER, _NOTHING)] * (count - len(found))

    def _is_untouched(self) -> bool:
        """No other process was made, and nothing was written where programs may write."""
        return self._last_pid.now() == self._last_made and all([path.is_untouched() for path in self._paths])
