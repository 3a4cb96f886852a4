import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exhibitHandlers } from '../../../main/app/handlers/exhibit-handlers';
import { createExhibitLibrary } from '../../../main/exhibits';
import { probeSandbox } from '../../../main/grading';
import type { TrainingService } from '../../../main/trainings';
import {
  type Exhibit,
  exhibitSchema,
  modelTrainingSchema,
  pocketTrainingSchema,
  recipeTrainingSchema,
  type TrainingCurve,
  type TrainingRequest,
  type TrainingView,
  trainingRequestSchema,
} from '../../../preload/contract';
import {
  fillAtHand,
  POCKET_SENTENCES,
  withAddedTraining,
  withTrainingsAtHand,
} from '../../../preload/contract/plans';
import { saveBasePolicies } from '../../support/base-policies';
import { buildScript } from '../../support/bundled-script';
import { rowsOfCsv } from '../../support/by-python';
import { reportProject } from '../../support/report-project';
import { samplePocketTraining } from '../../support/sample-trainings';
import { tinyExhibit } from '../../support/tiny-exhibit';
import {
  martiRequest,
  openTrainingBench,
  standInMarti,
  type TrainingBench,
} from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });

type Curve = Partial<Extract<Exhibit['series'][number]['curve'], { kind: 'learning' }>>;

/** A figure of one line over these trainings. */
function ownFigure(training: string | string[], curve: Curve = {}): Exhibit {
  const { paper, models } = tinyExhibit();
  return exhibitSchema.parse({
    ...{ version: 1, id: 'our-figure', paper, place: 'Figure 1', title: 'How it learns', models, scales: {} },
    configurations: [{ id: 'alone', label: 'Alone', models: ['first'], method: 'grpo' }],
    series: [
      {
        ...{ id: 'learning', label: 'Weak alone', configuration: 'alone' },
        curve: { kind: 'learning', model: 'first', training, ...curve },
      },
    ],
  });
}

async function project(figure: Exhibit, trainings: Pick<TrainingService, 'list' | 'curves'>) {
  const made = await reportProject([], {}, trainings);
  await mkdir(join(made.dataDir, 'exhibits'), { recursive: true });
  await writeFile(join(made.dataDir, 'exhibits', `${figure.id}.json`), JSON.stringify(figure));
  const fill = fillAtHand(figure);
  if (fill === null) throw new Error('It names trainings');
  return { ...made, fill };
}

async function filled(figure: Exhibit, trainings: Pick<TrainingService, 'list' | 'curves'>) {
  const { deps, fill } = await project(figure, trainings);
  return deps.fillExhibit(fill);
}

