"""What the learner's tests share: data, engines in this process, and learners as processes of their own."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mars2_learner
import numpy as np
import torch
from mars2_learner.engine import Engine
from mars2_learner.model import ModelOptions, load_model
from mars2_learner.ranks import Ranks
from mars2_learner.wire import AdamParams, Datum, Json

PACKAGE = Path(mars2_learner.__file__).parents[1]
ONE_RANK = Ranks(0, 1, torch.device("cpu"), None, None)
# An answer of a tiny model takes milliseconds, beside other tests seconds. Ranks that wait for each
# other never give one.
HANGS_AFTER_S = 600
TOKEN = "a token of the tests"
ADAM = AdamParams(1e-2, 0.9, 0.999, 1e-8, 0.0, 0.0)


def options_for(model: Path, **changed: Any) -> ModelOptions:
    """Full training in float32 unless something else is asked for."""
    given: dict[str, Any] = {
        "source": model,
        "dtype": torch.float32,
        "lora_rank": None,
        "lora_alpha": 8.0,
        "lora_targets": "all-linear",
        "reference": False,
        "seed": 5,
        "checkpointing": True,
    }
    return ModelOptions(**{**given, **changed})


def engine_for(model: Path, micro_tokens: int = 256, **changed: Any) -> Engine:
    """An engine in this process."""
    return Engine(load_model(options_for(model, **changed), ONE_RANK), micro_tokens)


def samples(count: int, seed: int = 0, longest: int = 24, vocabulary: int = 100) -> list[Datum]:
    """Ragged random samples: a prompt with weight 0, an answer with weights of both signs."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        tokens = chance.integers(4, vocabulary, chance.integers(4, longest + 1))
        answer = int(chance.integers(1, len(tokens) - 1))
        weights = np.zeros(len(tokens) - 1, np.float32)
        weights[-answer:] = chance.normal(size=answer)
        found.append(Datum(tokens[:-1].astype(np.int64), tokens[1:].astype(np.int64), weights))
    return found


def with_weights(data: Sequence[Datum], weights: Sequence[Any]) -> list[Datum]:
    """The same samples with other weights."""
    return [
        Datum(datum.inputs, datum.targets, np.asarray(own, np.float32))
        for datum, own in zip(data, weights, strict=True)
    ]


def weights_of(engine: Engine) -> dict[str, torch.Tensor]:
    """A copy of what is trained."""
    return {name: value.detach().clone() for name, value in engine.trained.items()}


def gradients_of(engine: Engine) -> dict[str, torch.Tensor]:
    """A copy of what has accumulated."""
    return {name: value.grad.clone() for name, value in engine.trained.items() if value.grad is not None}


def largest_difference(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> float:
    """Over all tensors; the names have to be the same."""
    assert a.keys() == b.keys()
    return max(float((a[name].float() - b[name].float()).abs().max()) for name in a)


def as_body(data: Sequence[Datum]) -> Json:
    """Samples as a request's `forward_input`."""
    return {"data": [_as_json(datum) for datum in data], "loss_fn": "cross_entropy"}


def _as_json(datum: Datum) -> Json:
    size = [len(datum.inputs)]
    return {
        "model_input": {"chunks": [{"type": "encoded_text", "tokens": datum.inputs.tolist()}]},
        "loss_fn_inputs": {
            "target_tokens": {"dtype": "int32", "shape": size, "data": datum.targets.tolist()},
            "weights": {"dtype": "float32", "shape": size, "data": datum.weights.tolist()},
        },
    }


def adam_body(adam: AdamParams = ADAM) -> Json:
    """An optimiser step's parameters, as they are sent."""
    return {name: getattr(adam, name) for name in AdamParams.__dataclass_fields__}


class Client:
    """A learner at an address."""

    def __init__(self, host: str, port: int, token: str = TOKEN) -> None:
        self.host, self.port, self.token = host, port, token
        self.seq_id = 0

    def ask(self, operation: str, **body: Any) -> tuple[int, Json]:
        """One request, on a connection of its own: (status, answer)."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=HANGS_AFTER_S)
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            connection.request("POST", f"/api/v1/{operation}", json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def do(self, operation: str, **body: Any) -> Json:
        """A request that has to succeed."""
        status, answer = self.ask(operation, **body)
        assert status == 200, answer
        return answer

    def change(self, operation: str, **body: Any) -> Json:
        """A change that has to succeed, with the next seq_id."""
        self.seq_id += 1
        return self.do(operation, seq_id=self.seq_id, **body)

    def health(self) -> str:
        """What GET /healthz says."""
        connection = http.client.HTTPConnection(self.host, self.port)
        try:
            connection.request("GET", "/api/v1/healthz")
            return str(json.loads(connection.getresponse().read())["status"])
        finally:
            connection.close()


class LearnerProcess(Client):
    """`python -m mars2_learner serve`, or torchrun of it."""

    def __init__(self, process: subprocess.Popen[bytes], address: Json) -> None:
        super().__init__(address["host"], address["port"])
        self.process = process
        self.pid = int(address["pid"])

    def kill(self) -> None:
        """Kill -9, and gone."""
        os.kill(self.pid, signal.SIGKILL)  # in no group of the process that was started, where it was forked
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def learner_process(
    folder: Path, model: Path, *options: str, ranks: int = 1, python: Sequence[str] = (sys.executable,)
) -> Iterator[LearnerProcess]:
    """A learner that answers; killed with its group at the end, if it still lives."""
    address = folder / f"address-{time.monotonic_ns()}.json"
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--no-python"]
    start = [*launcher, "--nproc-per-node", str(ranks)] if ranks > 1 else []
    command = [*start, *python, "-m", "mars2_learner", "serve", "--model", str(model)]
    command += ["--state-dir", str(folder / "states"), "--export-dir", str(folder / "exports")]
    command += ["--address-file", str(address), "--threads", "1", "--device", "cpu"]
    command += ["--micro-tokens", "256", "--seed", "5", *options]
    env = {**os.environ, "MARS2_LEARNER_TOKEN": TOKEN, "PYTHONPATH": str(PACKAGE), "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, env=env, start_new_session=True)
    try:
        while not address.exists():
            assert process.poll() is None, f"the learner ended with {process.returncode}"
            time.sleep(0.02)
        learner = LearnerProcess(process, json.loads(address.read_text()))
        while learner.health() != "ok":
            assert process.poll() is None, f"the learner ended with {process.returncode}"
            time.sleep(0.05)
        yield learner
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
