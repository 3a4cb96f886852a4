"""The packages that a learner stands on, found without importing any of them."""

from __future__ import annotations

import importlib.util

PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "peft", "numpy")


def missing() -> list[str]:
    """What to do for each package that is not there."""
    return [f"pip install {name}" for name in PACKAGES if importlib.util.find_spec(name) is None]
