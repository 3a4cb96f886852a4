"""The operations on the weights, the same on every rank."""

from __future__ import annotations

import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .heap import trim_heap
from .model import LoadedModel
from .scorer import Scorer
from .wire import AdamParams, Datum, Floats, Refused


@dataclass(frozen=True)
class Batch:
    """A micro-batch: samples of similar length, by their indices in the request."""

    positions: tuple[int, ...]
    length: int  # tokens of the longest


def micro_batches(lengths: Sequence[int], budget: int) -> list[Batch]:
    """Groups samples by length, the longest first: what does not fit the memory shows in the first seconds.

    Samples times length of the longest stays within `budget` tokens, a sample alone may exceed it.
    """
    order = sorted(range(len(lengths)), key=lambda place: (-lengths[place], place))
    batches: list[Batch] = []
    group: list[int] = []
    for place in order:
        if group and (len(group) + 1) * lengths[group[0]] > budget:
            batches.append(Batch(tuple(group), lengths[group[0]]))
            group = []
        group.append(place)
    if group:
        batches.append(Batch(tuple(group), lengths[group[0]]))
    return batches


# Stands in where a rank has no samples left: every rank has to take part in every gathering of weights.
NO_SAMPLE = Datum(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.float32))


class Engine:
    """Weights, gradients and the optimiser of one model."""

    def __init__(self, model: LoadedModel, micro_tokens: int) -> None:
        self.model = model
        self.micro_tokens = micro_tokens
        self.updates = 0
        self.accumulated = False
        self.incomplete = False
        self.trained = model.trained()
        self.optimizer = torch.optim.AdamW(list(self.trained.values()), lr=0.0)
        # Made now rather than at the first step: memory is known from the start, and saved states have one form.
        for value in self.trained.values():
            self.optimizer.state[value] = {
                "step": torch.zeros(()),
                "exp_avg": torch.zeros_like(value),
                "exp_avg_sq": torch.zeros_like(value),
            }

    def forward(self, data: Sequence[Datum], by: str) -> list[Floats]:
        """Log-probabilities of every sample's targets, 0 where the weight is 0. On the first rank; others get []."""
        with torch.no_grad():
            if by == "reference":
                with self.model.reference() as scorer:
                    return self._pass(scorer, data, backward=False)[0]
            return self._pass(self.model.scorer, data, backward=False)[0]

    def forward_backward(self, data: Sequence[Datum]) -> tuple[list[Floats], float]:
        """Adds the gradient of the sum of -logp * weight. Gives the log-probabilities and that sum."""
        self.incomplete = True  # until all of it is in
        found = self._pass(self.model.scorer, data, backward=True)
        self.accumulated = True
        self.incomplete = False
        return found

    def zero_grad(self) -> None:
        """Forgets accumulated gradients."""
        self.optimizer.zero_grad(set_to_none=True)
        self.accumulated = self.incomplete = False

    def optim_step(self, adam: AdamParams) -> float:
        """One AdamW step; gives the norm of the gradient before it was clipped. Refused without a usable gradient."""
        if self.incomplete:
            raise Refused(
                "a forward_backward broke off: the gradient is incomplete; zero_grad, then send all again",
                409,
            )
        if not self.accumulated:
            raise Refused("there is no gradient: no forward_backward since the last step", 409)
        norm = self._gradient_norm()
        if norm == 0:
            raise Refused("the gradient is zero everywhere: a step would only move by momentum and decay", 409)
        if not np.isfinite(norm):
            raise Refused(f"the norm of the gradient is {norm}: the weights were left as they are; zero_grad", 409)
        if 0 < adam.grad_clip_norm < norm:
            for value in self.trained.values():
                if value.grad is not None:
                    value.grad.mul_(adam.grad_clip_norm / norm)
        for group in self.optimizer.param_groups:
            group.update(
                lr=adam.learning_rate,
                betas=(adam.beta1, adam.beta2),
                eps=adam.eps,
                weight_decay=adam.weight_decay,
            )
        self.optimizer.step()
        self.zero_grad()
        self.updates += 1
        return norm

    def peak_memory_bytes(self) -> int:
        """Most memory used so far by this rank: of its GPU, or of the process on a CPU."""
        if self.model.ranks.device.type == "cuda":
            return int(torch.cuda.max_memory_allocated())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024  # bytes there, KiB elsewhere

    def _gradient_norm(self) -> float:
        squares = torch.zeros((), dtype=torch.float64, device=self.model.ranks.device)
        for value in self.trained.values():
            if value.grad is not None:
                squares += _local(value.grad).double().square().sum()
        if self.model.ranks.size > 1:
            torch.distributed.all_reduce(squares)
        return float(squares.sqrt())

    def _pass(self, scorer: Scorer, data: Sequence[Datum], backward: bool) -> tuple[list[Floats], float]:
        """One pass over `data`; each rank takes every n-th micro-batch."""
        ranks = self.model.ranks
        batches = micro_batches([len(datum.inputs) for datum in data], self.micro_tokens)
        rounds = -(-len(batches) // ranks.size)
        found: dict[int, Floats] = {}
        total = 0.0
        for turn in range(rounds):
            at = turn * ranks.size + ranks.rank
            positions = batches[at].positions if at < len(batches) else ()
            samples = [data[position] for position in positions] or [NO_SAMPLE]
            logprobs, loss = self._micro_pass(scorer, samples, backward)
            found.update(zip(positions, logprobs, strict=False))
            total += loss if positions else 0.0
        trim_heap()
        parts = ranks.gather((found, total))
        merged = {place: values for part, _ in parts for place, values in part.items()}
        return [merged[place] for place in range(len(data))], sum(loss for _, loss in parts)

    def _micro_pass(self, scorer: Scorer, samples: Sequence[Datum], backward: bool) -> tuple[list[Floats], float]:
        device = self.model.ranks.device
        length = max(len(sample.inputs) for sample in samples)
        ids = np.full((len(samples), length), self.model.pad_id, np.int64)
        for row, sample in enumerate(samples):
            ids[row, : len(sample.inputs)] = sample.inputs
        weighted_columns = [np.flatnonzero(sample.weights) for sample in samples]
        positions = np.concatenate([row * length + columns for row, columns in enumerate(weighted_columns)])
        targets = np.concatenate([s.targets[columns] for s, columns in zip(samples, weighted_columns, strict=True)])
        slopes = np.concatenate([s.weights[columns] for s, columns in zip(samples, weighted_columns, strict=True)])
        if len(positions) == 0:  # nothing to learn, yet every weight has to take part: one position with weight 0
            positions, targets, slopes = np.zeros(1, np.int64), ids[0, :1], np.zeros(1, np.float32)
        arguments = [torch.from_numpy(values).to(device) for values in (ids, positions, targets)]
        loss = 0.0
        with self.model.computing():
            if backward:
                summed, logprobs = scorer(*arguments, torch.from_numpy(slopes).to(device))
            else:
                logprobs = scorer(*arguments, None)
        if backward:
            # FSDP averages over ranks; the sum is what was asked for.
            (summed * self.model.ranks.size).backward()
            loss = float(summed.detach())
        return _spread(logprobs, samples, weighted_columns), loss


def _spread(
    logprobs: Tensor,
    samples: Sequence[Datum],
    weighted_columns: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.int64]]],
) -> list[Floats]:
    """Back to one array a sample."""
    flat = logprobs.detach().float().cpu().numpy()
    spread, start = [], 0
    for sample, columns in zip(samples, weighted_columns, strict=True):
        values = np.zeros(len(sample.inputs), np.float32)
        values[columns] = flat[start : start + len(columns)]
        start += len(columns)
        spread.append(values)
    return spread


def _local(value: Tensor) -> Tensor:
    """A rank's share of a sharded tensor."""
    to_local = getattr(value, "to_local", None)
    return to_local() if to_local else value
