"""What happens in the forked process of one test: the hostile program runs here, and nothing here is trusted."""

import _thread
import atexit
import builtins
import json
import os
import sys
import types
from typing import Any, Dict, NoReturn, Optional, Tuple

from . import failures, prelude, values
from .between_tests import TestLoop
from .wire import NO_ENTRY_POINT, write_all

STATUS = 3
"""Descriptor on which this process says how the test ended."""
_FINISHED = {"end": "finished"}
_code: Any = None
"""The program, once it is compiled in this process."""
_token = ""
"""For a test that is compared outside: its holder can report only what the program could have returned anyway."""
_has_reported = False
"""Something was reported before the end of the test."""
_thread_without_memory: Optional[str] = None
"""The error of a thread of the program that ran out of memory. Python goes on without the thread, so that the program
ends as if all were well, with half an answer."""


def _watch_threads() -> None:
    """Sees the errors that end threads. `threading` takes this function when a program imports it: imported here, it would
    be in the memory of every program."""
    shown = _thread._excepthook  # type: ignore[attr-defined]

    def notice(args: Any) -> None:
        global _thread_without_memory
        if isinstance(args.exc_value, MemoryError):
            _thread_without_memory = failures.describe(args.exc_value)
        shown(args)

    _thread._excepthook = notice  # type: ignore[attr-defined]


_watch_threads()


def run(
    test: Dict[str, Any],
    data: bytes,
    entry_point_bytes: int,
    module: types.ModuleType,
    token: str,
    loop: Optional[TestLoop],
) -> NoReturn:
    """Runs one test, and with a `loop` the ones that follow, then ends the process. Descriptors 0 to 3 are set up, and the
    limits are in force. `data`: the entry point and the program, as the runner got them."""
    global _token
    entry_point, program = _split_body(data, entry_point_bytes)
    while True:
        if test["kind"] == "reference":
            _token = token
        status = _outcome(test, program, entry_point, module)
        try:
            sys.stdout.flush()
        except BaseException:  # closed or replaced by the program: what it wrote before counts
            pass
        if _thread_without_memory is not None:
            status = _with_lost_thread(test["kind"], status, _thread_without_memory)
        is_usual = status.get("end") == "finished" and "error" not in status
        stays = loop is not None and is_usual and loop.can_stay()
        try:
            # The usual status without the encoder, whose memory this process need not touch.
            text = '{"end": "finished"}' if status is _FINISHED else json.dumps(status)
            if _has_reported:
                write_all(STATUS, text.encode("ascii"))
                os._exit(0)
            report = f"{token}{'+' if stays else '.'}{len(text):08x}{text}".encode("ascii")
            if loop is None:
                write_all(STATUS, report)
            else:
                loop.report(report, stays)
        except BaseException:
            os._exit(0)
        if not stays or loop is None:
            os._exit(0)
        token, test = loop.next(sys.modules.pop(_name_of(test), None))
        module = prelude.another_module()


def _report_early(lines: str) -> None:
    """Reports finished lines of outcomes, in a process that runs this test alone. How the test ended is the last line."""
    global _has_reported
    head = "" if _has_reported else f"{_token}.{0:08x}"
    _has_reported = True
    write_all(STATUS, (head + lines).encode("ascii"))


def _split_body(data: bytes, entry_point_bytes: int) -> Tuple[Optional[str], str]:
    if entry_point_bytes == NO_ENTRY_POINT:
        return None, data.decode("utf-8")
    return data[:entry_point_bytes].decode("utf-8"), data[entry_point_bytes:].decode("utf-8")


def _name_of(test: Dict[str, Any]) -> str:
    return "__main__" if test["kind"] == "stdin" else "solution"


def _outcome(
    test: Dict[str, Any], program: str, entry_point: Optional[str], module: types.ModuleType
) -> Dict[str, Any]:
    try:
        return _status_of(test, program, entry_point, module)
    except MemoryError as error:
        _lift_memory_limit()
        return {"end": "memory", "error": failures.describe(error)}
    except BaseException as error:
        return {"end": "error", "error": failures.describe(error)}


def _with_lost_thread(kind: str, status: Dict[str, Any], error: str) -> Dict[str, Any]:
    """What came of it decides (judge.ts): a right answer is right; a wrong one was for want of memory."""
    if status["end"] == "error":
        return {"end": "memory", "error": error}
    # A check that is done has judged itself.
    return {**status, "error": error} if status["end"] == "finished" and kind in ("stdin", "call") else status


