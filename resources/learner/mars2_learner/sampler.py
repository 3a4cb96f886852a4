"""Writes answers with the current weights: a batch of prompts, a generator for each."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from .model import LoadedModel
from .wire import Floats, Ids, SamplingParams

# Texts are looked for in what the last tokens say; a stop text of more characters than this is found all the same,
# as every token is a character at least.
_TEXT_TOKENS = 16


@dataclass
class Draw:
    """One answer being written."""

    prompt: Ids
    params: SamplingParams
    index: int  # among the answers of its request
    is_wanted: Callable[[], bool]  # False once its client has gone
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    stop_reason: str | None = None


@dataclass(frozen=True)
class Answer:
    """A written answer."""

    tokens: Ids
    logprobs: Floats  # natural, of the weights' own distribution at temperature 1
    text: str
    stop_reason: str


def generator_of(seed: int, index: int) -> np.random.Generator:
    """The chance of one answer: the same for a seed and an index, whatever it is batched with."""
    return np.random.default_rng([seed, index])


def write_answers(model: LoadedModel, draws: Sequence[Draw]) -> None:
    """Writes all of `draws` to their ends, left-padded into one batch. One unsharded process."""
    from transformers import DynamicCache

    device = model.ranks.device
    ends = [set(draw.params.stop_ids) if draw.params.own_stop else set(model.end_ids) for draw in draws]
    chances = [generator_of(draw.params.seed, draw.index) for draw in draws]
    rows = list(range(len(draws)))  # of the batch: which draw each is
    prompts, prompt_of = _distinct([draw.prompt for draw in draws])
    ids, mask = _left_padded(prompts, model.pad_id, device)
    cache = DynamicCache(config=model.config)
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    with torch.no_grad(), model.computing(), _sampling(model):
        logits = model.scorer.next_logits(ids, mask, positions, cache)
        if len(prompts) < len(draws):
            repeated = torch.tensor(prompt_of, device=device)
            cache.batch_select_indices(repeated)
            mask, positions, logits = mask[repeated], positions[repeated], logits[repeated]
        while True:
            uniforms = np.array([chances[row].random() for row in rows])
            chosen, logprobs = choose(logits, [draws[row].params for row in rows], uniforms)
            for row, token, logprob in zip(rows, chosen.tolist(), logprobs.tolist(), strict=True):
                draw = draws[row]
                draw.tokens.append(token)
                draw.logprobs.append(logprob)
                draw.stop_reason = _reason(model, draw, ends[row])
            active = [at for at, row in enumerate(rows) if draws[row].stop_reason is None and draws[row].is_wanted()]
            if not active:
                return
            if len(active) < len(rows):
                selected = torch.tensor(active, device=device)
                cache.batch_select_indices(selected)
                mask, positions, chosen = mask[selected], positions[selected], chosen[selected]
                rows = [rows[at] for at in active]
            ids = chosen[:, None]
            mask = torch.cat([mask, torch.ones_like(ids)], dim=1)
            positions = positions[:, -1:] + 1
            logits = model.scorer.next_logits(ids, mask, positions, cache)


def choose(
    logits: Tensor,
    params: Sequence[SamplingParams],
    uniforms: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> tuple[Tensor, Tensor]:
    """One token a row, by the inverse of its cumulative distribution at a uniform number; with its own log-probability.

    `logits` [rows, vocabulary] float32; the log-probability is at temperature 1 with nothing cut.
    """
    plain = torch.log_softmax(logits, dim=-1)
    shaped = torch.stack([_shaped(row, param) for row, param in zip(plain, params, strict=True)])
    # In double precision, so that a sum over a large vocabulary does not lose its rare tokens.
    sums = shaped.double().softmax(dim=-1).cumsum(dim=-1)
    goals = torch.from_numpy(uniforms).to(sums.device)[:, None] * sums[:, -1:]
    chosen = torch.searchsorted(sums, goals, right=True).squeeze(-1).clamp(max=logits.shape[-1] - 1)
    return chosen, plain.gather(-1, chosen[:, None]).squeeze(-1)


def _shaped(logprobs: Tensor, params: SamplingParams) -> Tensor:
    """Temperature, then top-k, then top-p, as engines do it."""
    if params.temperature == 0:
        only = torch.full_like(logprobs, -torch.inf)
        only[logprobs.argmax()] = 0
        return only
    shaped = logprobs if params.temperature == 1 else torch.log_softmax(logprobs / params.temperature, dim=-1)
    if 0 < params.top_k < len(shaped):
        least = shaped.topk(params.top_k).values[-1]
        shaped = shaped.masked_fill(shaped < least, -torch.inf)
    if params.top_p < 1:
        ordered, places = shaped.softmax(-1).sort(descending=True)
        # A token goes when those before it reach the share already; the first always stays.
        beyond = ordered.cumsum(-1) - ordered >= params.top_p
        shaped = shaped.masked_fill(torch.zeros_like(beyond).scatter(-1, places, beyond), -torch.inf)
    return shaped


def finished(model: LoadedModel, draw: Draw) -> Answer:
    """A draw that has ended, as an answer. Its text leaves the end token out."""
    return Answer(
        tokens=np.array(draw.tokens, np.int64),
        logprobs=np.array(draw.logprobs, np.float32),
        text=model.tokenizer.decode(draw.tokens, skip_special_tokens=True),
        stop_reason=draw.stop_reason or "length",
    )


def _reason(model: LoadedModel, draw: Draw, ends: set[int]) -> str | None:
    if draw.tokens[-1] in ends:
        return "stop"
    if draw.params.stop_texts:
        longest = max(len(text) for text in draw.params.stop_texts)
        tail = model.tokenizer.decode(draw.tokens[-longest - _TEXT_TOKENS :], skip_special_tokens=True)
        if any(text in tail for text in draw.params.stop_texts):
            return "stop"
    return "length" if len(draw.tokens) >= draw.params.max_tokens else None


def _distinct(prompts: Sequence[Ids]) -> tuple[list[Ids], list[int]]:
    """The prompts without repetitions, and which of them each was: many answers to one prompt read it once."""
    places: dict[bytes, int] = {}
    distinct: list[Ids] = []
    for prompt in prompts:
        if places.setdefault(prompt.tobytes(), len(distinct)) == len(distinct):
            distinct.append(prompt)
    return distinct, [places[prompt.tobytes()] for prompt in prompts]


def _left_padded(prompts: Sequence[Ids], pad: int, device: torch.device) -> tuple[Tensor, Tensor]:
    longest = max(len(prompt) for prompt in prompts)
    ids = np.full((len(prompts), longest), pad, np.int64)
    mask = np.zeros((len(prompts), longest), np.int64)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = prompt
        mask[row, longest - len(prompt) :] = 1
    return torch.from_numpy(ids).to(device), torch.from_numpy(mask).to(device)


@contextlib.contextmanager
def _sampling(model: LoadedModel) -> Iterator[None]:
    """Gradient checkpointing switches the cache off in training mode.

    On processors torch's fused attention takes several times as long as plain products where a row adds one token.
    """
    causal = model.scorer.causal
    attention = causal.config._attn_implementation  # there is no public way to read it
    on_processors = model.ranks.device.type == "cpu"
    model.scorer.eval()
    if on_processors:
        causal.set_attn_implementation("eager")
    try:
        yield
    finally:
        if on_processors:
            causal.set_attn_implementation(attention)
        model.scorer.train()
