"""The model: loaded, adapted, sharded; what it is, in numbers."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from .ranks import Ranks
from .scorer import Scorer
from .sharding import place_model
from .wire import Refused

PLAIN_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] | capitalize }}: {{ message['content'] }}\n\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)


@dataclass(frozen=True)
class ModelOptions:
    """What is loaded and how it is trained."""

    source: Path
    dtype: torch.dtype  # of the computation; what is trained is kept in float32
    lora_rank: int | None
    lora_alpha: float
    lora_targets: str
    reference: bool
    seed: int
    checkpointing: bool


@dataclass
class LoadedModel:
    """A model that is ready to be trained, and its tokenizer."""

    options: ModelOptions
    ranks: Ranks
    scorer: Scorer
    peft: Any  # peft's model around the causal one, or None in full training
    frozen: Scorer | None  # the reference of full training
    tokenizer: Any
    source_dtype: torch.dtype
    tokenizer_digest: str
    own_template: bool  # whether the model brings a chat template
    sizes: tuple[int, int]  # parameters, of which trained

    @property
    def config(self) -> Any:
        """The causal model's configuration of transformers."""
        return self.scorer.causal.config

    @property
    def vocab_size(self) -> int:
        """Rows of the projection to the vocabulary; the tokenizer may know fewer."""
        return int(self.config.vocab_size)

    @property
    def context_length(self) -> int:
        """Most tokens of a prompt and its answer together."""
        return int(getattr(self.config, "max_position_embeddings", 0) or self.tokenizer.model_max_length)

    @property
    def end_ids(self) -> list[int]:
        """Tokens that end an answer: the generation configuration's, else the configuration's, else the tokenizer's."""
        generation = getattr(self.scorer.causal, "generation_config", None)
        for holder in (generation, self.config, self.tokenizer):
            found = getattr(holder, "eos_token_id", None)
            if found is not None:
                return [int(token) for token in (found if isinstance(found, list) else [found])]
        return []

    @property
    def pad_id(self) -> int:
        """What fills up short samples; never looked at."""
        found = self.tokenizer.pad_token_id
        return int(found) if found is not None else (self.end_ids or [0])[0]

    def trained(self) -> dict[str, nn.Parameter]:
        """What is trained, by name."""
        return {name: value for name, value in self.scorer.named_parameters() if value.requires_grad}

    @contextlib.contextmanager
    def reference(self) -> Iterator[Scorer]:
        """The model that training began from: the adapter switched off, or the frozen copy."""
        if self.frozen is not None:
            yield self.frozen
        elif self.peft is not None:
            with self.peft.disable_adapter():
                yield self.scorer
        else:
            raise Refused("this learner keeps no reference: start it with --reference, or train an adapter")

    @contextlib.contextmanager
    def computing(self) -> Iterator[None]:
        """The dtype of the computation. Sharded weights are cast as they are gathered; autocast is for one process."""
        if self.options.dtype is torch.float32 or self.peft is not None or self.ranks.size > 1:
            yield
        else:
            with torch.autocast(self.ranks.device.type, self.options.dtype):
                yield


def load_model(options: ModelOptions, ranks: Ranks) -> LoadedModel:
    """Loads from a folder of transformers or a GGUF file. The first rank reads; the others get its values."""
    if not options.source.exists():
        raise Refused(f"there is no model at {options.source}")
    tokenizer = _load_tokenizer(options.source)
    own_template = bool(getattr(tokenizer, "chat_template", None))
    if not own_template:
        tokenizer.chat_template = PLAIN_TEMPLATE
    adapted = options.lora_rank is not None
    causal, source_dtype = _load_causal(options, ranks, options.dtype if adapted else torch.float32)
    peft = None
    if adapted:
        peft, causal = _adapt(causal, options)
    _silence_dropout(causal)
    scorer = Scorer(causal)
    if ranks.is_first:
        _check_architecture(scorer)
        if len(tokenizer) > causal.config.vocab_size:
            raise Refused(
                f"the tokenizer knows {len(tokenizer)} tokens, the model only {causal.config.vocab_size}: "
                "they do not belong together"
            )
    if options.checkpointing:
        _checkpoint_activations(causal)
    sizes = _sizes(scorer)
    # An adapter's base is in the dtype of the computation already, and its own float32 is what peft computes in.
    place_model(scorer, None if adapted else options.dtype, ranks)
    # Always in this mode, so that one pass is like the other; dropout is off, and checkpointing asks for it.
    scorer.train()
    return LoadedModel(
        options=options,
        ranks=ranks,
        scorer=scorer,
        peft=peft,
        frozen=_load_frozen(options, ranks) if options.reference and not adapted else None,
        tokenizer=tokenizer,
        source_dtype=source_dtype,
        tokenizer_digest=_digest_of_tokenizer(options.source, tokenizer),
        own_template=own_template,
        sizes=sizes,
    )


