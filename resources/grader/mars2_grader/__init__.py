"""The part of the grader that lives inside the sandbox: it runs tests and reports what came out.

It never sees an expected output: what is right is decided outside, in `main/grading/logic`.
Standard library only, Python 3.9 and later.
"""
