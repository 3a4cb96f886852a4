"""Rewards from a grader service of the MARS² Workbench ("mars2 grader serve"), for trainers that others wrote.

One file of the standard library, to copy beside a training script:

- verl: custom_reward_function.path=mars2_reward.py (it calls `compute_score`)
- TRL: GRPOTrainer(reward_funcs=reward_func, ...)
- OpenRLHF: --reward.remote_url=mars2_reward.py (it calls `reward_func`, too, in another way)

The address is in the variable MARS2_GRADER_URL, the token in MARS2_GRADER_TOKEN or in the file MARS2_GRADER_TOKEN_FILE.
`ground_truth` says how a sample is tested: a dictionary, or better its JSON text, with the fields of an item of
docs/grading.md, e.g. {"tests": [{"kind": "stdin", "input": "3\n", "expected": "9\n"}]} or
{"problem": {"benchmark": "humaneval", "id": "HumanEval/0"}}.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

__all__ = ["Grader", "GraderError", "compute_score", "reward_func", "trl_reward"]

# Of one request: the service takes 1,024 items and 64 MiB.
MAX_ITEMS = 256
MAX_BYTES = 32 * 1024 * 1024
# Requests of this process at a time: trainers call from many threads, and the service sends away what is too much.
_SLOTS = threading.BoundedSemaphore(8)
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 15.0


class GraderError(RuntimeError):
    """No verdict: the service is down, refuses, or could not judge. Never counted as a reward."""


class Grader:
    """A grader service.

    `timeout`: seconds that one request may take, its waiting in the service included, up to 3,600.
    `patience`: seconds in which a service that is down or busy is asked again. Left out: MARS2_GRADER_TIMEOUT and
    MARS2_GRADER_PATIENCE, else 600 and 300.
    """

    def __init__(
        self,
        url: str | None = None,
        token_file: str | None = None,
        *,
        timeout: float | None = None,
        patience: float | None = None,
    ):
        self._url = urlsplit((url or os.environ.get("MARS2_GRADER_URL", "")).rstrip("/"))
        if self._url.scheme not in ("http", "https") or self._url.hostname is None:
            raise GraderError("MARS2_GRADER_URL must be the address that 'mars2 grader serve' prints.")
        self._token = _token(token_file)
        self._timeout = min(_setting(timeout, "MARS2_GRADER_TIMEOUT", 600.0), 3_600.0)
        self._patience = _setting(patience, "MARS2_GRADER_PATIENCE", 300.0)

    def grade(self, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The results of items (docs/grading.md), in their order. Raises GraderError where one was not graded."""
        results: list[dict[str, Any]] = []
        for body, count in _bodies(items, self._timeout):
            with _SLOTS:
                answer = self._ask(body)
            graded = answer.get("results")
            if not isinstance(graded, list) or len(graded) != count:
                raise GraderError("The grader service answered for another number of items.")
            if answer.get("grader", {}).get("kind") != "good":
                raise GraderError(f"The grader service cannot grade: {answer.get('grader', {}).get('message')}")
            for result in graded:
                if "error" in result:
                    message = result["error"].get("message")
                    raise GraderError(f"The grader service did not grade item {len(results)}: {message}")
                results.append(result)
        return results

    def _ask(self, body: bytes) -> dict[str, Any]:
        end = time.monotonic() + self._patience
        wait = _FIRST_WAIT
        while True:
            try:
                status, asked_wait, text = self._send(body)
            except TimeoutError as error:
                raise GraderError(f"The grader service did not answer within {self._timeout} s.") from error
            except (OSError, http.client.HTTPException) as error:
                problem, asked_wait = f"cannot be reached: {error!r}", 0.0
            else:
                if status == 200:
                    return _json_object(text)
                problem = f"refused with status {status}: {_reason(text)}"
                if status not in (429, 502, 503, 504):
                    raise GraderError(f"The grader service {problem}")
            # Clients that failed together do not come back together.
            pause = max(asked_wait, wait * random.uniform(0.5, 1.0))
            if time.monotonic() + pause > end:
                raise GraderError(f"The grader service {problem}. It was asked for {self._patience} s.")
            time.sleep(pause)
            wait = min(2 * wait, _LONGEST_WAIT)

    def _send(self, body: bytes) -> tuple[int, float, bytes]:
        host, port = self._url.hostname or "", self._url.port
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        # The service ends a request after its time; by then it has answered, or is gone.
        connection = kind(host, port, timeout=self._timeout + 30)
        try:
            headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
            connection.request("POST", f"{self._url.path}/v1/grade", body, headers)
            response = connection.getresponse()
            return response.status, _seconds(response.getheader("Retry-After")), response.read()
        finally:
            connection.close()


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    reward: str = "share",
    extraction: str = "last-fence",
    unjudged: float | None = None,
    url: str | None = None,
    token_file: str | None = None,
    **_others: Any,
) -> dict[str, float]:
    """The reward of one sample, as verl asks for it.

    The keywords behind `extra_info` are set by custom_reward_function.reward_kwargs. `score` is the share of the tests
    that are passed in [0, 1], with reward="passed" 1 or 0; `acc` is 1 where all are passed.
    """
    item = _item(solution_str, ground_truth, extraction)
    (result,) = Grader(url, token_file).grade([item])
    acc = _reward(result, "passed", unjudged)
    return {"score": _reward(result, reward, unjudged), "acc": acc}


