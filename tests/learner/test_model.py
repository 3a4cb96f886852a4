"""What is loaded, what serves as the reference, and how conversations become ids."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from mars2_learner.engine import Engine
from mars2_learner.service import Service
from mars2_learner.tiny import write_tiny
from mars2_learner.wire import Refused
from support import ADAM, ONE_RANK, engine_for, options_for, samples


def difference(a: list[Any], b: list[Any]) -> float:
    return max(float(np.abs(x - y).max()) for x, y in zip(a, b, strict=True))


def service_for(model: Path, tmp_path: Path, **changed: Any) -> Service:
    return Service(options_for(model, **changed), ONE_RANK, tmp_path / "states", tmp_path / "exports", 256, 8)


@pytest.mark.parametrize("how", [{"lora_rank": 4}, {"reference": True}], ids=["adapter", "copy"])
def test_the_reference_is_what_training_began_from(tiny: Path, how: dict[str, Any]) -> None:
    engine = engine_for(tiny, **how)
    data = samples(4)
    start = engine.forward(data, "now")
    assert difference(start, engine.forward(data, "reference")) == 0
    for _ in range(3):
        engine.forward_backward(data)
        engine.optim_step(ADAM)
    assert difference(start, engine.forward(data, "now")) > 1e-2
    assert difference(start, engine.forward(data, "reference")) == 0


def test_without_a_reference_it_is_refused(tiny: Path, tmp_path: Path) -> None:
    service = service_for(tiny, tmp_path)
    with pytest.raises(Refused, match="--reference"):
        service.forward({"forward_input": {}, "by": "reference"})


def test_only_the_adapter_is_trained_and_its_base_keeps_its_dtype(tiny: Path) -> None:
    engine = engine_for(tiny, lora_rank=4, dtype=torch.bfloat16)
    names = set(engine.trained)
    assert names
    assert all("lora_" in name for name in names)
    assert {value.dtype for value in engine.trained.values()} == {torch.float32}
    others = [value for name, value in engine.model.scorer.named_parameters() if name not in names]
    assert {value.dtype for value in others} == {torch.bfloat16}
    engine.forward_backward(samples(3))
    assert engine.optim_step(ADAM) > 0


def test_an_adapters_seed_chooses_its_first_weights(tiny: Path) -> None:
    def first(seed: int) -> torch.Tensor:
        engine = engine_for(tiny, lora_rank=4, seed=seed)
        return next(value for name, value in engine.trained.items() if "lora_A" in name).detach()

    assert torch.equal(first(1), first(1))
    assert not torch.equal(first(1), first(2))


@pytest.mark.parametrize("checkpointing", [True, False])
def test_recomputed_activations_give_the_same_gradient(tiny: Path, checkpointing: bool) -> None:
    def norm(engine: Engine) -> float:
        engine.forward_backward(samples(4))
        return engine.optim_step(ADAM)

    assert norm(engine_for(tiny, checkpointing=checkpointing)) == pytest.approx(norm(engine_for(tiny)), rel=1e-6)


def test_trap_23_a_tokenizer_with_more_tokens_than_the_model_is_refused(tiny: Path, tmp_path: Path) -> None:
    larger = tmp_path / "larger"
    write_tiny(larger, seed=1, pieces=tuple(f"piece{number}" for number in range(40)))
    mixed = tmp_path / "mixed"
    shutil.copytree(tiny, mixed)
    shutil.copyfile(larger / "tokenizer.json", mixed / "tokenizer.json")
    with pytest.raises(Refused, match="do not belong together"):
        engine_for(mixed)


def test_trap_23_capabilities_tell_what_an_engine_has_to_agree_with(tiny: Path, tmp_path: Path) -> None:
    found = service_for(tiny, tmp_path, lora_rank=4).get_server_capabilities({})
    digest = hashlib.sha256((tiny / "tokenizer.json").read_bytes()).hexdigest()
    assert found["tokenizer_digest"] == digest
    assert found["vocab_size"] == 113
    assert found["special"] == {"eos": [2], "pad": 0}
    assert found["context_length"] == 4096
    assert found["lora"]["rank"] == 4
    assert found["lora"]["targets"] == sorted(
        [*("q_proj", "k_proj", "v_proj", "o_proj"), *("gate_proj", "up_proj", "down_proj")]
    )
    assert 0 < found["trainable"] < found["parameters"]


def test_a_model_that_changes_its_logits_is_refused(tmp_path: Path) -> None:
    from transformers import Gemma2Config, Gemma2ForCausalLM

    write_tiny(tmp_path, seed=1)
    config = Gemma2Config(
        vocab_size=113,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        final_logit_softcapping=0.5,
    )
    Gemma2ForCausalLM(config).save_pretrained(tmp_path)
    with pytest.raises(Refused, match="changes its logits"):
        engine_for(tmp_path)


def rendered(service: Service, **body: Any) -> str:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Add one."}]
    ids = service.render({"messages": messages, **body})["tokens"]["data"]
    return str(service.model.tokenizer.decode(ids))


def test_a_conversation_is_rendered_by_the_models_own_template(tiny: Path, tmp_path: Path) -> None:
    service = service_for(tiny, tmp_path)
    start = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nAdd one.<|im_end|>\n"
    assert rendered(service) == f"{start}<|im_start|>assistant\n"
    assert rendered(service, add_generation_prompt=False) == start
    silent = rendered(service, template={"enable_thinking": False})
    assert silent == f"{start}<|im_start|>assistant\n<think>\n\n</think>\n\n"


def test_a_model_without_a_template_gets_a_plain_one(tiny: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    shutil.copytree(tiny, plain)
    (plain / "chat_template.jinja").unlink()
    service = service_for(plain, tmp_path)
    assert rendered(service) == "System: Be brief.\n\nUser: Add one.\n\nAssistant:"
    assert service.get_server_capabilities({})["chat_template"] is False


def test_what_a_template_refuses_is_told(tiny: Path, tmp_path: Path) -> None:
    strict = tmp_path / "strict"
    shutil.copytree(tiny, strict)
    (strict / "chat_template.jinja").write_text("{{ raise_exception('no system message, please') }}")
    service = service_for(strict, tmp_path)
    with pytest.raises(Refused, match="no system message, please"):
        rendered(service)
    with pytest.raises(Refused, match="template is no object"):
        rendered(service, template={"tokenize": True})
    with pytest.raises(Refused, match="messages"):
        service.render({"messages": [{"role": "user"}]})


def test_the_tiny_model_is_the_same_for_a_seed(tiny: Path, tmp_path: Path) -> None:
    write_tiny(tmp_path, seed=1)
    assert (tmp_path / "model.safetensors").read_bytes() == (tiny / "model.safetensors").read_bytes()
    assert json.loads((tmp_path / "tiny.json").read_text())["seed"] == 1


def test_the_tiny_tokenizer_gives_back_what_it_reads(tiny: Path) -> None:
    tokenizer = engine_for(tiny).model.tokenizer
    text = "Read n.\n\tprint(int(input()) + 1)\nn = int(input())\nn += 1\nprint(n)\n"
    ids = tokenizer(text)["input_ids"]
    assert tokenizer.decode(ids) == text
    assert len(ids) == len("Read n.\n\t") + 4


def test_an_untrained_tiny_model_writes_pieces_of_python(tiny: Path) -> None:
    engine = engine_for(tiny)
    data = samples(6)
    logits = engine.model.scorer.causal(input_ids=torch.from_numpy(data[0].inputs)[None]).logits[0, -1]
    chances = logits.detach().softmax(-1)
    assert float(chances[-12:].sum() + chances[2]) > 0.9
    assert float(chances[-12:].max()) < 0.2
