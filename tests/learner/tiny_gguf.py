"""Writes a tiny language model with random weights as a GGUF file: `tiny_gguf.py FILE SEED`. Its tokens are bytes.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.float32]
WIDTH, HEADS, LAYERS, CONTEXT = 64, 4, 2, 2048
SPECIAL = ("<unk>", "<s>", "</s>")
# Kinds of values, and of tokens, in the format's own numbers.
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
UNKNOWN, CONTROL, BYTE = 2, 3, 6
ALIGNMENT = 32


def write_gguf(path: Path, seed: int) -> None:
    """A model of llama's architecture, some 150 thousand weights in float32."""
    tokens = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256]
    facts = [
        _text("general.architecture", "llama"),
        *(
            _number(f"llama.{name}", value)
            for name, value in (
                ("block_count", LAYERS),
                ("context_length", CONTEXT),
                ("embedding_length", WIDTH),
                ("feed_forward_length", 2 * WIDTH),
                ("attention.head_count", HEADS),
                ("attention.head_count_kv", HEADS),
                ("rope.dimension_count", WIDTH // HEADS),
                ("vocab_size", len(tokens)),
            )
        ),
        _entry("llama.attention.layer_norm_rms_epsilon", FLOAT32, struct.pack("<f", 1e-5)),
        _text("tokenizer.ggml.model", "llama"),
        _array("tokenizer.ggml.tokens", STRING, [_string(token) for token in tokens]),
        _array("tokenizer.ggml.scores", FLOAT32, [struct.pack("<f", 0.0) for _ in tokens]),
        _array("tokenizer.ggml.token_type", INT32, [struct.pack("<i", kind) for kind in kinds]),
        _number("tokenizer.ggml.unknown_token_id", 0),
        _number("tokenizer.ggml.bos_token_id", 1),
        _number("tokenizer.ggml.eos_token_id", 2),
    ]
    tensors = _tensors(seed, len(tokens))
    described, data = b"", b""
    for name, values in tensors.items():
        shape = tuple(reversed(values.shape))
        described += _string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(data))
        data += values.tobytes()
        data += b"\0" * (-len(data) % ALIGNMENT)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts)) + b"".join(facts) + described
    path.write_bytes(head + b"\0" * (-len(head) % ALIGNMENT) + data)


def _tensors(seed: int, tokens: int) -> dict[str, Weights]:
    chance = np.random.default_rng(seed)

    def weights(*shape: int) -> Weights:
        values: Weights = chance.standard_normal(shape, np.float32) / np.float32(shape[-1] ** 0.5)
        return values

    found = {"token_embd.weight": weights(tokens, WIDTH), "output.weight": weights(tokens, WIDTH)}
    found["output_norm.weight"] = np.ones(WIDTH, np.float32)
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        for name in ("attn_norm", "ffn_norm"):
            found[f"{block}.{name}.weight"] = np.ones(WIDTH, np.float32)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            found[f"{block}.{name}.weight"] = weights(WIDTH, WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            found[f"{block}.{name}.weight"] = weights(2 * WIDTH, WIDTH)
        found[f"{block}.ffn_down.weight"] = weights(WIDTH, 2 * WIDTH)
    return found


def _string(text: str) -> bytes:
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def _entry(name: str, kind: int, value: bytes) -> bytes:
    return _string(name) + struct.pack("<I", kind) + value


def _text(name: str, value: str) -> bytes:
    return _entry(name, STRING, _string(value))


def _number(name: str, value: int) -> bytes:
    return _entry(name, UINT32, struct.pack("<I", value))


def _array(name: str, kind: int, values: list[bytes]) -> bytes:
    return _entry(name, ARRAY, struct.pack("<IQ", kind, len(values)) + b"".join(values))


if __name__ == "__main__":
    write_gguf(Path(sys.argv[1]), int(sys.argv[2]))
