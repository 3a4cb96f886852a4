"""Traps between what writes and what learns (the learner's README): ids, log-probabilities, versions, turns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import LocalServer
from mars2_learner import batching
from mars2_learner.engine import Engine
from mars2_learner.sampler import write_answers
from mars2_learner.wire import Datum
from support import ADAM, adam_body, as_body, engine_for, largest_difference, samples, weights_of, with_weights

PROMPT = [10, 11, 12]
AFTER = {"chunks": [{"type": "encoded_text", "tokens": PROMPT}]}


def written(served: LocalServer, count: int = 8, **sampling: Any) -> list[Any]:
    params = {"max_tokens": 60, "seed": 3, **sampling}
    answer = served.do("asample", prompt=AFTER, num_samples=count, sampling_params=params)
    return [*answer["sequences"]]


def scored(served: LocalServer, tokens: list[int]) -> Any:
    """Log-probabilities of an answer, as an update asks for them."""
    whole = np.array(PROMPT + tokens, np.int64)
    weights = np.zeros(len(whole) - 1, np.float32)
    weights[-len(tokens) :] = 1
    found = served.do("forward", forward_input=as_body([Datum(whole[:-1], whole[1:], weights)]))
    return found["loss_fn_outputs"][0]["logprobs"]["data"][-len(tokens) :]


def test_trap_5_an_answer_has_the_ids_that_were_drawn_not_those_of_its_text(served: LocalServer) -> None:
    tokenizer = served.service.model.tokenizer
    # So hot that tokens come which the text leaves out, or that another token says as well.
    sequences = written(served, temperature=10.0)
    others = 0
    for sequence in sequences:
        tokens = sequence["tokens"]["data"]
        assert tokenizer.decode(tokens, skip_special_tokens=True) == sequence["text"]
        assert scored(served, tokens) == pytest.approx(sequence["logprobs"]["data"], abs=1e-4)
        again = tokenizer(sequence["text"], add_special_tokens=False)["input_ids"]
        others += again not in (tokens, tokens[:-1])
    assert others > 0


@pytest.mark.parametrize("cut", [{}, {"temperature": 0.7}, {"top_p": 0.6}, {"top_k": 3}, {"temperature": 0}])
def test_trap_6_log_probabilities_are_the_weights_own_however_an_answer_was_drawn(
    served: LocalServer, cut: dict[str, float]
) -> None:
    for sequence in written(served, count=4, **cut):
        reported = sequence["logprobs"]["data"]
        gap = np.array(scored(served, sequence["tokens"]["data"])) - reported
        # The weights of importance sampling are 1.
        assert np.exp(gap) == pytest.approx(np.ones(len(gap)), abs=1e-4)


def test_trap_15_two_learners_of_one_model_part_and_do_not_touch_each_other(tiny: Path) -> None:
    one, other = engine_for(tiny), engine_for(tiny)
    data = samples(4)
    begun = weights_of(other)
    before = total(one, data)
    one.forward_backward(data)
    # A step so small that the loss falls along its slope.
    adam = replace(ADAM, learning_rate=1e-3)
    one.optim_step(adam)
    assert largest_difference(begun, weights_of(other)) == 0
    other.forward_backward(with_weights(data, [-datum.weights for datum in data]))
    other.optim_step(adam)
    assert total(one, data) > before > total(other, data)


def total(engine: Engine, data: list[Datum]) -> float:
    logprobs = engine.forward(data, "now")
    return float(sum((found * datum.weights).sum() for found, datum in zip(logprobs, data, strict=True)))


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


def test_trap_22_after_any_operation_that_failed_the_next_is_answered(
    served: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    input_ = as_body(samples(2))
    engine = served.service.engine
    for place, name in ((Engine, "forward"), (Engine, "forward_backward"), (batching, "write_answers")):
        with monkeypatch.context() as fault:
            fault.setattr(place, name, raising(MemoryError("of the test")))
            statuses = [
                served.ask("forward", forward_input=input_)[0],
                served.ask("forward_backward", forward_input=input_, seq_id=next_seq(served))[0],
                served.ask("asample", prompt=AFTER, sampling_params={"max_tokens": 2, "seed": 1})[0],
            ]
        assert statuses.count(500) == 1
    # A folder cannot be made where a file is.
    served.service.state_dir.write_text("")
    assert served.ask("save_weights", name="a", seq_id=next_seq(served))[0] == 500
    served.change("zero_grad")
    served.change("forward_backward", forward_input=input_)
    served.change("optim_step", adam_params=adam_body())
    assert engine.updates == 1
    assert len(written(served, count=2)) == 2


def next_seq(served: LocalServer) -> int:
    served.seq_id += 1
    return served.seq_id


def test_trap_27_answers_are_never_written_while_the_weights_are_at_work(
    served: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns()
    monkeypatch.setattr(batching, "write_answers", turns.watched("write", write_answers))
    for name in ("forward", "forward_backward", "optim_step"):
        monkeypatch.setattr(Engine, name, turns.watched("learn", getattr(Engine, name)))
    ended = threading.Event()

    def write() -> None:
        while not ended.is_set():
            written(served, count=1, max_tokens=4)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for _ in range(8):
        served.do("forward", forward_input=as_body(samples(2)))
        served.change("forward_backward", forward_input=as_body(samples(2)))
        served.change("optim_step", adam_params=adam_body())
    ended.set()
    for writer in writers:
        writer.join()
    assert turns.seen["write"] > 1
    assert turns.seen["learn"] == 24
    assert turns.together == 0


class Turns:
    """Counts calls, and those that began while one of another kind was running."""

    def __init__(self) -> None:
        self.seen = {"write": 0, "learn": 0}
        self.together = 0
        self._running = {"write": 0, "learn": 0}
        self._lock = threading.Lock()

    def watched(self, kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watch(*given: Any) -> Any:
            with self._turn(kind):
                return call(*given)

        return watch

    @contextmanager
    def _turn(self, kind: str) -> Iterator[None]:
        with self._lock:
            self.seen[kind] += 1
            self._running[kind] += 1
            self.together += min(self._running.values())
        try:
            yield
        finally:
            with self._lock:
                self._running[kind] -= 1
