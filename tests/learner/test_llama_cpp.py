"""llama.cpp as the workbench brings it: its options, and what is refused. tests/learner/llama-cpp.test.ts runs it."""

from __future__ import annotations

import fcntl
import shutil
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

RESOURCES = Path(__file__).parents[2] / "resources" / "llama-cpp"
sys.path.append(str(RESOURCES))

import install  # noqa: E402
import llama_server  # noqa: E402


class Params:
    def __init__(self) -> None:
        self.model = SimpleNamespace(path="")
        self.cpuparams = SimpleNamespace(n_threads=0)


PACKAGE = SimpleNamespace(CommonParams=Params, CommonAdapterLoraInfo=lambda path, scale: (path, scale))


def test_options_of_a_launch_become_the_packages_parameters() -> None:
    words = ["--model", "/m/a b.gguf", "--alias", "a", "--host", "127.0.0.1", "--port", "20001", "--n-gpu-layers", "0"]
    options = llama_server.parser().parse_args([*words, "--ctx-size", "512", "--metrics", "--lora", "/m/l.gguf"])
    params = llama_server.params_of(options, PACKAGE)
    assert (params.model.path, params.model_alias) == ("/m/a b.gguf", {"a"})
    assert (params.hostnames, params.port, params.n_ctx) == (["127.0.0.1"], 20001, 512)
    assert (params.n_parallel, params.kv_unified, params.endpoint_metrics) == (llama_server.SLOTS, True, True)
    assert params.cors_origins == "http://127.0.0.1"
    assert (params.n_gpu_layers, params.lora_adapters, params.ui) == (0, [("/m/l.gguf", 1.0)], False)


def test_a_model_without_an_alias_has_the_name_of_its_file() -> None:
    params = llama_server.params_of(llama_server.parser().parse_args(["-m", "/m/small.gguf"]), PACKAGE)
    assert params.model_alias == {"small"}


def test_an_option_that_is_not_known_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        llama_server.parser().parse_args(["--model", "a", "--tools", "all"])
    assert end.value.code == 2
    assert "--tools" in capsys.readouterr().err


def test_a_file_of_another_model_is_kept_and_refused(tmp_path: Path) -> None:
    target = tmp_path / "model.gguf"
    target.write_text("mine")
    with pytest.raises(install.InstallError, match="is not the expected model"):
        install.install_model(tmp_path, target)
    assert target.read_text() == "mine"


def test_a_second_run_at_the_same_time_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "environment"
    made: list[Path] = []
    monkeypatch.setattr(install, "install_server", made.append)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = threading.Thread(target=install.main, args=(["--folder", str(folder)],))
        second.start()
        second.join(0.3)
        assert made == []
    second.join(60)
    assert made == [folder]


def test_a_folder_with_other_files_is_never_deleted(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(install.InstallError, match="holds other files"):
        install.install_server(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_a_full_disk_is_said_before_anything_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000_000))
    with pytest.raises(install.InstallError, match="1 MB free, 300 MB are needed"):
        install.install_server(tmp_path / "environment")


def test_every_package_is_pinned_by_its_digest() -> None:
    for name in ("requirements.txt", "model-requirements.txt"):
        text = (RESOURCES / name).read_text().replace("\\\n", " ")
        packages = [line for line in text.splitlines() if line and not line.startswith("#")]
        assert len(packages) == 1
        assert "==" in packages[0]
        assert "--hash=sha256:" in packages[0]
