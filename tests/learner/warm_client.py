"""An interpreter for tests: warm_server.py forks `-m mars2_learner...` and scripts of oracles/; PYTHON runs all else.

    warm_client.py PYTHON SOCKET ARGUMENTS...

It lives as long as the fork and ends as it does, and hands on the signals that ask for its end.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys

ORACLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "oracles", "")


def main(python: str, path: str, arguments: list[str]) -> int:
    """Gives the fork's exit code."""
    is_learner = arguments[:1] == ["-m"] and arguments[1].startswith("mars2_learner")
    if not is_learner and not "".join(arguments[:1]).startswith(ORACLES):
        os.execv(python, [python, *arguments])
    mask = os.umask(0)
    asked = {
        "arguments": arguments[1:] if is_learner else arguments,
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "umask": mask,
    }
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    socket.send_fds(server, [b" "], [0, 1, 2])
    server.sendall(json.dumps(asked).encode() + b"\n")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: server.send(bytes([number])) and None)
    answer = b""
    while not answer.endswith(b"\n"):
        more = server.recv(64)
        if not more:
            print("the process that learners fork from is gone", file=sys.stderr)
            return 1
        answer += more
    code = int(answer)
    if code < 0:
        if -code in (signal.SIGTERM, signal.SIGINT):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
