"""Reads what a test's process reports: a token for each test, how it ended, and whether it waits for the next one."""

from typing import List, Tuple

from . import tests

TOKEN_CHARACTERS = 32


def read(data: memoryview, tokens: List[bytes]) -> Tuple[List[memoryview], bool]:
    """The reports on its tests so far, as JSON, and whether it waits for the next test."""
    reports: List[memoryview] = []
    at = 0
    waits = False
    for token in tokens:
        head = at + TOKEN_CHARACTERS
        length = tests.report_length(data[head : head + tests.HEAD]) if data[at:head] == token else -1
        end = head + tests.HEAD + length
        if length < 0 or end > len(data):
            return reports, False
        reports.append(data[head + tests.HEAD : end])
        waits = data[head : head + 1] == b"+"
        at = end
    return reports, waits and at == len(data)


def has_foreign_bytes(data: memoryview, tokens: List[bytes]) -> bool:
    """The program has written there too, so that only the end of its process shows where a test ends."""
    if len(data) >= TOKEN_CHARACTERS and data[:TOKEN_CHARACTERS] != tokens[0]:
        return True
    reports, waits = read(data, tokens)
    return len(reports) == len(tokens) and not waits


def first(data: memoryview, token: bytes) -> memoryview:
    """The report of a process that ran one test, without anything else that came."""
    return data[TOKEN_CHARACTERS + tests.HEAD :] if data[:TOKEN_CHARACTERS] == token else data[:0]
