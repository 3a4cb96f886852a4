"""States to continue from (weights, optimiser, count of updates), and folders that others can load."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.distributed.checkpoint.state_dict_loader import load as load_shares
from torch.distributed.checkpoint.state_dict_saver import save as save_shares

from .engine import Engine
from .folders import digests_of, partial_of, previous_of, recover, replace_folder, write_folder
from .model import LoadedModel
from .ranks import Ranks
from .wire import Json, Refused

MANIFEST = "manifest.json"
FORM = 1
SHARD_BYTES = 4 * 2**30
# Copied as they are, so that the tokenizer of an export is the same bytes.
TOKENIZER_FILES = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.json", "merges.txt", "tokenizer.model", "chat_template.jinja", "generation_config.json"),
)


def save_state(engine: Engine, folder: Path, name: str) -> Json:
    """Writes trained weights and the optimiser, each rank its own share. Gives {path, bytes, sha256}."""
    target, ranks = folder / name, engine.model.ranks
    state = _state_of(engine)

    def fill(partial: Path) -> None:
        save_shares(state, checkpoint_id=partial, no_dist=ranks.size == 1)

    def finish(partial: Path) -> None:
        manifest = {
            "form": FORM,
            "model": str(engine.model.options.source),
            "trained": {key: list(value.shape) for key, value in engine.trained.items()},
            "lora_rank": engine.model.options.lora_rank,
            "updates": engine.updates,
            "torch": torch.__version__,
            "files": digests_of(partial),
        }
        (partial / MANIFEST).write_text(json.dumps(manifest, indent=1))

    _write_on_ranks(ranks, target, fill, finish)
    if not ranks.is_first:
        return {}
    return {
        "path": str(target),
        "bytes": sum(path.stat().st_size for path in target.rglob("*") if path.is_file()),
        "sha256": hashlib.sha256((target / MANIFEST).read_bytes()).hexdigest(),
    }


def load_state(engine: Engine, folder: Path, name: str) -> None:
    """Takes a saved state over, on as many ranks as there are now; accumulated gradients are forgotten."""
    target, ranks = folder / name, engine.model.ranks
    problem = ranks.broadcast(_state_problem(engine, target) if ranks.is_first else None)
    if problem is not None:
        raise Refused(problem)
    state = _state_of(engine)
    load_shares(state, checkpoint_id=target, no_dist=ranks.size == 1)
    engine.updates = int(json.loads((target / MANIFEST).read_text())["updates"])
    engine.zero_grad()


def export(model: LoadedModel, folder: Path, name: str) -> Json:
    """Writes what transformers (or peft, for an adapter) loads. Gives {path, files: [{name, sha256}]}."""
    target, ranks = folder / name, model.ranks
    fill = _adapter_writer(model) if model.peft is not None else _model_writer(model)
    _write_on_ranks(ranks, target, fill, lambda partial: None)
    if not ranks.is_first:
        return {}
    files = [{"name": file, "sha256": digest} for file, digest in digests_of(target).items()]
    return {"path": str(target), "files": files}


def _state_of(engine: Engine) -> dict[str, Tensor]:
    """The tensors themselves, flat: what is loaded into this is loaded into the engine."""
    state: dict[str, Tensor] = {}
    for name, value in engine.trained.items():
        adam = engine.optimizer.state[value]
        state[f"weight.{name}"] = value.detach()
        state[f"first.{name}"] = adam["exp_avg"]
        state[f"second.{name}"] = adam["exp_avg_sq"]
        state[f"step.{name}"] = adam["step"]
    return state


def _state_problem(engine: Engine, target: Path) -> str | None:
    """Why a saved state cannot be loaded, or None."""
    recover(target)
    try:
        manifest = json.loads((target / MANIFEST).read_text())
    except FileNotFoundError:
        return f"there is no saved state at {target}"
    except ValueError as error:
        return f"{target / MANIFEST} is damaged: {error}"
    if manifest.get("form") != FORM:
        return f"{target} is of form {manifest.get('form')}, this learner reads form {FORM}"
    shapes = {key: list(value.shape) for key, value in engine.trained.items()}
    if manifest["trained"] != shapes:
        return f"{target} holds weights of another shape: another model, or another rank of the adapter"
    found = {name: digest for name, digest in digests_of(target).items() if name != MANIFEST}
    if found != manifest["files"]:
        wrong = sorted(name for name in manifest["files"] if found.get(name) != manifest["files"][name])
        return f"{target} is damaged: {', '.join(wrong) or 'files too many'}"
    return None


def _write_on_ranks(ranks: Ranks, target: Path, fill: Callable[[Path], None], finish: Callable[[Path], None]) -> None:
    """`fill` runs on every rank, `finish` on the first; then the folder takes its place."""
    if ranks.size == 1:

        def write(partial: Path) -> None:
            fill(partial)
            finish(partial)

        write_folder(target, write)
        return
    partial = partial_of(target)
    if ranks.is_first:
        recover(target)
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
    ranks.gather(None)
    fill(partial)
    ranks.gather(None)
    if ranks.is_first:
        finish(partial)
        replace_folder(partial, target, previous_of(target))
    ranks.gather(None)


def _model_writer(model: LoadedModel) -> Callable[[Path], None]:
    def fill(partial: Path) -> None:
        shards = _write_shards(model, partial)
        if not model.ranks.is_first:
            return
        if len(shards) > 1:
            index = {
                "metadata": {},
                "weight_map": {key: file for file, keys in shards.items() for key in keys},
            }
            (partial / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))
        config = model.config
        config.dtype = model.source_dtype
        config.architectures = [type(model.scorer.causal).__name__]
        config.save_pretrained(partial)
        _write_tokenizer(model, partial)

    return fill


def _write_shards(model: LoadedModel, partial: Path) -> dict[str, list[str]]:
    """File by file, so that never more than one is gathered. Gives the keys of each file."""
    state = model.scorer.causal.state_dict()
    groups = list(_groups(_untied(model, state), state, model.source_dtype))
    written = {}
    for at, keys in enumerate(groups, 1):
        file = "model.safetensors" if len(groups) == 1 else f"model-{at:05d}-of-{len(groups):05d}.safetensors"
        whole = {key: _gathered(state[key], model.source_dtype, model.ranks.is_first) for key in keys}
        if model.ranks.is_first:
            save_file(
                {key: value for key, value in whole.items() if value is not None},
                partial / file,
                metadata={"format": "pt"},
            )
        written[file] = keys
    return written


def _untied(model: LoadedModel, state: dict[str, Any]) -> list[str]:
    """Keys without those that repeat another: a tied projection is stored once, under the embedding's name."""
    if not getattr(model.config, "tie_word_embeddings", False):
        return list(state)
    head = model.scorer.causal.get_output_embeddings()
    name = next(name for name, module in model.scorer.causal.named_modules() if module is head)
    return [key for key in state if key != f"{name}.weight"]


