"""What every program here sets before it imports transformers."""

from __future__ import annotations

import os
import warnings


def quieten() -> None:
    """The models are files here: nothing is looked up elsewhere and nothing is reported; no progress bars."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TQDM_DISABLE", "1")
    # Names that transformers is about to give up, in its own code; and that one process saves alone, which is meant.
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
    warnings.filterwarnings("ignore", message="torch.distributed is disabled")
