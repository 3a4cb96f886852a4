import { expect, it } from 'vitest';
import { heldOutProblemReader } from '../../../main/app/held-out-problems';
import { failed, ok } from '../../../main/base';
import { pocketProblems } from '../../../main/pocket';
import { heldOutProblems } from '../../../main/trainer/pocket/pocket-problems';
import {
  experimentRequestSchema,
  modelTrainingSchema,
  pocketTrainingSchema,
} from '../../../preload/contract';

const EVALUATION = { split: 'validation', problems: 6, nodes: 8, samples: 4, every: 0 } as const;
const ROWS = { name: 'x', rows: [{ label: 'a', method: 'grpo', families: ['reader'] }], seeds: [1] };
const pocket = experimentRequestSchema.parse({ ...ROWS, training: { evaluation: EVALUATION } });

const none = {
  list: () => [],
  outline: async () => failed({ code: 'not-found', message: 'It is not here.' } as const),
};

it('knows the problems that the trainer evaluates pocket policies on, by what the library calls them', async () => {
  const read = heldOutProblemReader(none);
  const spec = pocketTrainingSchema.parse({
    kind: 'pocket',
    method: 'grpo',
    families: ['reader'],
    evaluation: EVALUATION,
    seed: 1,
  });
  const evaluated = heldOutProblems(spec);
  const known = await read(pocket);
  expect(known.map(({ id, title, difficulty }) => ({ id, title, difficulty }))).toEqual(
    evaluated.map(({ id, title, difficulty }) => ({ id, title, difficulty })),
  );
  const [, split, seed, count] = /^pocket-(\w+)-(\d+)-(\d+)$/.exec(known[0]?.benchmarkId ?? '') ?? [];
  expect(pocketProblems({ split: split as 'validation', seed: Number(seed), count: Number(count) })).toEqual(
    evaluated,
  );
  // Made once, however often it is asked.
  expect(await read(pocket)).toBe(known);
});

it('knows of language models what the library has of the benchmark that they are evaluated on, or nothing', async () => {
  const spec = modelTrainingSchema.parse({
    ...{ kind: 'model', method: 'grpo', problems: { benchmarkId: 'train' }, seed: 1 },
    agents: [{ id: 'reader', model: '/models/x' }],
    evaluation: { problems: 6, nodes: 8, samples: 4, every: 0, on: { benchmarkId: 'test' } },
  });
  const request = experimentRequestSchema.parse({ ...ROWS, training: {}, models: { machineId: 'm', spec } });
  expect(await heldOutProblemReader(none)(request)).toEqual([]);
  const problem = {
    id: 'p',
    title: 'P',
    difficulty: 'hard',
    date: '2025-01-02',
    platform: 'atcoder',
    publicTests: 1,
    bytes: 1,
  } as const;
  const asked: string[] = [];
  const read = heldOutProblemReader({
    list: () => [{ id: 'test' } as never],
    outline: async (id) => {
      asked.push(id);
      return ok([problem]);
    },
  });
  expect(await read(request)).toMatchObject([{ ...problem, benchmarkId: 'test' }]);
  expect(asked).toEqual(['test']);
});
