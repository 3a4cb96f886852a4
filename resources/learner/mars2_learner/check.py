"""Whether a learner can work here: torch, devices, memory, disk, and one step of a tiny model."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from .engine import Engine
from .model import ModelOptions, load_model
from .packages import PACKAGES, missing
from .ranks import Ranks, physical_cores, pick_device
from .tiny import write_tiny
from .wire import AdamParams, Datum, Json


def inspect_machine() -> Json:
    """What is here, as plain values. `missing` has a sentence for each thing to install."""
    versions = {name: _version(name) for name in (*PACKAGES, "gguf")}
    absent = missing()
    found: Json = {
        "versions": versions,
        "devices": _devices(),
        "cores": physical_cores(),
        "memory_bytes": _memory(),
        "free_disk_bytes": shutil.disk_usage(Path.cwd()).free,
        "missing": absent,
        "step": None,
    }
    if not absent:
        found["step"] = _one_step()
    return found


def describe(found: Json) -> str:
    """The same for people, a line a thing."""
    lines = [f"{name} {version or 'is not installed'}" for name, version in found["versions"].items()]
    lines += [f"{device['name']}: {device['memory_bytes'] / 2**30:.0f} GiB" for device in found["devices"]] or [
        f"no GPU; {found['cores']} cores"
    ]
    lines.append(f"memory {found['memory_bytes'] / 2**30:.0f} GiB")
    lines.append(f"disk {found['free_disk_bytes'] / 2**30:.0f} GiB free")
    step = found["step"]
    if step is not None:
        lines.append(
            f"a step of a tiny model on {step['device']}: {step['seconds']:.2f} s"
            if step["error"] is None
            else f"a step of a tiny model on {step['device']} failed: {step['error']}"
        )
    return "\n".join(lines + [f"to do: {what}" for what in found["missing"]])


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _devices() -> list[Json]:
    if not torch.cuda.is_available():
        return []
    properties = [torch.cuda.get_device_properties(at) for at in range(torch.cuda.device_count())]
    return [{"name": found.name, "memory_bytes": found.total_memory} for found in properties]


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _one_step() -> Json:
    device = pick_device("auto")
    started = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_tiny(Path(folder), seed=0)
            options = ModelOptions(Path(folder), torch.float32, None, 0.0, "all-linear", False, 0, True)
            engine = Engine(load_model(options, Ranks(0, 1, device, None, None)), micro_tokens=1024)
            ids = np.arange(4, 36, dtype=np.int64)
            engine.forward_backward([Datum(ids[:-1], ids[1:], np.ones(31, np.float32))])
            engine.optim_step(AdamParams(1e-3, 0.9, 0.999, 1e-8, 0.0, 1.0))
        error = None
    except Exception as fault:  # any failure is what the check reports
        error = f"{type(fault).__name__}: {fault}"
    return {"device": str(device), "seconds": time.perf_counter() - started, "error": error}
