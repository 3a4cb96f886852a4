"""A learner's memory does not grow with the number of different lengths that it has seen."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: torch reads the limits when it is loaded.
_GROWTH = """
import mars2_learner
import torch

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

weight = torch.randn(1536, 576, dtype=torch.bfloat16)

def multiply(lengths):
    for length in lengths:
        torch.nn.functional.linear(torch.ones(length, 576, dtype=torch.bfloat16), weight)

multiply(range(1, 20))
before = megabytes()
multiply(range(20, 420))
print(megabytes() - before)
"""


def test_memory_does_not_grow_with_every_new_length() -> None:
    # Without limits it grows by some 300 MB on a processor that multiplies in bfloat16; on others by a few.
    done = subprocess.run([sys.executable, "-c", _GROWTH], check=True, capture_output=True, text=True, timeout=120)
    assert float(done.stdout) < 150
