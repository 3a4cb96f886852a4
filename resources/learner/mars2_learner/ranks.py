"""The processes of one learner: one alone, or several that torchrun started."""

from __future__ import annotations

import datetime
import os
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh


@dataclass(frozen=True)
class Ranks:
    """Where this process stands among the learner's."""

    rank: int
    size: int
    device: torch.device
    control: Any  # a gloo group for commands and answers, None for one process
    mesh: Any

    @property
    def is_first(self) -> bool:
        """The rank that reads models, answers requests and writes."""
        return self.rank == 0

    def broadcast(self, value: Any) -> Any:
        """The first rank's `value`, on every rank."""
        if self.size == 1:
            return value
        box = [value]
        dist.broadcast_object_list(box, src=0, group=self.control)
        return box[0]

    def gather(self, value: Any) -> list[Any]:
        """Every rank's `value`, on every rank."""
        if self.size == 1:
            return [value]
        found: list[Any] = [None] * self.size
        dist.all_gather_object(found, value, group=self.control)
        return found


def pick_device(requested: str) -> torch.device:
    """`auto`: a GPU of this rank where there is one, else the CPU."""
    if requested == "cuda" or (requested == "auto" and torch.cuda.is_available()):
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")


def join_ranks(wanted_device: str) -> Ranks:
    """Joins the group that torchrun describes in the environment, if it does."""
    device = pick_device(wanted_device)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Ranks(0, 1, device, None, None)
    backend = "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"
    dist.init_process_group(backend)
    # A learner waits for its next command as long as trees grow: hours are no fault.
    control = dist.new_group(backend="gloo", timeout=datetime.timedelta(days=30))
    mesh = init_device_mesh(device.type, (size,))
    return Ranks(dist.get_rank(), size, device, control, mesh)


def physical_cores() -> int:
    """Cores that this process may use, each counted once however many threads it has."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
    cores = set()
    for cpu in allowed:
        try:
            with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list") as file:
                cores.add(file.read().strip())
        except OSError:
            cores.add(str(cpu))
    return max(1, len(cores))
