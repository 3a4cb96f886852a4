"""The gradient of TRL's own GRPO loss beside that of our slopes: `trl_step.py MODEL RATIO,BETA,CLIP,LENGTH,... ...`.

Of each case prints the log-probabilities of the samples, reads the slopes that our objective gives along them, and
prints how far the two gradients are apart, a JSON line each. `RATIO`: token or sequence; `LENGTH`: of each answer.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from mars2_learner.wire import Datum
from support import engine_for, gradients_of, with_weights
from torch import Tensor

PROMPT = 6
ADVANTAGES = (1.5, -0.4, -1.7, 0.6)


def compare(model: Path, ratio: str, beta: float, clip: float, lengths: list[int]) -> None:
    """One case."""
    engine = engine_for(model)
    data = samples(lengths)
    current = [row[-length:] for row, length in zip(engine.forward(data, "now"), lengths, strict=True)]
    chance = np.random.default_rng(4)
    old = [row + chance.normal(scale=0.3, size=len(row)) for row in current]
    reference = [row + chance.normal(scale=0.5, size=len(row)) for row in current]
    advantages = list(ADVANTAGES[: len(lengths)])
    sequences = [
        {"current": now.tolist(), "old": before.tolist(), "reference": first.tolist(), "advantage": advantage}
        for now, before, first, advantage in zip(current, old, reference, advantages, strict=True)
    ]
    print(json.dumps({"sequences": sequences}), flush=True)

    answered = json.loads(sys.stdin.readline())
    weights = [np.zeros(len(datum.inputs), np.float32) for datum in data]
    for row, slopes in zip(weights, answered["slopes"], strict=True):
        row[-len(slopes) :] = -np.array(slopes)
    engine.forward_backward(with_weights(data, weights))
    ours = gradients_of(engine)

    with tempfile.TemporaryDirectory() as folder:
        theirs, loss = by_trl(model, Path(folder), ratio, beta, clip, data, lengths, advantages, old, reference)
    norm = float(torch.stack([value.norm() for value in theirs.values()]).norm())
    apart = torch.stack([(ours[f"causal.{name}"] - value).norm() for name, value in theirs.items()]).norm()
    found = {"names": len(theirs), "ours": len(ours), "norm": norm, "apart": float(apart) / norm, "loss": loss}
    print(json.dumps(found), flush=True)


def samples(lengths: list[int]) -> list[Datum]:
    """Random tokens; the answer's have weight 1."""
    chance = np.random.default_rng(11)
    found = []
    for length in lengths:
        tokens = chance.integers(4, 100, PROMPT + length).astype(np.int64)
        weights = np.zeros(len(tokens) - 1, np.float32)
        weights[-length:] = 1
        found.append(Datum(tokens[:-1], tokens[1:], weights))
    return found


def by_trl(
    model: Path,
    folder: Path,
    ratio: str,
    beta: float,
    clip: float,
    data: list[Datum],
    lengths: list[int],
    advantages: list[float],
    old: list[Any],
    reference: list[Any],
) -> tuple[dict[str, Tensor], float]:
    """Gradients by name, and the loss, of TRL's `compute_loss`."""
    from datasets import IterableDataset
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    config = GRPOConfig(
        output_dir=str(folder),
        use_cpu=True,
        bf16=False,
        report_to=[],
        gradient_checkpointing=False,
        per_device_train_batch_size=len(data),
        num_generations=len(data),
        loss_type="grpo",
        importance_sampling_level=ratio,
        beta=beta,
        epsilon=clip,
        temperature=1.0,
        use_bias_correction_kl=False,
        max_steps=1,
    )
    trainer = GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32),
        reward_funcs=lambda completions, **_: [0.0] * len(completions),
        args=config,
        train_dataset=IterableDataset.from_generator(lambda: iter([{"prompt": "p"}])),  # never read
        processing_class=AutoTokenizer.from_pretrained(model),
    )
    trainer.current_gradient_accumulation_steps = 1  # as its training loop sets it
    whole = [np.append(datum.inputs, datum.targets[-1]) for datum in data]
    inputs = {
        "prompt_ids": torch.tensor(np.stack([tokens[:PROMPT] for tokens in whole])),
        "prompt_mask": torch.ones(len(data), PROMPT, dtype=torch.long),
        "completion_ids": padded([tokens[PROMPT:] for tokens in whole], torch.long),
        "completion_mask": padded([np.ones(length) for length in lengths], torch.long),
        "advantages": torch.tensor(advantages),
        "old_per_token_logps": padded(old, torch.float32),
        "ref_per_token_logps": padded(reference, torch.float32),
    }
    trainer.model.train()
    loss = trainer.compute_loss(trainer.model, inputs)
    loss.backward()
    gradients = {name: value.grad for name, value in trainer.model.named_parameters() if value.grad is not None}
    return gradients, float(loss.detach())


def padded(rows: list[Any], dtype: torch.dtype) -> Tensor:
    """At the right, with zeros."""
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row, dtype=dtype) for row in rows], batch_first=True)


if __name__ == "__main__":
    for case in sys.argv[2:]:
        level, *numbers = case.split(",")
        compare(Path(sys.argv[1]), level, float(numbers[0]), float(numbers[1]), [int(n) for n in numbers[2:]])
