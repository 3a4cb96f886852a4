"""Tiny models, made once, and a learner's server within this process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from mars2_learner.server import LearnerServer
from mars2_learner.service import Service
from mars2_learner.tiny import write_tiny
from support import ONE_RANK, PACKAGE, TOKEN, Client, options_for

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
        warnings.filterwarnings("ignore", message="torch.distributed is disabled")
        yield


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model; its projection is a matrix of its own."""
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny(folder, seed=1)
    return folder


@pytest.fixture(scope="session")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model that reads and writes with one matrix."""
    folder = tmp_path_factory.mktemp("tied")
    write_tiny(folder, seed=2, tied=True)
    return folder


@pytest.fixture(scope="session")
def forking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """An interpreter whose learners are forked (warm_server.py): for what they do, not for their starts and ends."""
    socket = str(tmp_path_factory.mktemp("warm") / "socket")
    server, client = (str(Path(__file__).with_name(f"warm_{name}.py")) for name in ("server", "client"))
    with subprocess.Popen(
        [sys.executable, server, socket],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield [sys.executable, "-I", "-S", client, sys.executable, socket]


class LocalServer(Client):
    """A server within this process, and the service behind it."""

    def __init__(self, server: LearnerServer, service: Service) -> None:
        super().__init__("127.0.0.1", int(server.server_address[1]))
        self.server = server
        self.service = service


@pytest.fixture
def served(tiny: Path, tmp_path: Path) -> Iterator[LocalServer]:
    """The tiny model in full training, served."""
    server = LearnerServer(("127.0.0.1", 0), TOKEN, lambda: None)
    service = Service(options_for(tiny), ONE_RANK, tmp_path / "states", tmp_path / "exports", 256, 8)
    server.service = service
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield LocalServer(server, service)
    server.shutdown()
    server.server_close()
