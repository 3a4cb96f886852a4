"""llama.cpp as the workbench brings it: its options, and what is refused. tests/learner/llama-cpp.test.ts runs it."""

from __future__ import annotations

import fcntl
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


# What a release's server says and does, as far as the installer asks; it leaves a trace wherever it runs.
SERVER = """#!/bin/sh
touch "$(dirname "$0")/../../ran"
case "$1" in
  --version) exit %d ;;
  --help) echo "--cors-origins ORIGINS   allowed origins"; exit 0 ;;
esac
printf '%%s\\n' "$@"
"""


def release(exit_code: int = 0) -> bytes:
    packed = io.BytesIO()
    script = (SERVER % exit_code).encode()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        entry = tarfile.TarInfo("llama-b1/llama-server")
        entry.size, entry.mode = len(script), 0o755
        tar.addfile(entry, io.BytesIO(script))
    return packed.getvalue()


class Host:
    """Stands in for the host of llama.cpp's releases."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.body = b""
        host, known = self, f"/{install.RELEASE}/a.tar.gz"

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path == known else 404)
                self.end_headers()
                self.wfile.write(host.body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        monkeypatch.setattr(install, "RELEASES", f"http://127.0.0.1:{self.server.server_port}")
        monkeypatch.setattr(install, "install_package", lambda folder: (folder / "package").touch())
        self.monkeypatch = monkeypatch

    def expect(self, archive: bytes) -> None:
        known = ("a.tar.gz", len(archive), hashlib.sha256(archive).hexdigest())
        self.monkeypatch.setattr(install, "ARCHIVES", dict.fromkeys(install.ARCHIVES, known))


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    made = Host(monkeypatch)
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_the_release_is_taken_where_it_is_the_expected_one(tmp_path: Path, host: Host) -> None:
    folder = tmp_path / "a b"
    host.body = release()
    host.expect(host.body)
    install.install_server(folder)
    program = folder / "bin" / "llama-server"
    said = subprocess.run([program, "--port", "1"], capture_output=True, text=True, check=True).stdout
    # Of the options that close it only the one that its help names.
    assert said.split() == ["--cors-origins", "http://127.0.0.1", "--port", "1"]
    assert not (folder / "package").exists()
    assert not (folder / "release.tar.gz").exists()


@pytest.mark.parametrize("change", [lambda body: body + b"x", lambda body: body[:-1], lambda body: release(2) + body])
def test_another_archive_is_refused_unopened(
    tmp_path: Path, host: Host, change: object, capsys: pytest.CaptureFixture[str]
) -> None:
    host.expect(release())
    host.body = change(release())  # type: ignore[operator]
    install.install_server(tmp_path / "folder")
    assert {path.name for path in (tmp_path / "folder").iterdir()} == {install.MARKER, "package"}
    assert "is not the expected archive and was deleted. The package xllamacpp is tried" in capsys.readouterr().out


def test_one_of_the_right_size_and_other_contents_is_refused_too(tmp_path: Path, host: Host) -> None:
    archive = release()
    host.expect(archive)
    host.body = bytes([*archive[:-1], archive[-1] ^ 1])
    install.install_server(tmp_path / "folder")
    assert {path.name for path in (tmp_path / "folder").iterdir()} == {install.MARKER, "package"}


def test_the_package_is_taken_where_the_release_is_out_of_reach_missing_or_does_not_run(
    tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    host.body = release(1)
    host.expect(host.body)
    install.install_server(tmp_path / "old")
    assert "it does not run on this system" in capsys.readouterr().out
    assert not (tmp_path / "old" / install.UNPACKED).exists()
    monkeypatch.setattr(install, "RELEASE", "b0")
    install.install_server(tmp_path / "missing")
    assert "HTTP Error 404" in capsys.readouterr().out
    monkeypatch.setattr(install, "RELEASES", "http://127.0.0.1:9")
    install.install_server(tmp_path / "away")
    assert "is not used: <urlopen error" in capsys.readouterr().out
    monkeypatch.setattr(install, "ARCHIVES", {})
    install.install_server(tmp_path / "other")
    assert "it has no archive for" in capsys.readouterr().out
    for name in ("old", "missing", "other", "away"):
        assert (tmp_path / name / "package").exists()


def test_every_archive_is_pinned_by_its_size_and_digest() -> None:
    for name, size, digest in install.ARCHIVES.values():
        assert name.startswith(f"llama-{install.RELEASE}-bin-")
        assert 1_000_000 < size < 100_000_000
        assert len(bytes.fromhex(digest)) == 32
