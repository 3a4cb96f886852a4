"""What a test's process tells of itself: a token for each test, how it ended, and whether it waits for a next one."""

from typing import List, Tuple

from . import tests

TOKEN_CHARACTERS = 32


def read(told: memoryview, tokens: List[bytes]) -> Tuple[List[memoryview], bool]:
    """What it has told of each test so far, as JSON, and whether it waits for a next one."""
    found: List[memoryview] = []
    at = 0
    waits = False
    for token in tokens:
        head = at + TOKEN_CHARACTERS
        length = tests.told_length(told[head : head + tests.HEAD]) if told[at:head] == token else -1
        end = head + tests.HEAD + length
        if length < 0 or end > len(told):
            return found, False
        found.append(told[head + tests.HEAD : end])
        waits = told[head : head + 1] == b"+"
        at = end
    return found, waits and at == len(told)


def is_by_another(told: memoryview, tokens: List[bytes]) -> bool:
    """The program has written there too, so nobody can say where a test ends but with its process."""
    if len(told) >= TOKEN_CHARACTERS and told[:TOKEN_CHARACTERS] != tokens[0]:
        return True
    found, waits = read(told, tokens)
    return len(found) == len(tokens) and not waits


def of_first(told: memoryview, token: bytes) -> memoryview:
    """What a process that ran one test told of it, and nothing of what else came."""
    return told[TOKEN_CHARACTERS + tests.HEAD :] if told[:TOKEN_CHARACTERS] == token else told[:0]
