import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TrainingRequest, TrainingView } from '../../../preload/contract';
import { type CutMachine, cutMachine } from '../../support/cut-machine';
import { eventually } from '../../support/eventually';
import { isAlive } from '../../support/is-alive';
import {
  martiRequest,
  openTrainingBench,
  standInMarti,
  type TrainingBench,
  type TrainingBenchOptions,
} from '../../support/training-bench';

/** Real jobs around a stand-in for MARTI, which takes the arguments that MARTI takes. */
let bench: TrainingBench;
let marti: Awaited<ReturnType<typeof standInMarti>>;
let lab: CutMachine | null = null;

async function openBench(options?: TrainingBenchOptions): Promise<void> {
  bench = await openTrainingBench(options);
  marti = await standInMarti(bench.folder);
}

async function started(request: TrainingRequest): Promise<string> {
  const view = await bench.trainings.start(request);
  if (!view.ok) throw new Error(view.error.message);
  return view.value.id;
}

async function parsedArguments(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(marti.output, 'arguments.json'), 'utf8'));
}

async function setUpLog(id: string): Promise<string> {
  const view = bench.trainings.view(id);
  const log = await bench.jobs.readLog((view.ok && view.value.jobId) || '', 'set-up', 0, 100_000);
  return log.ok ? log.value.text : '';
}

async function log(id: string): Promise<string> {
  const view = bench.trainings.view(id);
  const log = await bench.jobs.readLog((view.ok && view.value.jobId) || '', 'output', 0, 100_000);
  return log.ok ? log.value.text : '';
}

describe('a training that is done', () => {
  let id = '';
  let done: TrainingView;
  let checkout: readonly string[] = [];
  // One for all that look at it; the last of them removes it.
  beforeAll(async () => {
    await openBench();
    checkout = await readdir(marti.checkout);
    const flags = { eps_clip_low_high: '0.2 0.28', 'reward_alloc.alpha': 0.25 };
    id = await started(martiRequest(marti, { flags }));
    done = await bench.ended(id);
  });
  afterAll(() => bench.dispose());

  test('of several models has an agent for each, with its own folders', async () => {
    expect(done.state, await setUpLog(id)).toMatchObject({ kind: 'exited', code: 0 });
    const args = await parsedArguments();
    const { output } = marti;
    expect(args.module).toBe('examples.mars2.multi_agent_train_ppo_ray');
    expect(args.cwd).toBe(join(output, 'code'));
    expect(args.agents).toEqual([
      {
        0: {
          role: 'generator',
          pretrain: marti.model,
          save_path: join(output, 'final', 'agent0'),
          ckpt_path: join(output, 'checkpoints', 'agent0'),
          is_tuning: true,
          is_reasoning_model: false,
        },
      },
      {
        1: {
          role: 'generator',
          pretrain: marti.model,
          save_path: join(output, 'final', 'agent1'),
          ckpt_path: join(output, 'checkpoints', 'agent1'),
          is_tuning: true,
          is_reasoning_model: true,
        },
      },
    ]);
    expect(args.workflow_args).toEqual({
      max_num_nodes: 8,
      eval_max_num_nodes: 1,
      save_path: join(output, 'workflow'),
      algo: {
        class_name: 'AsyncABMCTSA',
        module: 'marti.agent_workflows.third_party.mcts_utils.ab_mcts.algo.AsyncABMCTSA',
        params: {},
      },
    });
    expect(args).toMatchObject({
      workflow_func_path: join(output, 'code', 'marti', 'agent_workflows', 'ab_mcts_workflow.py'),
      processor_func_path: join(output, 'code', 'marti', 'agent_workflows', 'ab_mcts_processor.py'),
      prompt_data: `json@${marti.data}`,
      eval_dataset: `json@${marti.data}`,
      use_tensorboard: join(output, 'tensorboard'),
      wandb_run_name: `training-${id}`,
      eps_clip_low_high: [0.2, 0.28],
      dynamic_filtering_reward_range: [0, 1],
      reward_alloc: { name: 'margin', alpha: 0.25, beta: 0.5, use_ttrl: false },
      shared_agents: false,
      tasks: '16',
    });
  });

  test('has curves and checkpoints of each agent, and its log next to them', async () => {
    expect(done).toMatchObject({ title: 'Heter-MARS² on MARTI, model (0) + model (1)', scale: 'own' });
    const curves = await bench.trainings.curves(id, 100);
    const rewards = curves.ok
      ? curves.value.filter(({ key, part }) => key === 'reward' && part === 'train')
      : [];
    expect(rewards.map(({ agentId, steps }) => [agentId, steps])).toEqual([
      ['0', [1, 2, 3, 4, 5, 6]],
      ['1', [1, 2, 3, 4, 5, 6]],
    ]);
    const checkpoints = await bench.trainings.checkpoints(id);
    const served = checkpoints.ok ? checkpoints.value.filter(({ canServe }) => canServe) : [];
    expect(served.map(({ agentId, step, path }) => [agentId, step, path])).toEqual(
      ['0', '1'].flatMap((agent) =>
        [2, 4, 6].map((step) => [
          agent,
          step,
          join(marti.output, 'checkpoints', `agent${agent}`, `global_step${step}_hf`),
        ]),
      ),
    );
    const savedLog = await readFile(join(marti.output, 'logs', `training-${id}.log`), 'utf8');
    expect(savedLog).toBe(await log(id));
  });

  test('runs a copy with a link, and leaves the checkout as it was', async () => {
    expect(await readlink(join(marti.output, 'code', 'openrlhf'))).toBe('marti');
    expect(await readdir(marti.checkout)).toEqual(checkout);
  });

  test('takes its checkpoints along where that is asked, and nothing else of the folder', async () => {
    await writeFile(join(marti.output, 'notes.txt'), 'ours');
    expect(await bench.trainings.erase(id, { checkpoints: true })).toEqual({ ok: true, value: null });
    const left = await readdir(marti.output);
    expect(left).not.toContain('checkpoints');
    expect(left).toEqual(expect.arrayContaining(['notes.txt', 'tensorboard', 'logs']));
  });
});

