"""A learner for one language model: log-probabilities, a linear backward pass, an optimiser step.

It knows no loss, advantage, schedule or reward: the trainer sends the slope of its loss along each log-probability.
"""

__version__ = "0.1.0"

import os

# On processors torch keeps what it prepared for a product of matrices, for each of the last 1,024 shapes. Answers have
# ever new lengths, so that a learner grew by 10 GB within an hour; one pass has some thirty shapes. Read by torch when
# it is loaded.
for _name in ("LRU_CACHE_CAPACITY", "ONEDNN_PRIMITIVE_CACHE_CAPACITY"):
    os.environ.setdefault(_name, "64")
