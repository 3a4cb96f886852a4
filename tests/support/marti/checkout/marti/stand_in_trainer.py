"""Stand-in for MARTI's trainer: takes its arguments, trains nothing, writes what it would write.

STAND_IN_STEPS: steps in all. STAND_IN_STEP_SECONDS: how long one takes. STAND_IN_NAN_AT: from this step on the loss is
no number. STAND_IN_FULL_AT: the disk is full when the checkpoint of this step is written. STAND_IN_ARGUMENTS: a file
that gets what was understood.
"""

import errno
import json
import math
import os
import sys
import time

from .stand_in_arguments import checked, parser
from .stand_in_events import EventFile


def number(name, own):
    return float(os.environ.get(name, own))


def say(line):
    print(f"2026-01-01 00:00:00 INFO multi_agent_ppotrainer.py: {line}", flush=True)


def load_state(agent):
    latest = os.path.join(agent["ckpt_path"], "_actor", "latest")
    if not agent["load_checkpoint"] or not os.path.exists(latest):
        return 0
    with open(latest) as file:
        return int(file.read().strip().removeprefix("global_step"))


def save_state(agent, step):
    if step == number("STAND_IN_FULL_AT", -1):
        raise OSError(errno.ENOSPC, "No space left on device")
    tag = f"global_step{step}"
    state = os.path.join(agent["ckpt_path"], "_actor", tag)
    os.makedirs(state, exist_ok=True)
    with open(os.path.join(state, "mp_rank_00_model_states.pt"), "wb") as file:
        file.write(b"state")
    with open(os.path.join(agent["ckpt_path"], "_actor", "latest"), "w") as file:
        file.write(tag)
    if agent["save_hf_ckpt"]:
        served = os.path.join(agent["ckpt_path"], f"{tag}_hf")
        os.makedirs(served, exist_ok=True)
        for name, data in (("config.json", b"{}"), ("model.safetensors", b"weights")):
            with open(os.path.join(served, name), "wb") as file:
                file.write(data)


def main(has_eval_save_path):
    args = parser(has_eval_save_path).parse_args()
    agents = checked(args)
    if "STAND_IN_ARGUMENTS" in os.environ:
        understood = {**vars(args), "cwd": os.getcwd(), "module": sys.modules["__main__"].__spec__.name}
        understood["tasks"] = os.environ.get("OPENRLHF_ASYNC_NUM_TASKS")
        with open(os.environ["STAND_IN_ARGUMENTS"], "w") as file:
            json.dump(understood, file)
    for path in filter(None, (args.workflow_func_path, args.processor_func_path)):
        assert os.path.exists(path), f"There is no {path}"
    assert os.path.isdir(args.prompt_data.split("@")[1])
    tuned = [agent for agent in agents.values() if agent["is_tuning"]]
    events = EventFile(os.path.join(args.use_tensorboard, args.wandb_run_name))
    # Like the real one: the state of the last agent says where all go on.
    step = [load_state(agent) for agent in tuned][-1]
    say(f"Begin at global step {step + 1}")
    while step < number("STAND_IN_STEPS", 6):
        step += 1
        say("[MultiAgent_PPOTrainer] Begin ROLLOUT")
        time.sleep(number("STAND_IN_STEP_SECONDS", 0.05))
        say("[MultiAgent_PPOTrainer] ROLLOUT FINISHED! Begin making experiences")
        broken = number("STAND_IN_NAN_AT", math.inf) <= step
        for at, agent in enumerate(tuned):
            status = {
                "policy_loss": math.nan if broken else 0.1 / step,
                "actor_lr": agent["actor_learning_rate"],
                "reward": min(1, 0.05 * step + 0.1 * at),
                "kl": 0.001 * step,
                "response_length": 900 + step,
                "agent_id": float(at),
            }
            for key, value in status.items():
                events.scalar(f"train/agent_{at}/{key}", value, step)
                events.scalar(f"agent_{at}_step/train/{key}", value, step)
            say(f"Global step {step}: {status}")
            if args.eval_steps > 0 and step % args.eval_steps == 0:
                events.scalar(f"eval/eval_agent{at}_default_pass1", min(1, 0.04 * step), step)
        if args.save_steps > 0 and step % args.save_steps == 0:
            for agent in tuned:
                save_state(agent, step)
