"""Two processes over gloo, started by torchrun, do what one does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mars2_learner.checkpoint import load_state
from mars2_learner.engine import Engine
from support import (
    ADAM,
    LearnerProcess,
    adam_body,
    as_body,
    engine_for,
    largest_difference,
    learner_process,
    samples,
    weights_of,
)

# Ragged: more samples than ranks, one more, a single one (the other rank has none), and three steps altogether.
COUNTS = (7, 1, 4)


def steps_here(engine: Engine, numbers: range) -> list[float]:
    norms = []
    for number in numbers:
        engine.forward_backward(samples(COUNTS[number], seed=number, longest=60))
        norms.append(engine.optim_step(ADAM))
    return norms


def steps_there(learner: LearnerProcess, numbers: range) -> list[float]:
    norms = []
    for number in numbers:
        data = as_body(samples(COUNTS[number], seed=number, longest=60))
        learner.change("forward_backward", forward_input=data)
        norms.append(learner.change("optim_step", adam_params=adam_body())["metrics"]["grad_norm"])
    return norms


def logprobs_of(answer: Any) -> list[Any]:
    return [np.array(entry["logprobs"]["data"], np.float32) for entry in answer["loss_fn_outputs"]]


@pytest.mark.parametrize("how", ["full", "adapter"])
def test_traps_2_3_12_28_two_ranks_equal_one(tied: Path, tmp_path: Path, forking: list[str], how: str) -> None:
    options = ["--lora-rank", "4"] if how == "adapter" else ["--reference"]
    changed: Any = {"lora_rank": 4} if how == "adapter" else {"reference": True}
    one = engine_for(tied, **changed)
    data = samples(5, seed=9)
    with learner_process(tmp_path, tied, *options, ranks=2, python=forking) as two:
        told = two.do("get_server_capabilities")
        assert (told["world_size"], told["samples"], told["lora"] is not None) == (2, False, how == "adapter")
        assert (told["parameters"], told["trainable"]) == one.model.sizes
        reference = one.forward(data, "reference")

        # trap 2 (sum over ranks) and trap 3 (the second step has one sample for two ranks)
        assert steps_there(two, range(2)) == pytest.approx(steps_here(one, range(2)), rel=1e-5)
        two.change("save_weights", name="two")
        steps_there(two, range(2, 3))
        steps_here(one, range(2, 3))
        found = logprobs_of(two.do("forward", forward_input=as_body(data)))
        assert all(np.abs(a - b).max() < 1e-5 for a, b in zip(found, one.forward(data, "now"), strict=True))
        found = logprobs_of(two.do("forward", forward_input=as_body(data), by="reference"))
        assert all(np.abs(a - b).max() < 1e-6 for a, b in zip(found, reference, strict=True))

        # trap 12: the state of two ranks is loaded by two, and by one
        two.change("save_weights", name="three")
        two.change("load_weights", name="two")
        steps_there(two, range(2, 3))
        two.change("save_weights", name="again")
        # a refusal is the same on every rank, and the next command is not mistaken for another's answer
        two.seq_id += 1
        assert two.ask("optim_step", adam_params=adam_body(), seq_id=two.seq_id)[0] == 409
        assert two.ask("asample", prompt={}, sampling_params={})[0] == 400
        two.change("save_weights_for_sampler", name="export")
        assert two.do("unload") == {}
        assert two.process.wait(30) == 0
    for name in ("three", "again"):
        loaded = engine_for(tied, **changed)
        load_state(loaded, tmp_path / "states", name)
        assert loaded.updates == 3
        assert largest_difference(weights_of(one), weights_of(loaded)) < 1e-5
    assert_exported(tmp_path / "exports" / "export", tied, one, how)


def assert_exported(folder: Path, base: Path, one: Engine, how: str) -> None:
    """Trap 28: what two ranks export is the whole model, or the whole adapter."""
    from safetensors.torch import load_file

    if how == "full":
        exported = load_file(folder / "model.safetensors")
        assert exported.keys() == load_file(base / "model.safetensors").keys()
        expected = {name.removeprefix("causal."): value for name, value in weights_of(one).items()}
    else:
        exported = load_file(folder / "adapter_model.safetensors")
        expected = {
            name.replace("causal.", "base_model.model.").replace(".default", ""): value
            for name, value in weights_of(one).items()
        }
    assert largest_difference(exported, expected) < 1e-5
