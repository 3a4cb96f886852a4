"""A process in which programs that pass static_check.py run one after the other, each test with a namespace of its own.

It reports only regular ends: a program that takes long, uses much memory or output, or ends in a way that may depend on
this process, gets a process of its own. After each program it checks whether anything is left behind, and if so ends.
"""

import ast
import gc
import io
import os
import re
import struct
import sys
import time
import warnings
from typing import Any, Dict, FrozenSet, List, NoReturn, Optional, Tuple

from . import candidate, failures, prelude
from .static_check import Rejected, StaticCheck
from .allowed_names import AllowedNames, NameNotAllowed, Violation
from .wire import CALL_TEST, CHECK_TEST, NO_ENTRY_POINT, STDIN_TEST

START, DONE, PAYLOAD = 110, 111, 112
"""Descriptors: receives the number of programs, says that they are done, and the file with the programs."""

HEAD = struct.Struct("<QIIIf")
"""Of the memory for results: a number that grows with each test, the bytes that are written of programs that are done, how
many these are, the bytes of the next one's tests so far, and the CPU seconds that its running test may take."""
ENTRY = struct.Struct("<I")
"""Before the results of a program: their bytes."""
_TEST = struct.Struct("<BffII")
_ENDS = {"finished": 0, "error": 1, "no-json": 2}
_FINISHED = {"end": "finished"}
_NAMES = {STDIN_TEST: "__main__", CALL_TEST: "solution", CHECK_TEST: "candidate"}

_CANDIDATE = struct.Struct("<BBHIIQ")
"""Before a program: the kind of its tests, STOPS, the bytes of the entry point, of all the program, how many tests, the
most bytes of output."""

_SPARE = 1024
"""For the entries of programs without results."""
_PROGRAMS = 500
_CPU_SECONDS = 20
TEST_SECONDS = 0.1
"""Of CPU; the runner ends a test that takes longer, and this process with it."""
_PROGRAM_SECONDS = 0.15
"""When a program has taken that long, its further tests are left to a process of its own."""
_UNJUDGED_TEST_SECONDS, _UNJUDGED_SECONDS = 0.02, 0.01
"""Instead of these two where the first failure ends the grade, and behind the first test: whether the tests before are
passed is only known outside, and the next ones may not be needed."""
_MAX_GROWTH_BYTES = 64 << 20
_MAX_PROGRAM_BYTES = 100_000
_RECURSION_LIMIT = 1000
"""Python's own on recursion. The frames below a program are as many here as in a process of its own, which a test sees
to, so that both can recurse equally deep."""
_PAGE = os.sysconf("SC_PAGE_SIZE")
_WARM_UP_PROGRAMS = (
    (STDIN_TEST, "import sys\nprint(re.sub('a', 'b', 'abc'), [{1: ({2},)}], sys.stdin.read())\n1 / 0"),
    (CALL_TEST, "from collections import Counter\nimport copy\ncopy.copy(Counter('abc')).most_common(1)"),
    (CHECK_TEST, "from typing import List\ndef f(x: List[int]): return [x].x\nassert f(1)"),
    (CHECK_TEST, "(1"),
)
"""Run once at the start, so that caches filled by the first program of a kind are not blamed on a candidate."""


class NeedsOwnProcess(Exception):
    """This program needs a process of its own."""