RewardFunc = Callable[..., "list[float]"]


def trl_reward(
    *,
    reward: str = "share",
    extraction: str = "last-fence",
    column: str = "ground_truth",
    unjudged: float | None = None,
    url: str | None = None,
    token_file: str | None = None,
) -> RewardFunc:
    """A reward function for TRL with other settings than `reward_func` has.

    `extraction`: how the program is read out of a completion. `column`: of the data set, with what a sample is tested
    by. `unjudged`: the reward of a program that the grader itself failed on; None raises GraderError.
    """

    def mars2_reward(completions: Sequence[Any], **columns: Any) -> list[float]:
        truths = columns.get(column)
        if truths is None:
            raise GraderError(f"The data set has no column {column!r}, which says how a sample is tested.")
        pairs = zip(completions, truths, strict=True)
        items = [_item(_text(completion), truth, extraction) for completion, truth in pairs]
        return [_reward(result, reward, unjudged) for result in Grader(url, token_file).grade(items)]

    return mars2_reward


def reward_func(
    queries: Sequence[str] | None = None,
    prompts: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    *,
    completions: Sequence[Any] | None = None,
    **columns: Any,
) -> Any:
    """The share of passed tests of each sample, in one request.

    TRL names what it gives (completions, and the columns of its data set) and gets a list. OpenRLHF gives queries,
    which are prompts with their answers, prompts, and labels, which say how a sample is tested; it gets a dictionary,
    with numbers for a single sample, as it asks, and lists for more.
    """
    if completions is not None:
        return trl_reward()(completions, **columns)
    samples = zip(queries or [], prompts or [], labels or [], strict=True)
    results = Grader().grade([_item(_answer(query, prompt), label, "last-fence") for query, prompt, label in samples])
    rewards = [_reward(result, "share", None) for result in results]
    passed = [_reward(result, "passed", None) for result in results]
    if len(results) == 1:
        return {"rewards": rewards[0], "scores": rewards[0], "extra_logs": {"acc": passed[0]}}
    return {"rewards": rewards, "scores": rewards, "extra_logs": {"acc": passed}}


# Where the start of a prompt was cut, its end shows where the answer begins.
_PROMPT_END = 80
# Such as <|im_end|> and </s>, with which a model ends its answer.
_LONGEST_SIGN = 48