describe('what the trainer understands', () => {
  beforeEach(() => openBench());
  afterEach(() => bench.dispose());

  /** As in MARTI's two scripts (spec 5.8), but for the GPUs. */
  const SCRIPTS = {
    prompt_max_len: 4_096,
    generate_max_len: 32_768,
    eval_generate_max_len: 32_768,
    max_len: 40_000,
    overlong_buffer_len: 2_048,
    overlong_penalty_factor: 1,
    advantage_estimator: 'group_norm',
    policy_loss_type: 'gspo',
    enable_vllm_is_correction: true,
    vllm_is_truncated_threshold: 2,
    init_kl_coef: 0.001,
    use_kl_loss: true,
    kl_estimator: 'k3',
    gamma: 1,
    normalize_reward: true,
    actor_learning_rate: 1e-6,
    critic_learning_rate: 9e-6,
    micro_train_batch_size: 1,
    micro_rollout_batch_size: 1,
    n_samples_per_prompt: 1,
    max_epochs: 1,
    num_episodes: 2,
    max_samples: 100_000,
    temperature: 1,
    top_p: 1,
    eval_temperature: 1,
    eval_n_samples_per_prompt: 1,
    dynamic_filtering: false,
    dynamic_filtering_for_agents: true,
    zero_stage: 3,
    bf16: true,
    gradient_checkpointing: true,
    packing_samples: true,
    colocate_all_models: true,
    vllm_enable_sleep: true,
    deepspeed_enable_sleep: true,
    vllm_tensor_parallel_size: 1,
    vllm_sync_backend: 'nccl',
    enforce_eager: true,
    parallel_loading: true,
    save_hf_ckpt: true,
    load_checkpoint: true,
    eval_steps: 4,
    seed: 42,
    input_key: 'prompt',
    label_key: 'label',
    metadata_key: 'extra_info',
    eps_clip_low_high: null,
  };

  test('of the single preset: the numbers of run_train_single_mcts.sh', async () => {
    const request = martiRequest(marti, {
      spec: { preset: 'single', agents: [{ model: marti.model }], flags: {} },
    });
    await bench.ended(await started(request));
    expect(await parsedArguments()).toMatchObject({
      ...SCRIPTS,
      train_batch_size: 32,
      rollout_batch_size: 32,
      save_steps: 4,
      vllm_gpu_memory_utilization: 0.6,
      vllm_num_engines: 8,
      ...nodes(8),
      tasks: '128',
      default_agent: { is_reasoning_model: false },
    });
  });

  test('of the multi preset: the numbers of run_train_multi_mcts.sh', async () => {
    await bench.ended(await started(martiRequest(marti, { spec: { flags: {} } })));
    expect(await parsedArguments()).toMatchObject({
      ...SCRIPTS,
      train_batch_size: 8,
      rollout_batch_size: 16,
      save_steps: 1,
      vllm_gpu_memory_utilization: 0.75,
      vllm_num_engines: 2,
      ...nodes(2),
      tasks: '16',
    });
  });

  test('of one model in several roles: GPUs are set aside for the first alone', async () => {
    const agents = [
      { model: marti.model, role: 'solver' },
      { model: marti.model, role: 'refiner' },
    ];
    const flags = { actor_num_gpus_per_node: 1, ref_num_gpus_per_node: 1, vllm_num_engines: 1 };
    await bench.ended(await started(martiRequest(marti, { spec: { preset: 'shared', agents, flags } })));
    const args = await parsedArguments();
    expect(args).toMatchObject({ shared_agents: true, parallel_loading: false });
    const agentArgs = args.agents as Record<string, { is_tuning: boolean; role: string }>[];
    expect(agentArgs.map((agent, at) => agent[at])).toMatchObject([
      { is_tuning: true, role: 'solver' },
      { is_tuning: false, role: 'refiner' },
    ]);
  });

  test('without a tree: groups of answers, by the entry with the new name', async () => {
    const request = martiRequest(marti, {
      spec: { preset: 'grpo', agents: [{ model: marti.model }] },
      flags: { vllm_tensor_parallel_size: 1 },
    });
    const id = await started(request);
    expect((await bench.ended(id)).state, await log(id)).toMatchObject({ code: 0 });
    const args = await parsedArguments();
    expect(args).toMatchObject({
      module: 'marti.cli.multi_agent_train_ppo_ray',
      n_samples_per_prompt: 8,
      processor_func_path: null,
      workflow_func_path: join(marti.output, 'code', 'marti', 'agent_workflows', 'single_codeworkflow.py'),
    });
    expect(args.workflow_args).toMatchObject({ task: 'code' });
  });

  test('every setting of the table, and the extra arguments after them', async () => {
    const flags = {
      eps_clip: 0.1,
      dual_clip: 3,
      overlong_penalty_factor: 0.5,
      no_advantage_std_norm: true,
      reward_clip_range: '-5 5',
      entropy_loss_coef: 0,
      lr_warmup_ratio: 0.1,
      max_norm: 0.5,
      l2: 0.01,
      adam_offload: true,
      enable_prefix_caching: true,
      attn_implementation: 'flash_attention_3',
      max_ckpt_num: 2,
      eval_before_training: true,
      evaluate_mcts_methods: 'system',
      save_hf_ckpt: false,
    };
    const extraArguments = "--logging_steps 2 --wandb_group 'our group'";
    await bench.ended(await started(martiRequest(marti, { flags, spec: { extraArguments } })));
    const { reward_clip_range, ...plain } = flags;
    expect(reward_clip_range).toBe('-5 5');
    expect(await parsedArguments()).toMatchObject({
      ...plain,
      reward_clip_range: [-5, 5],
      logging_steps: 2,
      wandb_group: 'our group',
    });
  });

  function nodes(gpus: number) {
    return Object.fromEntries(
      ['actor', 'ref', 'reward'].flatMap((part) => [
        [`${part}_num_nodes`, 1],
        [`${part}_num_gpus_per_node`, gpus],
      ]),
    );
  }
});

