"""The messages to and from the process of a test."""

import json
import os
from typing import Any, Dict, List, Tuple

from .wire import CHECK_TEST, JSON_TEST, STDIN_TEST

# Behind the token: "+" (the process waits for the next test) or ".", the length of the rest as eight hexadecimal
# digits, the rest as JSON.
HEAD = 9
FINISHED = b'{"end": "finished"}'


def report_length(head: bytes) -> int:
    """The length in the head of a report; -1: not a head."""
    try:
        return int(bytes(head[1:HEAD]), 16) if head[:1] in (b"+", b".") else -1
    except ValueError:
        return -1


def memory_file(name: str) -> int:
    """A file in memory. As standard input it behaves like a judge's file: whole reads, fstat and mmap work."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create(name)
    path = f".{name}-{os.getpid()}"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(path)
    return descriptor


def message_of(kind: int, text: str) -> Dict[str, Any]:
    """The message for the process of a test."""
    if kind == STDIN_TEST:
        return {"kind": "stdin"}
    if kind == JSON_TEST:
        message: Dict[str, Any] = json.loads(text)
        return message
    return {"kind": "check", "source": text} if kind == CHECK_TEST else {"kind": "call", "input": text}


def first_message(kind: int, length: int, payload: int) -> Dict[str, Any]:
    """`payload` holds the test, and afterwards the program's input."""
    if kind == STDIN_TEST:
        return message_of(kind, "")
    text = os.pread(payload, length, 0).decode("utf-8")
    os.ftruncate(payload, 0)
    return message_of(kind, text)


def go_message(kind: int, lengths: List[int], tokens: List[bytes], stays: bool) -> bytes:
    """The message to a waiting process: the next tests, whose texts follow each other in its input's file."""
    tests = [b"%s %d" % (token, length) for token, length in zip(tokens, lengths)]
    return b"%d %d %s" % (kind, stays, b" ".join(tests))


def read_go_message(message: bytes) -> Tuple[int, bool, List[Tuple[str, int]]]:
    kind, stays, *rest = message.decode("ascii").split()
    return int(kind), stays == "1", [(token, int(length)) for token, length in zip(rest[::2], rest[1::2])]
