"""Plants a fault in a copy of the learner and runs the test that has to notice: `python planted_faults.py [WORD]`.

A test that has never failed proves little. Each fault here is one of the traps (README of the learner); the run tells
which tests noticed, and its exit code how many faults went unnoticed. Not part of `npm test`: it takes minutes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parent
LEARNER = TESTS.parents[1] / "resources" / "learner"


@dataclass(frozen=True)
class Fault:
    """`old` becomes `new` in a file of the package; `test` is a file of tests and a word of their names."""

    trap: int
    what: str
    file: str
    old: str
    new: str
    test: tuple[str, str]


ENGINE, CHECKPOINT, TRAPS = "test_engine.py", "test_checkpoint.py", "test_traps.py"
FAULTS = [
    Fault(1, "the slopes' sign is turned", "logprobs.py", "mul_(slopes[", "mul_(-slopes[", (ENGINE, "trap_1_")),
    Fault(
        *(1, "the token before is scored", "engine.py", "row * length + columns", "row * length + (columns - 1)"),
        ("test_oracles.py", "trap_1"),
    ),
    Fault(
        *(1, "targets are not compared with inputs", "wire.py", "if not np.array_equal(inputs[1:], targets[:-1]):"),
        *("if False:", ("test_wire.py", "malformed")),
    ),
    Fault(
        *(2, "a micro-batch is a mean", "engine.py", "(summed * self", "(summed / len(positions) * self"),
        (ENGINE, "trap_2_parts"),
    ),
    Fault(
        *(2, "ranks are averaged", "engine.py", "(summed * self.model.ranks.size)", "summed"),
        ("test_ranks.py", "full"),
    ),
    Fault(
        *(2, "the norm is a rank's own", "engine.py", "if self.model.ranks.size > 1:", "if False:"),
        ("test_ranks.py", "full"),
    ),
    Fault(
        *(2, "padding is scored", "engine.py", "np.flatnonzero(sample.weights) for sample"),
        *("np.arange(len(sample.weights)) for sample", (ENGINE, "trap_4_only")),
    ),
    Fault(
        *(3, "a rank without samples stays out", "engine.py", "            logprobs, loss = self._micro"),
        *("            if not positions:\n                continue\n            logprobs, loss = self._micro",),
        ("test_ranks.py", "full"),
    ),
    Fault(
        *(4, "the last token is not trained", "engine.py", "np.flatnonzero(sample.weights) for"),
        *("np.flatnonzero(sample.weights[:-1]) for", (ENGINE, "trap_4")),
    ),
    Fault(
        *(5, "the text of an answer is tokenised again", "sampler.py", "tokens=np.array(draw.tokens, np.int64)"),
        "tokens=np.array(model.tokenizer(model.tokenizer.decode(draw.tokens, skip_special_tokens=True)).input_ids)",
        (TRAPS, "trap_5"),
    ),
    Fault(
        *(6, "log-probabilities are those after temperature and cuts", "sampler.py", "plain.gather(-1, chosen"),
        *("torch.log_softmax(shaped, -1).gather(-1, chosen", (TRAPS, "trap_6")),
    ),
    Fault(
        *(11, "a state is written in place", "folders.py", "partial, previous = _sibling(target, PARTIAL), _sibling"),
        *("partial, previous = target, _sibling", ("test_folders.py", "trap_11")),
    ),
    Fault(
        *(11, "the former folder is removed first", "folders.py", "target.rename(previous)", "shutil.rmtree(target)"),
        ("test_folders.py", "trap_11"),
    ),
    Fault(
        *(11, "a kill between two renames is not undone", "folders.py", "previous.rename(target)", "pass"),
        ("test_folders.py", "trap_11"),
    ),
    Fault(
        *(11, "digests are not compared", "checkpoint.py", 'if found != manifest["files"]:', "if False:"),
        (CHECKPOINT, "damaged_state and flip"),
    ),
    Fault(
        *(12, "the first moment is not saved", "checkpoint.py", 'adam["exp_avg"]\n', 'adam["exp_avg"].clone()\n'),
        (CHECKPOINT, "trap_12"),
    ),
    Fault(
        *(12, "the count of steps is not saved", "checkpoint.py", 'adam["step"]', 'adam["step"].clone()'),
        (CHECKPOINT, "trap_12"),
    ),
    Fault(
        *(13, "a repeated request is carried out", "retry_cache.py", "number == last.number", "False"),
        ("test_server.py", "trap_13"),
    ),
    Fault(
        *(13, "a retry does not wait for the first", "retry_cache.py", "entry.done.wait()", "pass"),
        ("test_server.py", "trap_13_a_retry"),
    ),
    Fault(
        *(14, "gradients stay", "engine.py", "self.optimizer.zero_grad(set_to_none=True)", "pass"),
        (ENGINE, "trap_14"),
    ),
    Fault(
        *(15, "learners of one model share it", "model.py", "def load_model("),
        *("import functools\n\n\n@functools.cache\ndef load_model(", (TRAPS, "trap_15")),
    ),
    Fault(16, "a zero gradient is stepped on", "engine.py", "if norm == 0:", "if False:", (ENGINE, "trap_16")),
    Fault(
        *(16, "an infinite gradient is stepped on", "engine.py", "if not np.isfinite(norm):", "if False:"),
        (ENGINE, "trap_16"),
    ),
    Fault(
        *(16, "weights may be NaN", "wire.py", "if not np.isfinite(floats).all():", "if False:"),
        ("test_wire.py", "malformed"),
    ),
    Fault(
        *(17, "masters are bfloat16", "model.py", "options.dtype if adapted else torch.float32", "options.dtype"),
        (ENGINE, "trap_17"),
    ),
    Fault(
        18, "dropout stays", "model.py", "    _silence_dropout(causal)\n    scorer", "    scorer", (ENGINE, "trap_18")
    ),
    Fault(
        *(20, "answers do not say which weights wrote them", "batching.py", "request.version()", "0"),
        ("test_server.py", "trap_20"),
    ),
    Fault(
        *(
            22,
            "a failed batch of answers ends the writing",
            "batching.py",
            "except Exception as",
            "except ValueError as",
        ),
        (TRAPS, "trap_22"),
    ),
    Fault(
        *(23, "ids are not compared with the vocabulary", "wire.py", "ids.max() >= limits.vocab_size", "False"),
        ("test_wire.py", "malformed"),
    ),
    Fault(
        *(23, "a larger tokenizer is taken", "model.py", "if len(tokenizer) > causal.config.vocab_size:", "if False:"),
        ("test_model.py", "trap_23"),
    ),
    Fault(
        *(24, "the longest come last", "engine.py", "(-lengths[place], place)", "(lengths[place], place)"),
        (ENGINE, "trap_24"),
    ),
    Fault(
        *(24, "a broken pass is stepped on", "engine.py", "self.incomplete = True", "self.incomplete = False"),
        (ENGINE, "trap_24"),
    ),
    Fault(
        *(27, "answers are written while the weights are at work", "batching.py", "max_workers=1", "max_workers=8"),
        (TRAPS, "trap_27"),
    ),
    Fault(
        *(28, "a tied projection is written twice", "checkpoint.py", 'return [key for key in state if key != f"{name}'),
        *('return [key for key in state if key != f"no {name}', (CHECKPOINT, "trap_28")),
    ),
    Fault(
        *(28, "the projection is always left out", "checkpoint.py", 'getattr(model.config, "tie_word_embeddings"'),
        *('getattr(model.config, "vocab_size"', (CHECKPOINT, "trap_28")),
    ),
    Fault(
        *(28, "the base's weights are exported", "checkpoint.py", "        state = get_peft_model_state_dict"),
        *("        whole = {k: v * 0 for k, v in whole.items()}\n        state = get_peft_model_state_dict",),
        (CHECKPOINT, "trap_28_an_adapter"),
    ),
]


def is_noticed(fault: Fault) -> bool:
    """Whether the test fails once the fault is there. The fault has to be one: its text is replaced, and once."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "learner"
        shutil.copytree(LEARNER, copy, ignore=shutil.ignore_patterns("__pycache__", ".*cache"))
        file = copy / "mars2_learner" / fault.file
        text = file.read_text()
        if fault.old not in text:
            raise ValueError(f"trap {fault.trap}, {fault.what}: {fault.file} no longer has {fault.old!r}")
        file.write_text(text.replace(fault.old, fault.new, 1))
        path, word = fault.test
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-c", str(copy / "pyproject.toml")]
        ended = subprocess.run([*command, str(TESTS / path), "-k", word], capture_output=True, text=True, check=False)
        # 1 is "tests failed"; 2 and above are faults of ours, as a word that names no test.
        if ended.returncode > 1:
            raise ValueError(f"trap {fault.trap}, {fault.what}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
        return ended.returncode == 1


def main() -> int:
    """The number of faults that no test noticed."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    unnoticed = 0
    for fault in FAULTS:
        if word not in f"trap {fault.trap}, {fault.what}":
            continue
        noticed = is_noticed(fault)
        unnoticed += not noticed
        print(f"{'noticed  ' if noticed else 'UNNOTICED'} trap {fault.trap}: {fault.what}", flush=True)
    return unnoticed


if __name__ == "__main__":
    sys.exit(main())
