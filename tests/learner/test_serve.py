"""A trained model over OpenAI's API: what is refused, and that what is answered is what was asked for."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import mars2_learner.serve as serve_module
import numpy as np
import pytest
from mars2_learner.checkpoint import export
from mars2_learner.model import LoadedModel
from mars2_learner.rendering import render_chat
from mars2_learner.sampler import Draw, finished, write_answers
from mars2_learner.serve import ChatServer, load_service
from mars2_learner.wire import Json, Refused, SamplingParams
from support import HANGS_AFTER_S, PACKAGE, engine_for

SAID = [{"role": "user", "content": "Read zero and print zero."}]
CONTEXT = 200


class Chats:
    """A server of chats at a port."""

    def __init__(self, port: int) -> None:
        self.port = port

    def send(self, path: str, body: bytes | None = None) -> tuple[int, Any]:
        """GET without a body, else POST: (status, answer)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS_AFTER_S)
        try:
            connection.request("GET" if body is None else "POST", path, body)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def ask(self, **given: Any) -> tuple[int, Any]:
        """One completion with few tokens, unless something else is asked for."""
        body = {"model": "tiny", "messages": SAID, "max_tokens": 8, "seed": 1, **given}
        return self.send("/v1/chat/completions", json.dumps(body).encode())

    def complete(self, **given: Any) -> Any:
        """One completion that has to succeed."""
        status, answer = self.ask(**given)
        assert status == 200, answer
        return answer

    def text(self, **given: Any) -> str:
        """What it writes."""
        return str(self.complete(**given)["choices"][0]["message"]["content"])


def arguments_for(model: Path, **changed: Any) -> argparse.Namespace:
    """As from the command line."""
    given: dict[str, Any] = {"model": model, "name": "tiny", "context": CONTEXT, "rows": 4, "device": "cpu"}
    return argparse.Namespace(**{**given, "dtype": None, **changed})


@pytest.fixture(scope="module")
def chats(tiny: Path) -> Iterator[Chats]:
    """The tiny model, served."""
    server = ChatServer(0)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    chats = Chats(server.server_address[1])
    assert chats.send("/health")[0] == 503
    assert chats.ask()[0] == 503
    server.service = load_service(arguments_for(tiny))
    yield chats
    server.shutdown()
    server.server_close()


def test_it_says_what_it_serves(chats: Chats) -> None:
    assert chats.send("/health") == (200, {"status": "ok"})
    status, models = chats.send("/v1/models")
    assert status == 200
    assert [(model["id"], model["max_model_len"]) for model in models["data"]] == [("tiny", CONTEXT)]
    assert chats.send("/v1/embeddings", b"{}")[0] == 404


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"model": "other"}, 404, "other"),
        ({"messages": []}, 400, "messages"),
        ({"messages": [{"role": "user", "content": 7}]}, 400, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400, "no text"),
        ({"messages": SAID * 1_025}, 400, "1024"),
        ({"max_tokens": 0}, 400, "max_tokens"),
        ({"max_tokens": CONTEXT}, 400, "context has 200 tokens"),
        ({"messages": [{"role": "user", "content": "long " * 60}]}, 400, "prompt alone"),
        ({"temperature": -1}, 400, "temperature"),
        ({"temperature": "hot"}, 400, "temperature"),
        ({"top_p": 0}, 400, "top_p"),
        ({"top_k": 1.5}, 400, "top_k"),
        ({"seed": -1}, 400, "seed"),
        ({"seed": True}, 400, "seed"),
        ({"stop": ["a"] * 17}, 400, "stop"),
        ({"stop": [""]}, 400, "stop"),
        ({"stop": 3}, 400, "stop"),
        ({"logprobs": "yes"}, 400, "logprobs"),
        ({"n": 2}, 400, "n 1 only"),
        ({"n": True}, 400, "n 1 only"),
        ({"stream": True}, 400, "stream false only"),
        ({"min_p": 0.1}, 400, "min_p 0 only"),
        ({"tools": []}, 400, "tools"),
        ({"typical_p": 0.5}, 400, "typical_p"),
        ({"chat_template_kwargs": {"tokenize": True}}, 400, "tokenize"),
        ({"chat_template_kwargs": []}, 400, "no object"),
    ],
)
def test_what_it_cannot_do_is_refused_by_name(chats: Chats, change: Json, status: int, says: str) -> None:
    given, answer = chats.ask(**change)
    assert given == status
    assert says in answer["error"]["message"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"[" * 100_000, b'{"model": NaN}', b"\xff"])
def test_a_body_that_is_no_request_is_refused(chats: Chats, body: bytes) -> None:
    assert chats.send("/v1/chat/completions", body)[0] in (400, 404)


def test_a_body_over_the_limit_is_not_read(chats: Chats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_module, "BODY_LIMIT", 1_000)
    status, answer = chats.ask(messages=[{"role": "user", "content": "x" * 2_000}])
    assert (status, "limit is 1000" in answer["error"]["message"]) == (413, True)
    assert chats.ask()[0] == 200


def test_settings_that_engines_are_told_to_leave_alone_are_taken(chats: Chats) -> None:
    plain = chats.text()
    off = {"min_p": 0, "repetition_penalty": 1, "top_k": -1, "metadata": {"session": "s"}, "n": 1, "stop": None}
    assert chats.text(**off) == plain


def test_the_same_seed_gives_the_same_answer_and_another_seed_another(chats: Chats) -> None:
    assert chats.text(seed=5) == chats.text(seed=5)
    assert len({chats.text(seed=seed) for seed in range(8)}) > 1
    assert len({chats.text(seed=seed, temperature=0) for seed in range(3)}) == 1


