"""JSON over HTTP/1.1 by the standard library: what the trainer's server and the server of chats share."""

from __future__ import annotations

import json
import select
import socket
from http.server import BaseHTTPRequestHandler
from typing import Any

from .wire import Json, Refused

Answer = tuple[int, bytes]  # HTTP status and body


class JsonHandler(BaseHTTPRequestHandler):
    """Reads a body of a limited size, and answers with one object."""

    protocol_version = "HTTP/1.1"
    server_version = "mars2-learner"
    # An answer is one write, and must not wait for the acknowledgement of the headers before it.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Called by the standard library."""
        self.get()

    def do_POST(self) -> None:
        """Called by the standard library."""
        self.post()

    def get(self) -> None:
        """Answers a GET."""
        raise NotImplementedError

    def post(self) -> None:
        """Answers a POST."""
        raise NotImplementedError

    def log_message(self, format: str, *args: Any) -> None:
        """Clients log their requests themselves."""

    def read_body(self, limit: int) -> bytes:
        """At most `limit` bytes. What is refused was not read: the connection has to be closed then."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refused("Content-Length is missing", 411)
        if int(length) > limit:
            raise Refused(f"the body has {length} bytes, the limit is {limit}", 413)
        return self.rfile.read(int(length))

    def has_client(self) -> bool:
        """A client sends nothing while it waits, so a readable connection is one that was closed."""
        try:
            readable, _, _ = select.select([self.connection], [], [], 0)
            return not readable or self.connection.recv(1, socket.MSG_PEEK) != b""
        except OSError:
            return False

    def send_json(self, answer: Answer) -> None:
        """The status and the body of `encode`."""
        status, body = answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def parse_object(raw: bytes) -> Json:
    """An empty body is an empty object."""
    try:
        body = json.loads(raw) if raw else {}
    except ValueError as error:
        raise Refused(f"the body is not JSON: {error}") from None
    except RecursionError:
        raise Refused("the body is nested too deeply") from None
    if not isinstance(body, dict):
        raise Refused("the body is not an object")
    return body


def encode(status: int, body: Json) -> Answer:
    """A status with an object; numbers that are not finite have no JSON."""
    return status, json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