describe('a training', () => {
  beforeEach(() => openBench());
  afterEach(() => bench.dispose());

  test('continues from its last checkpoint after a stop', async () => {
    const slow = { STAND_IN_STEP_SECONDS: '0.4', STAND_IN_STEPS: '7' };
    const id = await started(martiRequest(marti, { env: slow }));
    await eventually('the third step', async () => (await log(id)).includes('Global step 3:'));
    const stopped = await bench.trainings.stop(id);
    expect(stopped.ok && stopped.value.state.kind).toBe('exited');
    expect((await bench.trainings.resume(id)).ok).toBe(true);
    const done = await bench.ended(id);
    expect(done.state).toMatchObject({ kind: 'exited', code: 0 });
    expect(await log(id)).toMatch(/Begin at global step 1\n[\s\S]*Begin at global step [345]\n/);
    const curves = await bench.trainings.curves(id, 100);
    const reward = curves.ok ? curves.value.find(({ key }) => key === 'reward') : null;
    expect(reward?.steps).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('on a full disk ends with the words of the trainer', async () => {
    const id = await started(martiRequest(marti, { env: { STAND_IN_FULL_AT: '4' } }));
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 1 });
    expect(await log(id)).toContain('No space left on device');
  });

  test('whose loss is not a number raises the alarm', async () => {
    const id = await started(martiRequest(marti, { env: { STAND_IN_NAN_AT: '3' } }));
    await bench.ended(id);
    await bench.trainings.curves(id, 100);
    const view = bench.trainings.view(id);
    expect(view.ok && view.value.alarms.map(({ kind }) => kind)).toContain('nan');
  });
});

