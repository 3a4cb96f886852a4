"""A folder is the former one or the new one, wherever its writer is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from mars2_learner.folders import digests_of, recover
from support import PACKAGE

# Kills itself at the n-th call that touches the disk; one that is never reached lets it end.
WRITER = """
import os, pathlib, shutil, signal, sys
sys.path.insert(0, sys.argv[1])
from mars2_learner import folders
target, word, last = pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
calls = 0
def counted(real):
    def call(*given, **named):
        global calls
        calls += 1
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given, **named)
    return call
os.fsync = counted(os.fsync)
shutil.rmtree = counted(shutil.rmtree)
for name in ("rename", "mkdir", "write_text"):
    setattr(pathlib.Path, name, counted(getattr(pathlib.Path, name)))
def fill(partial):
    (partial / "a").write_text(word)
    (partial / "b").write_text(word)
folders.write_folder(target, fill)
"""


def run_writer(target: Path, word: str, last: int) -> bool:
    """Whether it came to its end."""
    command = [sys.executable, "-c", WRITER, str(PACKAGE), str(target), word, str(last)]
    code = subprocess.run(command, check=False).returncode
    assert code in (0, -signal.SIGKILL)
    return code == 0


def words_of(target: Path) -> list[str]:
    recover(target)
    return [path.read_text() for path in sorted(target.iterdir())]


def test_trap_11_a_writer_killed_at_any_call_leaves_a_whole_folder(tmp_path: Path) -> None:
    target = tmp_path / "state"
    assert run_writer(target, "former", 0)
    seen = set()
    for last in range(1, 40):
        ended = run_writer(target, "new", last)
        words = words_of(target)
        assert words in (["former"] * 2, ["new"] * 2)
        seen.add(words[0])
        if ended:
            assert words == ["new"] * 2
            break
        assert run_writer(target, "former", 0)
    else:
        raise AssertionError("the writer did not end")
    assert seen == {"former", "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_digests_name_every_file(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(b"abc")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, appendix B.1
    assert digests_of(tmp_path) == {"inner/file": known}
