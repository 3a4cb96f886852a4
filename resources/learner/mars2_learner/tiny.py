"""A tiny language model with random weights whose tokens are pieces of Python: for tests and first steps."""

from __future__ import annotations

import json
import string
from pathlib import Path

import torch

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<unk>")
# Whole statements among them, so that a random model writes a right program now and then and can learn.
PIECES = (
    *("print(int(input()) + 1)\n", "print(int(input()) - 1)\n", "print(int(input()) * 2)\n"),
    *("print(int(input()) ** 2)\n", "print(-int(input()))\n", "print(input())\n"),
    *("n = int(input())\n", "print(n)\n", "print(n + 1)\n", "print(n * 2)\n", "n += 1\n", "n *= 2\n"),
)
CHARACTERS = tuple(sorted(set(string.printable) - set("\r\x0b\x0c")))
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
WIDTH = 64
# The least that vLLM computes attention with on processors.
HEAD_WIDTH = 32
# How much likelier a piece or the end is than a character, in nats, before anything was learnt.
PRIOR = 6.0


def write_tiny(out: Path, seed: int, pieces: tuple[str, ...] = PIECES, tied: bool = False, context: int = 4096) -> None:
    """Writes a folder that transformers loads: two layers, some 100 thousand weights, float32.

    `tied`: one matrix reads and writes tokens, as in many small models; without, an untrained model prefers pieces of
    Python and its end to single characters, which it needs only to read.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    vocabulary = {text: number for number, text in enumerate((*SPECIAL, *CHARACTERS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in pieces if text not in vocabulary])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        unk_token="<unk>",
        clean_up_tokenization_spaces=False,
        chat_template=TEMPLATE,
        model_max_length=context,
    )
    size = len(fast)
    torch.manual_seed(seed)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=size,
            hidden_size=WIDTH,
            intermediate_size=2 * WIDTH,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=HEAD_WIDTH,
            max_position_embeddings=context,
            tie_word_embeddings=tied,
            bos_token_id=None,
            eos_token_id=SPECIAL.index("<|im_end|>"),
            pad_token_id=SPECIAL.index("<|endoftext|>"),
        )
    )
    if not tied:
        preferred = [SPECIAL.index("<|im_end|>"), *(fast.convert_tokens_to_ids(piece) for piece in pieces)]
        _prefer(model, preferred)
    out.mkdir(parents=True, exist_ok=True)
    model.generation_config.eos_token_id = SPECIAL.index("<|im_end|>")
    model.save_pretrained(out)
    fast.save_pretrained(out)
    (out / "tiny.json").write_text(json.dumps({"seed": seed, "pieces": list(pieces)}, indent=1))


def _prefer(model: torch.nn.Module, preferred: list[int]) -> None:
    """A constant in the hidden states, on which the projection counts for or against a token.

    The model has no bias at its end, so the first coordinate of every embedding is made large and the same: the layers'
    small updates leave it, and normalisation makes it nearly sqrt(width).
    """
    with torch.no_grad():
        model.get_input_embeddings().weight[:, 0] = 1.0  # type: ignore[operator]
        head = model.get_output_embeddings().weight  # type: ignore[operator]
        head[:, 0] = -PRIOR / WIDTH**0.5
        head[preferred, 0] = 0.0