def test_requests_at_once_get_what_each_gets_alone(chats: Chats) -> None:
    alone = [chats.text(seed=seed) for seed in range(6)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda seed: chats.text(seed=seed), range(6)))
    assert together == alone


def test_an_answer_ends_before_its_stop_text(chats: Chats) -> None:
    whole = next(text for seed in range(50) if (text := chats.text(seed=seed, max_tokens=20)).count("\n") > 1)
    seed = next(seed for seed in range(50) if chats.text(seed=seed, max_tokens=20) == whole)
    stop = whole[len(whole.split("\n")[0]) + 1 :][:6]
    answer = chats.complete(seed=seed, max_tokens=20, stop=["never written", stop])
    (choice,) = answer["choices"]
    assert choice["message"]["content"] == whole[: whole.index(stop)]
    assert choice["finish_reason"] == "stop"


def continued(chats: Chats, **given: Any) -> tuple[int, Any]:
    """A plain text, continued with few tokens, unless something else is asked for."""
    body = {"model": "tiny", "prompt": "print(", "max_tokens": 8, "seed": 1, **given}
    return chats.send("/v1/completions", json.dumps(body).encode())


def test_a_plain_text_is_continued_without_a_chat_template(chats: Chats, tiny: Path) -> None:
    status, answer = continued(chats, stop=["never written"])
    assert (status, answer["object"]) == (200, "text_completion")
    (choice,) = answer["choices"]
    assert isinstance(choice["text"], str)
    assert "message" not in choice
    alone = load_service(arguments_for(tiny)).parse({"model": "tiny", "prompt": "print("}, plain=True)
    assert answer["usage"]["prompt_tokens"] == len(alone.prompt) < chats.complete()["usage"]["prompt_tokens"]
    for refused in ({"prompt": ""}, {"prompt": ["a"]}, {"messages": SAID}, {"logprobs": 1}):
        status, answer = continued(chats, **refused)
        assert (status, next(iter(refused)) in answer["error"]["message"]) == (400, True)


def test_lengths_and_ends_are_counted(chats: Chats) -> None:
    answer = chats.complete(max_tokens=1, logprobs=True)
    usage, (choice,) = answer["usage"], answer["choices"]
    assert (usage["completion_tokens"], choice["finish_reason"]) == (1, "length")
    assert usage["total_tokens"] == usage["prompt_tokens"] + 1
    (entry,) = choice["logprobs"]["content"]
    assert entry["logprob"] < 0
    assert chats.complete()["choices"][0]["logprobs"] is None


def test_options_of_the_chat_template_reach_it(chats: Chats) -> None:
    def prompt_tokens(**given: Any) -> int:
        return int(chats.complete(**given)["usage"]["prompt_tokens"])

    assert prompt_tokens(chat_template_kwargs={"enable_thinking": False}) > prompt_tokens()
    parts = [{"type": "text", "text": "Read zero "}, {"type": "text", "text": "and print zero."}]
    assert prompt_tokens(messages=[{"role": "user", "content": parts}]) == prompt_tokens()


def test_an_adapter_answers_as_it_was_trained(tiny: Path, tmp_path: Path) -> None:
    engine = engine_for(tiny, lora_rank=4)
    chance = np.random.default_rng(3)
    for name, value in engine.trained.items():
        if "lora_B" in name:  # zero before training
            value.data += 0.5 * engine_tensor(chance, value)
    export(engine.model, tmp_path, "adapter")
    service = load_service(arguments_for(tmp_path / "adapter"))
    body = {"model": "tiny", "messages": SAID, "max_tokens": 8, "temperature": 0}
    served = service.complete(body, lambda: True)["choices"][0]["message"]["content"]
    assert served == greedy(engine.model)
    assert served != greedy(engine_for(tiny).model)


def engine_tensor(chance: np.random.Generator, like: Any) -> Any:
    """Random numbers in the shape of a parameter."""
    return like.new_tensor(chance.normal(size=tuple(like.shape)))


def greedy(model: LoadedModel) -> str:
    """The likeliest answer, written by the learner itself."""
    params = SamplingParams(8, 0, 0.0, 1.0, -1, (), (), False)
    draw = Draw(np.array(render_chat(model, SAID, {}, True), np.int64), params, 0, lambda: True)
    write_answers(model, [draw])
    return finished(model, draw).text


def test_an_adapter_without_its_model_says_which(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "/nowhere/base"}))
    with pytest.raises(Refused, match="/nowhere/base"):
        load_service(arguments_for(tmp_path))
    (tmp_path / "adapter_config.json").write_text("[]")
    with pytest.raises(Refused, match="damaged"):
        load_service(arguments_for(tmp_path))


def test_the_program_serves_until_it_is_told_to_end(tiny: Path) -> None:
    command = [sys.executable, "-m", "mars2_learner.serve", "--model", str(tiny), "--name", "tiny", "--threads", "1"]
    env = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert process.stdout.readline() == "serves tiny\n"
        chats = Chats(int(first.split(":")[2].split("/")[0]))
        assert chats.ask()[0] == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANGS_AFTER_S) == 0
    finally:
        process.kill()
        process.wait()


def test_a_model_that_is_not_there_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mars2_learner.serve", "--model", str(tmp_path / "none"), "--name", "none"]
    env = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=HANGS_AFTER_S, check=False)
    assert ended.returncode == 1
    assert ended.stderr.strip() == f"the model could not be loaded: there is no model at {tmp_path / 'none'}"
