"""Runs in a working copy of MARTI before a training: python3 mars2_preflight.py PACKAGE ...

Exits with 0 if every package is installed and MARTI's own grader passes a correct program and fails a wrong one;
otherwise with 78 and a message that says what to do.
"""

import importlib.util
import sys

REFUSED = 78

#: The sum of two numbers. MARTI ignores programs shorter than 20 characters.
TESTS = {"inputs": ["1 2\n", "40 2\n"], "outputs": ["3\n", "42\n"]}
RIGHT = "```python\nfirst, second = map(int, input().split())\nprint(first + second)\n```"
WRONG = "```python\nfirst, second = map(int, input().split())\nprint(first - second)\n```"


def is_installed(package):
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def passes(answer):
    from marti.verifiers.areal.code_reward import code_verify

    results, details = code_verify(dict(TESTS), answer, return_metadata=True)
    # MARTI treats an empty list of results as a pass.
    return len(results) > 0 and all(result is True for result in results), details


def main(packages):
    missing = [package for package in packages if not is_installed(package)]
    if missing:
        print(f"{sys.executable} does not have {', '.join(missing)}. Install: {sys.executable} -m pip install {' '.join(missing)}")
        return REFUSED
    right, details = passes(RIGHT)
    if not right:
        print(f"MARTI's grader fails a correct program ({details}), so every answer would count as wrong. The training was not started.")
        print("Check that python3 can run openrlhf/verifiers/areal/function/testing_util.py in the working copy.")
        return REFUSED
    wrong, _ = passes(WRONG)
    if wrong:
        print("MARTI's grader passes a wrong program, so every answer would count as correct. The training was not started.")
        return REFUSED
    print("MARTI's grader passes a correct program and fails a wrong one.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
