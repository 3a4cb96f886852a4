import { expect, test } from 'vitest';
import type { ServableCheckpoint } from '../../../main/app/checkpoint-launch';
import { checkpointRows } from '../../../main/app/checkpoint-rows';
import { trainingSpecSchema } from '../../../preload/contract';

type Named = { readonly name: string; readonly spec: object; readonly checkpoint?: string };

const rowsOf = (all: readonly Named[]) =>
  checkpointRows(
    all.map(({ name, spec, checkpoint = 'step-50' }) => ({
      training: { name, spec: trainingSpecSchema.parse(spec) } as ServableCheckpoint['training'],
      checkpoint: { id: checkpoint } as ServableCheckpoint['checkpoint'],
    })),
  ).map(({ name, ofSeeds }) => [name, ofSeeds.map(({ seed }) => seed)]);

const marti = (seed: number, rate = 1e-6) => ({
  name: `Readers, rate ${rate}, seed ${seed}`,
  spec: {
    kind: 'marti',
    preset: 'single',
    checkout: '/opt/MARTI',
    agents: [{ model: '/models/reader' }],
    data: '/data',
    output: `/out/rate-${rate}_seed-${seed}`,
    flags: { seed, actor_learning_rate: rate },
  },
});

const recipe = (seed: number, beta = 0) => ({
  name: `TRL, beta ${beta}, seed ${seed}`,
  spec: {
    kind: 'recipe',
    recipeId: 'trl-grpo',
    values: { seed: String(seed), beta: String(beta), output: `/out/beta-${beta}_seed-${seed}` },
  },
});

test.each([
  ['MARTI', marti, 'Readers, rate 0.000001 step-50'],
  ['a recipe', recipe, 'TRL, beta 0 step-50'],
])(
  'the same checkpoint of trainings by %s that differ in their seed alone is one row',
  (_, training, name) => {
    const other = training(3, 0.5);
    const all = [training(1), training(2), other, training(3)];
    expect(rowsOf(all)).toEqual([
      [name, [1, 2, 3]],
      [`${other.name} step-50`, [3]],
    ]);
  },
);

test('other checkpoints, the same seed again and trainings without a known seed are rows of their own', () => {
  const later = { ...marti(2), checkpoint: 'step-100' };
  const unknown = { name: 'Watched', spec: { ...recipe(1).spec, values: {} } };
  expect(rowsOf([marti(1), later, marti(1), unknown, unknown])).toEqual([
    ['Readers, rate 0.000001, seed 1 step-50', [1]],
    ['Readers, rate 0.000001, seed 2 step-100', [2]],
    ['Readers, rate 0.000001, seed 1 step-50', []],
    ['Watched step-50', []],
    ['Watched step-50', []],
  ]);
});
