"""The runner's side of the common process: hands it harmless programs, many at a time, and throws it away when one of
them takes long or leaves something."""

import mmap
import os
import select
import time
from typing import Any, List, Optional, Tuple

from . import common_process, harmless, limits, offered, prelude, processes, tests, watch
from .wire import MORE, REQUESTS, SPENT, Header, Requests, report_common

_ROOM = 8 << 20
_TICK_MS = 5
_WALL_SECONDS = 10.0
"""One test may take that long there. It cannot sleep, so the clock is only for a computer that stands still."""
_LIFE_CPU_SECONDS = 60
_GOES_ON, _ENDS, _BROKEN = range(3)
_NOTHING = memoryview(b"")


class Commons:
    def __init__(self, floors: List[Any], last_pid: processes.LastPid) -> None:
        self._floors = floors
        self._last_pid = last_pid
        self._offers = offered.Offers(dict(vars(prelude.MODULE)))
        self._taken = harmless.taken_attributes()
        self._map: Optional[mmap.mmap] = None
        self._payload = tests.memory_file("programs")
        self._pid = self._last_made = 0
        self._memory_bytes = 0
        self._ending = self._say_go = self._told = -1

    def run(self, first: Header, requests: Requests) -> bool:
        """Takes what is sent together, and reports on each. False: this sandbox can not go on."""
        count, most_cpu = self._take(first, requests)
        if self._pid and self._memory_bytes != first.memory_bytes:
            self.end()
        if not self._pid:
            self._begin(first)
        # Nothing of the last ones is told of these.
        common_process.HEAD.pack_into(self._room(), 0, 0, 0, 0, 0, 0)
        os.write(self._say_go, b"%d" % count)
        outcome = self._wait(most_cpu)
        if outcome != _GOES_ON:
            self.end()
        told = self._results(count, outcome == _BROKEN)
        is_untouched = self._is_untouched()
        if not is_untouched:
            # One of them was not harmless: nobody knows which.
            self.end()
            told = [(watch.AGAIN, _NOTHING)] * count
        goes_on = is_untouched or all([floor.is_clean() for floor in self._floors])
        report_common(told, 0 if goes_on else SPENT)
        return goes_on

    def end(self) -> None:
        """Nothing of the process is left."""
        if not self._pid:
            return
        processes.kill_all(self._pid)
        for descriptor in (self._ending, self._say_go, self._told):
            os.close(descriptor)
        self._pid = 0

    def _take(self, first: Header, requests: Requests) -> Tuple[int, float]:
        """Puts the candidates into their file; gives how many there are, and the least of their CPU limits."""
        os.ftruncate(self._payload, 0)
        header: Optional[Header] = first
        offset = count = 0
        most_cpu = first.cpu_seconds
        while header is not None and requests.copy_body(header.body_bytes, self._payload, offset):
            offset += header.body_bytes
            count += 1
            most_cpu = min(most_cpu, header.cpu_seconds)
            if not header.flags & MORE:
                return count, most_cpu
            header = requests.next()
        raise watch.Abandoned

    def _begin(self, first: Header) -> None:
        room = self._room()
        room.madvise(mmap.MADV_DOFORK)
        go, self._say_go = os.pipe()
        self._told, say_told = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._become(go, say_told, room, first)
        os.close(go)
        os.close(say_told)
        # What programs of their own processes are forked from does not hold the results of others.
        room.madvise(mmap.MADV_DONTFORK)
        self._pid = self._last_made = pid
        self._memory_bytes = first.memory_bytes
        self._ending = os.pidfd_open(pid)

    def _room(self) -> mmap.mmap:
        if self._map is None:
            self._map = mmap.mmap(-1, _ROOM, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        return self._map

    def _become(self, go: int, told: int, room: mmap.mmap, first: Header) -> None:
        try:
            os.setsid()
            os.dup2(go, common_process.GO)
            os.dup2(told, common_process.TOLD)
            os.dup2(self._payload, common_process.PAYLOAD)
            nothing = os.open("/dev/null", os.O_RDWR)
            for descriptor in range(3):
                os.dup2(nothing, descriptor)
            os.closerange(3, common_process.GO)
            # It makes no process and no thread.
            limits.apply(limits.of_test(_LIFE_CPU_SECONDS, first.memory_bytes + _ROOM, 1))
            common_process.CommonProcess(memoryview(room), self._offers, self._taken).serve()
        finally:
            os._exit(125)

    def _wait(self, most_cpu: float) -> int:
        """Until all are done, or the process ends (ENDS), or a program has ended it or took long (BROKEN)."""
        poll = select.poll()
        poll.register(self._told, select.POLLIN)
        poll.register(self._ending, select.POLLIN)
        poll.register(REQUESTS, 0)  # a hang-up is always told: the grader is gone
        steps, cpu_then, wall_then = -1, 0.0, 0.0
        while True:
            events = dict(poll.poll(_TICK_MS))
            if REQUESTS in events:
                self.end()
                raise watch.Abandoned
            if self._told in events:
                word = os.read(self._told, 1)
                return {b".": _GOES_ON, b"!": _ENDS}.get(word, _BROKEN)
            if self._ending in events:
                return _BROKEN
            # In this order: what the process used before this step must not be counted for it, however long the runner
            # itself has to wait for a processor.
            now, _, _, _, seconds = self._head()
            cpu, wall = processes.cpu_seconds(self._pid) or 0.0, time.monotonic()
            if now != steps:
                steps, cpu_then, wall_then = now, cpu, wall
            elif cpu - cpu_then > min(common_process.TEST_SECONDS, seconds, most_cpu) or wall - wall_then > _WALL_SECONDS:
                return _BROKEN

    def _head(self) -> Tuple[int, int, int, int, float]:
        head: Tuple[int, int, int, int, float] = common_process.HEAD.unpack_from(self._room(), 0)
        return head

    def _results(self, count: int, is_to_blame: bool) -> List[Tuple[int, memoryview]]:
        """What was told of each. Those that were not begun are passed over; the first that is not done is to blame
        where the process had to be ended, or has ended itself."""
        room = memoryview(self._room())
        _, written, done, told, _ = self._head()
        at, end = common_process.HEAD.size, common_process.HEAD.size + written
        found: List[memoryview] = []
        while len(found) < min(done, count) and at + common_process.ENTRY.size <= min(end, _ROOM):
            (size,) = common_process.ENTRY.unpack_from(room, at)
            at += common_process.ENTRY.size
            found.append(room[at : at + size])
            at += size
        if is_to_blame and len(found) < count:
            found.append(room[end + common_process.ENTRY.size :][:told])
        reasons = [(watch.NOTHING if one else watch.AGAIN, one) for one in found]
        return reasons + [(watch.PASSED_OVER, _NOTHING)] * (count - len(found))

    def _is_untouched(self) -> bool:
        """No other process was made, and nothing was written where programs may write."""
        return self._last_pid.now() == self._last_made and all([floor.is_untouched() for floor in self._floors])
