"""The packages that a learner stands on, found without importing any of them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable

PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "peft", "numpy")


def missing(more: Iterable[str] = ()) -> list[str]:
    """What to do for each package that is not there; `more`: those that a model's files need besides."""
    return [f"pip install {name}" for name in (*PACKAGES, *more) if importlib.util.find_spec(name) is None]
