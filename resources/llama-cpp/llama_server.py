"""llama.cpp's own HTTP server from the package xllamacpp, started with the options of its program `llama-server`.

The package carries the server as a library. Only the options below are known; any other is refused.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

# What llama-server takes when its user names no number: four answers at once that share one context.
SLOTS = 4
ABOUT = "llama.cpp's own server, from the package xllamacpp. Of llama-server's options these are known:"


def parser() -> argparse.ArgumentParser:
    """Names, short names and defaults are those of llama-server."""
    options = argparse.ArgumentParser(prog="llama-server", description=ABOUT, allow_abbrev=False)
    options.add_argument("--version", action="store_true", help="print the version and end")
    options.add_argument("-m", "--model", help="a GGUF file")
    options.add_argument("-a", "--alias", help="the name that requests use")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8080)
    options.add_argument("-c", "--ctx-size", type=int, default=0, help="tokens; 0: the model's own")
    options.add_argument("-np", "--parallel", type=int, default=SLOTS, help="answers at once")
    options.add_argument("-t", "--threads", type=int, default=-1)
    options.add_argument("-b", "--batch-size", type=int, default=2048)
    options.add_argument("-ngl", "--n-gpu-layers", "--gpu-layers", type=int, default=-1)
    options.add_argument("--lora", action="append", default=[], metavar="FILE", help="an adapter; may be repeated")
    options.add_argument("--chat-template", default="", help="a template's name or its text")
    options.add_argument("--metrics", action="store_true")
    options.add_argument("--no-warmup", action="store_true")
    return options


def params_of(options: argparse.Namespace, llama: Any) -> Any:
    """The package's parameters. `llama`: the module xllamacpp."""
    params = llama.CommonParams()
    params.model.path = options.model
    params.model_alias = {options.alias or Path(options.model).stem}
    params.hostnames = [options.host]
    params.port = options.port
    params.n_ctx = options.ctx_size
    params.n_parallel = options.parallel
    params.kv_unified = True
    params.cpuparams.n_threads = options.threads
    params.n_batch = options.batch_size
    params.n_gpu_layers = options.n_gpu_layers
    params.lora_adapters = [llama.CommonAdapterLoraInfo(path, 1.0) for path in options.lora]
    params.chat_template = options.chat_template
    params.endpoint_metrics = options.metrics
    params.warmup = not options.no_warmup
    params.ui = False
    # By itself it lets every page that a browser of this user opens read its answers.
    params.cors_origins = "http://127.0.0.1"
    params.cors_origins_explicit = True
    return params


def main(arguments: list[str]) -> int:
    """Serves until a signal ends it; gives the process's exit code."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    llama = importlib.import_module("xllamacpp")

    if options.version:
        print(f"llama.cpp of xllamacpp {llama.__version__}")
        return 0
    missing = [path for path in (options.model, *options.lora) if path is None or not os.path.isfile(path)]
    if missing:
        what = "--model FILE is missing" if missing[0] is None else f"failed to open GGUF file '{missing[0]}'"
        print(f"llama-server: {what}", file=sys.stderr)
        return 1
    try:
        server = llama.Server(params_of(options, llama))
    except RuntimeError as error:
        print(f"llama-server: {error}", file=sys.stderr)
        return 1
    print(f"llama-server: listening on {server.listening_address}", flush=True)
    signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