def _answer(query: str, prompt: str) -> str:
    """What was written behind the prompt, which OpenRLHF decodes with it, without the signs that end it."""
    end = prompt if prompt in query else prompt[-_PROMPT_END:]
    if end not in query:
        raise GraderError("The answer cannot be told from its prompt: the query does not hold the prompt's end.")
    answer = query[query.index(end) + len(end) :].rstrip()
    while answer.endswith(">") and (sign := answer.rfind("<", max(0, len(answer) - _LONGEST_SIGN))) >= 0:
        answer = answer[:sign].rstrip()
    return answer


def _item(answer: str, ground_truth: Any, extraction: str) -> dict[str, Any]:
    truth = _json_object(ground_truth) if isinstance(ground_truth, str) else _plain(ground_truth)
    if not isinstance(truth, dict):
        raise GraderError("ground_truth must be a dictionary, or the JSON text of one, with tests or a problem.")
    return {"extraction": extraction, **truth, "answer": answer}


def _reward(result: Mapping[str, Any], reward: str, unjudged: float | None) -> float:
    if reward not in ("share", "passed"):
        raise GraderError(f"reward is 'share' or 'passed', not {reward!r}.")
    score, verdict = result.get("score"), result.get("verdict")
    if verdict == "sandbox-fault":
        return 0.0  # the grader is well, so the program broke its own sandbox
    if isinstance(score, (int, float)):
        return float(score) if reward == "share" else float(verdict == "passed")
    if unjudged is not None:
        return unjudged
    raise GraderError(f"A program was not judged ({verdict}): it has no tests, or the grader itself failed on it.")


def _text(completion: Any) -> str:
    """A completion is a text, or messages of which the last one is the answer."""
    content = completion if isinstance(completion, str) else completion[-1].get("content", "")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


def _plain(value: Any) -> Any:
    """Without numpy's types, and without the empty fields that tables give to rows of unlike forms."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items() if inner is not None}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _bodies(items: Sequence[Mapping[str, Any]], timeout: float) -> Iterator[tuple[bytes, int]]:
    """Requests with as many items as fit, and how many these are."""
    texts: list[str] = []
    size = 0
    for item in items:
        text = json.dumps(item)
        if texts and (len(texts) == MAX_ITEMS or size + len(text) > MAX_BYTES):
            yield _body(texts, timeout), len(texts)
            texts, size = [], 0
        texts.append(text)
        size += len(text)
    if texts:
        yield _body(texts, timeout), len(texts)


def _body(texts: Sequence[str], timeout: float) -> bytes:
    return f'{{"timeoutSeconds": {timeout}, "items": [{",".join(texts)}]}}'.encode()


def _setting(value: float | None, variable: str, usual: float) -> float:
    try:
        found = float(os.environ.get(variable) or usual) if value is None else value
    except ValueError as error:
        raise GraderError(f"{variable} must be a number of seconds.") from error
    return max(found, 0.001)


def _token(token_file: str | None) -> str:
    path = token_file or os.environ.get("MARS2_GRADER_TOKEN_FILE")
    if not path:
        token = os.environ.get("MARS2_GRADER_TOKEN", "").strip()
    else:
        try:
            with open(path, encoding="utf-8") as file:
                token = file.read(4_096).strip()
        except OSError as error:
            raise GraderError(f"The token of the grader service cannot be read: {error}") from error
    if not token:
        raise GraderError("Set MARS2_GRADER_TOKEN_FILE or MARS2_GRADER_TOKEN: 'mars2 grader serve' prints the file.")
    return token


def _seconds(retry_after: str | None) -> float:
    try:
        return min(max(float(retry_after or 0), 0.0), 60.0)
    except ValueError:
        return 0.0


def _json_object(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise GraderError(f"This is no JSON: {text[:80]!r}") from error
    if not isinstance(value, dict):
        raise GraderError(f"This is no JSON object: {text[:80]!r}")
    return value


def _reason(text: bytes) -> str:
    try:
        return str(json.loads(text)["error"]["message"])[:1_000]
    except (ValueError, KeyError, TypeError):
        return "it does not say why"
