"""Learners of the tests fork from this process, which has imported what every one of them imports, in seconds of work.

    python warm_server.py SOCKET

warm_client.py asks for one, with its files, folder, environment and arguments. Of the learner's own package no module
is kept: each fork reads the package of its PYTHONPATH. A fork is killed when the client that asked for it is gone, and
its client ends as it ended.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import traceback
from typing import Any, NoReturn

from mars2_learner.quiet import quieten

MODULES = (
    *("torch._dynamo", "torch.distributed.checkpoint", "transformers.models.auto.modeling_auto"),
    *("transformers.models.qwen3.modeling_qwen3", "peft"),
)
MAX_BYTES = 1 << 20


def main(path: str) -> None:
    """Serves until its standard input ends."""
    quieten()
    for module in MODULES:
        importlib.import_module(module)
    for module in [name for name in sys.modules if name.split(".")[0] == "mars2_learner"]:
        del sys.modules[module]
    gc.collect()
    gc.freeze()  # a fork that collects garbage would copy all of this
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ, None)
    waiting.register(sys.stdin, selectors.EVENT_READ, None)
    print("ready", flush=True)
    while True:
        for key, _ in waiting.select():
            if key.fileobj is sys.stdin:
                return
            if key.fileobj is listener:
                begin(listener, waiting)
            else:
                key.data()


def begin(listener: socket.socket, waiting: selectors.BaseSelector) -> None:
    """Forks for one client."""
    client, _ = listener.accept()
    sent, files, _, _ = socket.recv_fds(client, MAX_BYTES, 3)
    more = sent
    while more and not sent.endswith(b"\n"):
        more = client.recv(MAX_BYTES)
        sent += more
    if not more:
        client.close()  # it ended before it had asked
        for file in files:
            os.close(file)
        return
    child = os.fork()
    if child == 0:
        for key in list(waiting.get_map().values()):
            os.close(key.fd)  # standard input too, which it gets from its client
        client.close()
        become(json.loads(sent), files)
    for file in files:
        os.close(file)
    ended = os.pidfd_open(child)

    def on_end() -> None:
        status = os.waitpid(child, 0)[1]
        with contextlib.suppress(OSError):  # its client may be gone too
            client.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        waiting.unregister(ended)
        os.close(ended)
        if client in waiting.get_map():
            waiting.unregister(client)
        client.close()

    def on_client() -> None:
        """A signal to hand on, or the end of the client: then `on_end` follows."""
        if client.fileno() < 0:
            return  # the fork has just ended
        number = client.recv(1)
        if not number:
            waiting.unregister(client)
        os.kill(child, number[0] if number else signal.SIGKILL)

    waiting.register(ended, selectors.EVENT_READ, on_end)
    waiting.register(client, selectors.EVENT_READ, on_client)


def become(asked: dict[str, Any], files: list[int]) -> NoReturn:
    """Goes on as `python -m MODULE ARGUMENTS`, or as `python SCRIPT ARGUMENTS`."""
    code = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os.setsid()
        os.umask(asked["umask"])
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        name = asked["arguments"][0]
        sys.argv = asked["arguments"]
        sys.path[0] = os.path.dirname(name) or os.getcwd()
        sys.path[1:1] = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
        if name.endswith(".py"):
            runpy.run_path(name, run_name="__main__")
        else:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1])
