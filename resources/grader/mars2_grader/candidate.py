"""What happens in the forked process of one test: the hostile program runs here, and nothing here is trusted."""

import builtins
import json
import os
import random
import sys
import types
from typing import Any, Dict, NoReturn, Optional

from . import failures, prelude, values
from .wire import write_all

STATUS = 3
"""Descriptor on which this process says how the test ended."""


def run(test: Dict[str, Any], program: str, entry_point: Optional[str], names: Dict[str, Any], token: str) -> NoReturn:
    """Runs one test and ends the process; descriptors 0 to 3 are set up, and the limits are in force."""
    try:
        status = _status_of(test, program, entry_point, names)
    except MemoryError as error:
        _lift_memory_limit()
        status = {"end": "memory", "error": failures.describe(error)}
    except BaseException as error:
        status = {"end": "error", "error": failures.describe(error)}
    try:
        sys.stdout.flush()
    except BaseException:  # closed or replaced by the program: what it wrote before is what counts
        pass
    try:
        write_all(STATUS, token.encode("ascii") + json.dumps(status).encode("ascii"))
    finally:
        os._exit(0)


def _status_of(test: Dict[str, Any], program: str, entry_point: Optional[str], names: Dict[str, Any]) -> Dict[str, Any]:
    sys.argv = [failures.PROGRAM]
    # `site` is not loaded, so these two are missing although programs use them.
    setattr(builtins, "exit", sys.exit)
    setattr(builtins, "quit", sys.exit)
    # Unseeded chance would give another verdict each time.
    random.seed(0)
    kind = test["kind"]
    if kind == "stdin":
        return _run_main(program, names)
    if kind == "call":
        return _call(program, entry_point, test["input"], names)
    return _check(program + "\n" + test["source"])


def _execute(source: str, name: str, names: Dict[str, Any]) -> Dict[str, Any]:
    failures.remember_source(source)
    module = types.ModuleType(name)
    sys.modules[name] = module
    namespace = module.__dict__
    namespace.update(names)
    namespace.update(__name__=name, __builtins__=builtins)
    exec(compile(source, failures.PROGRAM, "exec", dont_inherit=True), namespace)
    return namespace


def _run_main(program: str, names: Dict[str, Any]) -> Dict[str, Any]:
    sys.setrecursionlimit(prelude.RECURSION_LIMIT)
    try:
        _execute(program, "__main__", names)
        _finish_like_python()
    except SystemExit:
        pass  # whatever its code: LiveCodeBench's rule
    return {"end": "finished"}


def _finish_like_python() -> None:
    """Threads that are no daemons are waited for, and exit functions run: fast-output templates rely on both."""
    threading = sys.modules.get("threading")
    if threading is not None:
        getattr(threading, "_shutdown", lambda: None)()
    import atexit

    atexit._run_exitfuncs()


def _call(program: str, entry_point: Optional[str], lines: str, names: Dict[str, Any]) -> Dict[str, Any]:
    sys.setrecursionlimit(prelude.RECURSION_LIMIT)
    namespace = _execute(program, "solution", names)
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
        _execute(source, "candidate", {})
    except SystemExit as error:
        return {"end": "error", "error": f"The program called exit({error.code!r}) before the check was done."}
    return {"end": "finished"}


def _lift_memory_limit() -> None:
    """Gives the error text some room: the hard limit stands a little above the soft one."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
