"""What comes over the wire, parsed and checked; what goes back, encoded. Names and shapes follow Tinker's."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Encoding = Literal["list", "base64"]
Json = dict[str, Any]

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,80}")
_LITTLE_ENDIAN = {"int32": "<i4", "float32": "<f4"}


class Refused(Exception):
    """A request that is not carried out, with a sentence for its sender. Nothing was changed."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type[Refused], tuple[str, int]]:
        return Refused, (str(self), self.status)


@dataclass(frozen=True)
class Datum:
    """One sample: what the model reads, and for each position the next token with its weight."""

    inputs: Ids  # [n], all tokens but the last
    targets: Ids  # [n], the same shifted by one
    weights: Floats  # [n], 0 where nothing is learnt; the loss is the sum of -logp * weight


@dataclass(frozen=True)
class AdamParams:
    """One optimiser step. `grad_clip_norm` 0 clips nothing."""

    learning_rate: float
    beta1: float
    beta2: float
    eps: float
    weight_decay: float
    grad_clip_norm: float


@dataclass(frozen=True)
class SamplingParams:
    """How an answer is drawn. `top_k` -1 or 0 and `top_p` 1 cut nothing; temperature 0 takes the likeliest token."""

    max_tokens: int
    seed: int
    temperature: float
    top_p: float
    top_k: int
    stop_ids: tuple[int, ...]
    stop_texts: tuple[str, ...]
    own_stop: bool  # False: the model's own end tokens


@dataclass(frozen=True)
class Limits:
    """What ids and lengths the model takes."""

    vocab_size: int
    context_length: int


def parse_forward(body: Mapping[str, Any], limits: Limits) -> list[Datum]:
    """The data of `forward` and `forward_backward`. Refuses before anything has run."""
    given = _mapping(body.get("forward_input", body.get("forward_backward_input")), "forward_input")
    loss = given.get("loss_fn", "cross_entropy")
    if loss != "cross_entropy":
        raise Refused(f'loss_fn "{loss}" is not known here; the learner has "cross_entropy" only')
    data = _sequence(given.get("data"), "forward_input.data")
    if not data:
        raise Refused("forward_input.data is empty")
    return [_datum(entry, f"data[{at}]", limits) for at, entry in enumerate(data)]


def _datum(value: Any, where: str, limits: Limits) -> Datum:
    entry = _mapping(value, where)
    inputs = parse_prompt(entry.get("model_input"), f"{where}.model_input", limits)
    fields = _mapping(entry.get("loss_fn_inputs"), f"{where}.loss_fn_inputs")
    targets = parse_ids(fields.get("target_tokens"), f"{where}.target_tokens", limits)
    weights = parse_floats(fields.get("weights"), f"{where}.weights")
    if not len(inputs) == len(targets) == len(weights):
        raise Refused(
            f"{where}: model_input has {len(inputs)} tokens, target_tokens {len(targets)}, "
            f"weights {len(weights)}; they must be as many"
        )
    if not np.array_equal(inputs[1:], targets[:-1]):
        raise Refused(f"{where}: target_tokens is not model_input shifted by one")
    return Datum(inputs, targets, weights)


def parse_prompt(value: Any, where: str, limits: Limits) -> Ids:
    """The tokens of a `model_input` or `prompt`: chunks of encoded text, one after the other."""
    chunks = _sequence(_mapping(value, where).get("chunks"), f"{where}.chunks")
    parts = []
    for chunk in chunks:
        kind = _mapping(chunk, f"{where}.chunks").get("type", "encoded_text")
        if kind != "encoded_text":
            raise Refused(f'{where}: a chunk of type "{kind}" is not known here, only encoded_text')
        parts.append(parse_ids(chunk.get("tokens"), f"{where}.tokens", limits))
    tokens = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    if len(tokens) == 0:
        raise Refused(f"{where} has no tokens")
    if len(tokens) > limits.context_length:
        raise Refused(f"{where} has {len(tokens)} tokens, more than the context of {limits.context_length}")
    return tokens


def parse_ids(value: Any, where: str, limits: Limits) -> Ids:
    """Token ids: a tensor or a plain list; each at least 0 and below the vocabulary's size."""
    found = _array(value, where, "int32")
    ids = found.astype(np.int64)
    if len(ids) and (ids.min() < 0 or ids.max() >= limits.vocab_size):
        worst = int(ids.min() if ids.min() < 0 else ids.max())
        raise Refused(f"{where}: token id {worst} is not in the vocabulary of {limits.vocab_size}")
    return ids


def parse_floats(value: Any, where: str) -> Floats:
    """Finite float32 numbers."""
    found = _array(value, where, "float32")
    with np.errstate(over="ignore"):
        floats = found.astype(np.float32)
    if not np.isfinite(floats).all():
        raise Refused(f"{where} has a number that is not finite")
    return floats