def _model_source(source: Path) -> tuple[str, dict[str, str]]:
    if source.suffix == ".gguf":
        return str(source.parent), {"gguf_file": source.name}
    return str(source), {}


def _load_tokenizer(source: Path) -> Any:
    from transformers import AutoTokenizer

    folder, extra = _model_source(source)
    return AutoTokenizer.from_pretrained(folder, local_files_only=True, **extra)


def _load_causal(options: ModelOptions, ranks: Ranks, dtype: torch.dtype) -> tuple[Any, torch.dtype]:
    from transformers import AutoConfig, AutoModelForCausalLM

    folder, extra = _model_source(options.source)
    config = AutoConfig.from_pretrained(folder, local_files_only=True, **extra)
    stored = getattr(config, "dtype", None)
    source_dtype = stored if isinstance(stored, torch.dtype) else torch.float32
    if ranks.is_first:
        causal = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=dtype, **extra)
    else:
        with torch.device("meta"):
            causal = AutoModelForCausalLM.from_config(config, dtype=dtype)
    return causal, source_dtype


def _load_frozen(options: ModelOptions, ranks: Ranks) -> Scorer:
    causal, _ = _load_causal(options, ranks, options.dtype)
    _silence_dropout(causal)
    scorer = Scorer(causal).requires_grad_(False)
    place_model(scorer, options.dtype, ranks)
    return scorer.eval()


def _adapt(causal: Any, options: ModelOptions) -> tuple[Any, Any]:
    from peft import LoraConfig, get_peft_model

    targets: Any = options.lora_targets
    if "," in targets:
        targets = [name.strip() for name in targets.split(",")]
    torch.manual_seed(options.seed)
    peft = get_peft_model(
        causal,
        LoraConfig(
            r=options.lora_rank,
            lora_alpha=options.lora_alpha,
            lora_dropout=0.0,
            target_modules=targets,
            task_type="CAUSAL_LM",
        ),
    )
    return peft, peft.get_base_model()


def _checkpoint_activations(causal: Any) -> None:
    # transformers renamed it in one of its releases 5.x
    enable = getattr(causal, "activation_checkpointing_enable", None) or causal.gradient_checkpointing_enable
    enable({"use_reentrant": False})


def _silence_dropout(causal: Any) -> None:
    """Slopes belong to the log-probabilities of a forward pass: the backward pass has to have the same ones."""
    for module in causal.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for name, value in vars(module).items():
            if "dropout" in name and isinstance(value, float):
                setattr(module, name, 0.0)


def _check_architecture(scorer: Scorer) -> None:
    """Refuses a model that does more than project its hidden states (soft caps, scaled logits, biases)."""
    causal = scorer.causal
    ids = torch.arange(1, 6, device=causal.device)[None] % causal.config.vocab_size
    with torch.no_grad():
        whole = causal(input_ids=ids, use_cache=False).logits[0].float()
        hidden = causal.base_model(input_ids=ids, use_cache=False).last_hidden_state[0]
        ours = torch.mm(hidden, causal.get_output_embeddings().weight.to(hidden.dtype).T).float()
    if whole.shape != ours.shape or not torch.allclose(whole, ours, rtol=1e-3, atol=1e-3):
        raise Refused(
            f"{type(causal).__name__} changes its logits after the projection: such models are not trained here"
        )


def _sizes(scorer: Scorer) -> tuple[int, int]:
    sizes = [(value.numel(), value.requires_grad) for value in scorer.parameters()]
    return sum(size for size, _ in sizes), sum(size for size, trained in sizes if trained)


def _digest_of_tokenizer(source: Path, tokenizer: Any) -> str:
    path = source / "tokenizer.json"
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    words = sorted(tokenizer.get_vocab().items())
    return hashlib.sha256(json.dumps(words, ensure_ascii=True).encode()).hexdigest()
