"""Reads a recipe's command with the parser of the trainer itself: `recipe_parser.py -m MODULE WORD...`.

It stands in the command where Python would, and no training starts. Prints the trainer's version and what its parser
made of the words, one JSON object; a word that the parser does not know ends it, with the parser's own message. Of verl
it needs hydra beside its files, of OpenRLHF its files alone, of TRL all that TRL imports.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.machinery
import importlib.util
import json
import runpy
import sys
import types
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock


class Parsed(BaseException):
    """Thrown where the trainer would begin; no handler of errors takes it."""


def of_trl(words: list[str]) -> dict[str, Any]:
    """What `trl grpo` does before it launches itself by accelerate, and what is launched does first."""
    command, *arguments = words
    # It would refuse what a computer without a GPU cannot do.
    importlib.import_module("transformers.training_args").is_torch_bf16_gpu_available = lambda: True  # type: ignore[attr-defined]
    script = importlib.import_module(f"trl.scripts.{command}")
    left = script.make_parser().parse_args_and_config(
        arguments, return_remaining_strings=True, separate_remaining_strings=True
    )
    resolve = importlib.import_module("trl.cli.accelerate_config").resolve_accelerate_config_argument
    launch = importlib.import_module("accelerate.commands.launch").launch_command_parser()
    launched = launch.parse_args([*resolve(left[-2] + left[-1]), f"{command}.py"])
    own, training, model, _ = left[:4]
    found = {**vars(own), **vars(model), **training.to_dict()}
    return {**found, "num_processes": launched.num_processes, "config_file": launched.config_file}


def of_openrlhf(words: list[str]) -> dict[str, Any]:
    """Its module up to the first thing that it does with its arguments."""
    package = Path(importlib.util.find_spec("openrlhf").submodule_search_locations[0])  # type: ignore[union-attr, index]
    begun: list[Any] = []

    def begin() -> bool:
        begun.append(sys._getframe(1).f_locals["args"])
        raise Parsed

    # What it imports trains; its helpers for arguments are its own.
    utils = types.ModuleType("openrlhf.utils")
    utils.__path__ = [str(package / "utils")]
    utils.get_strategy = MagicMock()  # type: ignore[attr-defined]
    sys.modules["openrlhf.utils"] = utils
    for name in ("", ".launcher", ".ppo_actor", ".ppo_critic"):
        sys.modules[f"openrlhf.trainer.ray{name}"] = MagicMock()
    sys.modules["openrlhf.trainer"] = MagicMock()
    for name in ("ray", "ray.util", "ray.util.placement_group"):
        sys.modules[name] = MagicMock()
    sys.modules["ray"].is_initialized = begin  # type: ignore[attr-defined]
    sys.argv = ["train_ppo_ray.py", *words]
    try:
        runpy.run_module("openrlhf.cli.train_ppo_ray", run_name="__main__")
    except Parsed:
        return dict(plain(begun[0]))
    raise SystemExit("OpenRLHF did not begin")


def of_verl(words: list[str]) -> dict[str, Any]:
    """Its configuration with the words as overrides, composed by hydra; a key that it does not have is refused."""
    hydra = importlib.import_module("hydra")
    package = Path(importlib.util.find_spec("verl").submodule_search_locations[0])  # type: ignore[union-attr, index]
    with hydra.initialize_config_dir(str(package / "trainer" / "config"), version_base=None):
        found = hydra.compose("ppo_trainer", overrides=words)
    container = importlib.import_module("omegaconf").OmegaConf.to_container
    names = ("data", "actor_rollout_ref", "trainer", "algorithm")
    parts = {name: container(found[name], resolve=True) for name in names}
    return {**parts, "reward_file": found.reward.custom_reward_function.path}


def plain(value: Any) -> Any:
    """As JSON can hold it: namespaces as dictionaries, what it has no word for (infinity) as texts."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (argparse.Namespace, types.SimpleNamespace)):
        return plain(vars(value))
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


PARSERS = {
    "trl.cli.main": ("trl", of_trl),
    "openrlhf.cli.train_ppo_ray": ("openrlhf", of_openrlhf),
    "verl.trainer.main_ppo": ("verl", of_verl),
}

if __name__ == "__main__":
    _, _, module, *rest = sys.argv
    trainer, parse = PARSERS[module]
    settings = parse(rest)
    print(json.dumps({"trainer": f"{trainer} {version(trainer)}", "settings": plain(settings)}))
