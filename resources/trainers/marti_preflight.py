"""Runs in a working copy of MARTI before a training: python3 mars2_preflight.py PACKAGE ...

Ends with 0 when every package is there and MARTI's own grader passes a right program and fails a wrong one, so that a
training can learn something; else with 78 and a sentence that says what to do.
"""

import importlib.util
import sys

REFUSED = 78

#: Two numbers of a line, their sum. Programs shorter than 20 characters would not be taken for programs.
TESTS = {"inputs": ["1 2\n", "40 2\n"], "outputs": ["3\n", "42\n"]}
RIGHT = "```python\nfirst, second = map(int, input().split())\nprint(first + second)\n```"
WRONG = "```python\nfirst, second = map(int, input().split())\nprint(first - second)\n```"


def is_there(package):
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def passes(answer):
    from marti.verifiers.areal.code_reward import code_verify

    results, details = code_verify(dict(TESTS), answer, return_metadata=True)
    # MARTI takes an empty list of results for a pass.
    return len(results) > 0 and all(result is True for result in results), details


def main(packages):
    missing = [package for package in packages if not is_there(package)]
    if missing:
        print(f"{sys.executable} lacks {', '.join(missing)}. Install: {sys.executable} -m pip install {' '.join(missing)}")
        return REFUSED
    right, details = passes(RIGHT)
    if not right:
        print(f"MARTI's grader fails a right program ({details}), so every answer would count as wrong. Nothing is trained.")
        print("Look whether python3 starts openrlhf/verifiers/areal/function/testing_util.py in the working copy.")
        return REFUSED
    wrong, _ = passes(WRONG)
    if wrong:
        print("MARTI's grader passes a wrong program, so every answer would count as right. Nothing is trained.")
        return REFUSED
    print("MARTI's grader tells a right program from a wrong one.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