describe.skipIf(sandboxProblem !== null)('trained for real (skipped where no sandbox starts)', () => {
  let bench: TrainingBench;
  const ids: string[] = [];
  beforeAll(async () => {
    bench = await openTrainingBench({ trainerScript: await buildScript('main/trainer/program.ts') });
    for (const seed of [2, 1]) {
      await saveBasePolicies(join(bench.folder, 'checkpoints'), ['reader'], seed);
      const spec = {
        ...{ kind: 'pocket', method: 'grpo', families: ['reader'], seed, updates: 4, batch: 8 },
        ...{ treesPerRound: 2, nodes: 4, problems: 8 },
        evaluation: { split: 'validation', problems: 4, nodes: 2, samples: 8, every: 2 },
      };
      const request = trainingRequestSchema.parse({ name: `Reader, seed ${seed}`, machineId: 'local', spec });
      const { id } = await unwrap(bench.trainings.start(request));
      expect((await bench.ended(id)).state).toMatchObject({ code: 0 });
      ids.push(id);
    }
  });
  afterAll(() => bench.dispose());

  /** By step, what a training wrote of its held-out problems. */
  async function written(id: string): Promise<ReadonlyMap<number, number>> {
    const text = await readFile(join(bench.trainings.folderOf(id), 'metrics.jsonl'), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return new Map(
      lines.flatMap(({ part, step, values }) => (part === 'evaluation' ? [[step, values['pass@1']]] : [])),
    );
  }

  test('two seeds are a line of their means, with the lowest and the highest, which names both and what they solved', async () => {
    const { deps, reports, dataDir, fill } = await project(
      ownFigure(ids.map((id) => id.slice(0, 8))),
      bench.trainings,
    );
    const { exhibit, result } = await unwrap(deps.fillExhibit(fill));
    const [second, first] = await Promise.all(ids.map(written));
    expect([...(first?.keys() ?? [])]).toEqual([0, 2, 4]);
    // Else nothing below tells a mean from a band.
    expect(first).not.toEqual(second);
    const [line] = result.series;
    expect(line?.points).toEqual(
      [0, 2, 4].map((x) => {
        const values = [first?.get(x) ?? Number.NaN, second?.get(x) ?? Number.NaN];
        const [low, high] = [Math.min(...values), Math.max(...values)];
        return { x, y: ((values[0] ?? 0) + (values[1] ?? 0)) / 2, low, high };
      }),
    );
    expect(line).toMatchObject({
      state: { kind: 'done' },
      trainingIds: [...ids].reverse(),
      atHand: {
        ...{
          scale: 'pocket',
          seeds: [1, 2],
          benchmarks: ['the pocket validation split (problem seed 5)'],
          problems: 4,
        },
        ...{
          models: ['reader'],
          trainings: [
            { name: 'Reader, seed 1', seed: 1 },
            { name: 'Reader, seed 2', seed: 2 },
          ],
        },
      },
    });
    expect(result.scale).toBe('own');
    expect(result.sentences).toEqual(expect.arrayContaining([...POCKET_SENTENCES]));
    expect(exhibit.series.map(({ label }) => label)).toEqual(['Weak alone']);

    const source = { kind: 'filled-exhibit', fill } as const;
    const request = { source, width: 'one-column' } as const;
    const csv = join(dataDir, 'figure.csv');
    await unwrap(reports.write({ request: { ...request, format: 'csv' }, path: csv }));
    const rows = rowsOfCsv(await readFile(csv, 'utf8'));
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      ...{ series: 'Weak alone', scale: 'pocket', seed_numbers: '1 2', problems: '4', models: 'reader' },
      problems_of: 'the pocket validation split (problem seed 5)',
      trainings: `Reader, seed 1 (${ids[1]}); Reader, seed 2 (${ids[0]})`,
    });
    const manifest = JSON.parse(await readFile(`${csv}.manifest.json`, 'utf8'));
    expect(manifest.command).toContain(`exhibits fill our-figure --line learning=${ids[0]?.slice(0, 8)}`);
    expect(manifest.trainings.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
    expect(manifest.limits.join()).toContain('pocket scale');
    const json = join(dataDir, 'figure.json');
    await unwrap(reports.write({ request: { ...request, format: 'json' }, path: json }));
    const figure = JSON.parse(await readFile(json, 'utf8'));
    expect(figure).toMatchObject({
      scale: 'pocket',
      basis: 'Pocket scale: 4 problems of the pocket validation split (problem seed 5), seeds 1, 2',
      series: [{ atHand: { seeds: [1, 2], problems: 4 } }],
    });
    expect(figure.legend).toEqual(
      expect.arrayContaining([
        'Weak alone: trainings "Reader, seed 1" (seed 1), "Reader, seed 2" (seed 2).',
        'Bands: from the lowest to the highest seed.',
      ]),
    );
  });

  test('one training is a line without a band, which says that the chance of training is not shown', async () => {
    const { reports, dataDir, fill } = await project(ownFigure(ids[0] ?? ''), bench.trainings);
    const path = join(dataDir, 'figure.json');
    const request = {
      source: { kind: 'filled-exhibit', fill },
      format: 'json',
      width: 'one-column',
    } as const;
    await unwrap(reports.write({ request, path }));
    const { legend, series } = JSON.parse(await readFile(path, 'utf8'));
    expect(legend).toContain('One seed: the chance of training is not shown.');
    expect(legend.join()).not.toContain('Bands');
    expect(series[0].points.every(({ y, low }: { y: number; low: number }) => y === low)).toBe(true);
  });

  test('one whose file is damaged is named, and nothing is drawn', async () => {
    const [id = ''] = ids;
    await appendFile(join(bench.trainings.folderOf(id), 'metrics.jsonl'), '{"step": 3, "agent": "we\n');
    const answer = await filled(ownFigure(ids), bench.trainings);
    expect(answer.ok ? null : answer.error.message).toMatch(
      /^"Weak alone": The record of "Reader, seed 2" is damaged, .*metrics\.jsonl cannot be read.*leave this training out\.$/,
    );
  });
});

