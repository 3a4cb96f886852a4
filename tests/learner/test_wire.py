"""Bodies are parsed with limits, and refused with a sentence before anything runs."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest
from mars2_learner.wire import (
    Limits,
    Refused,
    parse_adam,
    parse_forward,
    parse_name,
    parse_prompt,
    parse_sampling,
    tensor,
)
from support import as_body, samples

LIMITS = Limits(vocab_size=113, context_length=64)


def body() -> Any:
    return {"forward_input": copy.deepcopy(as_body(samples(2)))}


def test_lists_and_base64_are_read_alike() -> None:
    listed, encoded = body(), body()
    for entry in encoded["forward_input"]["data"]:
        chunk = entry["model_input"]["chunks"][0]
        chunk["tokens"] = tensor(np.array(chunk["tokens"]), "base64")
        fields = entry["loss_fn_inputs"]
        fields["target_tokens"] = tensor(np.array(fields["target_tokens"]["data"]), "base64")
        fields["weights"] = tensor(np.array(fields["weights"]["data"], np.float32), "base64")
    for a, b in zip(parse_forward(listed, LIMITS), parse_forward(encoded, LIMITS), strict=True):
        assert np.array_equal(a.inputs, b.inputs)
        assert np.array_equal(a.targets, b.targets)
        assert np.array_equal(a.weights, b.weights)


def test_base64_is_little_endian() -> None:
    assert tensor(np.array([1, 258]), "base64")["data"] == "AQAAAAIBAAA="


def test_chunks_are_put_together() -> None:
    prompt = {"chunks": [{"type": "encoded_text", "tokens": [5, 6]}, {"type": "encoded_text", "tokens": [7]}]}
    assert parse_prompt(prompt, "prompt", LIMITS).tolist() == [5, 6, 7]


def first(given: Any) -> Any:
    return given["forward_input"]["data"][0]


def set_weights(given: Any, value: Any) -> None:
    first(given)["loss_fn_inputs"]["weights"]["data"][0] = value


def set_target(given: Any, value: Any) -> None:
    first(given)["loss_fn_inputs"]["target_tokens"]["data"][-1] = value


DAMAGES: dict[str, tuple[Any, str]] = {
    "no data": (lambda given: given["forward_input"].update(data=[]), "is empty"),
    "no input": (lambda given: given.clear(), "forward_input is missing"),
    "another loss": (lambda given: given["forward_input"].update(loss_fn="ppo"), "not known"),
    "trap 1: targets not shifted": (
        lambda given: first(given)["loss_fn_inputs"]["target_tokens"].update(
            data=first(given)["model_input"]["chunks"][0]["tokens"]
        ),
        "shifted by one",
    ),
    "trap 16: a weight is NaN": (lambda given: set_weights(given, math.nan), "not finite"),
    "trap 16: a weight is too large for float32": (lambda given: set_weights(given, 1e39), "not finite"),
    "a weight is a text": (lambda given: set_weights(given, "1"), "not a list of numbers"),
    "a weight is null": (lambda given: set_weights(given, None), "not a list of numbers"),
    "trap 23: a token beyond the vocabulary": (lambda given: set_target(given, 113), "not in the vocabulary"),
    "trap 23: a negative token": (lambda given: set_target(given, -1), "not in the vocabulary"),
    "a token with a fraction": (lambda given: set_target(given, 4.5), "whole numbers"),
    "a token beyond 64 bits": (lambda given: set_target(given, 2**70), "whole numbers"),
    "weights too few": (lambda given: first(given)["loss_fn_inputs"].update(weights=[1.0]), "as many"),
    "a wrong shape": (
        lambda given: first(given)["loss_fn_inputs"]["weights"].update(shape=[1, 2]),
        "shape is",
    ),
    "a wrong dtype": (
        lambda given: first(given)["loss_fn_inputs"]["weights"].update(dtype="float64"),
        "dtype is",
    ),
    "no base64": (
        lambda given: first(given)["loss_fn_inputs"]["weights"].update(data="äö"),
        "not base64",
    ),
    "base64 of half a number": (
        lambda given: first(given)["loss_fn_inputs"]["weights"].update(data="AAA="),
        "not base64",
    ),
    "an image": (
        lambda given: first(given)["model_input"]["chunks"][0].update(type="image"),
        "not known",
    ),
    "too long": (
        lambda given: first(given)["model_input"]["chunks"][0].update(tokens=[5] * 65),
        "more than the context",
    ),
    "no tokens": (lambda given: first(given)["model_input"].update(chunks=[]), "no tokens"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_malformed_request_is_refused(damage: str) -> None:
    change, reason = DAMAGES[damage]
    given = body()
    parse_forward(given, LIMITS)
    change(given)
    with pytest.raises(Refused, match=reason):
        parse_forward(given, LIMITS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"learning_rate": None},
        {"learning_rate": math.inf},
        {"learning_rate": -1},
        {"learning_rate": True},
        {"learning_rate": 1, "beta1": 1},
        {"learning_rate": 1, "eps": 0},
        {"learning_rate": 1, "momentum": 1},
    ],
)
def test_an_impossible_step_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        parse_adam({"adam_params": wrong})


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": -1},
        {"seed": 1.5},
        {"max_tokens": 0},
        {"temperature": -1},
        {"top_p": 0},
        {"top_k": "all"},
        {"stop": [1000]},
    ],
)
def test_impossible_sampling_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        parse_sampling({"sampling_params": {"seed": 1, "max_tokens": 4, **wrong}}, LIMITS)


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", ".hidden", "a" * 82, "a\n", None, 3])
def test_a_name_that_could_be_a_path_is_refused(name: Any) -> None:
    with pytest.raises(Refused):
        parse_name({"name": name})


def test_a_plain_name_is_taken() -> None:
    assert parse_name({"name": "update-000012.v2"}) == "update-000012.v2"
