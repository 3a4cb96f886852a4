"""What each operation of the wire does, from its parsed body to its answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from .batching import SamplingQueue, model_thread
from .checkpoint import export, load_state, save_state
from .engine import Engine
from .model import LoadedModel, ModelOptions, load_model
from .ranks import Ranks
from .rendering import render_chat
from .sampler import Draw
from .wire import (
    Ids,
    Json,
    Limits,
    Refused,
    parse_adam,
    parse_encoding,
    parse_forward,
    parse_name,
    parse_prompt,
    parse_sampling,
    tensor,
    whole,
)

MAX_SAMPLES = 1024
HONOURED = ["learning_rate", "beta1", "beta2", "eps", "weight_decay", "grad_clip_norm"]


class Service:
    """The engine behind the wire. Made on every rank; the first answers, the others follow its commands."""

    def __init__(
        self,
        options: ModelOptions,
        ranks: Ranks,
        state_dir: Path,
        export_dir: Path,
        micro_tokens: int,
        rows: int,
    ) -> None:
        self.ranks = ranks
        self.state_dir = state_dir
        self.export_dir = export_dir
        self.model: LoadedModel = load_model(options, ranks)
        self.engine = Engine(self.model, micro_tokens)
        self.limits = Limits(self.model.vocab_size, self.model.context_length)
        self._thread = model_thread()
        self._tokenizing = threading.Lock()
        self._queue = SamplingQueue(self.model, self._thread, rows)

    # The commands of a rank: the same on all ranks, in the same order.

    def _commands(self) -> Mapping[str, Callable[..., Any]]:
        return {
            "forward": self.engine.forward,
            "forward_backward": self.engine.forward_backward,
            "optim_step": self.engine.optim_step,
            "zero_grad": self.engine.zero_grad,
            "save": lambda name: save_state(self.engine, self.state_dir, name),
            "load": lambda name: load_state(self.engine, self.state_dir, name),
            "export": lambda name: export(self.model, self.export_dir, name),
        }

    def _on_all_ranks(self, command: str, *arguments: Any) -> Any:
        def carry_out() -> Any:
            self.ranks.broadcast((command, arguments))
            return self._commands()[command](*arguments)

        return self._thread.submit(carry_out).result()

    def follow(self) -> None:
        """The life of every rank but the first. A refusal is the first rank's to report; a fault ends the process."""
        while True:
            command, arguments = self.ranks.broadcast(None)
            if command == "stop":
                self.ranks.gather(None)
                return
            try:
                self._commands()[command](*arguments)
            except Refused:
                continue

    def stop(self) -> None:
        """Lets the other ranks end, once the operation that runs is done, and waits until they are about to."""

        def end() -> None:
            self.ranks.broadcast(("stop", ()))
            self.ranks.gather(None)

        self._thread.submit(end).result()

    # The operations of the wire.

    def forward(self, body: Json) -> Json:
        """Log-probabilities by the weights of now, or by those that training began from."""
        encoding = parse_encoding(body)
        by = body.get("by", "now")
        if by not in ("now", "reference"):
            raise Refused('by is neither "now" nor "reference"')
        if by == "reference" and self.model.peft is None and self.model.frozen is None:
            raise Refused("this learner keeps no reference: start it with --reference, or train an adapter")
        found = self._on_all_ranks("forward", parse_forward(body, self.limits), by)
        return {
            "loss_fn_outputs": [{"logprobs": tensor(values, encoding)} for values in found],
            "metrics": {},
        }

    def forward_backward(self, body: Json) -> Json:
        """Adds to the gradients."""
        encoding = parse_encoding(body)
        found, loss = self._on_all_ranks("forward_backward", parse_forward(body, self.limits))
        return {
            "loss_fn_outputs": [{"logprobs": tensor(values, encoding)} for values in found],
            "metrics": {"loss:sum": loss},
        }

    def optim_step(self, body: Json) -> Json:
        """One step along the accumulated gradients."""
        norm = self._on_all_ranks("optim_step", parse_adam(body))
        peak = self.engine.peak_memory_bytes()
        return {"metrics": {"grad_norm": norm, "updates": self.engine.updates, "peak_memory_bytes": peak}}

    def zero_grad(self, body: Json) -> Json:
        """Forgets accumulated gradients, as after a cancelled update."""
        self._on_all_ranks("zero_grad")
        return {}

    def save_weights(self, body: Json) -> Json:
        """Writes a state to continue from."""
        found: Json = self._on_all_ranks("save", parse_name(body))
        return found

    def load_weights(self, body: Json) -> Json:
        """Goes on from a state."""
        self._on_all_ranks("load", parse_name(body))
        return {"updates": self.engine.updates}

    def save_weights_for_sampler(self, body: Json) -> Json:
        """Writes a folder that engines load."""
        found: Json = self._on_all_ranks("export", parse_name(body))
        return found

    def render(self, body: Json) -> Json:
        """A conversation as the model's own token ids, by its chat template."""
        with self._tokenizing:
            ids = render_chat(
                self.model,
                body.get("messages"),
                body.get("template", {}),
                body.get("add_generation_prompt", True) is True,
            )
        return {"tokens": tensor(_ids(ids), parse_encoding(body))}

    def asample(self, body: Json, is_wanted: Callable[[], bool]) -> Json:
        """Answers of the current weights. `is_wanted`: whether its client still waits, checked now and then."""
        if self.ranks.size > 1:
            raise Refused(f"this learner is spread over {self.ranks.size} ranks: ask an engine for samples")
        encoding = parse_encoding(body)
        prompt = parse_prompt(body.get("prompt"), "prompt", self.limits)
        params = parse_sampling(body, self.limits)
        count = whole(body.get("num_samples", 1), "num_samples", 1, MAX_SAMPLES)
        if len(prompt) + params.max_tokens > self.limits.context_length:
            raise Refused(
                f"prompt ({len(prompt)} tokens) and max_tokens ({params.max_tokens}) are more than "
                f"the context of {self.limits.context_length}"
            )
        draws = [Draw(prompt, params, index, is_wanted) for index in range(count)]
        answers, updates = self._queue.write(draws, lambda: self.engine.updates)
        return {
            "sequences": [
                {
                    "tokens": tensor(answer.tokens, encoding),
                    "logprobs": tensor(answer.logprobs, encoding),
                    "text": answer.text,
                    "stop_reason": answer.stop_reason,
                }
                for answer in answers
            ],
            "prompt_tokens": len(prompt),
            "updates": updates,
        }

    def get_server_capabilities(self, body: Json) -> Json:
        """What this learner is and honours."""
        model, options = self.model, self.model.options
        lora = None
        if model.peft is not None:
            config = model.peft.peft_config["default"]
            lora = {
                "rank": options.lora_rank,
                "alpha": options.lora_alpha,
                "targets": sorted({name.rpartition(".")[2] for name in config.target_modules}),
            }
        return {
            "wire": 1,
            "model": str(options.source),
            "architecture": type(model.scorer.causal).__name__,
            "parameters": model.sizes[0],
            "trainable": model.sizes[1],
            "vocab_size": model.vocab_size,
            "context_length": model.context_length,
            "special": {"eos": model.end_ids, "pad": model.pad_id},
            "tokenizer_digest": model.tokenizer_digest,
            "dtype": str(options.dtype).removeprefix("torch."),
            "device": str(self.ranks.device),
            "world_size": self.ranks.size,
            "lora": lora,
            "reference": model.peft is not None or model.frozen is not None,
            "samples": self.ranks.size == 1,
            "updates": self.engine.updates,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "chat_template": model.own_template,
            "honours": HONOURED,
            "peak_memory_bytes": self.engine.peak_memory_bytes(),
        }


def _ids(values: Any) -> Ids:
    return np.array(values, np.int64)
