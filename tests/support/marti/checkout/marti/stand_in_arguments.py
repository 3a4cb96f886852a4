"""The arguments that MARTI's trainer takes: names, types and own values as in its parser."""

import argparse
import json

SWITCHES = """
shared_agents parallel_loading colocate_actor_ref colocate_critic_reward colocate_all_models truncate_prompt
vllm_sync_with_ray enable_prefix_caching enforce_eager vllm_enable_sleep enable_vllm_is_correction async_train
save_hf_ckpt disable_ds_ckpt load_checkpoint use_ds_universal_ckpt gradient_checkpointing deepcompile bf16 enable_ema
adam_offload actor_init_on_gpu use_liger_kernel overlap_comm gradient_checkpointing_use_reentrant
disable_fast_tokenizer deepspeed_enable_sleep packing_samples use_dynamic_batch load_in_4bit normalize_reward
full_determinism save_value_network use_kl_loss no_advantage_std_norm ref_reward_offload apply_chat_template
dynamic_filtering perf use_ms dynamic_filtering_for_agents eval_before_training eval_only
""".split()

WHOLE = {
    "ref_num_nodes": 1, "ref_num_gpus_per_node": 8, "reward_num_nodes": 1, "reward_num_gpus_per_node": 8,
    "actor_num_nodes": 1, "actor_num_gpus_per_node": 8, "critic_num_nodes": 1, "critic_num_gpus_per_node": 8,
    "vllm_num_engines": None, "vllm_tensor_parallel_size": 1, "eval_steps": -1, "save_steps": -1, "logging_steps": 1,
    "max_ckpt_num": 3, "max_ckpt_mem": 1e8, "local_rank": -1, "zero_stage": 2, "zpg": 1, "ds_tensor_parallel_size": 1,
    "rollout_max_tokens_per_gpu": None, "train_max_tokens_per_gpu": 16192, "lora_rank": 0, "lora_alpha": 16,
    "num_episodes": 1, "rollout_batch_size": 1024, "vllm_generate_batch_size": None, "micro_rollout_batch_size": 1,
    "max_epochs": 1, "prompt_max_len": 1024, "generate_max_len": 1024, "eval_generate_max_len": 1024, "max_len": None,
    "max_samples": 1e8, "micro_train_batch_size": 4, "train_batch_size": 128, "seed": 42, "freezing_actor_steps": -1,
    "n_samples_per_prompt": 1, "kl_horizon": 10000, "ring_attn_size": 1, "ring_head_stride": 1,
    "eval_n_samples_per_prompt": 4,
}

NUMBERS = {
    "vllm_gpu_memory_utilization": 0.95, "vllm_is_truncated_threshold": 2, "vllm_is_truncated_threshold_lower": None,
    "vllm_is_veto_threshold": 1e-4, "ema_beta": 0.992, "lora_dropout": 0, "max_norm": 1.0, "l2": 0.0, "ptx_coef": 0.05,
    "eps_clip": 0.2, "dual_clip": None, "value_clip": 0.5, "lambd": 1, "gamma": 1, "top_p": 1.0, "temperature": 1.0,
    "actor_learning_rate": 1e-6, "critic_learning_rate": 9e-6, "lr_warmup_ratio": 0.03, "kl_target": None,
    "init_kl_coef": 0.01, "aux_loss_coef": 0, "entropy_loss_coef": None, "overlong_buffer_len": None,
    "overlong_penalty_factor": 1, "eval_temperature": 0.6,
}

PAIRS = {
    "eps_clip_low_high": None, "adam_betas": (0.9, 0.95), "reward_clip_range": (-10, 10),
    "dynamic_filtering_reward_range": (0, 1),
}

