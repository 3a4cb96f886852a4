"""A conversation as the model's own token ids, by its chat template."""

from __future__ import annotations

from typing import Any

from .model import LoadedModel
from .wire import Refused

# What apply_chat_template gets from us; a template's own options are everything else.
_RESERVED = {"tokenize", "return_dict", "return_tensors", "add_generation_prompt", "chat_template", "padding"}


def render_chat(model: LoadedModel, messages: Any, template: Any, add_generation_prompt: bool) -> list[int]:
    """`template`: the chat template's own options. One at a time: a tokenizer is not shared between threads."""
    if not isinstance(messages, list) or not all(_is_message(entry) for entry in messages):
        raise Refused("messages is not a list of {role, content} with texts")
    if not isinstance(template, dict) or _RESERVED & set(template):
        raise Refused(f"template is no object, or sets one of {', '.join(sorted(_RESERVED))}")
    try:
        text = model.tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=add_generation_prompt, **template
        )
    except Exception as error:  # a template is the model's own program and may refuse what it likes
        raise Refused(f"the model's chat template refuses these messages: {error}") from None
    # A template writes its own special tokens; the plain one has none, and the tokenizer adds what it wants.
    ids: list[int] = model.tokenizer(text, add_special_tokens=not model.own_template)["input_ids"]
    return ids


def _is_message(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("role"), str) and isinstance(entry.get("content"), str)
