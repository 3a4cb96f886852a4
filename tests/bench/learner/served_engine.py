"""A learner whose passes can also be made without the wire: `python served_engine.py full|lora THREADS`.

Prints its address. For each line that it reads it makes the passes of the last update again, directly on the engine
with the same samples, and prints [pass, seconds then, seconds now] of each. It listens with the token "bench".
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[3] / "resources" / "learner"))
from bench import write_model
from mars2_learner.model import ModelOptions
from mars2_learner.ranks import Ranks, pick_device
from mars2_learner.server import LearnerServer
from mars2_learner.service import Service

PASSES = ("forward", "forward_backward", "optim_step")
MICRO_TOKENS = 2_048
Asked = tuple[str, tuple[Any, ...], float]


def main(kind: str, threads: int) -> None:
    """Serves until its input ends."""
    torch.set_num_threads(threads)
    ranks = Ranks(0, 1, pick_device("auto"), None, None)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        write_model(model)
        lora = 16 if kind == "lora" else None
        options = ModelOptions(model, torch.float32, lora, 32.0, "all-linear", lora is None, 0, True)
        service = Service(options, ranks, Path(folder) / "states", Path(folder) / "exports", MICRO_TOKENS, 8)
        asked: list[Asked] = []
        plain = {name: getattr(service.engine, name) for name in PASSES}
        for name in PASSES:
            setattr(service.engine, name, noted(name, plain[name], asked))
        server = LearnerServer(("127.0.0.1", 0), "bench", lambda: None)
        server.service = service
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(json.dumps({"host": "127.0.0.1", "port": server.server_address[1], "token": "bench"}), flush=True)
        for _ in sys.stdin:
            update = list(asked)
            asked.clear()
            again = [[name, then, seconds(plain[name], given)] for name, given, then in update]
            print(json.dumps(again), flush=True)


def noted(name: str, call: Callable[..., Any], asked: list[Asked]) -> Callable[..., Any]:
    """The same call, written down with what it was given and how long it took."""

    def note(*given: Any) -> Any:
        answers: list[Any] = []
        asked.append((name, given, seconds(lambda *_: answers.append(call(*given)), ())))
        return answers[0]

    return note


def seconds(call: Callable[..., Any], given: tuple[Any, ...]) -> float:
    """How long it takes, to the end of what a GPU was told."""
    started = time.perf_counter()
    call(*given)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - started


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
