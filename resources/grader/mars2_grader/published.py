"""LiveCodeBench's own way of running a program (lcb_runner/evaluation/testing_util.py, commit 28fef95), accidents included.

All tests of a candidate run in one process, one after the other, so what one leaves behind the next one finds. The
expected values are not here: what came out of each test is reported, and compared outside.
"""

import ast
import builtins
import io
import json
import os
import sys
import time
import types
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

from . import failures, guard, prelude, values

Outcome = Dict[str, Any]

_MODULE = "tmp_sol"
# Deep recursion through C functions ends at the usual size of a main thread's stack.
_STACK = 8 << 20


class _Stdout(io.StringIO):
    """It cannot be closed: as published, `close` takes an argument that no caller passes."""

    def close(self) -> None:
        raise TypeError("The output cannot be closed.")


class _StdinBytes:
    """`sys.stdin.buffer`: reading gives all there is each time, and a line is always the first one."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8")

    def read(self, *_args: Any) -> bytes:
        return self._data

    def readline(self, *_args: Any) -> bytes:
        return self._data.partition(b"\n")[0] + b"\n"


class _Stdin:
    """`sys.stdin`: no iterator, and reading gives all there is each time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = io.StringIO(text)
        self.buffer = _StdinBytes(text)

    def read(self, *_args: Any) -> str:
        return self._text

    def readline(self, *args: Any) -> str:
        return self._lines.readline(*args)

    def readlines(self, *_args: Any) -> List[str]:
        return self._text.split("\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lines, name)


class _Open:
    """`builtins.open` gives the input whatever is opened. Few programs reach it, and its module is slow to load."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._mock: Optional[Callable[..., Any]] = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._mock is None:
            from unittest.mock import mock_open

            self._mock = mock_open(read_data=self._text)
        return self._mock(*args, **kwargs)


def run_stdin(program: str, inputs: List[str], cpu_seconds: float, wall_seconds: float) -> Dict[str, Any]:
    """One outcome per test, up to the first failure."""
    _prepare(program)
    source = _as_function(_without_main_block(program))

    def load() -> Callable[[], Any]:
        return _compiled(source).wrapped_function  # type: ignore[no-any-return]

    def call(function: Callable[[], Any], text: str) -> Outcome:
        with _streams(text) as stdout:
            try:
                function()
            except SystemExit:
                pass
        return {"end": "finished", "output": stdout.getvalue()}

    return _report(_run(load, call, inputs, cpu_seconds, wall_seconds))


def run_call(
    program: str, name: Optional[str], inputs: List[str], cpu_seconds: float, wall_seconds: float
) -> Dict[str, Any]:
    """As `run_stdin`, for a function: one JSON argument a line."""
    _prepare(program)

    def load() -> Callable[..., Any]:
        return getattr(_compiled(prelude.SOURCE + "\n\n" + program), name or "")  # type: ignore[no-any-return]

    def call(function: Callable[..., Any], arguments: Any) -> Outcome:
        value = function(*arguments)
        text = values.json_text(value)
        return {"end": "no-json", "output": values.short_repr(value)} if text is None else _finished(text)

    # All of them are read before the first runs, and a blank line is no JSON.
    def load_all() -> Callable[..., Any]:
        function = load()
        parsed.extend([json.loads(line) for line in text.split("\n")] for text in inputs)
        return function

    parsed: List[Any] = []
    return _report(_run(load_all, call, inputs, cpu_seconds, wall_seconds, parsed))


def _finished(text: str) -> Outcome:
    return {"end": "finished", "output": text}


def _run(
    load: Callable[[], Callable[..., Any]],
    call: Callable[[Callable[..., Any], Any], Outcome],
    inputs: List[str],
    cpu_seconds: float,
    wall_seconds: float,
    arguments: Optional[List[Any]] = None,
) -> List[Outcome]:
    try:
        with guard.time_limit(cpu_seconds, wall_seconds):
            function = load()
    except Exception as error:
        # One that is too slow here is an error as well, as published.
        return [{**_failed(error), "end": "error", "cpuMs": 0, "wallMs": 0}]
    outcomes: List[Outcome] = []
    for item in inputs if arguments is None else arguments:
        cpu, wall = time.process_time(), time.monotonic()
        try:
            with guard.time_limit(cpu_seconds, wall_seconds):
                outcome = call(function, item)
        except Exception as error:
            outcome = _failed(error)
        outcome["cpuMs"] = round((time.process_time() - cpu) * 1000, 3)
        outcome["wallMs"] = round((time.monotonic() - wall) * 1000, 3)
        outcomes.append(outcome)
        if outcome["end"] in ("error", "time"):
            break
    return outcomes


def _failed(error: BaseException) -> Outcome:
    # By its name, as published: a program's own exception of that name counts as well.
    end = "time" if "timeoutexception" in repr(error).lower() else "error"
    return {"end": end, "output": None, "error": failures.describe(error)}


def _report(outcomes: List[Outcome]) -> Dict[str, Any]:
    return {"end": "finished", "output": json.dumps(outcomes)}


def _prepare(program: str) -> None:
    import resource

    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (_STACK, hard))
    # Its standard input is empty; what goes to its real output is not looked at.
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    guard.load_numpy(program)
    guard.disable()
    setattr(builtins, "exit", _exit)
    setattr(builtins, "quit", None)


def _exit(code: Any = None) -> None:
    """The interactive `exit`, which also closes the input."""
    try:
        sys.stdin.close()
    except BaseException:
        pass
    raise SystemExit(code)


def _compiled(source: str) -> Any:
    failures.remember_source(source)
    module = types.ModuleType(_MODULE, "")
    exec(compile(source, failures.PROGRAM, "exec", dont_inherit=True), module.__dict__)
    return module.Solution() if "class Solution" in source else module


def _without_main_block(program: str) -> str:
    """A main block at the very end replaces its `if`; one elsewhere stays and does not run."""
    try:
        tree = ast.parse(program)
        last = tree.body[-1]
        if isinstance(last, ast.If) and ast.unparse(last.test).strip() == "__name__ == '__main__'":
            return _text(tree.body[:-1]) + "\n" + _text(last.body)
    except Exception:
        pass
    return program


def _as_function(program: str) -> str:
    """Imports at top level come first, and all else is the body of one function."""
    try:
        imports: List[ast.stmt] = []
        others: List[ast.stmt] = []
        for statement in ast.parse(program).body:
            (imports if isinstance(statement, (ast.Import, ast.ImportFrom)) else others).append(statement)
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        function = ast.FunctionDef(
            name="wrapped_function", args=nothing, body=others, decorator_list=[], lineno=-1, type_params=[]
        )
        return prelude.SOURCE + "\n" + _text(imports) + "\n" + ast.unparse(function)
    except Exception:
        return program


def _text(statements: Sequence[ast.stmt]) -> str:
    return ast.unparse(ast.Module(body=list(statements), type_ignores=[]))


@contextmanager
def _streams(text: str) -> Iterator[io.StringIO]:
    """Output goes into a text; input comes from one, as far as the program asks for it in one of the ways foreseen."""
    real_stdin, real_stdout, real_open = sys.stdin, sys.stdout, builtins.open
    lines = iter(text.split("\n"))
    stdout = _Stdout()
    sys.stdout = stdout
    # `from sys import stdin` holds the real one, of which only these three know the input.
    ways: Dict[str, Callable[..., Any]] = {
        "read": lambda *_args: text,
        "readlines": lambda *_args: text.split("\n"),
        "readline": lambda *_args: next(lines),
    }
    for name, way in ways.items():
        setattr(real_stdin, name, way)
    stdin: Any = _Stdin(text)
    sys.stdin = stdin
    setattr(builtins, "open", _Open(text))
    try:
        yield stdout
    finally:
        setattr(builtins, "open", real_open)
        sys.stdin = real_stdin
        for name in ways:
            try:
                delattr(real_stdin, name)
            except AttributeError:
                pass
        sys.stdout = real_stdout
