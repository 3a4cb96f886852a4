"""How fast the learner is: a pass against a plain training pass of transformers, and what the wire costs.

`python tests/bench/learner/bench.py [--device cuda] [--threads N]`, with a Python that has the packages of
resources/learner/requirements.txt.
Ratios compare passes that alternate in one run, as the load of a machine changes.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[3] / "resources" / "learner"))
from mars2_learner.engine import Engine
from mars2_learner.model import ModelOptions, load_model
from mars2_learner.ranks import Ranks, physical_cores, pick_device
from mars2_learner.server import LearnerServer
from mars2_learner.service import Service
from mars2_learner.tiny import write_tiny
from mars2_learner.wire import Datum, tensor

ROUNDS = 4
SAMPLES, LENGTH = 4, 256
WIRE_SAMPLES, WIRE_LENGTH = 32, 8_192


def main() -> None:
    """Prints a line a measurement."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=physical_cores())
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    ranks = Ranks(0, 1, pick_device(arguments.device), None, None)
    print(f"{ranks.device}, {arguments.threads} threads, torch {torch.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        write_model(model)
        for checkpointing in (False, True):
            compare(model, ranks, checkpointing)
        tiny = Path(folder) / "tiny"
        write_tiny(tiny, seed=0, context=WIRE_LENGTH)
        measure_wire(tiny, ranks, Path(folder))


def write_model(folder: Path) -> None:
    """Some 14 million weights, more than half of them words: about the shares of a small model that people train."""
    from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

    write_tiny(folder, seed=0)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    config = Qwen3Config(
        vocab_size=32_000,
        hidden_size=256,
        intermediate_size=1024,
        num_hidden_layers=6,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=64,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=2,
        pad_token_id=0,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def compare(model: Path, ranks: Ranks, checkpointing: bool) -> None:
    """Forward and backward of the same tokens, all of them learnt: the learner's and the loss of transformers."""
    from transformers import AutoModelForCausalLM

    options = ModelOptions(model, torch.float32, None, 0.0, "all-linear", False, 0, checkpointing)
    engine = Engine(load_model(options, ranks), micro_tokens=SAMPLES * LENGTH)
    plain: Any = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).to(ranks.device).train()
    if checkpointing:
        plain.gradient_checkpointing_enable({"use_reentrant": False})
    tokens = np.random.default_rng(1).integers(4, 32_000, (SAMPLES, LENGTH + 1))
    data = [Datum(row[:-1], row[1:], np.full(LENGTH, 1 / (SAMPLES * LENGTH), np.float32)) for row in tokens]
    ids = torch.from_numpy(tokens).to(ranks.device)

    def by_transformers() -> None:
        # Its own shift leaves the last position without a target: as many tokens are learnt as in ours.
        plain(input_ids=ids, labels=ids, use_cache=False).loss.backward()

    ratio, ours, theirs = alternate(lambda: engine.forward_backward(data), by_transformers, ranks.device)
    for name, value in plain.named_parameters():  # the same work, or the comparison says nothing
        own = engine.trained[f"causal.{name}"].grad
        assert own is not None
        assert torch.allclose(own, value.grad, rtol=1e-2, atol=1e-4), name
    speed = SAMPLES * LENGTH / ours
    print(
        f"forward_backward, activations {'recomputed' if checkpointing else 'kept'}: {speed:.0f} tokens/s, "
        f"{ratio:.2f} of transformers' {SAMPLES * LENGTH / theirs:.0f}"
    )


def alternate(
    ours: Callable[[], object], theirs: Callable[[], object], device: torch.device
) -> tuple[float, float, float]:
    """(median ratio of speeds, median seconds of ours, of theirs). The first round warms up."""
    times = [(seconds(ours, device), seconds(theirs, device)) for _ in range(ROUNDS + 1)][1:]
    ratios = [other / own for own, other in times]
    return statistics.median(ratios), *(statistics.median(column) for column in zip(*times, strict=True))


def seconds(work: Callable[[], object], device: torch.device) -> float:
    """How long it takes, to the end of what a GPU was told."""
    started = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started


def measure_wire(model: Path, ranks: Ranks, folder: Path) -> None:
    """A pass of 32 samples of 8,192 tokens without the model: reading, checking, answering, over HTTP on loopback."""
    options = ModelOptions(model, torch.float32, None, 0.0, "all-linear", False, 0, False)
    server = LearnerServer(("127.0.0.1", 0), "bench", lambda: None)
    server.service = Service(options, ranks, folder, folder, 1, 1)
    answers = [np.zeros(WIRE_LENGTH, np.float32) - 1 / 3] * WIRE_SAMPLES
    server.service.engine.forward_backward = lambda data: (answers, 0.0)  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = int(server.server_address[1])
    for encoding in ("base64", "list"):
        times = [ask(port, encoding, number) for number in range(ROUNDS)]
        print(f"wire, {encoding}: {statistics.median(t for t, _ in times):.3f} s a pass, {times[0][1] / 1e6:.1f} MB")
    server.shutdown()


def ask(port: int, encoding: Any, number: int) -> tuple[float, int]:
    """(seconds from the first byte sent to the last read, bytes sent)."""
    chance = np.random.default_rng(2)
    tokens = chance.integers(4, 100, WIRE_LENGTH + 1)
    weights = chance.normal(size=WIRE_LENGTH).astype(np.float32)
    datum = {
        "model_input": {"chunks": [{"type": "encoded_text", "tokens": tensor(tokens[:-1], encoding)}]},
        "loss_fn_inputs": {"target_tokens": tensor(tokens[1:], encoding), "weights": tensor(weights, encoding)},
    }
    given = {"data": [datum] * WIRE_SAMPLES, "loss_fn": "cross_entropy"}
    sequence = number if encoding == "base64" else ROUNDS + number
    body = json.dumps({"forward_input": given, "encoding": encoding, "seq_id": sequence}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    started = time.perf_counter()
    connection.request("POST", "/api/v1/forward_backward", body, {"Authorization": "Bearer bench"})
    answer = connection.getresponse()
    read = answer.read()
    elapsed = time.perf_counter() - started
    assert answer.status == 200, read
    return elapsed, len(body)


if __name__ == "__main__":
    main()