describe('before it trains', () => {
  beforeEach(() => openBench());
  afterEach(() => bench.dispose());

  test('a checkout without the helper of the grader is refused: every program would count as wrong', async () => {
    await rm(join(marti.checkout, 'marti', 'verifiers', 'areal', 'function'), { recursive: true });
    const id = await started(martiRequest(marti));
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 78 });
    expect(await setUpLog(id)).toContain('fails a correct program');
    expect(await log(id)).toBe('');
  });

  test('a grader that passes everything is refused', async () => {
    const id = await started(martiRequest(marti, { env: { STAND_IN_GRADER: 'passes-all' } }));
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 78 });
    expect(await setUpLog(id)).toContain('passes a wrong program');
  });

  test('an absent package is named, with the command to type', async () => {
    await rm(join(marti.packages, 'treequest'), { recursive: true });
    const id = await started(martiRequest(marti));
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 78 });
    expect(await setUpLog(id)).toMatch(/does not have treequest\. Install: .* -m pip install treequest/);
  });

  test.each([
    ['checkout', 'is not a checkout of MARTI'],
    ['data', 'The data folder'],
  ] as const)('a missing %s is named', async (part, message) => {
    const id = await started(martiRequest(marti, { spec: { [part]: join(bench.folder, 'nowhere') } }));
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 78 });
    expect(await setUpLog(id)).toContain(message);
  });

  test("the user's own lines run first, and what they change is kept", async () => {
    const setUp = `export PYTHONPATH=${JSON.stringify(marti.packages)}\necho ours`;
    const id = await started(martiRequest(marti, { setUp, env: { PYTHONPATH: '' } }));
    expect((await bench.ended(id)).state, await setUpLog(id)).toMatchObject({ code: 0 });
    expect(await setUpLog(id)).toMatch(/^ours\n/);
  });

  test('two that write into one folder are refused while one runs', async () => {
    const id = await started(martiRequest(marti, { env: { STAND_IN_STEPS: '100000' } }));
    const second = await bench.trainings.start(martiRequest(marti, { spec: { output: `${marti.output}/` } }));
    expect(second.ok ? '' : second.error.message).toContain('"Two readers" is running and writes to');
    await bench.trainings.stop(id);
  });
});

