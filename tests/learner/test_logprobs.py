"""Log-probabilities by chunks, and their linear backward pass, against torch's own."""

from __future__ import annotations

import mars2_learner.logprobs as logprobs_module
import pytest
import torch
from mars2_learner.logprobs import linear_loss, target_logprobs


def tensors(dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, ...]:
    torch.manual_seed(3)
    hidden = torch.randn(7, 16, dtype=dtype, requires_grad=True)
    weight = torch.randn(50, 16, dtype=dtype, requires_grad=True)
    return hidden, weight, torch.randint(0, 50, (7,)), torch.randn(7)


def by_torch(hidden: torch.Tensor, weight: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.log_softmax((hidden @ weight.T).float(), -1).gather(-1, targets[:, None]).squeeze(-1)


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_chunks_give_what_the_whole_gives(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logprobs_module, "CHUNK_BYTES", rows * 4 * 50)
    hidden, weight, targets, slopes = tensors()
    expected = by_torch(hidden, weight, targets)
    loss, found = linear_loss(hidden, weight, targets, slopes)
    assert torch.allclose(found, expected, atol=1e-5)
    assert torch.allclose(target_logprobs(hidden, weight, targets), expected, atol=1e-5)
    assert torch.allclose(loss, -(expected * slopes).sum(), atol=1e-5)


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_the_gradient_is_that_of_autograd(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logprobs_module, "CHUNK_BYTES", rows * 4 * 50)
    hidden, weight, targets, slopes = tensors()
    expected = torch.autograd.grad(-(by_torch(hidden, weight, targets) * slopes).sum() * 3, (hidden, weight))
    loss, _ = linear_loss(hidden, weight, targets, slopes)
    found = torch.autograd.grad(loss * 3, (hidden, weight))
    for a, b in zip(expected, found, strict=True):
        assert torch.allclose(a, b, atol=1e-5)


def test_a_frozen_projection_gets_no_gradient() -> None:
    hidden, weight, targets, slopes = tensors()
    weight.requires_grad_(False)
    loss, _ = linear_loss(hidden, weight, targets, slopes)
    loss.backward()  # type: ignore[no-untyped-call]
    assert hidden.grad is not None
    assert weight.grad is None


def test_log_probabilities_are_float32_where_the_model_is_bfloat16() -> None:
    hidden, weight, targets, _ = tensors(torch.bfloat16)
    found = target_logprobs(hidden, weight, targets)
    assert found.dtype is torch.float32
    # To bfloat16 they would be rounded by up to 0.4 %.
    assert torch.allclose(found, by_torch(hidden, weight, targets), atol=1e-6)
