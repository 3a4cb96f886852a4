"""One pass of the model: token ids in, log-probabilities out."""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch import Tensor, nn

from .logprobs import linear_loss, target_logprobs


class Scorer(nn.Module):
    """The causal model as hidden states and a projection, so that only chosen positions reach the vocabulary.

    One module around both, as FSDP gathers the weights of what it wraps only while its `forward` runs.
    """

    def __init__(self, causal: Any) -> None:
        super().__init__()
        self.causal = causal
        parameters = inspect.signature(causal.base_model.forward).parameters
        # transformers renamed it in one of its releases 5.x
        self.cache_name = "cache" if "cache" in parameters else "past_key_values"

    def forward(self, ids: Tensor, positions: Tensor, targets: Tensor, slopes: Tensor | None) -> Any:
        """Log-probabilities [rows] of `targets` at flat `positions` of `ids` [samples, length], padded at the right.

        With `slopes` [rows]: (loss, log-probabilities). Padding at the right is behind what a causal model looks at,
        so no mask is needed.
        """
        hidden = self.causal.base_model(input_ids=ids, use_cache=False).last_hidden_state
        rows = hidden.reshape(-1, hidden.shape[-1])[positions]
        weight = self.causal.get_output_embeddings().weight
        if slopes is None:
            return target_logprobs(rows, weight, targets)
        return linear_loss(rows, weight, targets, slopes)

    def next_logits(self, ids: Tensor, mask: Tensor, positions: Tensor, cache: Any) -> Tensor:
        """Float32 logits [samples, vocabulary] behind the last column; fills `cache`. For one unsharded process."""
        given = {self.cache_name: cache}
        hidden = self.causal.base_model(
            input_ids=ids, attention_mask=mask, position_ids=positions, use_cache=True, **given
        ).last_hidden_state[:, -1]
        logits: Tensor = torch.mm(hidden, self.causal.get_output_embeddings().weight.to(hidden.dtype).T)
        return logits.float()