class CommonProcess:
    def __init__(self, memory: memoryview, names: AllowedNames, taken: FrozenSet[str]) -> None:
        self._memory = memory
        self._names = names
        self._taken = taken
        self._steps = self._written = self._done = self._result_bytes = 0
        self._offset = 0
        """In the file with the programs."""
        self._programs = 0
        self._is_clean = True
        self._errors_by_name = self._may_run_on_deletion = self._may_use_random = False
        self._discarded = io.StringIO()
        self._described: Dict[Any, str] = {}
        self._statm = os.open("/proc/self/statm", os.O_RDONLY)

    def serve(self) -> NoReturn:
        warnings.simplefilter("ignore")
        self._warm_up()
        gc.freeze()
        self._warm_up()
        self._objects = len(gc.get_objects())
        self._size = self._address_space()
        while True:
            message = os.read(START, 64)
            if not message:
                os._exit(0)
            self._serve_batch(int(message))
            os.write(DONE, b"." if self._is_clean else b"!")
            if not self._is_clean:
                os._exit(0)

    def _warm_up(self) -> None:
        for kind, program in _WARM_UP_PROGRAMS:
            self._run_tests(kind, False, None, program, [b""], 1000)
            self._clear_caches()
        self._result_bytes = 0

    def _serve_batch(self, count: int) -> None:
        """The results of a program end where it needs a process of its own: perhaps before its first test."""
        self._written = self._offset = 0
        for done in range(count):
            self._done, self._result_bytes = done, 0
            # No reference to a program may be held here while `_clean_up` checks for leftovers.
            self._serve_candidate(*self._next_candidate())
            self._clean_up()
            ENTRY.pack_into(self._memory, HEAD.size + self._written, self._result_bytes)
            self._written += ENTRY.size + self._result_bytes
            self._done, self._result_bytes = done + 1, 0
            self._step()
            if not self._is_clean:
                return

    def _step(self, seconds: float = TEST_SECONDS) -> None:
        self._steps += 1
        HEAD.pack_into(self._memory, 0, self._steps, self._written, self._done, self._result_bytes, seconds)

    def _add_result(self, end: int, cpu: float, wall: float, out: bytes, err: bytes) -> None:
        """The result of one test. It counts, whatever the program does in its next test."""
        at = HEAD.size + self._written + ENTRY.size + self._result_bytes
        entry = b"".join((_TEST.pack(end, cpu * 1000, wall * 1000, len(out), len(err)), out, err))
        if at + len(entry) + _SPARE > len(self._memory):
            raise NeedsOwnProcess
        self._memory[at : at + len(entry)] = entry
        self._result_bytes += len(entry)

    def _next_candidate(self) -> Tuple[int, bool, int, bytes, List[bytes], int]:
        kind, stops, entry_point_bytes, size, count, max_output = _CANDIDATE.unpack(self._read(_CANDIDATE.size))
        # Not by `struct`, which would keep each format for ever.
        lengths = memoryview(self._read(4 * count)).cast("I").tolist()
        program = self._read(size)
        return kind, bool(stops), entry_point_bytes, program, [self._read(length) for length in lengths], max_output

    def _read(self, length: int) -> bytes:
        data = os.pread(PAYLOAD, length, self._offset)
        self._offset += length
        return data

    def _serve_candidate(
        self, kind: int, stops: bool, entry_point_bytes: int, data: bytes, tests: List[bytes], max_output: int
    ) -> None:
        try:
            entry_point = None
            if len(data) > _MAX_PROGRAM_BYTES:
                return
            if entry_point_bytes != NO_ENTRY_POINT:
                entry_point, data = data[:entry_point_bytes].decode("utf-8"), data[entry_point_bytes:]
            self._run_tests(kind, stops, entry_point, data.decode("utf-8"), tests, max_output)
        except (NeedsOwnProcess, UnicodeDecodeError, RecursionError, MemoryError):
            pass

    def _clean_up(self) -> None:
        """After each program. Everything that could still run is an object known to the garbage collector: if there are no
        more of these than before, nothing is left."""
        self._clear_caches()
        self._programs += 1
        self._is_clean = (
            self._programs < _PROGRAMS
            and len(gc.get_objects()) <= self._objects
            and time.thread_time() < _CPU_SECONDS
            and self._address_space() < self._size + _MAX_GROWTH_BYTES
        )

    def _run_tests(
        self, kind: int, stops: bool, entry_point: Optional[str], program: str, tests: List[bytes], max_output: int
    ) -> None:
        code: Any = None
        spent = 0.0
        for data in tests:
            self._step(_UNJUDGED_TEST_SECONDS if stops and self._result_bytes > 0 else TEST_SECONDS)
            cpu, wall = time.thread_time(), time.perf_counter()
            if code is None or kind == CHECK_TEST:
                source = program + "\n" + data.decode("utf-8") if kind == CHECK_TEST else program
                code = self._compiled(source, kind == CHECK_TEST)
            if type(code) is str:
                end, out, err = _ENDS["error"], b"", code.encode("utf-8", "replace")
            else:
                end, out, err = self._run(kind, code, entry_point, data, max_output)
            cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
            self._add_result(end, cpu, wall, out, err)
            spent += cpu
            if stops and end != 0 or spent > (_UNJUDGED_SECONDS if stops else _PROGRAM_SECONDS):
                return

    def _compiled(self, source: str, is_bare: bool) -> Any:
        """Code, or the error text."""
        failures.remember_source(source)
        try:
            tree = ast.parse(source, failures.PROGRAM)
            check = StaticCheck(self._names, is_bare, self._taken)
            self._errors_by_name = check.check(tree)
            self._may_run_on_deletion, self._may_use_random = check.may_run_on_deletion, check.may_use_random
            return compile(tree, failures.PROGRAM, "exec", dont_inherit=True)
        except (Rejected, ValueError) as error:
            raise NeedsOwnProcess from error
        except SyntaxError:
            pass
        return _compile_error(source)

    def _run(
        self, kind: int, code: Any, entry_point: Optional[str], data: bytes, max_output: int
    ) -> Tuple[int, bytes, bytes]:
        written = io.BytesIO()
        stdin = _text(io.BytesIO(data if kind == STDIN_TEST else b""))
        stdout = _text(written)
        self._names.set_streams(stdin, stdout, io.StringIO())
        if self._may_use_random:
            prelude.restore()
        is_bare = kind == CHECK_TEST
        scope = self._names.bare if is_bare else self._names.full
        namespace: Dict[str, Any] = {"__name__": _NAMES[kind], "__builtins__": scope.builtins}
        status: Dict[str, Any] = _FINISHED
        Violation.happened = False
        _set_limits(is_bare)
        try:
            # Written like this, Python uses the same number of frames at the first call and at the thousandth.
            exec(*(code, namespace))
            if kind == CALL_TEST:
                status = candidate.called(namespace, entry_point, data.decode("utf-8"))
        except SystemExit as error:
            if kind != STDIN_TEST:
                text = candidate.exit_error(error) if is_bare else self._describe_cached(error)
                status = {"end": "error", "error": text}
        except BaseException as error:
            is_known = not isinstance(error, (NameNotAllowed, MemoryError, RecursionError))
            if is_known and not (self._errors_by_name and isinstance(error, NameError)):
                status = {"end": "error", "error": self._describe_cached(error)}
            else:
                Violation.happened = True
        _set_limits(True)
        try:
            stdout.flush()
            out = written.getvalue()
        except ValueError:  # it has closed its output
            Violation.happened = True
        self._names.set_streams(self._discarded, self._discarded, self._discarded)
        namespace.clear()
        if self._may_run_on_deletion:
            gc.collect()
        if Violation.happened or len(out) > max_output:
            raise NeedsOwnProcess
        if kind != STDIN_TEST:
            out = (status.get("output") or "").encode("utf-8")
        return _ENDS[status["end"]], out, (status.get("error") or "").encode("utf-8", "replace")

    def _describe_cached(self, error: BaseException) -> str:
        """Most programs fail in the same way in all their tests."""
        key = _failure_key(error)
        text = self._described.get(key) if key is not None else None
        if text is None:
            text = failures.describe(error)
            if key is not None:
                self._described[key] = text
        return text

    def _clear_caches(self) -> None:
        self._described.clear()
        failures.forget_source()
        re.purge()
        gc.collect()

    def _address_space(self) -> int:
        return int(os.pread(self._statm, 64, 0).split(None, 1)[0]) * _PAGE


def _compile_error(source: str) -> str:
    """The report of a separate process about a program that does not compile."""
    try:
        compile(source, failures.PROGRAM, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return failures.describe(error)
    raise NeedsOwnProcess


def _failure_key(error: BaseException) -> Optional[Tuple[Any, ...]]:
    """The values that its description depends on; None: unknown."""
    if type(error) not in failures.PLAIN or error.__context__ is not None or error.__cause__ is not None:
        return None
    if not all(type(one) is str for one in error.args):
        return None
    places: List[Any] = [type(error), *error.args]
    frames = error.__traceback__
    while frames is not None:
        places += (frames.tb_frame.f_code, frames.tb_lasti)
        frames = frames.tb_next
        if len(places) > 40:
            return None
    return tuple(places)


def _text(data: io.BytesIO) -> io.TextIOWrapper:
    """As Python opens the standard streams in UTF-8 mode."""
    return io.TextIOWrapper(data, encoding="utf-8", errors="surrogateescape", newline="\n")


def _set_limits(is_bare: bool) -> None:
    if not is_bare:
        prelude.widen_limits()
        return
    sys.setrecursionlimit(_RECURSION_LIMIT)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
