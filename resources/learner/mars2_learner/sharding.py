"""Where the weights are: on one device, or in shares on the devices of all ranks (FSDP2)."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from .ranks import Ranks
from .scorer import Scorer
from .wire import Refused


def place_model(scorer: Scorer, narrow: torch.dtype | None, ranks: Ranks) -> None:
    """Moves the model to its device; with several ranks, each keeps its share of every tensor.

    `narrow`: the dtype that weights are gathered and computed in; None leaves each as it is.
    """
    if ranks.size == 1:
        scorer.to(ranks.device)
        return
    from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    whole = scorer.state_dict() if ranks.is_first else {}
    policy = MixedPrecisionPolicy(param_dtype=narrow, reduce_dtype=torch.float32)
    for layer in _layers(scorer.causal):
        fully_shard(layer, mesh=ranks.mesh, mp_policy=policy)
    # Also the outermost: left gathered, a pass after a step would go through the weights of before it.
    fully_shard(scorer, mesh=ranks.mesh, mp_policy=policy, reshard_after_forward=True)
    buffers = {name: value for name, value in scorer.named_buffers() if ranks.is_first}
    scorer.to_empty(device=ranks.device) if not ranks.is_first else scorer.to(ranks.device)
    set_model_state_dict(scorer, whole, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))
    for name, value in scorer.named_buffers():  # those that no state holds, as the frequencies of positions
        if ranks.is_first:
            value.copy_(buffers[name])
        dist.broadcast(value, src=0)


def _layers(causal: Any) -> list[nn.Module]:
    lists = [list(module) for module in causal.base_model.modules() if isinstance(module, nn.ModuleList)]
    if not lists:
        raise Refused(f"{type(causal).__name__} has no list of layers: it cannot be sharded here")
    return max(lists, key=len)