describe('on a Ray cluster that runs', () => {
  beforeEach(() => openBench());
  afterEach(() => bench.dispose());

  const cluster = () => ({ STAND_IN_CLUSTER: join(bench.folder, 'cluster') });

  test('the copy goes along, and the arguments arrive as they are', async () => {
    const spec = {
      rayAddress: 'http://head:8265',
      agents: [{ model: marti.model }, { model: "it's {a,b} $HOME" }],
    };
    const id = await started(martiRequest(marti, { spec, env: cluster() }));
    expect((await bench.ended(id)).state, await log(id)).toMatchObject({ code: 0 });
    const args = await parsedArguments();
    expect(args.agents).toMatchObject([
      { 0: { pretrain: marti.model } },
      { 1: { pretrain: "it's {a,b} $HOME" } },
    ]);
    expect(args.cwd).toContain(join(bench.folder, 'cluster', `mars2-training-${id}`));
    expect(await log(id)).toContain('Global step 6:');
  });

  test('a stop is passed on: nothing trains on there', async () => {
    const spec = { rayAddress: 'http://head:8265' };
    const env = { ...cluster(), STAND_IN_STEPS: '100000', STAND_IN_STEP_SECONDS: '0.1' };
    const id = await started(martiRequest(marti, { spec, env }));
    await eventually('the first step', async () => (await log(id)).includes('Global step 1:'));
    const [job = ''] = (await readdir(join(bench.folder, 'cluster'))).filter((name) =>
      name.startsWith('mars2'),
    );
    const pid = Number(await readFile(join(bench.folder, 'cluster', job, 'pid'), 'utf8'));
    expect((await bench.trainings.stop(id)).ok).toBe(true);
    await eventually('the end on the cluster', () => !isAlive(pid));
  });

  test('it asks this machine for no GPU', async () => {
    const plan = await bench.trainings.plan(martiRequest(marti, { spec: { rayAddress: 'auto' } }), false);
    expect(plan.ok && plan.value.gpus).toBe(2);
    const id = await started(martiRequest(marti, { spec: { rayAddress: 'auto' }, env: cluster() }));
    const view = await bench.ended(id);
    const job = bench.jobs.view(view.jobId ?? '');
    expect(job.ok && job.value.gpuIds).toEqual([]);
  });
});

describe('on a machine that falls silent', () => {
  beforeEach(() =>
    openBench({
      machine: (home) => {
        lab = cutMachine(home);
        return lab.machine;
      },
    }),
  );
  afterEach(() => bench.dispose());

  test('a training is unknown, not ended, and is found done when the machine answers again', async () => {
    const env = { STAND_IN_STEP_SECONDS: '0.3' };
    const id = await started(martiRequest(marti, { machineId: 'lab', env }));
    await bench.until(id, ({ state }) => state.kind === 'running');
    lab?.cut();
    await bench.until(id, ({ state }) => state.kind === 'unknown');
    const curves = await bench.trainings.curves(id, 100);
    if (!curves.ok) expect(curves.error.code).toBe('unreachable');
    lab?.mend();
    bench.jobs.probeSoon();
    expect((await bench.ended(id)).state).toMatchObject({ kind: 'exited', code: 0 });
    const after = await bench.trainings.curves(id, 100);
    expect(after.ok && after.value.find(({ key }) => key === 'reward')?.steps).toHaveLength(6);
  });
});
