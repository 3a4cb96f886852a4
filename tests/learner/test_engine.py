"""Slopes become gradients, gradients steps; nothing else moves a weight."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from mars2_learner.engine import Engine, micro_batches
from mars2_learner.wire import AdamParams, Datum, Refused
from support import ADAM, engine_for, gradients_of, largest_difference, samples, weights_of, with_weights


def answer_slopes(data: list[Datum], value: float) -> list[Datum]:
    return with_weights(data, [np.where(datum.weights != 0, value, 0) for datum in data])


def sum_of_logprobs(engine: Engine, data: list[Datum]) -> float:
    return float(sum(values.sum(dtype=np.float64) for values in engine.forward(data, "now")))


@pytest.mark.parametrize(("weight", "sign"), [(1.0, 1), (-1.0, -1)])
def test_trap_1_a_step_raises_tokens_of_positive_weight_and_lowers_the_others(
    tiny: Path, weight: float, sign: int
) -> None:
    engine = engine_for(tiny)
    data = answer_slopes(samples(3), weight)
    before = sum_of_logprobs(engine, data)
    engine.forward_backward(data)
    engine.optim_step(AdamParams(1e-3, 0.9, 0.999, 1e-8, 0.0, 0.0))
    assert sign * (sum_of_logprobs(engine, data) - before) > 0.1


def test_trap_1_the_gradient_is_what_finite_differences_of_the_log_probabilities_say(tiny: Path) -> None:
    engine = engine_for(tiny)
    data = samples(4)
    engine.forward_backward(data)
    gradients = gradients_of(engine)
    # The five weights of different tensors along which the loss changes most: there the differences are exact enough.
    largest = sorted(gradients, key=lambda name: -float(gradients[name].abs().max()))[:5]
    for name in largest:
        place = int(gradients[name].abs().argmax())
        value = engine.trained[name].data.view(-1)
        losses = []
        for shift in (1e-2, -2e-2):
            value[place] += shift
            logprobs = engine.forward(data, "now")
            losses.append(sum(-float((p * d.weights).sum()) for p, d in zip(logprobs, data, strict=True)))
        value[place] += 1e-2
        expected = float(gradients[name].view(-1)[place])
        assert (losses[0] - losses[1]) / 2e-2 == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("part", [1, 3, 8])
def test_trap_2_parts_of_a_batch_sum_to_the_whole(tiny: Path, part: int) -> None:
    data = samples(8)
    whole, parts = engine_for(tiny, micro_tokens=10_000), engine_for(tiny, micro_tokens=40)
    whole.forward_backward(data)
    for start in range(0, 8, part):
        parts.forward_backward(data[start : start + part])
    assert largest_difference(gradients_of(whole), gradients_of(parts)) < 1e-4
    assert whole.optim_step(ADAM) == pytest.approx(parts.optim_step(ADAM), rel=1e-5)


def test_trap_2_padding_adds_nothing(tiny: Path) -> None:
    short, long = samples(1, seed=1, longest=5)[0], samples(1, seed=2, longest=60)[0]
    alone, together = engine_for(tiny), engine_for(tiny)
    alone.forward_backward([short])
    silent = Datum(long.inputs, long.targets, np.zeros_like(long.weights))
    together.forward_backward([short, silent])
    assert largest_difference(gradients_of(alone), gradients_of(together)) < 1e-5


def test_trap_4_only_positions_with_a_weight_are_scored(tiny: Path) -> None:
    data = samples(5)
    for datum, logprobs in zip(data, engine_for(tiny).forward(data, "now"), strict=True):
        assert np.array_equal(logprobs != 0, datum.weights != 0)


def test_trap_4_an_answer_that_is_only_the_end_token_is_learnt(tiny: Path) -> None:
    engine = engine_for(tiny)
    end = engine.model.end_ids[0]
    prompt = np.array([10, 11, 12], np.int64)
    datum = Datum(prompt, np.array([11, 12, end], np.int64), np.array([0, 0, 1], np.float32))
    before = engine.forward([datum], "now")[0]
    engine.forward_backward([datum])
    engine.optim_step(AdamParams(1e-3, 0.9, 0.999, 1e-8, 0.0, 0.0))
    assert engine.forward([datum], "now")[0][-1] > before[-1]


def test_trap_14_a_cancelled_update_leaves_nothing_behind(tiny: Path) -> None:
    fresh, cancelled = engine_for(tiny), engine_for(tiny)
    cancelled.forward_backward(samples(3, seed=7))
    cancelled.zero_grad()
    for engine in (fresh, cancelled):
        engine.forward_backward(samples(3, seed=8))
        engine.optim_step(ADAM)
    assert largest_difference(weights_of(fresh), weights_of(cancelled)) == 0


def test_trap_14_the_gradient_is_gone_after_a_step(tiny: Path) -> None:
    engine = engine_for(tiny)
    engine.forward_backward(samples(2))
    engine.optim_step(ADAM)
    with pytest.raises(Refused, match="no gradient"):
        engine.optim_step(ADAM)


@pytest.mark.parametrize(
    ("weight", "reason"), [(0.0, "zero everywhere"), (3e38, "norm of the gradient is"), (None, "no gradient")]
)
def test_trap_16_a_step_without_a_usable_gradient_is_refused_and_moves_nothing(
    tiny: Path, weight: float | None, reason: str
) -> None:
    engine = engine_for(tiny)
    engine.forward_backward(samples(2))
    engine.optim_step(ADAM)  # so that momentum alone would move the weights
    before = weights_of(engine)
    if weight is not None:
        engine.forward_backward(with_weights(samples(2), [np.full_like(d.weights, weight) for d in samples(2)]))
    with pytest.raises(Refused, match=reason):
        engine.optim_step(ADAM)
    assert largest_difference(before, weights_of(engine)) == 0
    assert engine.updates == 1


def test_trap_17_small_steps_accumulate_also_where_the_computation_is_bfloat16(tiny: Path) -> None:
    engine = engine_for(tiny, dtype=torch.bfloat16)
    before = weights_of(engine)
    data = samples(2)
    for _ in range(30):
        engine.forward_backward(data)
        gradients = gradients_of(engine)
        engine.optim_step(AdamParams(1e-6, 0.9, 0.999, 1e-12, 0.0, 0.0))
    name = "causal.model.layers.0.mlp.down_proj.weight"
    steady = gradients[name].abs() > gradients[name].abs().mean()
    moved = (engine.trained[name].detach() - before[name]).abs()[steady]
    assert float(moved.median()) == pytest.approx(3e-5, rel=0.05)


def test_trap_18_dropout_of_the_model_changes_no_pass(tiny: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(tiny, model)
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "attention_dropout": 0.4}))
    engine = engine_for(model)
    data = samples(4)
    first, second = engine.forward(data, "now"), engine.forward(data, "now")
    third, _ = engine.forward_backward(data)
    for a, b, c in zip(first, second, third, strict=True):
        assert np.array_equal(a, b)
        assert np.abs(a - c).max() < 1e-6


def test_trap_24_the_longest_samples_come_first(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_for(tiny, micro_tokens=64)
    seen: list[int] = []
    real = Engine._micro_pass

    def record(self: Engine, scorer: object, group: list[Datum], backward: bool) -> object:
        seen.append(max(len(datum.inputs) for datum in group))
        return real(self, scorer, group, backward)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "_micro_pass", record)
    data = samples(12, longest=40)
    engine.forward_backward(data)
    assert seen[0] == max(len(datum.inputs) for datum in data)
    assert seen == sorted(seen, reverse=True)
    assert len(seen) > 2


def test_trap_24_a_pass_that_broke_off_can_not_be_stepped_on(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_for(tiny, micro_tokens=64)
    real = Engine._micro_pass
    left = [2]

    def fail_at_the_third(self: Engine, *arguments: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise MemoryError("of the test")
        return real(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "_micro_pass", fail_at_the_third)
    with pytest.raises(MemoryError):
        engine.forward_backward(samples(12, longest=40))
    with pytest.raises(Refused, match="incomplete"):
        engine.optim_step(ADAM)
    engine.zero_grad()
    monkeypatch.undo()
    engine.forward_backward(samples(2))
    assert engine.optim_step(ADAM) > 0


@pytest.mark.parametrize("budget", [1, 50, 10_000])
def test_micro_batches_hold_every_sample_once_within_the_budget(budget: int) -> None:
    lengths = np.random.default_rng(3).integers(1, 60, 40).tolist()
    batches = micro_batches(lengths, budget)
    assert sorted(position for batch in batches for position in batch.positions) == list(range(40))
    for batch in batches:
        assert batch.length == max(lengths[position] for position in batch.positions)
        assert len(batch.positions) == 1 or len(batch.positions) * batch.length <= budget


def test_the_gradient_is_clipped_by_its_norm(tiny: Path) -> None:
    plain, clipped = engine_for(tiny), engine_for(tiny)
    for engine in (plain, clipped):
        engine.forward_backward(samples(2))
    norm = plain.optim_step(AdamParams(1e-2, 0.9, 0.999, 1.0, 0.0, 0.0))
    assert clipped.optim_step(AdamParams(1e-2, 0.9, 0.999, 1.0, 0.0, norm / 2)) == norm
    name = "causal.model.layers.1.mlp.up_proj.weight"
    first, half = (engine.optimizer.state[engine.trained[name]]["exp_avg"] for engine in (plain, clipped))
    assert torch.allclose(first, 2 * half, rtol=1e-5)


def test_weights_decay_apart_from_the_gradient(tiny: Path) -> None:
    plain, decayed = engine_for(tiny), engine_for(tiny)
    before = weights_of(plain)
    for engine, decay in ((plain, 0.0), (decayed, 0.5)):
        engine.forward_backward(samples(2))
        engine.optim_step(AdamParams(1e-2, 0.9, 0.999, 1e-8, decay, 0.0))
    name = "causal.model.layers.1.mlp.up_proj.weight"
    difference = weights_of(plain)[name] - weights_of(decayed)[name]
    assert torch.allclose(difference, 1e-2 * 0.5 * before[name], atol=1e-7)


def test_bfloat16_computes_about_what_float32_does(tiny: Path) -> None:
    data = samples(4)
    exact = engine_for(tiny).forward(data, "now")
    narrow = engine_for(tiny, dtype=torch.bfloat16).forward(data, "now")
    assert max(float(np.abs(a - b).max()) for a, b in zip(exact, narrow, strict=True)) < 0.15
