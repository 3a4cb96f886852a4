"""Log-probabilities of given tokens, in float32, without ever holding the logits of all positions at once."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

# A float32 copy of the logits of one chunk stays below this: with 151,936 tokens of vocabulary, 441 positions.
CHUNK_BYTES = 256 * 2**20


def chunk_rows(vocab_size: int) -> int:
    """How many positions are projected to the vocabulary at once."""
    return max(1, CHUNK_BYTES // (4 * vocab_size))


def target_logprobs(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """Natural log-probabilities [rows] of `targets` [rows], without gradient.

    `hidden` is [rows, width], `weight` [vocabulary, width] the projection to the vocabulary.
    """
    with torch.no_grad():
        size = chunk_rows(weight.shape[0])
        projection = weight.to(hidden.dtype).T
        parts = [
            _logprobs(torch.mm(hidden[start : start + size], projection).float(), targets[start : start + size])[0]
            for start in range(0, hidden.shape[0], size)
        ]
        return torch.cat(parts) if parts else hidden.new_zeros(0, dtype=torch.float32)


class LinearLoss(torch.autograd.Function):
    """Sum of -logp * slope over rows, and the log-probabilities.

    The slopes do not depend on the log-probabilities here, so the gradient along the logits is known as soon as they
    are: slope * (softmax - onehot). It is formed chunk by chunk in the forward pass, and no logits are kept or
    computed again.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, slopes: Tensor) -> tuple[Tensor, Tensor]:
        """Gives (loss, float32; log-probabilities [rows], float32)."""
        for_hidden, for_weight = ctx.needs_input_grad[0], ctx.needs_input_grad[1]
        # hidden and weight may differ in kind where autocast is at work; the product is in the narrower one
        projection = weight.to(hidden.dtype)
        hidden_gradient = torch.zeros_like(hidden) if for_hidden else None
        weight_gradient = torch.zeros_like(weight, dtype=torch.float32) if for_weight else None
        found = []
        size = chunk_rows(weight.shape[0])
        for start in range(0, hidden.shape[0], size):
            rows, ids = hidden[start : start + size], targets[start : start + size]
            logits = torch.mm(rows, projection.T).float()
            logprobs, normalisers = _logprobs(logits, ids)
            found.append(logprobs)
            along = logits.sub_(normalisers[:, None]).exp_()  # softmax
            along[torch.arange(len(ids), device=ids.device), ids] -= 1
            along.mul_(slopes[start : start + size, None])
            along_logits = along.to(hidden.dtype)
            if hidden_gradient is not None:
                hidden_gradient[start : start + size] = torch.mm(along_logits, projection)
            if weight_gradient is not None:
                weight_gradient += torch.mm(along_logits.T, rows)
        logprobs = torch.cat(found) if found else hidden.new_zeros(0, dtype=torch.float32)
        ctx.save_for_backward(hidden_gradient, None if weight_gradient is None else weight_gradient.to(weight.dtype))
        ctx.mark_non_differentiable(logprobs)
        return -(logprobs * slopes).sum(), logprobs

    @staticmethod
    def backward(ctx: Any, *outputs: Any) -> tuple[Tensor | None, Tensor | None, None, None]:
        """The stored gradients, times the gradient along the loss."""
        scale = outputs[0]
        hidden, weight = ctx.saved_tensors
        return (
            None if hidden is None else hidden * scale.to(hidden.dtype),
            None if weight is None else weight * scale.to(weight.dtype),
            None,
            None,
        )


def linear_loss(hidden: Tensor, weight: Tensor, targets: Tensor, slopes: Tensor) -> tuple[Tensor, Tensor]:
    """See `LinearLoss`. `slopes` [rows] float32: the wire's weights."""
    loss, logprobs = LinearLoss.apply(hidden, weight, targets, slopes)  # type: ignore[no-untyped-call]
    return loss, logprobs


def _logprobs(logits: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    normalisers = torch.logsumexp(logits, dim=-1)
    return logits.gather(-1, ids[:, None]).squeeze(-1) - normalisers, normalisers