def _groups(keys: list[str], state: dict[str, Any], dtype: torch.dtype) -> Iterator[list[str]]:
    group: list[str] = []
    size = 0
    for key in keys:
        own = state[key].numel() * dtype.itemsize
        if group and size + own > SHARD_BYTES:
            yield group
            group, size = [], 0
        group.append(key)
        size += own
    yield group


def _gathered(value: Any, dtype: torch.dtype, is_kept: bool) -> Tensor | None:
    """All of a tensor, on the CPU, where it is kept; gathering it takes every rank."""
    full_tensor = getattr(value, "full_tensor", None)
    full = full_tensor() if full_tensor else value
    return full.detach().to("cpu", dtype).contiguous() if is_kept else None


def _adapter_writer(model: LoadedModel) -> Callable[[Path], None]:
    def fill(partial: Path) -> None:
        from peft import get_peft_model_state_dict

        prefix = "base_model.model."
        trained = {name.removeprefix("causal."): value for name, value in model.trained().items()}
        whole = {f"{prefix}{name}": _gathered(value, torch.float32, True) for name, value in trained.items()}
        if not model.ranks.is_first:
            return
        state = get_peft_model_state_dict(model.peft, state_dict=whole, save_embedding_layers=False)
        save_file(state, partial / "adapter_model.safetensors", metadata={"format": "pt"})
        config = model.peft.peft_config["default"]
        config.base_model_name_or_path = str(model.options.source)
        config.inference_mode = True
        config.save_pretrained(partial)
        config.inference_mode = False
        _write_tokenizer(model, partial)

    return fill


def _write_tokenizer(model: LoadedModel, partial: Path) -> None:
    source = model.options.source
    if source.is_dir():
        for name in TOKENIZER_FILES:
            if (source / name).is_file():
                shutil.copyfile(source / name, partial / name)
    else:
        model.tokenizer.save_pretrained(partial)
