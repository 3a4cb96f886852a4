"""Makes the pinned environment: `python -m mars2_learner.environment --folder F --requirements R`, by any Python 3.11.

Says what it downloads and how large that is before it does. The marker is written last: without it an environment is
what a killed run left, and is made again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import fcntl
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

MARKER = ".mars2-learner"
# Where PyTorch publishes its builds without CUDA; on Linux the usual index has only those with it, of some 3 GB.
WITHOUT_CUDA = "https://download.pytorch.org/whl/cpu"
# Without CUDA, measured on Linux: 1.3 GB, and pip unpacks before it moves. With CUDA, an estimate: 7 GB of 3 GB.
DISK_BYTES = {False: 3e9, True: 12e9}
IMPORTED = "import torch, transformers, peft"
SIZE_TIMEOUT_S = 10


def main() -> int:
    """Gives the process's exit code."""
    parser = argparse.ArgumentParser(prog="mars2_learner.environment", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--requirements", type=Path, required=True)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return _fail(f"Another run is making {folder}: wait until it is done.")
        if is_whole(folder):
            print(f"The environment is there already: {python_of(folder)}")
            return 0
        return _make(folder, arguments.requirements)


def python_of(folder: Path) -> Path:
    """The interpreter of an environment."""
    return folder / "bin" / "python"


def is_whole(folder: Path) -> bool:
    """Whether it was finished; the Python that it stands on may have gone since."""
    return (folder / MARKER).exists() and python_of(folder).exists()


def _make(folder: Path, requirements: Path) -> int:
    _report_step(f"1 of 4: a virtual environment of Python {sys.version.split()[0]} in {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    if subprocess.run([sys.executable, "-m", "venv", str(folder)], env=_environment()).returncode != 0:
        return _fail(f"{sys.executable} cannot make virtual environments (on Debian and Ubuntu: python3-venv).")

    _report_step("2 of 4: looking for the packages")
    options, packages = _plan(folder, requirements)
    if packages is None:
        return _fail("pip found no set of packages; its reason is above. Is a Python package index within reach?")
    with_cuda = _has_cuda(packages)
    print(_size_text(packages, with_cuda, folder))
    free = shutil.disk_usage(folder).free
    if free < DISK_BYTES[with_cuda]:
        return _fail(f"{folder} has {_gigabytes(free)} free, {_gigabytes(DISK_BYTES[with_cuda])} are needed.")

    # torch first and alone: with others pip may look for another version of it, and those are large.
    lines = _lines(requirements)
    for step, what, names in ((3, lines[0], lines[:1]), (4, "the others", lines)):
        _report_step(f"{step} of 4: installing {what}")
        if _pip(folder, ["install", "--progress-bar", "off", *options, *names]).returncode != 0:
            return _fail("pip could not install the packages; its reason is above. Run the same command again.")
    if subprocess.run([str(python_of(folder)), "-c", IMPORTED], env=_environment()).returncode != 0:
        return _fail("The packages are installed, but they cannot be imported; the reason is above.")
    (folder / MARKER).write_text(f"{sys.version.split()[0]}\n")
    print(f"The environment is ready: {python_of(folder)}")
    return 0


def _plan(folder: Path, requirements: Path) -> tuple[list[str], list[dict[str, str]] | None]:
    """Options of pip and what it would install with them; no build for GPUs where there are none, if one is found."""
    usual = _packages(folder, requirements, [])
    if usual is None or not _has_cuda(usual) or _has_gpu():
        return [], usual
    options = ["--extra-index-url", WITHOUT_CUDA]
    small = _packages(folder, requirements, options)
    if small is not None and not _has_cuda(small):
        return options, small
    print("There is no GPU here, but only torch with CUDA was found: it works too, and is larger.")
    return [], usual


def _packages(folder: Path, requirements: Path, options: list[str]) -> list[dict[str, str]] | None:
    arguments = ["install", "--dry-run", "--quiet", "--report", "-", *options, "-r", str(requirements)]
    ended = _pip(folder, arguments, stdout=subprocess.PIPE)
    if ended.returncode != 0:
        return None
    # There may be warnings around the report.
    report = json.loads(ended.stdout[ended.stdout.index("{") : ended.stdout.rindex("}") + 1])
    return [
        {
            "name": found["metadata"]["name"].lower(),
            "version": found["metadata"]["version"],
            "url": found["download_info"]["url"],
        }
        for found in report["install"]
    ]


def _size_text(packages: list[dict[str, str]], with_cuda: bool, folder: Path) -> str:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(_size, [package["url"] for package in packages]))
    known = sum(size for size in sizes if size is not None)
    unknown = sizes.count(None)
    more = f" and {unknown} of unknown size" if unknown > 0 else ""
    largest = sorted(zip(sizes, packages, strict=True), key=lambda pair: -(pair[0] or 0))[:3]
    names = ", ".join(f"{package['name']} {package['version']}" for _, package in largest)
    build = "with CUDA" if with_cuda else "without CUDA"
    disk = "7 GB" if with_cuda else "1.3 GB"
    return (
        f"To download or copy: {len(packages)} packages, {_gigabytes(known)}{more} "
        f"(torch {build}; the largest: {names}); about {disk} on disk in {folder}"
    )


def _size(url: str) -> int | None:
    try:
        if url.startswith("file:"):
            return Path(url2pathname(urlparse(url).path)).stat().st_size
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=SIZE_TIMEOUT_S) as answer:
            return int(answer.headers["content-length"])
    except (OSError, TypeError, ValueError):
        return None  # reported as unknown


def _has_cuda(packages: list[dict[str, str]]) -> bool:
    return any(package["name"].startswith("nvidia-") for package in packages)


def _has_gpu() -> bool:
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, timeout=60).stdout.startswith(b"GPU ")
    except (OSError, subprocess.TimeoutExpired):
        return False


def _lines(requirements: Path) -> list[str]:
    lines = [line.strip() for line in requirements.read_text().splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def _pip(folder: Path, arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    command = [str(python_of(folder)), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    return subprocess.run(command, env=_environment(), text=True, **options)


def _environment() -> dict[str, str]:
    """Without what the user's own settings would add to the environment's packages."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, "PYTHONNOUSERSITE": "1", "PYTHONUNBUFFERED": "1"}


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.2f} GB"


def _report_step(what: str) -> None:
    print(what, flush=True)


def _fail(why: str) -> int:
    print(why, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    sys.exit(main())
