"""
A request for a chat completion, or for the continuation of a plain text, checked; and its answer. Names and shapes are
those of OpenAI's API.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .batching import SamplingQueue, model_thread
from .model import LoadedModel
from .rendering import render_chat
from .sampler import Answer, Draw
from .wire import Ids, Json, Limits, Refused, SamplingParams, parse_sampling, whole

MAX_MESSAGES = 1_024
MAX_STOPS = 16
LONGEST_STOP = 1_000  # characters
# Requests that are being written or wait; the next one is refused, to be retried.
MAX_OPEN = 256
_USED = {
    *("model", "messages", "max_tokens", "max_completion_tokens", "seed", "temperature", "top_p", "top_k"),
    *("stop", "logprobs", "chat_template_kwargs"),
}
# A continuation has a text instead of messages and their template; its log-probabilities have another form.
_USED_BY_TEXT = (_USED | {"prompt"}) - {"messages", "chat_template_kwargs", "logprobs"}
# What would change an answer in a way that is not done here, with the value that changes nothing.
_ONLY: Mapping[str, bool | int] = {
    "n": 1,
    "stream": False,
    "top_logprobs": 0,
    "min_p": 0,
    "min_tokens": 0,
    "repetition_penalty": 1,
    "presence_penalty": 0,
    "frequency_penalty": 0,
}
# Changes no answer.
_IGNORED = {"metadata", "user", "store", "stream_options"}


@dataclass(frozen=True)
class ChatRequest:
    """What is to be written."""

    prompt: Ids
    params: SamplingParams
    logprobs: bool
    plain: bool


class ChatService:
    """Answers of one loaded model under one name."""

    def __init__(self, model: LoadedModel, name: str, context: int | None, rows: int) -> None:
        """`context`: most tokens of prompt and answer, None: the model's own; `rows`: most answers in one batch."""
        self.name = name
        self._model = model
        most = model.context_length
        self._limits = Limits(model.vocab_size, most if context is None else min(context, most))
        self._queue = SamplingQueue(model, model_thread(), rows)
        self._lock = threading.Lock()  # of the tokenizer and the count
        self._open = 0

    def models(self) -> Json:
        """The one name, and how long its context is."""
        entry = {"id": self.name, "object": "model", "owned_by": "mars2", "max_model_len": self._limits.context_length}
        return {"object": "list", "data": [entry]}

    def complete(self, body: Json, is_wanted: Callable[[], bool], plain: bool = False) -> Json:
        """Writes one answer. `is_wanted`: whether its client still waits, asked repeatedly; `plain`: see `parse`."""
        request = self.parse(body, plain)
        with self._lock:
            if self._open >= MAX_OPEN:
                raise Refused(f"{MAX_OPEN} requests are open already: ask again later", 429)
            self._open += 1
        try:
            draw = Draw(request.prompt, request.params, 0, is_wanted)
            (answer,), _ = self._queue.write([draw], lambda: 0)
        finally:
            with self._lock:
                self._open -= 1
        return self._completion(request, answer)

    def parse(self, body: Json, plain: bool = False) -> ChatRequest:
        """
        Refuses what cannot be done as it is asked, with the field's name; nothing is left out silently. `plain`: the
        body's `prompt` is continued as it is, without a chat template.
        """
        _check_fields(body, _USED_BY_TEXT if plain else _USED)
        if body.get("model") != self.name:
            raise Refused(f"model is {body.get('model')!r}, this server has only {self.name!r}", 404)
        logprobs = body.get("logprobs")
        if logprobs not in (None, True, False):
            raise Refused("logprobs is neither true nor false")
        if plain:
            prompt = self._tokens(body.get("prompt"))
        else:
            prompt = self._render(body.get("messages"), _or_default(body.get("chat_template_kwargs"), {}))
        return ChatRequest(prompt, self._params(body, len(prompt)), logprobs is True, plain)

    def _tokens(self, prompt: Any) -> Ids:
        if not isinstance(prompt, str) or prompt == "":
            raise Refused("prompt is not one text, or it is empty")
        with self._lock:
            ids = self._model.tokenizer(prompt)["input_ids"]
        return np.array(ids, np.int64)

    def _render(self, messages: Any, template: Any) -> Ids:
        if not isinstance(messages, list) or not 1 <= len(messages) <= MAX_MESSAGES:
            raise Refused(f"messages is not a list of 1 to {MAX_MESSAGES} messages")
        with self._lock:
            ids = render_chat(self._model, [_plain(message) for message in messages], template, True)
        if not ids:
            raise Refused("the messages have no tokens")
        return np.array(ids, np.int64)

    def _params(self, body: Json, prompt: int) -> SamplingParams:
        context = self._limits.context_length
        room = context - prompt
        if room < 1:
            raise Refused(f"the context has {context} tokens, the prompt alone {prompt}")
        most = _or_default(body.get("max_completion_tokens"), body.get("max_tokens"))
        if most is not None and whole(most, "max_tokens", 1, 2**31) > room:
            raise Refused(
                f"the context has {context} tokens: the prompt ({prompt}) and max_tokens ({most}) are more than that"
            )
        params = parse_sampling(
            {
                "sampling_params": {
                    "max_tokens": _or_default(most, room),
                    "seed": _or_default(body.get("seed"), secrets.randbits(62)),
                    "temperature": _or_default(body.get("temperature"), 1),
                    "top_p": _or_default(body.get("top_p"), 1),
                    "top_k": _or_default(body.get("top_k"), -1),
                }
            },
            self._limits,
        )
        # The model's own end tokens count beside the texts.
        return SamplingParams(**{**vars(params), "stop_texts": _stop_texts(body.get("stop"))})

    def _completion(self, request: ChatRequest, answer: Answer) -> Json:
        text = answer.text
        places = [text.find(stop) for stop in request.params.stop_texts if stop in text]
        cut = text[: min(places)] if places else text
        content: Json = {"text": cut} if request.plain else {"message": {"role": "assistant", "content": cut}}
        choice: Json = {"index": 0, **content, "finish_reason": answer.stop_reason, "logprobs": None}
        if request.logprobs:
            choice["logprobs"] = {"content": self._logprobs(answer)}
        prompt, written = len(request.prompt), len(answer.tokens)
        return {
            "id": f"{'cmpl' if request.plain else 'chatcmpl'}-{secrets.token_hex(12)}",
            "object": "text_completion" if request.plain else "chat.completion",
            "created": int(time.time()),
            "model": self.name,
            "choices": [choice],
            "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
        }

    def _logprobs(self, answer: Answer) -> list[Json]:
        """Of every token that was drawn, also of those behind a stop text; natural, at temperature 1."""
        with self._lock:
            texts = [self._model.tokenizer.decode([token]) for token in answer.tokens.tolist()]
        return [
            {"token": text, "logprob": logprob, "bytes": None, "top_logprobs": []}
            for text, logprob in zip(texts, answer.logprobs.tolist(), strict=True)
        ]


def _check_fields(body: Json, used: set[str]) -> None:
    unknown = sorted(set(body) - used - set(_ONLY) - _IGNORED)
    if unknown:
        raise Refused(f"this server cannot do {', '.join(unknown)}: leave it out, or serve the model with an engine")
    for name, only in _ONLY.items():
        value = body.get(name)
        if value is None or (value == only and isinstance(value, bool) == isinstance(only, bool)):
            continue
        raise Refused(f"this server takes {name} {str(only).lower()} only")


def _plain(message: Any) -> Any:
    """A message whose content is a list of text parts, as one text; others are left for the check that follows."""
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return message
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    if len(texts) < len(content) or not all(isinstance(text, str) for text in texts):
        raise Refused("a message has a part that is no text")
    return {**message, "content": "".join(str(text) for text in texts)}


def _stop_texts(value: Any) -> tuple[str, ...]:
    stops = value if isinstance(value, list) else [] if value is None else [value]
    if len(stops) > MAX_STOPS or not all(isinstance(stop, str) and 1 <= len(stop) <= LONGEST_STOP for stop in stops):
        raise Refused(f"stop is not a text, or a list of at most {MAX_STOPS}, of 1 to {LONGEST_STOP} characters each")
    return tuple(stops)


def _or_default(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value