TEXTS = {
    "workflow_func_path": None, "processor_func_path": None, "evaluate_mcts_methods": "agent",
    "vllm_sync_backend": "nccl", "ckpt_path": "./ckpt/checkpoints_ppo_ray", "attn_implementation": "flash_attention_2",
    "grad_accum_dtype": None, "save_path": "./ckpt", "lr_scheduler": "cosine_with_min_lr", "pretrain": None,
    "reward_pretrain": None, "remote_rm_url": None, "critic_pretrain": None, "value_head_prefix": "score",
    "agent_func_path": None, "prompt_data": None, "prompt_data_probs": None, "prompt_split": "train",
    "eval_dataset": None, "eval_split": "test", "input_key": "input", "label_key": None, "metadata_key": "extra_info",
    "input_template": None, "use_wandb": None, "wandb_org": None, "wandb_group": None,
    "wandb_project": "openrlhf_train_ppo", "wandb_run_name": "ppo_0101T00:00", "use_tensorboard": None,
    "verify_task": "math", "verify_task_eval": "math",
}

CHOICES = {
    "vllm_is_level": (["token", "sequence", "geometric"], "token"),
    "vllm_is_mode": (["truncate", "mask"], "truncate"),
    "policy_loss_type": (["ppo", "gspo"], "ppo"),
    "kl_estimator": (["k1", "k2", "k3"], "k1"),
    "advantage_estimator": (["gae", "reinforce", "rloo", "reinforce_baseline", "group_norm", "dr_grpo"], "gae"),
}


def parser(has_eval_save_path):
    made = argparse.ArgumentParser(allow_abbrev=False)
    made.add_argument("--agents", type=json.loads, nargs="+", required=True)
    made.add_argument("--default_agent", type=json.loads, default={})
    made.add_argument("--workflow_args", type=json.loads, default={})
    made.add_argument("--tools_config", type=json.loads, default={})
    shaping = {"name": "margin", "alpha": 0.5, "beta": 0.5, "use_ttrl": False}
    made.add_argument("--reward_alloc", type=json.loads, default=shaping)
    made.add_argument("--target_modules", type=str, nargs="*", default="all-linear")
    for name in SWITCHES:
        made.add_argument(f"--{name}", action="store_true", default=False)
    for kind, table in ((int, WHOLE), (float, NUMBERS), (str, TEXTS)):
        for name, own in table.items():
            made.add_argument(f"--{name}", type=kind, default=own)
    for name, own in PAIRS.items():
        made.add_argument(f"--{name}", type=float, nargs=2, default=own)
    for name, (choices, own) in CHOICES.items():
        made.add_argument(f"--{name}", type=str, choices=choices, default=own)
    if has_eval_save_path:
        made.add_argument("--eval_save_path", type=str, default=None)
    return made


def checked(args):
    """What the real one asserts before it loads anything; every agent gets what it does not say itself."""
    processes = args.actor_num_nodes * args.actor_num_gpus_per_node // args.ring_attn_size
    samples = args.n_samples_per_prompt * args.rollout_batch_size // args.micro_rollout_batch_size
    assert samples >= processes, "The number of sample batches must be greater than or equal to the processes."
    agents = {}
    for told in args.agents:
        for name, agent in told.items():
            for key, value in {**vars(args), **args.default_agent, **agent}.items():
                if key not in ("agents", "default_agent", "workflow_args"):
                    agents.setdefault(name, {})[key] = value
    for name, agent in agents.items():
        if agent["advantage_estimator"] in ("rloo", "reinforce_baseline", "group_norm"):
            nodes = args.workflow_args.get("max_num_nodes", -1)
            assert agent["n_samples_per_prompt"] > 1 or nodes > 1, "group_norm requires n_samples_per_prompt > 1"
        if agent["packing_samples"]:
            assert agent["vllm_num_engines"] > 0, f"Only support `packing_samples` with vLLM for agent {name}."
        if agent["dynamic_filtering"]:
            assert agent["remote_rm_url"] or agent["agent_func_path"], "remote_rm_url must be specified"
        if agent["colocate_all_models"]:
            gpus = agent["actor_num_nodes"] * agent["actor_num_gpus_per_node"]
            assert gpus == agent["ref_num_nodes"] * agent["ref_num_gpus_per_node"], "ref and actor must be the same"
            engines = agent["vllm_num_engines"] * agent["vllm_tensor_parallel_size"]
            assert gpus == engines, "actor GPUs must be equal to vllm_num_engines * vllm_tensor_parallel_size"
    return agents
