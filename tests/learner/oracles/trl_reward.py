"""A step of TRL's GRPOTrainer with the rewards of a grader service: `trl_reward.py MODEL CLIENTS`.

`CLIENTS`: the folder with mars2_reward.py. Prints what was rewarded with how much, and the mean that TRL logged.
"""

from __future__ import annotations

import json
import sys
import tempfile
from typing import Any

TESTS = [{"kind": "stdin", "input": f"{number}\n", "expected": f"{number}\n"} for number in (0, 1)]


def main(model: str, clients: str) -> None:
    """One update of a tiny model whose answers are programs."""
    sys.path.insert(0, clients)
    from datasets import Dataset
    from mars2_reward import trl_reward
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    rewarded = trl_reward(extraction="whole")
    seen: list[dict[str, Any]] = []

    def recorded(completions: list[str], **columns: Any) -> list[float]:
        rewards = rewarded(completions, **columns)
        seen.extend({"program": text, "reward": reward} for text, reward in zip(completions, rewards, strict=True))
        return rewards

    rows = [{"prompt": "print(", "ground_truth": json.dumps({"tests": TESTS})}] * 2
    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            output_dir=folder,
            use_cpu=True,
            bf16=False,
            report_to=[],
            gradient_checkpointing=False,
            per_device_train_batch_size=32,
            num_generations=32,
            max_completion_length=1,
            max_steps=1,
            logging_steps=1,
            save_strategy="no",
            seed=1,
        )
        trainer = GRPOTrainer(
            model=AutoModelForCausalLM.from_pretrained(model),
            reward_funcs=recorded,
            args=config,
            train_dataset=Dataset.from_list(rows),
            processing_class=AutoTokenizer.from_pretrained(model),
        )
        trainer.train()
        logged = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    print(json.dumps({"seen": seen, "logged": logged}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