def _array(value: Any, where: str, dtype: str) -> npt.NDArray[Any]:
    if isinstance(value, list):
        return _numbers(value, where, dtype)
    tensor = _mapping(value, where)
    if tensor.get("dtype") != dtype:
        raise Refused(f'{where}: dtype is "{tensor.get("dtype")}", expected "{dtype}"')
    data = tensor.get("data")
    if isinstance(data, str):
        try:
            found = np.frombuffer(base64.b64decode(data, validate=True), _LITTLE_ENDIAN[dtype])
        except (binascii.Error, ValueError) as error:
            raise Refused(f"{where}: data is not base64 of {dtype} numbers ({error})") from None
    elif isinstance(data, list):
        found = _numbers(data, where, dtype)
    else:
        raise Refused(f"{where}: data is neither base64 text nor a list of numbers")
    shape = tensor.get("shape", [len(found)])
    if shape != [len(found)]:
        raise Refused(f"{where}: shape is {shape}, but data has {len(found)} numbers")
    return found


def _numbers(values: list[Any], where: str, dtype: str) -> npt.NDArray[Any]:
    try:
        found = np.array(values if values else [], np.int64 if dtype == "int32" and not values else None)
    except (ValueError, OverflowError):
        raise Refused(f"{where} is not a list of numbers") from None
    kinds = "iu" if dtype == "int32" else "iuf"
    if found.ndim != 1 or (len(found) and found.dtype.kind not in kinds):
        raise Refused(f"{where} is not a list of {'whole numbers' if dtype == 'int32' else 'numbers'}")
    return found


def parse_adam(body: Mapping[str, Any]) -> AdamParams:
    """Every field may be left out but the learning rate; defaults are Adam's own (Kingma & Ba 2015)."""
    given = _mapping(body.get("adam_params"), "adam_params")
    unknown = sorted(set(given) - set(AdamParams.__dataclass_fields__))
    if unknown:
        raise Refused(f"adam_params has unknown fields: {', '.join(unknown)}")
    found = AdamParams(
        learning_rate=_number(given.get("learning_rate"), "learning_rate"),
        beta1=_number(given.get("beta1", 0.9), "beta1"),
        beta2=_number(given.get("beta2", 0.999), "beta2"),
        eps=_number(given.get("eps", 1e-8), "eps"),
        weight_decay=_number(given.get("weight_decay", 0), "weight_decay"),
        grad_clip_norm=_number(given.get("grad_clip_norm", 0), "grad_clip_norm"),
    )
    if not (0 <= found.beta1 < 1 and 0 <= found.beta2 < 1):
        raise Refused("beta1 and beta2 must be at least 0 and below 1")
    if min(found.learning_rate, found.weight_decay, found.grad_clip_norm) < 0 or found.eps <= 0:
        raise Refused("learning_rate, weight_decay and grad_clip_norm must not be negative, eps not 0")
    return found


def parse_sampling(body: Mapping[str, Any], limits: Limits) -> SamplingParams:
    """Fields that are left out take what training needs: temperature 1, nothing cut."""
    given = _mapping(body.get("sampling_params"), "sampling_params")
    stop = given.get("stop", [])
    stops = stop if isinstance(stop, list) else [stop]
    texts = tuple(entry for entry in stops if isinstance(entry, str) and entry)
    ids = parse_ids([entry for entry in stops if not isinstance(entry, str)], "stop", limits)
    found = SamplingParams(
        max_tokens=whole(given.get("max_tokens"), "max_tokens", 1, limits.context_length),
        seed=whole(given.get("seed"), "seed", 0, 2**63 - 1),
        temperature=_number(given.get("temperature", 1), "temperature"),
        top_p=_number(given.get("top_p", 1), "top_p"),
        top_k=whole(given.get("top_k", -1), "top_k", -1, 2**31),
        stop_ids=tuple(int(token) for token in ids),
        stop_texts=texts,
        own_stop=bool(stops),
    )
    if not 0 <= found.temperature <= 100 or not 0 < found.top_p <= 1:
        raise Refused("temperature must be from 0 to 100, top_p above 0 and at most 1")
    return found


def parse_name(body: Mapping[str, Any]) -> str:
    """The name of a saved state or an export: one folder, never a path."""
    name = body.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise Refused(f"name {name!r} is not one of small letters, digits, dots, dashes (at most 81)")
    return name


def parse_encoding(body: Mapping[str, Any]) -> Encoding:
    """How the answer's tensors are written."""
    encoding = body.get("encoding", "list")
    if encoding == "list":
        return "list"
    if encoding == "base64":
        return "base64"
    raise Refused('encoding is neither "list" nor "base64"')


def whole(value: Any, where: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Refused(f"{where} is not a whole number from {least} to {most}")
    return value


def tensor(values: npt.NDArray[Any], encoding: Encoding) -> Json:
    """A one-dimensional array as the wire's tensor."""
    dtype = "float32" if values.dtype.kind == "f" else "int32"
    if encoding == "base64":
        data: Any = base64.b64encode(values.astype(_LITTLE_ENDIAN[dtype]).tobytes()).decode()
    else:
        data = values.tolist()
    return {"dtype": dtype, "shape": [len(values)], "data": data}


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Refused(f"{where} is not a finite number")
    return float(value)


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Refused(f"{where} is missing or no object")
    return value


def _sequence(value: Any, where: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise Refused(f"{where} is missing or no list")
    return value
