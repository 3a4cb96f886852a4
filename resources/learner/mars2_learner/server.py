"""HTTP/1.1 by the standard library: a token, a size limit, JSON both ways."""

from __future__ import annotations

import hmac
import json
import os
import sys
import traceback
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from .json_http import Answer, JsonHandler, encode, parse_object
from .retry_cache import RetryCache
from .service import Service
from .wire import Json, Refused

BODY_LIMIT = 256 * 2**20
PREFIX = "/api/v1/"
READS = ("get_server_capabilities", "render", "forward", "asample")
CHANGES = (
    *("forward_backward", "optim_step", "zero_grad"),
    *("save_weights", "load_weights", "save_weights_for_sampler"),
)


class LearnerServer(ThreadingHTTPServer):
    """Answers "loading" until `service` is there."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], token: str, end: Callable[[], None]) -> None:
        self.token = token
        self.end = end
        self.service: Service | None = None
        self.retry_cache = RetryCache()
        super().__init__(address, _Handler)

    def write_address(self, path: Path) -> None:
        """Says where it listens: {host, port, pid}, readable by this user alone."""
        host, port = self.server_address[:2]
        partial = path.with_name(f"{path.name}.partial")
        partial.unlink(missing_ok=True)
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"host": host, "port": port, "pid": os.getpid()}, file)
        partial.rename(path)


class _Handler(JsonHandler):
    server: LearnerServer
    ends_server = False

    def get(self) -> None:
        """Whether the model is loaded."""
        if self.path == f"{PREFIX}healthz":
            self.send_json(encode(200, {"status": "loading" if self.server.service is None else "ok"}))
        else:
            self.send_json(_failure(404, f"there is no {self.path} here"))

    def post(self) -> None:
        """One operation."""
        try:
            body = self._read_body()
        except Refused as refused:
            # What was not read would be taken for the next request.
            self.close_connection = True
            self.send_json(_failure(refused.status, str(refused)))
            return
        try:
            self.send_json(self._answer(body))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        if self.ends_server:  # only now that the answer is out
            self.server.end()

    def _read_body(self) -> bytes:
        given = f"Bearer {self.server.token}".encode()
        if not hmac.compare_digest(self.headers.get("Authorization", "").encode("utf-8", "replace"), given):
            raise Refused("the token is missing or wrong", 401)
        return self.read_body(BODY_LIMIT)

    def _answer(self, raw: bytes) -> Answer:
        operation = self.path.removeprefix(PREFIX) if self.path.startswith(PREFIX) else ""
        try:
            body = parse_object(raw)
            if operation == "unload":
                self.ends_server = True
                return encode(200, {})
            if operation not in READS and operation not in CHANGES:
                raise Refused(f"there is no {self.path} here", 404)
            service = self.server.service
            if service is None:
                return _failure(503, "the model is being loaded")
            if operation in CHANGES:
                return self.server.retry_cache.run_once(
                    operation, body.get("seq_id"), raw, lambda: _carry_out(getattr(service, operation), body)
                )
            if operation == "asample":
                return _carry_out(service.asample, body, self.has_client)
            return _carry_out(getattr(service, operation), body)
        except Refused as refused:
            return _failure(refused.status, str(refused))


def _carry_out(operation: Callable[..., Json], *arguments: Any) -> Answer:
    try:
        return encode(200, operation(*arguments))
    except Refused as refused:
        return _failure(refused.status, str(refused))
    except Exception as error:  # the boundary: every error is answered, and the process continues
        traceback.print_exc(file=sys.stderr)
        return _failure(500, f"{type(error).__name__}: {error}")


def _failure(status: int, message: str) -> Answer:
    return encode(status, {"error": message, "category": "user" if status < 500 else "server"})