test('the evaluations that MARTI logs give a line of one of its agents, over the seeds of its flags', async () => {
  const bench = await openTrainingBench();
  const ids: string[] = [];
  try {
    const marti = await standInMarti(bench.folder);
    for (const seed of [7, 8]) {
      const request: TrainingRequest = martiRequest(marti, {
        flags: { eval_steps: 1, seed },
        spec: { output: join(bench.folder, `output-${seed}`) },
        env: { STAND_IN_ARGUMENTS: join(bench.folder, `arguments-${seed}.json`) },
      });
      const { id } = await unwrap(bench.trainings.start(request));
      expect((await bench.ended(id)).state).toMatchObject({ code: 0 });
      ids.push(id);
    }
    const [agent] = bench.trainings.list()[0]?.agents ?? [];
    const { result } = await unwrap(filled(ownFigure(ids, { agent: agent?.name ?? '' }), bench.trainings));
    // The stand-in's evaluations rise by 0.04 a step.
    expect(result.series[0]?.points.slice(0, 2).map(({ x, y }) => [x, Number(y.toFixed(6))])).toEqual([
      [1, 0.04],
      [2, 0.08],
    ]);
    expect(result.series[0]?.atHand).toMatchObject({
      scale: 'own',
      seeds: [7, 8],
      benchmarks: ['the test data of data'],
    });
    const several = await filled(ownFigure(ids), bench.trainings);
    expect(several.ok ? null : several.error.message).toContain('has several agents: ');
  } finally {
    await bench.dispose();
  }
});

const curve = (change: Partial<TrainingCurve> = {}): TrainingCurve => ({
  ...{ agentId: 'weak', key: 'pass@1', part: 'evaluation', steps: [0, 2, 4], values: [0.1, 0.2, 0.3] },
  ...{ samples: [0, 16, 32], seconds: null },
  ...change,
});

/** Trainings as their service lists them, each with the same curves. */
function listed(views: readonly TrainingView[], curves: readonly TrainingCurve[] = [curve()]) {
  return { list: () => views, curves: async () => ({ ok: true as const, value: curves }) };
}

function weak(id: string, seed: number, change: Partial<TrainingView> = {}): TrainingView {
  const plain = samplePocketTraining({ method: 'grpo', families: ['weak'] }, 5, seed);
  return { ...plain, id, name: id.toUpperCase(), ...change };
}

const other = (spec: Record<string, unknown>): Partial<TrainingView> => ({
  spec: pocketTrainingSchema.parse({ kind: 'pocket', method: 'grpo', families: ['weak'], seed: 2, ...spec }),
});

