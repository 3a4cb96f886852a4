import { byPreset, flagsOf, inEveryPreset, type MartiFlag } from './marti-flag';
import { MARTI_LEARNING_FLAGS } from './marti-learning-flags';

const gpus = flagsOf('gpus');
const search = flagsOf('search');
const lengths = flagsOf('lengths');
const batches = flagsOf('batches');
const sampling = flagsOf('sampling');
const memory = flagsOf('memory');
const data = flagsOf('data');
const saving = flagsOf('saving');

/** As many GPUs as a node has at most. */
const NODE_GPUS = 64;
const MANY = 1_000_000_000;

/**
 * Settings of MARTI's trainer, with the defaults of its scripts: examples/mars2/run_train_single_mcts.sh (single, shared),
 * run_train_multi_mcts.sh (multi) and examples/single-agent/run_train_code_async.sh (grpo), at commit a2fe2c7.
 */
export const MARTI_FLAGS: readonly MartiFlag[] = [
  gpus.whole(1, 64)('actor_num_nodes', inEveryPreset(1), {
    label: 'Nodes per agent',
    help: 'Machines that one agent is trained on. More than one needs a Ray cluster that runs already.',
  }),
  gpus.whole(1, NODE_GPUS)('actor_num_gpus_per_node', byPreset(2, 8, 2), {
    label: 'GPUs per agent and node',
    help: 'The trained policy is divided among them. MARTI advises 8 x 80 GB per agent for 8B models.',
  }),
  gpus.whole(1, 64)('ref_num_nodes', inEveryPreset(1), {
    label: 'Nodes of the reference model',
    help: 'The same as those of the agent, since both share their GPUs.',
  }),
  gpus.whole(1, NODE_GPUS)('ref_num_gpus_per_node', byPreset(2, 8, 2), {
    label: 'GPUs per node of the reference model',
    help: 'The same as those of the agent, since both share their GPUs.',
  }),
  gpus.whole(1, 64)('reward_num_nodes', inEveryPreset(1), {
    label: 'Nodes of a reward model',
    help: 'Without effect here: programs are graded by their tests.',
  }),
  gpus.whole(1, NODE_GPUS)('reward_num_gpus_per_node', byPreset(1, 8, 2), {
    label: 'GPUs per node of a reward model',
    help: 'Without effect here: programs are graded by their tests.',
  }),
  gpus.whole(1, 512)('vllm_num_engines', byPreset(1, 8, 2), {
    label: 'vLLM engines per agent',
    help: 'Engines x tensor-parallel size must equal the GPUs of the agent: they take turns with the training.',
  }),
  gpus.whole(1, NODE_GPUS)('vllm_tensor_parallel_size', byPreset(2, 1, 1), {
    label: 'GPUs per vLLM engine',
    help: 'Tensor-parallel size. More than 1 for models that one GPU does not hold.',
  }),
  gpus.number(0.05, 0.99)('vllm_gpu_memory_utilization', byPreset(0.6, 0.6, 0.75), {
    label: 'Share of GPU memory for vLLM',
    help: 'While it samples. Lower it where the start runs out of memory.',
  }),
  gpus.onOff('colocate_all_models', inEveryPreset(true), {
    label: 'Training and vLLM share GPUs',
    help: 'In turns. Off, every part needs GPUs of its own.',
  }),

  search.whole(1, 256)('workflow_args.max_num_nodes', byPreset(null, 8, 8), {
    label: 'Nodes per tree in training',
    help: 'All nodes of a tree are one group of the advantage.',
  }),
  search.whole(1, 1_000)('workflow_args.eval_max_num_nodes', byPreset(null, 1, 1), {
    label: 'Nodes per tree in evaluation',
    help: '1 measures Pass@1 and is cheap. For the 60 nodes of the papers, run a separate study.',
  }),
  search.text('workflow_args.algo.class_name', byPreset(null, 'AsyncABMCTSA', 'AsyncABMCTSA'), {
    label: 'Search class',
    help: 'AsyncABMCTSA is AB-MCTS-A with Gaussian beliefs and Thompson sampling.',
  }),
  search.text('workflow_args.algo.params', byPreset(null, '{}', '{}'), {
    label: 'Parameters of the search',
    help: 'A JSON object that is passed to the search class.',
  }),
  search.whole(1, 4_096)('OPENRLHF_ASYNC_NUM_TASKS', byPreset(16, 128, 16), {
    label: 'Trees at once per engine',
    help: 'Nodes of one tree are made one after the other, so several trees keep an engine busy.',
  }),

  lengths.whole(64, MANY)('prompt_max_len', inEveryPreset(4_096), {
    label: 'Prompt',
    help: 'Longer prompts are cut. A refinement holds the earlier program as well.',
  }),
  lengths.whole(64, MANY)('generate_max_len', inEveryPreset(32_768), {
    label: 'Answer in training',
    help: 'Reasoning models need most of it. Memory and time grow with it.',
  }),
  lengths.whole(64, MANY)('eval_generate_max_len', inEveryPreset(32_768), {
    label: 'Answer in evaluation',
    help: 'As in training, so that both numbers mean the same.',
  }),
  lengths.whole(128, MANY)('max_len', inEveryPreset(40_000), {
    label: 'Context of the engines',
    help: 'Must hold a prompt and an answer.',
  }),
  lengths.whole(1, MANY)('overlong_buffer_len', inEveryPreset(2_048), {
    label: 'Penalised end of an answer',
    help: 'Over this many tokens before the limit the reward falls, by 1 at the limit.',
  }),

  batches.whole(1, 65_536)('train_batch_size', byPreset(32, 32, 8), {
    label: 'Answers per optimiser step',
    help: 'A multiple of the GPUs of the agent x answers per GPU.',
  }),
  batches.whole(1, 65_536)('rollout_batch_size', byPreset(32, 32, 16), {
    label: 'Problems per round',
    help: 'An agent learns as soon as it has this many answers of its own, or a whole training batch.',
  }),
  batches.whole(1, 1_024)('micro_train_batch_size', inEveryPreset(1), {
    label: 'Answers per GPU in training',
    help: '1 for long answers.',
  }),
  batches.whole(1, 1_024)('micro_rollout_batch_size', inEveryPreset(1), {
    label: 'Answers per GPU in a round',
    help: 'Must be 1 with trees: MARTI identifies answers by it.',
  }),
  batches.whole(1, 1_024)('n_samples_per_prompt', byPreset(8, 1, 1), {
    label: 'Trees per problem; without a tree, answers per problem',
    help: 'Without a tree they are the group of the advantage: 8, as large as a tree, though MARTI ships 2.',
  }),
  batches.whole(1, 1_000)('max_epochs', inEveryPreset(1), {
    label: 'Passes over a batch',
    help: 'With more than 1 the policy also learns from answers that it would no longer give.',
  }),
  batches.whole(1, 1_000)('num_episodes', inEveryPreset(2), {
    label: 'Passes over the data',
    help: 'With the number of problems this says how long the training takes.',
  }),
  batches.whole(1, MANY)('max_samples', inEveryPreset(100_000), {
    label: 'Limit of problems',
    help: 'Only this many problems of the data are used, from the first.',
  }),
  batches.whole(0, 2_147_483_647)('seed', inEveryPreset(42), {
    label: 'Seed',
    help: 'Two runs with one seed still differ on GPUs.',
  }),

  sampling.number(0, 10)('temperature', inEveryPreset(1), { label: 'Temperature', help: 'In training.' }),
  sampling.number(0.001, 1)('top_p', inEveryPreset(1), {
    label: 'Top p',
    help: 'Below 1 the reported log-probabilities are no longer those of the policy.',
  }),
  sampling.number(0, 10)('eval_temperature', inEveryPreset(1), {
    label: 'Temperature in evaluation',
    help: 'The papers evaluate at 1.',
  }),
  sampling.whole(1, 1_000)('eval_n_samples_per_prompt', inEveryPreset(1), {
    label: 'Evaluation trees per problem',
    help: 'More of them make the curve of Pass@1 smoother, and the evaluation longer.',
  }),

  ...MARTI_LEARNING_FLAGS,

  memory.whole(0, 3)('zero_stage', inEveryPreset(3), {
    label: 'ZeRO stage',
    help: 'How DeepSpeed spreads a model over GPUs: 3 spreads weights, gradients and optimiser.',
  }),
  memory.onOff('bf16', inEveryPreset(true), {
    label: 'bfloat16',
    help: 'Half the memory of 32-bit numbers.',
  }),
  memory.onOff('gradient_checkpointing', inEveryPreset(true), {
    label: 'Gradient checkpointing',
    help: 'Computes activations again instead of keeping them. Long answers need it.',
  }),
  memory.onOff('packing_samples', inEveryPreset(true), {
    label: 'Pack answers without padding',
    help: "MARTI's multi-agent trainer needs it.",
  }),
  memory.onOff('adam_offload', inEveryPreset(false), {
    label: 'Optimiser in main memory',
    help: 'Slower; saves some 12 bytes per weight of GPU memory, spread over the GPUs of the agent.',
  }),
  memory.onOff('vllm_enable_sleep', inEveryPreset(true), {
    label: 'vLLM sleeps while training',
    help: 'Gives its memory free. Only where training and vLLM share GPUs.',
  }),
  memory.onOff('deepspeed_enable_sleep', inEveryPreset(true), {
    label: 'Training sleeps while sampling',
    help: 'Moves optimiser and gradients to main memory meanwhile.',
  }),
  memory.onOff('enforce_eager', inEveryPreset(true), {
    label: 'vLLM without CUDA graphs',
    help: 'Slower sampling, less memory and a faster start.',
  }),
  memory.onOff('enable_prefix_caching', inEveryPreset(false), {
    label: 'vLLM reuses common beginnings',
    help: 'Refinements of one problem begin alike.',
  }),
  memory.choice(['nccl', 'gloo'])('vllm_sync_backend', inEveryPreset('nccl'), {
    label: 'How weights reach vLLM',
    help: 'nccl between GPUs of one kind; gloo over the network, slower.',
  }),
  memory.onOff(
    'parallel_loading',
    { grpo: true, single: true, shared: false, multi: true },
    {
      label: 'Load agents side by side',
      help: 'With one model for all roles it has to be off: MARTI would load the model once per role.',
    },
  ),
  memory.choice(['flash_attention_2', 'flash_attention_3', 'sdpa', 'eager'], 'flash_attention_2')(
    'attn_implementation',
    inEveryPreset(null),
    {
      label: 'Attention',
      help: 'Packed answers need one of the flash kinds.',
    },
  ),

  data.text('prompt_split', inEveryPreset('train'), {
    label: 'Training split',
    help: 'Name of the part to train on.',
  }),
  data.text('eval_split', inEveryPreset('test'), {
    label: 'Evaluation split',
    help: 'Name of the part to evaluate on.',
  }),
  data.text('input_key', inEveryPreset('prompt'), {
    label: 'Field of the problem',
    help: 'It goes to the model as it is, so it has to say how the answer should look.',
  }),
  data.text('label_key', inEveryPreset('label'), {
    label: 'Field of the tests',
    help: 'JSON text {"inputs", "outputs", "fn_name"?}. All of these tests decide the reward in training.',
  }),
  data.text('metadata_key', inEveryPreset('extra_info'), {
    label: 'Field of the evaluation tests',
    help: '{"public_test_cases", "private_test_cases"}, each {"inputs", "outputs", "fn_name"?}.',
  }),

  saving.whole(-1, MANY)('save_steps', byPreset(20, 4, 1), {
    label: 'Checkpoint every so many steps',
    help: '-1: none. Those that can be served are never deleted and as large as the model.',
  }),
  saving.onOff('save_hf_ckpt', inEveryPreset(true), {
    label: 'Checkpoints that can be served',
    help: 'Off, only the state for resuming is kept.',
  }),
  saving.whole(1, 1_000, '3')('max_ckpt_num', inEveryPreset(null), {
    label: 'States kept for resuming',
    help: 'Some 16 bytes per weight each.',
  }),
  saving.onOff('load_checkpoint', inEveryPreset(true), {
    label: 'Go on from the last checkpoint',
    help: 'Where the output folder has one; otherwise a resumed training starts from the beginning.',
  }),
  saving.whole(-1, MANY)('eval_steps', byPreset(20, 4, 4), {
    label: 'Evaluate every so many steps',
    help: '-1: never.',
  }),
  saving.onOff('eval_before_training', inEveryPreset(false), {
    label: 'Evaluate before the first step',
    help: 'Gives the curve its point at step 0.',
  }),
  saving.onOff('eval_only', inEveryPreset(false), {
    label: 'Evaluate only',
    help: 'With the evaluation before the first step and 60 nodes: the search of the papers.',
  }),
  saving.choice(['agent', 'system'])('evaluate_mcts_methods', byPreset(null, 'agent', 'agent'), {
    label: 'Who searches in evaluation',
    help: 'agent: each in its own trees; system: all share their trees.',
  }),
];
