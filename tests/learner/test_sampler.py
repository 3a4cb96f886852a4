"""Answers: their tokens, log-probabilities, ends and chance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from mars2_learner.engine import Engine
from mars2_learner.sampler import Draw, choose, finished, write_answers
from mars2_learner.wire import Datum, SamplingParams
from support import engine_for


def params(seed: int = 1, **changed: object) -> SamplingParams:
    given: dict[str, object] = {
        "max_tokens": 12,
        "seed": seed,
        "temperature": 1.0,
        "top_p": 1.0,
        "top_k": -1,
        "stop_ids": (),
        "stop_texts": (),
        "own_stop": False,
    }
    return SamplingParams(**{**given, **changed})  # type: ignore[arg-type]


def draw(prompt: list[int], index: int = 0, **changed: object) -> Draw:
    return Draw(np.array(prompt, np.int64), params(**changed), index, lambda: True)  # type: ignore[arg-type]


def prompts(count: int) -> list[list[int]]:
    chance = np.random.default_rng(2)
    return [chance.integers(4, 100, int(chance.integers(1, 40))).tolist() for _ in range(count)]


@pytest.fixture(scope="module")
def engine(tiny: Path) -> Engine:
    return engine_for(tiny)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_log_probabilities_are_those_that_forward_gives(engine: Engine, temperature: float) -> None:
    draws = [draw(prompt, seed=9, temperature=temperature) for prompt in prompts(6)]
    write_answers(engine.model, draws)
    data = []
    for one in draws:
        tokens = np.concatenate([one.prompt, one.tokens]).astype(np.int64)
        weights = np.zeros(len(tokens) - 1, np.float32)
        weights[-len(one.tokens) :] = 1
        data.append(Datum(tokens[:-1], tokens[1:], weights))
    for one, logprobs in zip(draws, engine.forward(data, "now"), strict=True):
        assert np.abs(logprobs[-len(one.tokens) :] - one.logprobs).max() < 1e-4


def test_prompts_of_different_lengths_are_written_together_as_they_are_alone(engine: Engine) -> None:
    together = [draw(prompt, seed=seed) for seed, prompt in enumerate(prompts(8))]
    write_answers(engine.model, together)
    assert len({len(one.tokens) for one in together}) > 1  # some end early, and the batch shrinks
    for seed, (prompt, one) in enumerate(zip(prompts(8), together, strict=True)):
        alone = draw(prompt, seed=seed)
        write_answers(engine.model, [alone])
        assert alone.tokens == one.tokens
        assert np.abs(np.array(alone.logprobs) - one.logprobs).max() < 1e-4


def test_a_seed_repeats_and_another_or_another_index_differs(engine: Engine) -> None:
    same = [draw([10, 11], seed=4), draw([10, 11], seed=4)]
    others = [draw([10, 11], seed=5), draw([10, 11], seed=4, index=1)]
    write_answers(engine.model, [*same, *others])
    assert same[0].tokens == same[1].tokens
    assert all(other.tokens != same[0].tokens for other in others)


def test_the_end_token_is_part_of_the_answer_and_not_of_its_text(engine: Engine) -> None:
    end = engine.model.end_ids[0]
    found = [draw([10], index=index) for index in range(20)]
    write_answers(engine.model, found)
    stopped = [one for one in found if one.stop_reason == "stop"]
    assert stopped
    for one in stopped:
        assert one.tokens[-1] == end
        assert end not in one.tokens[:-1]
        assert len(one.logprobs) == len(one.tokens)
        assert "<|im_end|>" not in finished(engine.model, one).text
    assert {len(one.tokens) for one in found if one.stop_reason == "length"} <= {12}


def test_stop_ids_take_the_place_of_the_end_tokens(engine: Engine) -> None:
    pieces = range(engine.model.vocab_size - 12, engine.model.vocab_size)
    one = draw([10], own_stop=True, stop_ids=tuple(pieces), max_tokens=40)
    write_answers(engine.model, [one])
    assert one.stop_reason == "stop"
    assert one.tokens[-1] in pieces


def test_a_stop_text_ends_an_answer_that_holds_it(engine: Engine) -> None:
    one = draw([10], own_stop=True, stop_texts=("put(",), max_tokens=200)
    write_answers(engine.model, [one])
    text = finished(engine.model, one).text
    assert one.stop_reason == "stop"
    assert "put(" in text
    assert "put(" not in engine.model.tokenizer.decode(one.tokens[:-1])


def test_an_answer_without_a_client_is_not_written_on(engine: Engine) -> None:
    gone = Draw(np.array([10]), params(own_stop=True, stop_ids=(1,)), 0, lambda: False)
    kept = draw([10], own_stop=True, stop_ids=(1,))
    write_answers(engine.model, [gone, kept])
    assert len(gone.tokens) == 1
    assert len(kept.tokens) == 12


def test_chances_are_the_models_own() -> None:
    torch.manual_seed(1)
    logits = torch.randn(1, 8) * 2
    count = 40_000
    uniforms = (np.arange(count) + 0.5) / count
    chosen, logprobs = choose(logits.expand(count, -1), [params()] * count, uniforms)
    expected = logits.softmax(-1)[0]
    shares = torch.bincount(chosen, minlength=8) / count
    assert torch.allclose(shares, expected, atol=1e-4)
    assert torch.allclose(logprobs, expected.log()[chosen], atol=1e-5)


def test_top_k_and_top_p_cut_the_rest_and_keep_the_log_probability() -> None:
    logits = torch.tensor([[0.5, 0.25, 0.15, 0.1]]).log()
    uniforms = (np.arange(1000) + 0.5) / 1000

    def chosen(**cut: object) -> set[int]:
        return set(choose(logits.expand(1000, -1), [params(**cut)] * 1000, uniforms)[0].tolist())  # type: ignore[arg-type]

    assert chosen(top_k=2) == {0, 1}
    assert chosen(top_p=0.7) == {0, 1}
    assert chosen(top_p=0.01) == {0}
    assert chosen(temperature=0.0) == {0}
    _, logprobs = choose(logits, [params(top_k=1)], np.array([0.3]))
    assert float(logprobs[0]) == pytest.approx(np.log(0.5), abs=1e-6)