describe('what gives no line is refused with what to do', () => {
  test.each<[string, string | string[], Parameters<typeof listed>, RegExp]>([
    ['a training that is not here', 'gone', [[weak('a', 1)]], /^There is no training "gone"\.$/],
    [
      'letters that several begin with',
      'a',
      [[weak('a1', 1), weak('a2', 2)]],
      /^2 trainings begin with "a"\.$/,
    ],
    [
      'another method',
      ['a', 'b'],
      [[weak('a', 1), weak('b', 2, other({ method: 'rs2' }))]],
      /"A" and "B" differ in method\. .*give each a line of its own\.$/,
    ],
    [
      'other models and settings',
      ['a', 'b'],
      [[weak('a', 1), weak('b', 2, other({ families: ['reader'], updates: 9, evaluation: { every: 7 } }))]],
      /"A" and "B" differ in models, updates and evaluation\.every\./,
    ],
    [
      'the same seed',
      ['a', 'b'],
      [[weak('a', 1), weak('b', 1)]],
      /"A" and "B" have the same seed, 1\. Leave one of them out\.$/,
    ],
    [
      'one of several without a seed',
      ['a', 'b'],
      [
        [
          weak('a', 1),
          weak('b', 2, { spec: recipeTrainingSchema.parse({ kind: 'recipe', recipeId: 'verl' }) }),
        ],
      ],
      /"B" does not say its seed, .* Name it alone\.$/,
    ],
    [
      'one that still runs',
      'a',
      [[weak('a', 1, { state: { kind: 'running', pid: 1 }, step: 20 })]],
      /"A" is not finished, after 20 of 300 updates\. Wait for its end or resume it/,
    ],
    [
      'one whose files are gone',
      'a',
      [[weak('a', 1)], []],
      /"A" has no curves: .* Bring them back from a copy/,
    ],
    [
      'one that was not evaluated',
      'a',
      [[weak('a', 1)], [curve({ part: 'train' })]],
      /"A" was not evaluated on held-out problems/,
    ],
    [
      'one that was evaluated at its end alone',
      'a',
      [[weak('a', 1)], [curve({ steps: [4], values: [0.3], samples: [32] })]],
      /evaluated on held-out problems once, which is a point and no line\. Train it again with evaluations/,
    ],
    [
      'another measure',
      'a',
      [[weak('a', 1)], [curve({ key: 'pass@n' })]],
      /has no "pass@1".* but "pass@n"\./,
    ],
  ])('%s', async (_, named, [views, curves], message) => {
    const answer = await filled(ownFigure(named), listed(views, curves));
    expect(answer.ok ? null : answer.error.message).toMatch(message);
  });

  test('but in a file that names more, the rest is filled, and the line says why it is empty', async () => {
    const figure = ownFigure('a');
    const [line] = figure.series;
    if (line?.curve.kind !== 'learning') throw new Error('It is over a training');
    const gone = { ...line, id: 'second', label: 'Second', curve: { ...line.curve, training: ['gone'] } };
    const both = { ...figure, series: [line, gone] };
    const { result } = await unwrap(filled(both, listed([weak('a', 1)])));
    expect(result.series.map(({ state, points }) => [state.kind, points.length])).toEqual([
      ['done', 3],
      ['missing', 0],
    ]);
    expect(result.complete).toBe(false);
    expect(result.cautions).toEqual([
      {
        kind: 'missing',
        text: 'Not complete: 1 of 2 lines is missing. Second: There is no training "gone".',
      },
    ]);
    expect(result.sentences).toContain(result.cautions?.[0]?.text);
  });

  test('nor does a removed study empty a line that has the name of its configuration', async () => {
    const figure = ownFigure('a');
    const { id } = figure.series[0] as Exhibit['series'][number];
    const gone = { id: 'gone', configuration: 'single' };
    const [alone] = figure.configurations as [Exhibit['configurations'][number]];
    const line = { id, label: id, group: '' };
    const both: Exhibit = {
      ...figure,
      configurations: [alone, { ...alone, id, label: 'Gone', method: 'base', study: gone }],
      ...{ rows: [line], columns: [line] },
      cells: [
        {
          ...{ row: id, column: id, configuration: id, reference: [] },
          measure: { kind: 'metric', metric: 'pass@n' },
        },
      ],
    };
    const { result } = await unwrap(filled(both, listed([weak('a', 1)])));
    expect(result.series.map(({ state, points }) => [state.kind, points.length])).toEqual([['done', 3]]);
    expect(result.cells.map(({ state }) => state)).toEqual([
      { kind: 'missing', message: 'There is no study gone.' },
    ]);
  });

  test('an axis or an agent that the training does not have', async () => {
    const marti = listed([weak('a', 1)], [curve({ samples: null })]);
    const answer = await filled(ownFigure('a', { x: 'samples' }), marti);
    expect(answer.ok ? null : answer.error.message).toContain('Set "x" of the line to "updates".');
    const agent = await filled(ownFigure('a', { agent: 'tracer' }), listed([weak('a', 1)]));
    expect(agent.ok ? null : agent.error.message).toContain('"A" has no agent "tracer". It has: weak.');
  });

  test('a line of an exhibit that is built in', async () => {
    const { deps } = await reportProject([], {}, listed([weak('a', 1)]));
    const answer = await deps.fillExhibit({
      ...{ exhibitId: 'learning-curves', filled: [] },
      lines: [{ seriesId: 'none', trainings: ['a'] }],
    });
    expect(answer.ok ? null : answer.error.message).toContain('a figure of your own alone');
  });
});

