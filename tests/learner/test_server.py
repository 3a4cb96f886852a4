"""HTTP: who may ask, what is refused, and that nothing is done twice."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from conftest import LocalServer
from mars2_learner import batching
from mars2_learner import server as server_module
from mars2_learner.engine import Engine
from mars2_learner.sampler import write_answers
from support import ADAM, TOKEN, adam_body, as_body, engine_for, largest_difference, samples, weights_of

SAMPLING = {"max_tokens": 8, "seed": 1}


def forward_input() -> Any:
    return as_body(samples(3))


def prompt(*tokens: int) -> Any:
    return {"chunks": [{"type": "encoded_text", "tokens": list(tokens)}]}


@contextmanager
def busy(served: LocalServer) -> Iterator[None]:
    """Within it the model has something else to do."""
    done = threading.Event()
    served.service._thread.submit(done.wait)
    try:
        yield
    finally:
        done.set()


def drop_the_answer(served: LocalServer, operation: str, body: Any) -> None:
    """Sends a request and is gone before its answer."""
    raw = json.dumps(body).encode()
    head = f"POST /api/v1/{operation} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n"
    with socket.create_connection((served.host, served.port)) as connection:
        connection.sendall(f"{head}Content-Length: {len(raw)}\r\n\r\n".encode() + raw)


def test_trap_13_a_change_whose_answer_was_lost_is_made_once(served: LocalServer) -> None:
    backward = {"forward_input": forward_input(), "seq_id": 1}
    step = {"adam_params": adam_body(), "seq_id": 2}
    drop_the_answer(served, "forward_backward", backward)
    # The retry may come while the first is still at work, or before it has even been read.
    answers = [served.do("forward_backward", **backward) for _ in range(2)]
    drop_the_answer(served, "optim_step", step)
    time.sleep(0.2)
    stepped = served.do("optim_step", **step)
    assert stepped["metrics"]["updates"] == 1
    assert answers[0] == answers[1]
    once = engine_for(served.service.model.options.source)
    once.forward_backward(samples(3))
    once.optim_step(ADAM)
    assert largest_difference(weights_of(once), weights_of(served.service.engine)) == 0


def test_trap_13_a_retry_waits_for_the_first_to_end(served: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []
    real = served.service.engine.forward_backward

    def slow(*given: Any) -> Any:
        calls.append(time.monotonic())
        time.sleep(0.3)
        return real(*given)

    monkeypatch.setattr(served.service.engine, "forward_backward", slow)
    body = {"forward_input": forward_input(), "seq_id": 1}
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(served.do("forward_backward", **body))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert answers[0] == answers[1] == answers[2]


def test_trap_13_a_refusal_is_repeated_too(served: LocalServer) -> None:
    step = {"adam_params": adam_body(), "seq_id": 3}
    first = served.ask("optim_step", **step)
    assert first[0] == 409
    # Not carried out now either, though there is a gradient by now.
    served.service.engine.forward_backward(samples(3))
    assert served.ask("optim_step", **step) == first


def test_an_older_or_another_seq_id_is_refused(served: LocalServer) -> None:
    served.do("zero_grad", seq_id=7)
    assert served.ask("zero_grad", seq_id=6)[0] == 409
    assert served.ask("save_weights", seq_id=7, name="x")[0] == 409
    assert served.ask("zero_grad", seq_id=7, other=1)[0] == 409
    for wrong in (None, -1, 1.5, "8", True):
        assert served.ask("zero_grad", seq_id=wrong)[0] == 400
    assert served.ask("zero_grad", seq_id=8) == (200, {})


def test_trap_16_a_malformed_request_changes_nothing(served: LocalServer) -> None:
    served.change("forward_backward", forward_input=forward_input())
    wrong: list[Any] = [None, [], [*forward_input()["data"], {"model_input": {"chunks": []}}]]
    for number, data in enumerate(wrong):
        status, answer = served.ask("forward_backward", forward_input={"data": data}, seq_id=100 + number)
        assert (status, answer["category"]) == (400, "user")
    once = engine_for(served.service.model.options.source)
    once.forward_backward(samples(3))
    expected = once.optim_step(ADAM)
    assert served.do("optim_step", adam_params=adam_body(), seq_id=200)["metrics"]["grad_norm"] == expected


def test_without_the_token_nothing_is_answered(served: LocalServer) -> None:
    for token in ("", "wrong", f"{TOKEN} "):
        served.token = token
        assert served.ask("get_server_capabilities")[0] == 401
        assert served.ask("zero_grad", seq_id=1)[0] == 401
    assert served.health() == "ok"


def test_while_the_model_is_loaded_nothing_else_is_answered(served: LocalServer) -> None:
    served.server.service = None
    assert served.health() == "loading"
    status, answer = served.ask("get_server_capabilities")
    assert (status, answer["category"]) == (503, "server")


def raw_request(served: LocalServer, body: bytes, length: str | None = None, path: str = "zero_grad") -> int:
    connection = http.client.HTTPConnection(served.host, served.port)
    connection.putrequest("POST", f"/api/v1/{path}")
    connection.putheader("Authorization", f"Bearer {TOKEN}")
    connection.putheader("Content-Length", length or str(len(body)))
    connection.endheaders(body)
    status = connection.getresponse().status
    connection.close()
    return status


def test_bodies_that_are_no_request_are_refused(served: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "BODY_LIMIT", 300_000)
    assert raw_request(served, b"{") == 400
    assert raw_request(served, b"[]") == 400
    assert raw_request(served, b"\xff\xfe") == 400
    assert raw_request(served, b"[" * 200_000) == 400
    assert raw_request(served, b"{}", length="300001") == 413
    assert raw_request(served, b"{}", length="-1") == 411
    assert raw_request(served, b"{}", path="stop") == 404
    assert raw_request(served, b"{}", path="_on_all_ranks") == 404
    assert served.ask("zero_grad", seq_id=1) == (200, {})


def test_a_fault_is_told_and_the_server_goes_on(served: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise MemoryError("of the test")

    with monkeypatch.context() as patch:
        patch.setattr(served.service.engine, "forward_backward", fail)
        status, answer = served.ask("forward_backward", forward_input=forward_input(), seq_id=1)
    assert (status, answer["category"]) == (500, "server")
    assert "of the test" in answer["error"]
    served.seq_id = 1
    served.change("forward_backward", forward_input=forward_input())


def test_a_connection_serves_several_requests(served: LocalServer) -> None:
    connection = http.client.HTTPConnection(served.host, served.port)
    for _ in range(3):
        connection.request("POST", "/api/v1/render", json.dumps({"messages": []}), {"Authorization": f"Bearer {TOKEN}"})
        assert connection.getresponse().read()
    connection.close()


def test_base64_answers_say_what_lists_say(served: LocalServer) -> None:
    listed = served.do("forward", forward_input=forward_input())["loss_fn_outputs"]
    encoded = served.do("forward", forward_input=forward_input(), encoding="base64")["loss_fn_outputs"]
    for a, b in zip(listed, encoded, strict=True):
        found = np.frombuffer(base64.b64decode(b["logprobs"]["data"]), "<f4")
        assert np.array_equal(found, np.array(a["logprobs"]["data"], np.float32))


def test_samples_that_wait_together_are_one_batch_and_as_they_are_alone(
    served: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(token: int) -> Any:
        return served.do("asample", prompt=prompt(*range(10, token)), sampling_params={**SAMPLING, "seed": token})

    alone = [ask(token) for token in (12, 15, 30)]
    sizes: list[int] = []

    def record(model: Any, draws: Any) -> None:
        sizes.append(len(draws))
        write_answers(model, draws)

    monkeypatch.setattr("mars2_learner.batching.write_answers", record)
    together: dict[int, Any] = {}
    with busy(served):  # so that all of them wait
        threads = [
            threading.Thread(target=lambda token=token: together.update({token: ask(token)})) for token in (12, 15, 30)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
    for thread in threads:
        thread.join()
    assert sizes == [3]
    for token, expected in zip((12, 15, 30), alone, strict=True):
        found = together[token]["sequences"][0]
        assert found["tokens"] == expected["sequences"][0]["tokens"]
        assert found["logprobs"]["data"] == pytest.approx(expected["sequences"][0]["logprobs"]["data"], abs=1e-4)


def test_one_thread_works_on_the_model_whichever_connection_asks(
    served: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Torch's libraries keep buffers for every thread that multiplied: 160 connections held 17 GB for a small model.
    at_work: set[int] = set()

    def noting(call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any) -> Any:
            at_work.add(threading.get_ident())
            return call(*given)

        return noted

    for place, name in ((Engine, "forward"), (Engine, "forward_backward"), (batching, "write_answers")):
        monkeypatch.setattr(place, name, noting(getattr(place, name)))

    def ask() -> None:
        served.do("forward", forward_input=forward_input())
        served.do("asample", prompt=prompt(10), sampling_params=SAMPLING)

    connections = [threading.Thread(target=ask) for _ in range(4)]
    for connection in connections:
        connection.start()
    for connection in connections:
        connection.join()
    served.change("forward_backward", forward_input=forward_input())
    assert len(at_work) == 1


def test_the_answers_of_one_request_differ_and_repeat(served: LocalServer) -> None:
    body = {"prompt": prompt(10, 11), "num_samples": 4, "sampling_params": SAMPLING}
    first, second = served.do("asample", **body), served.do("asample", **body)
    assert first == second
    tokens = [tuple(sequence["tokens"]["data"]) for sequence in first["sequences"]]
    assert len(set(tokens)) > 1
    assert first["prompt_tokens"] == 2


def test_trap_20_samples_name_the_version_of_the_weights(served: LocalServer) -> None:
    body = {"prompt": prompt(10, 11), "sampling_params": SAMPLING}
    assert served.do("asample", **body)["updates"] == 0
    served.change("forward_backward", forward_input=forward_input())
    served.change("optim_step", adam_params=adam_body())
    assert served.do("asample", **body)["updates"] == 1


def test_a_request_whose_client_has_gone_is_dropped(served: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[list[int]] = []

    def record(model: Any, draws: Any) -> None:
        batches.append([len(draw.prompt) for draw in draws])
        write_answers(model, draws)

    monkeypatch.setattr("mars2_learner.batching.write_answers", record)
    with busy(served):
        drop_the_answer(served, "asample", {"prompt": prompt(10, 11, 12), "sampling_params": SAMPLING})
        time.sleep(0.3)
        waits = threading.Thread(target=lambda: served.do("asample", prompt=prompt(10), sampling_params=SAMPLING))
        waits.start()
        time.sleep(0.3)
    waits.join()
    assert [length for batch in batches for length in batch] == [1]


def test_an_answer_that_does_not_fit_is_refused_before_it_is_begun(served: LocalServer) -> None:
    status, answer = served.ask("asample", prompt=prompt(10), sampling_params={"max_tokens": 4096, "seed": 1})
    assert status == 400
    assert "context" in answer["error"]
    assert served.ask("asample", prompt=prompt(113), sampling_params=SAMPLING)[0] == 400
