"""The learner as a process: its start, its address, its ends."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support import HANGS_AFTER_S, PACKAGE, as_body, learner_process, samples

Completed = subprocess.CompletedProcess[str]


def run(*arguments: str, token: str = "", python: Sequence[str] = (sys.executable,)) -> Completed:
    env = {**os.environ, "PYTHONPATH": str(PACKAGE), "MARS2_LEARNER_TOKEN": token, "OMP_NUM_THREADS": "1"}
    command = [*python, "-m", "mars2_learner", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=HANGS_AFTER_S, check=False)


def test_it_answers_at_the_address_that_it_wrote_and_ends_when_unloaded(tiny: Path, tmp_path: Path) -> None:
    with learner_process(tmp_path, tiny, "--lora-rank", "2") as learner:
        file = next(tmp_path.glob("address-*.json"))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert json.loads(file.read_text()) == {"host": "127.0.0.1", "port": learner.port, "pid": learner.process.pid}
        # The token is in no process list and in no child's environment.
        assert b"MARS2_LEARNER_TOKEN" not in Path(f"/proc/{learner.pid}/cmdline").read_bytes()
        assert learner.do("get_server_capabilities")["lora"]["alpha"] == 4
        assert learner.do("forward", forward_input=as_body(samples(1)), by="reference")
        assert learner.do("unload") == {}
        assert learner.process.wait(10) == 0


def test_it_ends_on_a_signal_and_within_seconds_of_its_parents_death(tiny: Path, tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with learner_process(tmp_path, tiny, "--parent", str(parent.pid)) as orphan:
        with learner_process(tmp_path, tiny) as learner:
            learner.process.send_signal(signal.SIGTERM)
            assert learner.process.wait(10) == 0
        assert orphan.process.poll() is None
        parent.kill()  # and not waited for: a zombie is dead, too
        assert orphan.process.wait(10) == 1
    parent.wait()


@pytest.mark.parametrize(
    ("model", "token", "reason"), [("none", "t", "there is no model"), ("tiny", "", "TOKEN is not set")]
)
def test_a_start_that_can_not_succeed_says_why(model: str, token: str, reason: str, tiny: Path, tmp_path: Path) -> None:
    source = tiny if model == "tiny" else tmp_path / "none"
    folders = ["--state-dir", str(tmp_path), "--export-dir", str(tmp_path)]
    found = run("serve", "--model", str(source), *folders, "--address-file", str(tmp_path / "a"), token=token)
    assert found.returncode in (1, 2)
    assert reason in found.stderr


def test_check_tells_what_is_here_and_makes_a_step(forking: list[str]) -> None:
    found = run("check", "--json", python=forking)
    assert found.returncode == 0
    told = json.loads(found.stdout)
    assert told["step"]["error"] is None
    assert told["missing"] == []
    assert told["versions"]["torch"]


def test_tiny_writes_a_model_with_pieces_of_ones_own(tmp_path: Path, forking: list[str]) -> None:
    (tmp_path / "pieces.json").write_text(json.dumps(["return 1\n"]))
    options = ["--out", str(tmp_path / "m"), "--seed", "3", "--pieces", str(tmp_path / "pieces.json")]
    found = run("tiny", *options, python=forking)
    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads((tmp_path / "m" / "tiny.json").read_text()) == {"seed": 3, "pieces": ["return 1\n"]}
