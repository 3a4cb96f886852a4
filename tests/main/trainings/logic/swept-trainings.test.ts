import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareMarti } from '../../../../main/trainings/logic/marti/marti-set-up';
import { prepareRecipe, readRecipe } from '../../../../main/trainings/logic/recipe';
import {
  MARTI_FLAGS,
  type Recipe,
  type TrainingRequest,
  trainingRequestSchema,
} from '../../../../preload/contract';
import {
  martiSweepSettings,
  readSweep,
  recipeSweepSettings,
  sweepOfTraining,
} from '../../../../preload/contract/plans';

const PRESETS = ['grpo', 'single', 'shared', 'multi'] as const;

function martiRequest(
  preset: (typeof PRESETS)[number],
  change: Record<string, unknown> = {},
): TrainingRequest {
  const agents = preset === 'grpo' || preset === 'single' ? 1 : 2;
  return trainingRequestSchema.parse({
    name: 'On MARTI',
    machineId: 'cluster',
    spec: {
      kind: 'marti',
      preset,
      checkout: '/opt/MARTI',
      agents: Array.from({ length: agents }, () => ({ model: '/models/Qwen3-8B' })),
      data: '/data',
      output: '/scratch/run/',
      ...change,
    },
    resources: { partition: 'gpu' },
  });
}

