"""Tiny models, made once, and a learner's server within this process."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from mars2_learner.server import LearnerServer
from mars2_learner.service import Service
from mars2_learner.tiny import write_tiny
from support import ONE_RANK, TOKEN, Client, options_for

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
