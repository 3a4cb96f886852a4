"""A learner for one language model: log-probabilities, a linear backward pass, an optimiser step.

It knows no loss, advantage, schedule or reward: the trainer sends the slope of its loss along each log-probability.
"""

__version__ = "0.1.0"
