"""The gradient by slopes over the wire, against objectives that torch differentiates itself."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from mars2_learner.engine import Engine
from mars2_learner.wire import Datum
from support import engine_for, gradients_of, with_weights
from torch import Tensor

MARTI = Path(__file__).parents[3] / "shared" / "peers" / "marti" / "marti" / "models"
PROMPT, ANSWER = 6, 9
Objective = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


def batch() -> list[Datum]:
    chance = np.random.default_rng(11)
    found = []
    for answer in (ANSWER, 4, 1, 7):
        tokens = chance.integers(4, 100, PROMPT + answer).astype(np.int64)
        weights = np.zeros(len(tokens) - 1, np.float32)
        weights[-answer:] = 1
        found.append(Datum(tokens[:-1], tokens[1:], weights))
    return found


def by_torch(engine: Engine, data: list[Datum]) -> tuple[Tensor, Tensor]:
    """Log-probabilities [samples, ANSWER] with their graph, from transformers' own logits, and the mask of answers."""
    rows, mask = torch.zeros(len(data), ANSWER), torch.zeros(len(data), ANSWER)
    for at, datum in enumerate(data):
        logits = engine.model.scorer.causal(input_ids=torch.from_numpy(datum.inputs)[None], use_cache=False).logits[0]
        logprobs = torch.log_softmax(logits, -1).gather(-1, torch.from_numpy(datum.targets)[:, None])[:, 0]
        answer = logprobs[torch.from_numpy(datum.weights != 0)]
        rows[at, : len(answer)] = answer
        mask[at, : len(answer)] = 1
    return rows, mask


def old_policies(logprobs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Log-probabilities of the policy before and of the writer, near the present ones; and advantages."""
    torch.manual_seed(4)
    old = logprobs.detach() + 0.3 * torch.randn_like(logprobs)
    rollout = old + 0.4 * torch.randn_like(logprobs)
    return old, rollout, torch.randn(len(logprobs), 1).expand_as(logprobs)


def compare(tiny: Path, objective: Objective) -> None:
    direct, linear = engine_for(tiny), engine_for(tiny)
    data = batch()
    logprobs, mask = by_torch(direct, data)
    old, rollout, advantages = old_policies(logprobs)
    objective(logprobs, old, rollout, advantages, mask).backward()  # type: ignore[no-untyped-call]
    expected = gradients_of(direct)

    # As the trainer does it: log-probabilities come over the wire, the slopes of its loss go back as weights.
    answers = linear.forward(data, "now")
    leaf = torch.zeros_like(mask)
    for at, (datum, logprobs_there) in enumerate(zip(data, answers, strict=True)):
        leaf[at, : int(mask[at].sum())] = torch.from_numpy(logprobs_there[datum.weights != 0])
    leaf.requires_grad_(True)
    slopes = torch.autograd.grad(objective(leaf, old, rollout, advantages, mask), leaf)[0]
    weights = []
    for at, datum in enumerate(data):
        own = np.zeros_like(datum.weights)
        own[datum.weights != 0] = -slopes[at, : int(mask[at].sum())].numpy()
        weights.append(own)
    linear.forward_backward(with_weights(data, weights))
    found = gradients_of(linear)

    norm = float(torch.stack([value.norm() for value in expected.values()]).norm())
    assert norm > 1e-3
    assert expected.keys() == found.keys()
    error = float(torch.stack([(expected[name] - found[name]).norm() for name in expected]).norm())
    assert error < 1e-5 * norm


def truncated_ppo(logprobs: Tensor, old: Tensor, rollout: Tensor, advantages: Tensor, mask: Tensor) -> Tensor:
    ratio = (logprobs - old).exp()
    clipped = torch.min(ratio * advantages, ratio.clamp(0.8, 1.28) * advantages)
    weights = (old - rollout).exp().clamp(max=2.0)
    return -(weights * clipped * mask).sum() / mask.sum()


def with_k3(logprobs: Tensor, old: Tensor, rollout: Tensor, advantages: Tensor, mask: Tensor) -> Tensor:
    difference = rollout - logprobs
    k3 = difference.exp() - 1 - difference
    return truncated_ppo(logprobs, old, rollout, advantages, mask) + 0.1 * (k3 * mask).sum() / mask.sum()


@pytest.mark.parametrize("objective", [truncated_ppo, with_k3])
def test_trap_1_slopes_give_the_gradient_that_autograd_gives(tiny: Path, objective: Objective) -> None:
    compare(tiny, objective)


@pytest.fixture(scope="module")
def marti_loss() -> Iterator[Any]:
    """MARTI's file of losses as released, without the package around it (which asks for Ray and DeepSpeed)."""
    if not (MARTI / "loss.py").is_file():
        pytest.skip(f"MARTI's loss functions are not at {MARTI}")
    package = types.ModuleType("marti_models")
    package.__path__ = [str(MARTI)]
    sys.modules["marti_models"] = package
    yield importlib.import_module("marti_models.loss")
    for name in [name for name in sys.modules if name.startswith("marti_models")]:
        del sys.modules[name]


VARIANTS: list[dict[str, Any]] = [
    {"policy_loss_type": "ppo"},
    {"policy_loss_type": "ppo", "token_level_loss": False, "clip_eps_high": 0.28},
    {"policy_loss_type": "ppo", "enable_vllm_is_correction": True, "vllm_is_truncated_threshold": 1.5},
    {"policy_loss_type": "gspo", "clip_eps_low": 3e-2, "clip_eps_high": 4e-2},
    {"policy_loss_type": "gspo", "enable_vllm_is_correction": True, "vllm_is_truncated_threshold": 1.5},
    {"policy_loss_type": "ppo", "dual_clip": 3.0},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(map(str, variant.values())))
def test_slopes_of_martis_loss_give_the_gradient_that_its_own_training_takes(
    tiny: Path, marti_loss: Any, variant: dict[str, Any]
) -> None:
    policy_loss = marti_loss.PolicyLoss(**variant)

    def objective(logprobs: Tensor, old: Tensor, rollout: Tensor, advantages: Tensor, mask: Tensor) -> Tensor:
        loss: Tensor = policy_loss(logprobs, old, advantages, action_mask=mask, rollout_log_probs=rollout)[0]
        return loss

    compare(tiny, objective)
