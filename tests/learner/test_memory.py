"""A learner's memory does not grow with the number of different lengths that it has seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mars2_learner import batching
from mars2_learner import engine as engine_module
from mars2_learner.sampler import Draw
from mars2_learner.wire import SamplingParams
from support import HANGS_AFTER_S, engine_for, samples

# In a process of its own: torch reads the limits when it is loaded.
_GROWTH = """
import mars2_learner
import torch

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

weight = torch.randn(1536, 64, dtype=torch.bfloat16)

def multiply(lengths):
    for length in lengths:
        torch.nn.functional.linear(torch.ones(length, 64, dtype=torch.bfloat16), weight)

multiply(range(1, 20))
before = megabytes()
multiply(range(20, 270))
print(megabytes() - before)
"""


_LIMITS = ("LRU_CACHE_CAPACITY", "ONEDNN_PRIMITIVE_CACHE_CAPACITY")


def _growth(limits: dict[str, str]) -> float:
    # This process has imported the learner and so has its limits: none of them may reach the other one.
    clean = {name: value for name, value in os.environ.items() if name not in _LIMITS}
    done = subprocess.run(
        [sys.executable, "-c", _GROWTH],
        check=True,
        capture_output=True,
        text=True,
        timeout=HANGS_AFTER_S,
        env={**clean, **limits},
    )
    return float(done.stdout)


def test_memory_does_not_grow_with_every_new_length() -> None:
    # As torch does without the learner's limits: some 300 MB on a processor that multiplies in bfloat16.
    unlimited = _growth(dict.fromkeys(_LIMITS, "1024"))
    if unlimited < 100:
        pytest.skip("this processor prepares nothing for a product in bfloat16")
    assert _growth({}) < unlimited / 2


_FREED = """
import torch
from mars2_learner.heap import trim_heap

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

# One block in eight stays in use, so that no gap reaches the end of the heap.
blocks = [torch.ones(20_000 + step) for step in range(8_000)]
blocks = blocks[::8]
before = megabytes()
trim_heap()
print(before - megabytes())
"""


def test_memory_freed_between_blocks_in_use_goes_back_to_the_system() -> None:
    # 8,000 blocks of some 96 kB, 7 of 8 of them freed: 670 MB.
    done = subprocess.run(
        [sys.executable, "-c", _FREED], check=True, capture_output=True, text=True, timeout=HANGS_AFTER_S
    )
    assert float(done.stdout) > 400


def test_memory_is_given_back_after_every_pass_and_every_batch_of_answers(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr(engine_module, "trim_heap", lambda: given.append("pass"))
    monkeypatch.setattr(batching, "trim_heap", lambda: given.append("batch"))
    engine = engine_for(tiny)
    engine.forward(samples(3), "now")
    engine.forward_backward(samples(3))
    assert given == ["pass", "pass"]
    queue = batching.SamplingQueue(engine.model, batching.model_thread(), rows=2)
    params = SamplingParams(4, 1, 1.0, 1.0, -1, (), (), True)
    queue.write([Draw(samples(1)[0].inputs, params, 0, lambda: True)], lambda: 0)
    assert given == ["pass", "pass", "batch"]
