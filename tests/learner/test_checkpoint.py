"""What is saved is what goes on; what is exported is what others load."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from mars2_learner.checkpoint import export, load_state, save_state
from mars2_learner.engine import Engine
from mars2_learner.wire import Refused
from safetensors import safe_open
from support import ADAM, engine_for, largest_difference, learner_process, samples, weights_of

from support import adam_body, as_body  # isort: skip


def steps(engine: Engine, numbers: range) -> None:
    for number in numbers:
        engine.forward_backward(samples(3, seed=number))
        engine.optim_step(ADAM)


@pytest.mark.parametrize("rank", [None, 4])
def test_trap_12_two_steps_and_two_after_loading_are_four(tiny: Path, tmp_path: Path, rank: int | None) -> None:
    whole, first, second = (engine_for(tiny, lora_rank=rank) for _ in range(3))
    steps(whole, range(4))
    steps(first, range(2))
    save_state(first, tmp_path, "two")
    steps(second, range(8, 9))  # what it holds before it loads is of no matter
    load_state(second, tmp_path, "two")
    assert second.updates == 2
    steps(second, range(2, 4))
    assert largest_difference(weights_of(whole), weights_of(second)) == 0


def test_trap_11_and_12_a_learner_killed_while_it_saves_goes_on_from_the_state_before(
    tiny: Path, tmp_path: Path, forking: list[str]
) -> None:
    whole = engine_for(tiny)
    steps(whole, range(4))

    def step(learner: Any, number: int) -> None:
        learner.change("forward_backward", forward_input=as_body(samples(3, seed=number)))
        learner.change("optim_step", adam_params=adam_body())

    with learner_process(tmp_path, tiny, python=forking) as learner:
        step(learner, 0)
        step(learner, 1)
        learner.change("save_weights", name="newest")
        step(learner, 2)
        partial = tmp_path / "states" / ".partial-newest"

        # The save is asked for, and the process killed as soon as its folder is there.
        def save() -> None:
            with pytest.raises(OSError):  # noqa: PT011 - whatever a dead server's connection says
                learner.change("save_weights", name="newest")

        asking = threading.Thread(target=save)
        asking.start()
        while not partial.exists():
            pass
        learner.kill()
        asking.join()
    with learner_process(tmp_path, tiny, python=forking) as learner:
        assert learner.change("load_weights", name="newest") == {"updates": 2}
        step(learner, 2)
        step(learner, 3)
        learner.change("save_weights", name="four")
    again = engine_for(tiny)
    load_state(again, tmp_path / "states", "four")
    assert largest_difference(weights_of(whole), weights_of(again)) == 0


@pytest.mark.parametrize("damage", ["flip", "remove", "manifest", "add"])
def test_trap_11_a_damaged_state_is_not_loaded(tiny: Path, tmp_path: Path, damage: str) -> None:
    engine = engine_for(tiny)
    save_state(engine, tmp_path, "state")
    file = next((tmp_path / "state").glob("*.distcp"))
    if damage == "flip":
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    elif damage == "remove":
        file.unlink()
    elif damage == "add":
        (tmp_path / "state" / "more").write_text("")
    else:
        (tmp_path / "state" / "manifest.json").write_text('{"form": 1')
    before = weights_of(engine)
    with pytest.raises(Refused, match="damaged"):
        load_state(engine, tmp_path, "state")
    assert largest_difference(before, weights_of(engine)) == 0


def test_a_state_of_another_shape_is_refused(tiny: Path, tmp_path: Path) -> None:
    save_state(engine_for(tiny, lora_rank=2), tmp_path, "state")
    with pytest.raises(Refused, match="another shape"):
        load_state(engine_for(tiny, lora_rank=4), tmp_path, "state")
    with pytest.raises(Refused, match="no saved state"):
        load_state(engine_for(tiny), tmp_path, "other")


def test_loading_forgets_what_has_accumulated(tiny: Path, tmp_path: Path) -> None:
    engine = engine_for(tiny)
    save_state(engine, tmp_path, "state")
    engine.forward_backward(samples(2))
    load_state(engine, tmp_path, "state")
    with pytest.raises(Refused, match="no gradient"):
        engine.optim_step(ADAM)


@pytest.mark.parametrize("which", ["tiny", "tied"])
def test_trap_28_an_export_has_the_keys_of_its_base_and_the_same_log_probabilities(
    which: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    base: Path = request.getfixturevalue(which)
    engine = engine_for(base)
    steps(engine, range(2))
    files = export(engine.model, tmp_path, "trained")["files"]
    folder = tmp_path / "trained"
    assert keys_of(folder) == keys_of(base)
    assert (folder / "tokenizer.json").read_bytes() == (base / "tokenizer.json").read_bytes()
    assert {entry["name"] for entry in files} >= {"model.safetensors", "config.json", "chat_template.jinja"}
    # Another engine on the exported folder: transformers loads it, as an engine would.
    data = samples(4)
    expected, found = engine.forward(data, "now"), engine_for(folder).forward(data, "now")
    assert max(float(np.abs(a - b).max()) for a, b in zip(expected, found, strict=True)) < 1e-6


def keys_of(folder: Path) -> dict[str, tuple[str, tuple[int, ...]]]:
    with safe_open(folder / "model.safetensors", "pt") as file:
        slices = {key: file.get_slice(key) for key in file.keys()}  # noqa: SIM118 - no mapping
        return {key: (found.get_dtype(), tuple(found.get_shape())) for key, found in slices.items()}


def test_trap_28_an_export_in_several_files_is_loaded_as_well(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mars2_learner.checkpoint.SHARD_BYTES", 100_000)
    engine = engine_for(tiny)
    export(engine.model, tmp_path, "trained")
    assert len(list((tmp_path / "trained").glob("model-*.safetensors"))) > 2
    data = samples(2)
    expected = engine.forward(data, "now")
    found = engine_for(tmp_path / "trained").forward(data, "now")
    assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))


def test_trap_28_an_adapter_is_loaded_by_peft(tiny: Path, tmp_path: Path) -> None:
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    engine = engine_for(tiny, lora_rank=4)
    steps(engine, range(2))
    export(engine.model, tmp_path, "adapter")
    loaded = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(tiny), tmp_path / "adapter")
    for datum, expected in zip(samples(3), engine.forward(samples(3), "now"), strict=True):
        with torch.no_grad():
            logits = loaded(input_ids=torch.from_numpy(datum.inputs)[None]).logits[0]
        found = torch.log_softmax(logits, -1).gather(-1, torch.from_numpy(datum.targets)[:, None])[:, 0].numpy()
        answer = datum.weights != 0
        assert np.abs(found - expected)[answer].max() < 1e-5


def test_a_bfloat16_model_is_exported_as_it_came(tiny: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    narrow = tmp_path / "narrow"
    AutoModelForCausalLM.from_pretrained(tiny, dtype=torch.bfloat16).save_pretrained(narrow)
    AutoTokenizer.from_pretrained(tiny).save_pretrained(narrow)
    engine = engine_for(narrow)
    assert all(value.dtype is torch.float32 for value in engine.trained.values())
    export(engine.model, tmp_path, "trained")
    assert keys_of(tmp_path / "trained") == keys_of(narrow)
    assert json.loads((tmp_path / "trained" / "config.json").read_text())["dtype"] == "bfloat16"
