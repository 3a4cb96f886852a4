"""`python -m mars2_learner.serve`: a trained model over OpenAI's API. For small models and tests, not an engine.

Serves a folder of transformers or a GGUF file, or an adapter of peft (merged into its base at the start), on loopback.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import traceback
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from .json_http import Answer, JsonHandler, encode, parse_object
from .quiet import quieten
from .wire import Refused

if TYPE_CHECKING:  # torch takes seconds to import, and --help needs none
    from .serve_chat import ChatService

BODY_LIMIT = 16 * 2**20
ADAPTER = "adapter_config.json"


class ChatServer(ThreadingHTTPServer):
    """Answers 503 until `service` is there."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        self.service: ChatService | None = None
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(JsonHandler):
    server: ChatServer

    def get(self) -> None:
        """The model's name, or whether it is loaded."""
        service = self.server.service
        if self.path not in ("/health", "/v1/models"):
            self.send_json(_failure(404, f"there is no {self.path} here"))
        elif service is None:
            self.send_json(_loading())
        else:
            self.send_json(encode(200, service.models() if self.path == "/v1/models" else {"status": "ok"}))

    def post(self) -> None:
        """One completion."""
        try:
            raw = self.read_body(BODY_LIMIT)
        except Refused as refused:
            # What was not read would be taken for the next request.
            self.close_connection = True
            self.send_json(_failure(refused.status, str(refused)))
            return
        try:
            self.send_json(self._answer(raw))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(self, raw: bytes) -> Answer:
        service = self.server.service
        try:
            if self.path not in ("/v1/chat/completions", "/v1/completions"):
                raise Refused(f"there is no {self.path} here", 404)
            if service is None:
                return _loading()
            return encode(200, service.complete(parse_object(raw), self.has_client, self.path == "/v1/completions"))
        except Refused as refused:
            return _failure(refused.status, str(refused))
        except Exception as error:  # the boundary: every error is answered, and the process continues
            traceback.print_exc(file=sys.stderr)
            return _failure(500, f"{type(error).__name__}: {error}")


def _loading() -> Answer:
    return _failure(503, "the model is being loaded")


def _failure(status: int, message: str) -> Answer:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return encode(status, {"error": {"message": message, "type": kind, "param": None, "code": None}})


def load_service(arguments: argparse.Namespace) -> ChatService:
    """Loads the model in float32; raises Refused where it cannot be served."""
    import torch

    from .model import ModelOptions, load_model
    from .ranks import join_ranks
    from .serve_chat import ChatService

    ranks = join_ranks(arguments.device)
    adapter = (arguments.model / ADAPTER).is_file()
    model = load_model(
        ModelOptions(
            source=(base_of(arguments.model) if adapter else arguments.model).resolve(),
            dtype=getattr(torch, arguments.dtype or ("bfloat16" if ranks.device.type == "cuda" else "float32")),
            lora_rank=None,
            lora_alpha=0.0,
            lora_targets="",
            reference=False,
            seed=0,
            checkpointing=False,
        ),
        ranks,
    )
    if adapter:
        from peft import PeftModel

        # In place: the causal model keeps its modules, with the sums as their weights.
        PeftModel.from_pretrained(model.scorer.causal, str(arguments.model)).merge_and_unload()
    return ChatService(model, arguments.name, arguments.context, arguments.rows)


def base_of(adapter: Path) -> Path:
    """The model that an adapter belongs to: a folder or file of this machine, as it was named when it was trained."""
    try:
        base = json.loads((adapter / ADAPTER).read_text()).get("base_model_name_or_path")
    except (ValueError, AttributeError) as error:
        raise Refused(f"{adapter / ADAPTER} is damaged: {error}") from None
    if not isinstance(base, str) or not Path(base).exists():
        raise Refused(f"there is no {base}, the model that the adapter {adapter} was trained on")
    return Path(base)


def main() -> int:
    """Gives the process's exit code."""
    arguments = _parser().parse_args()
    quieten()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    server = ChatServer(arguments.port)
    threading.Thread(target=server.serve_forever, daemon=True, name="http").start()
    print(f"listens on http://127.0.0.1:{server.server_address[1]}/v1, loads {arguments.model}", flush=True)
    loading: list[BaseException] = []

    def load() -> None:
        try:
            import torch

            from .ranks import physical_cores

            torch.set_num_threads(arguments.threads or physical_cores())
            server.service = load_service(arguments)
            print(f"serves {arguments.name}", flush=True)
        except BaseException as error:  # reported below, by the main thread
            loading.append(error)
            ended.set()

    # Not in the main thread, which has to hear a signal also while a model is loaded.
    threading.Thread(target=load, daemon=True, name="loading").start()
    ended.wait()
    server.server_close()
    for error in loading:
        if not isinstance(error, Refused):
            traceback.print_exception(error, file=sys.stderr)
        print(f"the model could not be loaded: {error}", file=sys.stderr, flush=True)
    sys.stdout.flush()
    # Threads may be within torch, which does not survive the end of the interpreter.
    os._exit(1 if loading else 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mars2_learner.serve", description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="a folder of transformers or peft, or a GGUF file")
    parser.add_argument("--name", required=True, help="the name that requests use")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--context", type=int, help="most tokens of a prompt and its answer; default: the model's")
    parser.add_argument("--rows", type=int, default=16, help="most answers written as one batch")
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], help="of the computation")
    parser.add_argument("--threads", type=int, help="default: the physical cores")
    return parser


if __name__ == "__main__":
    sys.exit(main())
