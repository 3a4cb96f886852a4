"""Loads an exported model as anybody would, and lets it score a token: `load_export.py FOLDER`.

Prints how many tokens it scores, and how many its tokenizer has.
"""

from __future__ import annotations

import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

if __name__ == "__main__":
    model = AutoModelForCausalLM.from_pretrained(sys.argv[1], local_files_only=True)
    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1], local_files_only=True)
    print(model(torch.tensor([[1, 2, 3]])).logits.shape[-1], len(tokenizer))
