"""Folders that are whole or absent, whenever the process is killed."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

PARTIAL = ".partial-"
PREVIOUS = ".previous-"


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """`fill` writes into a folder beside `target`, which then takes its place."""
    partial, previous = _sibling(target, PARTIAL), _sibling(target, PREVIOUS)
    recover(target)
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    fill(partial)
    for path in [*partial.rglob("*"), partial]:
        _flush(path)
    replace_folder(partial, target, previous)


def replace_folder(partial: Path, target: Path, previous: Path) -> None:
    """Two renames, as a folder cannot be renamed over another; `recover` undoes a first one without a second."""
    if target.exists():
        target.rename(previous)
    partial.rename(target)
    _flush(target.parent)
    shutil.rmtree(previous, ignore_errors=True)


def recover(target: Path) -> None:
    """Puts back what a kill left between the two renames, and clears what it left after them."""
    previous = _sibling(target, PREVIOUS)
    if not previous.exists():
        return
    if target.exists():
        shutil.rmtree(previous, ignore_errors=True)
    else:
        previous.rename(target)


def partial_of(target: Path) -> Path:
    """Where `target` is being written."""
    return _sibling(target, PARTIAL)


def previous_of(target: Path) -> Path:
    """Where the former `target` waits while a new one takes its place."""
    return _sibling(target, PREVIOUS)


def digest_of(path: Path) -> str:
    """Sha256 of a file, as hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return digest.hexdigest()


def digests_of(folder: Path) -> dict[str, str]:
    """Sha256 of every file, by its path in the folder, sorted."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): digest_of(path) for path in files}


def _sibling(target: Path, prefix: str) -> Path:
    return target.with_name(f"{prefix}{target.name}")


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
