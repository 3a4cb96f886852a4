"""JSON lines between the grader outside and the runner inside."""

import json
import os
from typing import Any, Dict, Optional

REQUESTS = 0
REPORTS = 1


class Requests:
    """Reads JSON lines from a descriptor without Python's own buffers, so that a fork inherits none of them."""

    def __init__(self, descriptor: int = REQUESTS) -> None:
        self._descriptor = descriptor
        self._held = b""

    def next(self) -> Optional[Dict[str, Any]]:
        """The next request; None when the grader has closed its end."""
        pieces = []
        while True:
            line, newline, rest = self._held.partition(b"\n")
            pieces.append(line)
            if newline:
                self._held = rest
                request: Dict[str, Any] = json.loads(b"".join(pieces))
                return request
            self._held = os.read(self._descriptor, 1 << 18)
            if not self._held:
                return None


def write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def report(message: Dict[str, Any]) -> None:
    write_all(REPORTS, json.dumps(message, ensure_ascii=True).encode("ascii") + b"\n")
