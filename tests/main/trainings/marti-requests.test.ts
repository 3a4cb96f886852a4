import { expect, test } from 'vitest';
import { prepareMarti } from '../../../main/trainings/logic/marti/marti-set-up';
import {
  flagProblem,
  MARTI_FLAG_GROUPS,
  MARTI_FLAGS,
  type MartiPreset,
  martiDefaults,
  type TrainingRequest,
  trainingRequestSchema,
} from '../../../preload/contract';

const AGENTS: Readonly<Record<MartiPreset, number>> = { grpo: 1, single: 1, shared: 2, multi: 2 };
const PRESETS = Object.keys(AGENTS) as MartiPreset[];

function requestWith(
  preset: MartiPreset,
  flags: Record<string, string | number | boolean> = {},
  change: Record<string, unknown> = {},
  gpus = 0,
): TrainingRequest {
  return trainingRequestSchema.parse({
    name: 'training',
    machineId: 'gpu-a',
    spec: {
      kind: 'marti',
      preset,
      checkout: '~/MARTI',
      agents: Array.from({ length: AGENTS[preset] }, () => ({ model: '/models/Qwen3-8B' })),
      data: '/data/code',
      output: '/scratch/run',
      flags,
      ...change,
    },
    resources: { gpus },
  });
}

function prepared(request: TrainingRequest) {
  if (request.spec.kind !== 'marti') throw new Error('Not for MARTI');
  return prepareMarti(request, request.spec, { id: 'one', preflight: 'print()' });
}

const problems = (...given: Parameters<typeof requestWith>) =>
  prepared(requestWith(...given)).problems.join(' ');

test.each(PRESETS)('the preset %s is right as it stands', (preset) => {
  expect(prepared(requestWith(preset)).problems).toEqual([]);
});

test.each([
  ['grpo', 2],
  ['single', 8],
  ['shared', 8],
  ['multi', 4],
] as const)('the preset %s needs %i GPUs', (preset, gpus) => {
  const training = prepared(requestWith(preset));
  expect(training.gpus).toBe(gpus);
  expect(training.resources.gpus).toBe(gpus);
});

test('every default is a value that its flag takes, and every flag says what it is for', () => {
  for (const flag of MARTI_FLAGS) {
    expect(MARTI_FLAG_GROUPS).toContain(flag.group);
    expect(flag.help.length).toBeGreaterThan(5);
    for (const preset of PRESETS) {
      const own = flag.defaults[preset];
      expect(own === null ? null : flagProblem(flag, own)).toBeNull();
      // What is never passed has to say what holds instead.
      if (own === null && flag.takes.kind !== 'switch' && preset !== 'grpo')
        expect(flag.martiDefault).not.toBeNull();
    }
  }
  const names = MARTI_FLAGS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(martiDefaults('single')).length).toBeGreaterThan(50);
});