test('a training of language models gives a line of the agent at the place of its model', async () => {
  const spec = modelTrainingSchema.parse({
    ...{ kind: 'model', method: 'heter-mars2', seed: 3, problems: { benchmarkId: 'mbpp' } },
    agents: ['small', 'smaller'].map((id) => ({ id, model: `/models/${id}` })),
    evaluation: { problems: 12, every: 2, on: { benchmarkId: 'humaneval' } },
  });
  const agents = spec.agents.map(({ id }) => ({ id, name: id }));
  const view = weak('a', 3, { spec, agents, scale: 'own' });
  const plain = ownFigure('a', { model: 'second' });
  const figure = {
    ...plain,
    configurations: plain.configurations.map((one) => ({
      ...one,
      method: 'heter-mars2' as const,
      partners: ['second'],
    })),
  };
  const curves = [curve({ agentId: 'small' }), curve({ agentId: 'smaller', values: [0.4, 0.5, 0.6] })];
  const { result } = await unwrap(filled(figure, listed([view], curves)));
  expect(result.series[0]?.points.map(({ y }) => y)).toEqual([0.4, 0.5, 0.6]);
  expect(result.series[0]?.atHand).toMatchObject({
    ...{ scale: 'own', models: ['smaller'], benchmarks: ['humaneval'], problems: 12, seeds: [3] },
  });
});

test('the check of a file names trainings that are not here, and those that are no seeds of one line', async () => {
  const duringTraining = (seed: number) => other({ seed, evaluation: { every: 7 } });
  const handlers = exhibitHandlers({
    exhibits: createExhibitLibrary({ builtInFolder: 'resources/exhibits', ownFolder: 'none' }),
    fillExhibit: async () => {
      throw new Error('A check fills nothing');
    },
    studies: { list: () => [] },
    trainings: {
      list: () => [weak('a', 1, duringTraining(1)), weak('b', 1, duringTraining(1)), weak('d', 2)],
    },
  });
  const problems = async (training: string | string[]) => {
    const answer = handlers['exhibit.check']?.({ text: JSON.stringify(ownFigure(training)) });
    if (answer === undefined) throw new Error('There is no such handler');
    return (await unwrap(answer)).problems;
  };
  expect(await problems('a')).toEqual([]);
  expect(await problems('d')).toEqual([
    { path: 'series[0].curve.training', message: expect.stringContaining('"D" was evaluated') },
  ]);
  expect(await problems('c')).toEqual([
    { path: 'series[0].curve.training', message: expect.stringContaining('There is no training "c".') },
  ]);
  expect(await problems(['a', 'b'])).toEqual([
    { path: 'series[0].curve.training', message: expect.stringContaining('have the same seed, 1') },
  ]);
  expect((await problems(['a', 'a'])).map(({ message }) => message)).toContain('A training is listed twice.');
});

test('a line may be added for an agent of a training, under a free name, and its trainings changed', () => {
  const figure = ownFigure('a');
  const training = samplePocketTraining({ id: 'both', name: 'Both, seed 4' }, 5, 4);
  const added = withAddedTraining(withAddedTraining(figure, training, 'tracer'), training, 'tracer');
  expect(exhibitSchema.safeParse(added).success).toBe(true);
  expect(added.series.slice(1).map(({ id, label, curve: own }) => [id, label, own])).toEqual(
    ['both-tracer', 'both-tracer-2'].map((id, at) => [
      id,
      at === 0 ? 'Both, tracer' : 'Both, tracer 2',
      { kind: 'learning', key: 'pass@1', x: 'updates', model: 'first', training: ['both'], agent: 'tracer' },
    ]),
  );
  const several = withTrainingsAtHand(added, 'learning', ['a', 'b']);
  expect(several.series[0]?.curve).toMatchObject({ training: ['a', 'b'] });
  const none = withTrainingsAtHand(several, 'learning', []).series[0]?.curve;
  expect(none).not.toHaveProperty('training');
});