def _status_of(
    test: Dict[str, Any], program: str, entry_point: Optional[str], module: types.ModuleType
) -> Dict[str, Any]:
    kind = test["kind"]
    if kind == "stdin":
        return _run_main(program, module)
    if kind == "check":
        return _check(program + "\n" + test["source"])
    if kind == "call":
        return _call(program, entry_point, test["input"], module)
    return _special(kind, test, program, entry_point)


def _special(kind: str, test: Dict[str, Any], program: str, entry_point: Optional[str]) -> Dict[str, Any]:
    """Tests that share one process, or run in the way of a published grader; see docs/grading.md."""
    # Imported here, because their imports would slow down the fork of every test.
    from . import functions, published

    if kind == "reference":
        limits, factor = test["limits"], test["wallFactor"]
        as_published, as_sets = test["asPublished"], test["asSets"]
        as_literal, pause = test["asLiteral"], test["pauseSeconds"]
        return functions.call_all(
            program,
            entry_point,
            test["inputs"],
            limits,
            factor,
            as_published,
            as_sets,
            as_literal,
            pause,
            _report_early,
        )
    cpu, wall = test["cpuSeconds"], test["wallSeconds"]
    if kind == "published-check":
        return functions.check_as_published(program + "\n" + test["source"], cpu, wall)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(prelude.INTEGER_DIGITS)
    if kind == "published-stdin":
        return published.run_stdin(program, test["inputs"], cpu, wall)
    return published.run_call(program, entry_point, test["inputs"], cpu, wall)


def _execute(source: str, name: str, module: types.ModuleType) -> Dict[str, Any]:
    global _code
    if _code is None:
        failures.remember_source(source)
        _code = compile(source, failures.PROGRAM, "exec", dont_inherit=True)
    sys.modules[name] = module
    namespace = module.__dict__
    namespace["__name__"] = name
    namespace["__builtins__"] = builtins
    exec(_code, namespace)
    return namespace


def _run_main(program: str, module: types.ModuleType) -> Dict[str, Any]:
    prelude.widen_limits()
    try:
        _execute(program, "__main__", module)
        _finish_like_python()
    except SystemExit:
        pass  # whatever its code: LiveCodeBench's rule
    return _FINISHED


def _finish_like_python() -> None:
    """Waits for non-daemon threads and runs exit functions: fast-output templates rely on both."""
    threading = sys.modules.get("threading")
    if threading is not None:
        getattr(threading, "_shutdown", lambda: None)()
    atexit._run_exitfuncs()


def _call(program: str, entry_point: Optional[str], lines: str, module: types.ModuleType) -> Dict[str, Any]:
    prelude.widen_limits()
    return _with_equal_depth(_execute(program, "solution", module), entry_point, lines)


def _with_equal_depth(namespace: Dict[str, Any], entry_point: Optional[str], lines: str) -> Dict[str, Any]:
    """As many frames as in the common process, so that programs can recurse equally deep."""
    return called(namespace, entry_point, lines)


def called(namespace: Dict[str, Any], entry_point: Optional[str], lines: str) -> Dict[str, Any]:
    """Calls what an executed program defines; `lines`: the arguments, each as JSON."""
    solution = namespace.get("Solution")
    name = entry_point or ""
    function: Any = getattr(solution(), name, None) if isinstance(solution, type) else namespace.get(name)
    if not callable(function):
        return {"end": "error", "error": f"The program defines no function named {entry_point!r}."}
    value = function(*[json.loads(line) for line in lines.split("\n") if line.strip()])
    text = values.json_text(value)
    if text is None:
        return {"end": "no-json", "output": values.short_repr(value)}
    return {"end": "finished", "output": text}


def _check(source: str) -> Dict[str, Any]:
    try:
        # The name is what `exec` in an empty namespace gives: no `__main__` block runs (HumanEval's rule).
        _execute(source, "candidate", types.ModuleType("candidate"))
    except SystemExit as error:
        return {"end": "error", "error": exit_error(error)}
    return _FINISHED


def exit_error(error: SystemExit) -> str:
    return f"The program called exit({error.code!r}) before the check was done."


def _lift_memory_limit() -> None:
    """Gives the error text some room: the hard limit stands a little above the soft one."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