test.each<[string, Parameters<typeof requestWith>, RegExp]>([
  [
    'engines that are not as many as the GPUs',
    ['single', { vllm_num_engines: 4 }],
    /agent uses 8 GPUs, .*engines use 4 /,
  ],
  [
    'engines of several GPUs that are too many',
    ['multi', { vllm_tensor_parallel_size: 2 }],
    /engines use 4 /,
  ],
  ['a reference model on other GPUs', ['single', { ref_num_gpus_per_node: 4 }], /reference model uses 4/],
  [
    'several nodes without a cluster',
    ['single', { actor_num_nodes: 2, ref_num_nodes: 2, vllm_num_engines: 16 }],
    /address of a running Ray cluster/,
  ],
  ['other GPUs than it needs', ['single', {}, {}, 4], /needs 8 GPUs, but 4 are requested/],
  [
    'a penalty longer than an answer',
    ['single', { overlong_buffer_len: 40_000 }],
    /40000 tokens is longer than an answer of 32768/,
  ],
  [
    'a context that does not hold prompt and answer',
    ['single', { max_len: 20_000 }],
    /do not fit into a context of 20000/,
  ],
  [
    'a longer answer in evaluation alone',
    ['single', { eval_generate_max_len: 39_000 }],
    /answer of 39000 tokens/,
  ],
  ['a batch that the GPUs can not share', ['single', { train_batch_size: 20 }], /multiple of 8/],
  [
    'a round smaller than the GPUs',
    ['single', { rollout_batch_size: 4 }],
    /less than one batch for each of the 8/,
  ],
  [
    'a tree of one node',
    ['single', { 'workflow_args.max_num_nodes': 1 }],
    /one answer, so nothing can be learned/,
  ],
  ['a group of one answer', ['grpo', { n_samples_per_prompt: 1 }], /one answer, so nothing can be learned/],
  [
    'several answers per GPU in a round',
    ['multi', { micro_rollout_batch_size: 2 }],
    /Trees need a rollout micro-batch of 1 answer/,
  ],
  ['a filter without a reward server', ['single', { dynamic_filtering: true }], /reward server/],
  ['answers that are not packed', ['single', { packing_samples: false }], /packed answers/],
  ['roles that are loaded side by side', ['shared', { parallel_loading: true }], /once per role/],
  ['0 steps between evaluations', ['single', { eval_steps: 0 }], /eval_steps is 0/],
  ['parameters that are no JSON', ['single', { 'workflow_args.algo.params': '[1' }], /must be a JSON object/],
  ['a text for a number', ['single', { seed: 'seven' }], /"Seed" \(seed\) takes a whole number/],
  ['a broken number for a whole one', ['single', { train_batch_size: 8.5 }], /whole number/],
  ['one number of a pair', ['single', { eps_clip_low_high: '0.2' }], /two numbers/],
  ['a word that is no choice', ['single', { kl_estimator: 'k4' }], /one of k1, k2, k3/],
  ['a number for a switch', ['single', { bf16: 1 }], /on or off/],
  ['a setting that there is not', ['single', { bf17: true }], /no setting "bf17"/],
  [
    'two agents for one',
    ['single', {}, { agents: [{ model: 'a' }, { model: 'b' }] }],
    /trains one agent, but there are 2/,
  ],
  ['one agent for several', ['multi', {}, { agents: [{ model: 'a' }] }], /at least two agents/],
  [
    'two models as roles of one',
    ['shared', {}, { agents: [{ model: 'a' }, { model: 'b' }] }],
    /share one model/,
  ],
  ['a checkout by a name', ['single', {}, { checkout: 'MARTI' }], /checkout of MARTI, "MARTI", must begin/],
  ['data in a folder with a comma', ['single', {}, { data: '/data/a,b' }], /must not contain ","/],
  ['extra arguments that would be a command', ['single', {}, { extraArguments: '--a 1\nrm x' }], /one line/],
  ['an open quotation mark', ['single', {}, { extraArguments: "--seed '1" }], /unclosed quotation mark/],
])('%s: a problem with a message', (_, given, message) => {
  expect(problems(...given)).toMatch(message);
});

test.each([
  [
    'fewer GPUs for all parts',
    ['single', { actor_num_gpus_per_node: 4, ref_num_gpus_per_node: 4, vllm_num_engines: 4 }],
  ],
  ['larger engines', ['single', { vllm_num_engines: 4, vllm_tensor_parallel_size: 2 }]],
  ['exactly the GPUs that it needs', ['single', {}, {}, 8]],
  [
    'several nodes of a cluster',
    ['single', { actor_num_nodes: 2, ref_num_nodes: 2, vllm_num_engines: 16 }, { rayAddress: 'auto' }],
  ],
  ['quotation marks that are closed', ['single', {}, { extraArguments: `--a 'b "c' "d 'e" f\\'g` }]],
] as const)('%s is not a problem', (_, given) => {
  expect(problems(...(given as unknown as Parameters<typeof requestWith>))).toBe('');
});

test('chosen GPUs are as many as it needs', () => {
  const request = requestWith('multi');
  const chosen = (count: number) =>
    prepared({
      ...request,
      resources: { ...request.resources, gpuIds: Array.from({ length: count }, (_, at) => `GPU-${at}`) },
    });
  expect(chosen(4).problems).toEqual([]);
  expect(chosen(3).problems).toEqual(['It needs 4 GPUs, but 3 are chosen.']);
});

test('where parts do not share GPUs, each has its own', () => {
  expect(prepared(requestWith('multi', { colocate_all_models: false })).gpus).toBe(2 * (2 + 2 + 2));
});

test('a home folder is left to the shell of the machine, also within JSON', () => {
  const { commandLine } = prepared(
    requestWith('single', {}, { output: '~/my runs/', agents: [{ model: '~/models/Qwen3-8B' }] }),
  );
  expect(commandLine).toMatch(/^cd "\$HOME"'\/my runs\/code' \|\| exit\n/);
  expect(commandLine).toContain(`"pretrain":"'"$HOME"'/models/Qwen3-8B"`);
  expect(commandLine).not.toContain('~');
});

test('each preset states how the traps are avoided', () => {
  const notes = (preset: MartiPreset, change = {}) =>
    prepared(requestWith(preset, {}, change)).notes.join('\n');
  expect(notes('single')).toMatch(
    /link openrlhf to marti[\s\S]*treequest[\s\S]*reward shaping has no effect/,
  );
  expect(notes('grpo')).not.toMatch(/treequest|reward shaping/);
  expect(notes('grpo')).toMatch(/a group mixes answers to different problems/);
  expect(notes('shared')).toMatch(/all roles as one agent/);
  expect(notes('multi', { rayAddress: 'auto' })).toMatch(/A stop also stops the training/);
});