function recipeNamed(id: string): Recipe {
  const read = readRecipe(readFileSync(resolve('resources/recipes', `${id}.json`), 'utf8'));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const TRL = recipeNamed('trl-grpo');

function recipeRequest(recipe: Recipe, values: Record<string, string> = {}): TrainingRequest {
  const spec = { kind: 'recipe', recipeId: recipe.id, values };
  return trainingRequestSchema.parse({ name: recipe.name, machineId: 'local', spec });
}

type Fields = Parameters<typeof readSweep>[2];

function trainingsOf(
  request: TrainingRequest,
  fields: Fields,
  seeds: readonly number[] | null,
  recipe: Recipe | null = null,
): readonly TrainingRequest[] {
  const read = readSweep(request, recipe, fields, seeds);
  if (!read.ok) throw new Error(read.problem.message);
  if (read.value.kind !== 'trainings') throw new Error('Not trainings');
  return read.value.trainings;
}

function problemOf(...given: Parameters<typeof readSweep>): string {
  const read = readSweep(...given);
  return read.ok ? '' : read.problem.message;
}

function commandOf(request: TrainingRequest, recipe: Recipe | null = null): string {
  const { spec } = request;
  if (spec.kind === 'recipe' && recipe !== null) return prepareRecipe(request, spec, recipe).commandLine;
  if (spec.kind !== 'marti') throw new Error('Of MARTI or by a recipe');
  return prepareMarti(request, spec, { id: 'one', preflight: '' }).commandLine;
}

describe('several values and seeds of a training of MARTI', () => {
  const fields = [
    { id: 'actor_learning_rate', values: ['1e-6', '3e-6'] },
    { id: 'use_kl_loss', values: ['on', 'off'] },
  ];

  test('are a training for each combination and seed, named by them, where it was asked for', () => {
    const trainings = trainingsOf(martiRequest('multi', { flags: { max_epochs: 2 } }), fields, [1, 2]);
    expect(trainings).toHaveLength(8);
    expect(trainings.map((training) => trainingRequestSchema.parse(training))).toEqual(trainings);
    expect(trainings[3]).toMatchObject({
      name: 'On MARTI, actor_learning_rate 1e-6, use_kl_loss off, seed 2',
      machineId: 'cluster',
      resources: { partition: 'gpu' },
      spec: {
        output: '/scratch/run/actor_learning_rate-1e-6_use_kl_loss-off_seed-2',
        flags: { max_epochs: 2, actor_learning_rate: 1e-6, use_kl_loss: false, seed: 2 },
      },
    });
    expect(new Set(trainings.map(({ name }) => name)).size).toBe(8);
  });

  test('reach the command of each, with its seed and its folder', () => {
    const lines = trainingsOf(martiRequest('single'), fields, [1, 2]).map((training) => commandOf(training));
    const [first = '', , , , fifth = ''] = lines;
    expect(first).toContain('--actor_learning_rate 0.000001');
    expect(first).toContain('--use_kl_loss');
    expect(first).toContain('--seed 1');
    expect(first).toContain('/scratch/run/actor_learning_rate-1e-6_use_kl_loss-on_seed-1/checkpoints/agent0');
    expect(fifth).toContain('--actor_learning_rate 0.000003');
    expect(lines.filter((line) => line.includes('--seed 2'))).toHaveLength(4);
    expect(lines.filter((line) => line.includes('--use_kl_loss'))).toHaveLength(4);
  });

  test.each(PRESETS)('can be of every setting that is offered: it changes the command (%s)', (preset) => {
    for (const { id } of martiSweepSettings(preset)) {
      const takes = MARTI_FLAGS.find(({ name }) => name === id)?.takes;
      const values =
        takes?.kind === 'switch'
          ? [true, false]
          : takes?.kind === 'choice'
            ? takes.choices.slice(0, 2)
            : takes?.kind === 'pair'
              ? ['0 1', '0.5 2']
              : takes?.kind === 'text'
                ? ['{"a": 1}', '{"a": 2}']
                : [takes?.most ?? 0, takes?.least ?? 0];
      const lines = values.map((value) => commandOf(martiRequest(preset, { flags: { [id]: value } })));
      expect(lines[0], id).not.toBe(lines[1]);
    }
  });

  test.each<[Fields, readonly number[] | null, string]>([
    [
      [{ id: 'rate', values: ['1'] }],
      null,
      '"rate" cannot take several values. These can: actor_num_nodes, ',
    ],
    [[{ id: 'workflow_args.max_num_nodes', values: ['8'] }], null, 'cannot take several values'],
    [[{ id: 'output', values: ['/a'] }], null, 'cannot take several values'],
    [
      [{ id: 'max_epochs', values: ['1', 'x'] }],
      null,
      '(max_epochs) takes a whole number from 1 to 1000, not "x".',
    ],
    [[{ id: 'max_epochs', values: ['1', ''] }], null, 'not "".'],
    [[{ id: 'use_kl_loss', values: ['yes'] }], null, 'must be on or off, not "yes".'],
    [[{ id: 'kl_estimator', values: ['k4'] }], null, 'must be one of k1, k2, k3, not "k4".'],
    [[{ id: 'max_epochs', values: ['1', '1.0'] }], null, 'has the value 1.0 twice'],
    [[{ id: 'seed', values: ['1'] }], [1, 2], '"seed" is there twice'],
    [
      [{ id: 'max_epochs', values: ['1', '2', '3'] }],
      Array.from({ length: 67 }, (_, at) => at),
      'More than 200',
    ],
    [[{ id: 'input_key', values: ['a b', 'a-b'] }], null, 'would write to the folder "input_key-a-b"'],
    [[{ id: 'input_key', values: ['k'.repeat(120)] }], null, 'more than 120 characters'],
  ])('are refused with the reason (%#)', (wrong, seeds, message) => {
    expect(problemOf(martiRequest('grpo'), null, wrong, seeds)).toContain(message);
  });
});

describe('several values and seeds of a training by a recipe', () => {
  test('are a training for each combination and seed, and reach its command', () => {
    const request = recipeRequest(TRL, { output: '~/runs', dataset: 'd', reward: 'r.f' });
    const fields = [{ id: 'accelerate', values: ['', 'zero2'] }];
    const trainings = trainingsOf(request, fields, [7, 8], TRL);
    expect(trainings.map(({ name }) => name)).toEqual([
      'TRL, GRPO, accelerate left out, seed 7',
      'TRL, GRPO, accelerate left out, seed 8',
      'TRL, GRPO, accelerate zero2, seed 7',
      'TRL, GRPO, accelerate zero2, seed 8',
    ]);
    const lines = trainings.map((training) => commandOf(training, TRL));
    expect(lines[0]).toContain('--seed=7');
    expect(lines[0]).not.toContain('--accelerate_config');
    expect(lines[3]).toContain('--accelerate_config zero2');
    expect(lines[3]).toContain('--seed=8');
    expect(lines[3]).toContain('"$HOME"/runs/accelerate-zero2_seed-8');
  });

  test('without an output folder stay without one, so that the plan asks for it', () => {
    const [first] = trainingsOf(recipeRequest(TRL), [], [1], TRL);
    if (first?.spec.kind !== 'recipe') throw new Error('By a recipe');
    expect(prepareRecipe(first, first.spec, TRL).problems).toContain('"Output folder" is empty.');
  });

  test.each(['trl-grpo', 'verl-grpo', 'openrlhf-grpo'])(
    'can be of every field of %s but its output',
    (id) => {
      const recipe = recipeNamed(id);
      const offered = recipeSweepSettings(recipe).map((setting) => setting.id);
      expect(offered).toContain('seed');
      expect(recipe.fields.map(({ name }) => name).filter((name) => !offered.includes(name))).toEqual([
        'output',
      ]);
    },
  );

  test('are refused with the reason', () => {
    const request = recipeRequest(TRL, { output: '/runs' });
    const field = (id: string, ...values: string[]) => [{ id, values }];
    expect(problemOf(request, TRL, field('lr', '1'), null)).toMatch(
      /"lr" cannot .* These can: python, gpus, /,
    );
    expect(problemOf(request, TRL, field('output', '/a'), null)).toContain(
      '"output" cannot take several values',
    );
    expect(problemOf(request, TRL, field('rate', 'x'), null)).toBe(
      '"Learning rate" must be a number, not "x".',
    );
    expect(problemOf(request, TRL, field('rate', ''), null)).toBe('"Learning rate" is empty.');
    expect(problemOf(request, TRL, field('level', 'word'), null)).toContain('one of token, sequence');
    expect(problemOf(request, null, field('rate', '1'), null)).toContain('There is no recipe "trl-grpo"');
    const unseeded = { ...TRL, command: TRL.command.filter((word) => word !== '--seed={seed}') };
    expect(problemOf(request, unseeded, [], [1, 2])).toContain('"seed" cannot take several values');
    const nowhere = { ...TRL, checkpoints: null, tensorboard: null };
    expect(problemOf(request, nowhere, [], [1, 2])).toContain('could overwrite one another');
  });
});

describe('the trainings of a sweep are found again by their names and settings', () => {
  const viewsOf = (requests: readonly TrainingRequest[], from = 0) =>
    requests.map(({ name, spec }, at) => ({
      ...{ id: `${from + at}`, name, spec },
      createdAt: new Date(1_000 * (from + at)).toISOString(),
    }));
  const labelsOf = (all: ReturnType<typeof viewsOf>, at = 0) =>
    sweepOfTraining(all[at] as (typeof all)[number], all)?.rows.map(({ label, trainings }) => [
      label,
      trainings.map(({ id }) => id).join(),
    ]);
  const rates = [{ id: 'actor_learning_rate', values: ['1e-6', '3e-6'] }];

  test('of MARTI, with seeds that were started later, and the newest of one seed', () => {
    const first = viewsOf(trainingsOf(martiRequest('single'), rates, [1, 2]));
    const later = viewsOf(trainingsOf(martiRequest('single'), rates, [2, 3]), 4);
    expect(labelsOf([...first, ...later])).toEqual([
      ['actor_learning_rate 1e-6', '0,4,5'],
      ['actor_learning_rate 3e-6', '2,6,7'],
    ]);
  });

  test('of a recipe, in folders of their own', () => {
    const fields = [{ id: 'rate', values: ['1e-6', '3e-6'] }];
    const all = viewsOf(trainingsOf(recipeRequest(TRL, { output: '/runs' }), fields, [1, 2], TRL));
    expect(labelsOf(all, 3)).toEqual([
      ['rate 1e-6', '0,1'],
      ['rate 3e-6', '2,3'],
    ]);
  });

  test('and none with other settings, without values and seeds, or alone', () => {
    const all = viewsOf(trainingsOf(martiRequest('single'), rates, [1]));
    const others = viewsOf(trainingsOf(martiRequest('single', { flags: { max_epochs: 9 } }), rates, [1]), 2);
    expect(labelsOf([...all, ...others])).toEqual([
      ['actor_learning_rate 1e-6', '0'],
      ['actor_learning_rate 3e-6', '1'],
    ]);
    expect(labelsOf(viewsOf([martiRequest('single'), martiRequest('single')]))).toBeUndefined();
    expect(labelsOf(all.slice(0, 1))).toBeUndefined();
  });
});
