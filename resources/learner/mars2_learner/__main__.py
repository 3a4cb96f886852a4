"""`python -m mars2_learner serve | check | tiny`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from .quiet import quieten

if TYPE_CHECKING:  # torch takes seconds to import, and --help needs none
    from .ranks import Ranks
    from .service import Service

DEFAULT_MICRO_TOKENS = {"cuda": 16_384, "cpu": 4_096}


def main() -> int:
    """Gives the process's exit code."""
    arguments = _parser().parse_args()
    quieten()
    code: int = arguments.run(arguments)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mars2_learner", description=__doc__)
    commands = parser.add_subparsers(required=True)

    serve = commands.add_parser("serve", help="answer a trainer over HTTP")
    serve.add_argument("--model", type=Path, required=True, help="a folder of transformers, or a GGUF file")
    serve.add_argument("--state-dir", type=Path, required=True)
    serve.add_argument("--export-dir", type=Path, required=True)
    serve.add_argument("--address-file", type=Path, required=True)
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=int, default=0)
    serve.add_argument("--lora-rank", type=int)
    serve.add_argument("--lora-alpha", type=float)
    serve.add_argument("--lora-targets", default="all-linear", help="names, separated by commas")
    serve.add_argument("--reference", action="store_true", help="full training: keep a frozen copy")
    serve.add_argument("--seed", type=int, default=0, help="of an adapter's first weights")
    serve.add_argument("--dtype", choices=["float32", "bfloat16"], help="of the computation")
    serve.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    serve.add_argument("--threads", type=int, help="default: the physical cores")
    serve.add_argument("--micro-tokens", type=int, help="most tokens of a micro-batch")
    serve.add_argument("--sample-rows", type=int, default=64, help="most answers written as one batch")
    serve.add_argument("--no-checkpointing", action="store_true", help="keep activations rather than recompute")
    serve.add_argument("--parent", type=int, help="end when this process has ended")
    serve.set_defaults(run=_serve)

    check = commands.add_parser("check", help="say whether a learner can work here")
    check.add_argument("--json", action="store_true")
    check.set_defaults(run=_check)

    tiny = commands.add_parser("tiny", help="write a tiny random model")
    tiny.add_argument("--out", type=Path, required=True)
    tiny.add_argument("--seed", type=int, required=True)
    tiny.add_argument("--pieces", type=Path, help="a JSON list of texts that become tokens")
    tiny.add_argument("--tied", action="store_true")
    tiny.add_argument("--context", type=int, default=4096)
    tiny.set_defaults(run=_tiny)
    return parser


def _serve(arguments: argparse.Namespace) -> int:
    if arguments.parent is not None:
        from .parent import watch_parent

        watch_parent(arguments.parent)
    token = os.environ.pop("MARS2_LEARNER_TOKEN", "")
    if not token:
        print("MARS2_LEARNER_TOKEN is not set: without a token nothing is served", file=sys.stderr)
        return 2

    from .ranks import join_ranks, physical_cores
    from .server import LearnerServer

    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    import torch

    torch.set_num_threads(arguments.threads or physical_cores())
    ranks = join_ranks(arguments.device)
    if not ranks.is_first:
        _make_service(arguments, ranks).follow()
        os._exit(0)  # as the first rank does, below
    server = LearnerServer((arguments.host, arguments.port), token, ended.set)
    threading.Thread(target=server.serve_forever, daemon=True, name="http").start()
    server.write_address(arguments.address_file)
    loading: list[BaseException] = []

    def load() -> None:
        try:
            server.service = _make_service(arguments, ranks)
        except BaseException as error:  # reported below, by the main thread
            loading.append(error)
            ended.set()

    # Not in the main thread, which has to hear a signal also while a model is loaded.
    threading.Thread(target=load, daemon=True, name="loading").start()
    ended.wait()
    server.server_close()
    if loading:
        print(f"the model could not be loaded: {loading[0]}", file=sys.stderr, flush=True)
    if server.service is not None and ranks.size > 1:
        server.service.stop()
    sys.stderr.flush()
    # Threads may be within torch, which does not survive the end of the interpreter.
    os._exit(1 if loading else 0)


def _make_service(arguments: argparse.Namespace, ranks: Ranks) -> Service:
    import torch

    from .model import ModelOptions
    from .service import Service

    device = ranks.device.type
    dtype = arguments.dtype or ("bfloat16" if device == "cuda" else "float32")
    options = ModelOptions(
        source=arguments.model.resolve(),
        dtype=getattr(torch, dtype),
        lora_rank=arguments.lora_rank,
        lora_alpha=arguments.lora_alpha or 2.0 * (arguments.lora_rank or 0),
        lora_targets=arguments.lora_targets,
        reference=arguments.reference,
        seed=arguments.seed,
        checkpointing=not arguments.no_checkpointing,
    )
    for folder in (arguments.state_dir, arguments.export_dir):
        folder.mkdir(parents=True, exist_ok=True)
    return Service(
        options,
        ranks,
        arguments.state_dir.resolve(),
        arguments.export_dir.resolve(),
        arguments.micro_tokens or DEFAULT_MICRO_TOKENS[device],
        arguments.sample_rows,
    )


def _check(arguments: argparse.Namespace) -> int:
    from .packages import missing

    absent = missing()
    if not absent:
        try:
            from .check import describe, inspect_machine
        except ImportError as error:  # found, but it is broken
            absent = [f"pip install {error.name}"]
    if absent:
        print(json.dumps({"missing": absent}) if arguments.json else "\n".join(f"to do: {what}" for what in absent))
        return 1
    found = inspect_machine()
    print(json.dumps(found) if arguments.json else describe(found))
    step = found["step"]
    return 0 if step is not None and step["error"] is None else 1


def _tiny(arguments: argparse.Namespace) -> int:
    from .tiny import PIECES, write_tiny

    pieces = PIECES
    if arguments.pieces is not None:
        pieces = tuple(json.loads(arguments.pieces.read_text()))
    write_tiny(arguments.out, arguments.seed, pieces, arguments.tied, arguments.context)
    return 0


if __name__ == "__main__":
    sys.exit(main())
