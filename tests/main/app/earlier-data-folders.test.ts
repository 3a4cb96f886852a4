import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildWorkbench } from '../../support/built-workbench';
import { openPackedDataFolder, type WorkbenchBench } from '../../support/workbench-bench';

/**
 * A data folder that the version of this name wrote: the quickstart, a reproduction that is done and one that was
 * killed and paused, an experiment, their trainings and jobs, a launch, a note, a mark; and what that version showed of
 * it. Optimiser states of finished trainings were left out to keep it small.
 */
const VERSION = 'c6a87f5';
const fixture = (ending: string): string =>
  resolve('tests', 'fixtures', 'data-folders', `${VERSION}${ending}`);

const byId = <T extends z.ZodType>(value: T) => z.record(z.string(), value);
const interval = z.array(z.union([z.string(), z.number(), z.null()]));
const expectedSchema = z.object({
  studies: byId(
    z.object({
      name: z.string(),
      state: z.string(),
      nodes: z.number(),
      problems: z.number(),
      note: z.string(),
      tags: z.array(z.string()),
    }),
  ),
  benchmarks: byId(z.object({ problems: z.number(), digest: z.string(), marks: z.number() })),
  launches: z.array(z.string()),
  trainings: byId(z.object({ state: z.string(), code: z.number(), step: z.number() })),
  jobs: byId(z.string()),
  experiments: byId(z.object({ state: z.string(), done: z.number(), total: z.number() })),
  reproductions: byId(z.object({ state: z.string(), done: z.number(), total: z.number() })),
  quickstart: z.array(interval),
  experimentCells: z.array(interval),
  reproductionCells: z.array(interval),
});
const expected = expectedSchema.parse(JSON.parse(readFileSync(fixture('.json'), 'utf8')));

const entries = <T, V>(
  list: readonly T[],
  entry: (one: T) => readonly [id: string, value: V],
): Record<string, V> => Object.fromEntries(list.map(entry));

describe(`a data folder of ${VERSION}`, () => {
  let bench: WorkbenchBench;

  beforeAll(async () => {
    bench = await openPackedDataFolder(await buildWorkbench(), fixture('.tar.gz'));
  });
  afterAll(() => bench.dispose());

  it('opens without damage', () => {
    expect(bench.workbench.damage).toBeNull();
  });

  it('shows its studies with notes and tags', async () => {
    const studies = await bench.ask('study.list', {});
    const shown = entries(studies, ({ study, state, progress, note = '', tags = [] }) => [
      study.id,
      {
        name: study.name,
        state: state.kind,
        nodes: progress.nodesDone,
        problems: progress.problemsDone,
        note,
        tags,
      },
    ]);
    expect(shown).toEqual(expected.studies);
  });

  it('shows its benchmarks, marks and launches', async () => {
    const benchmarks = await bench.ask('benchmark.list', {});
    const shown = entries(benchmarks, ({ id, problems, digest, marks }) => [
      id,
      { problems, digest, marks: marks.length },
    ]);
    expect(shown).toEqual(expected.benchmarks);
    expect((await bench.ask('launch.list', {})).map(({ id }) => id)).toEqual(expected.launches);
  });

  it('shows its jobs and trainings as they ended', async () => {
    const jobs = await bench.ask('job.list', {});
    expect(entries(jobs, ({ id, state }) => [id, state.kind])).toEqual(expected.jobs);
    const trainings = await bench.ask('training.list', {});
    const shown = entries(trainings, ({ id, state, step }) => [
      id,
      { state: state.kind, code: state.kind === 'exited' ? state.code : null, step },
    ]);
    expect(shown).toEqual(expected.trainings);
  });

  it('computes the same tables from its journals and records', async () => {
    const [studyId = ''] = Object.keys(expected.studies).filter(
      (id) => expected.studies[id]?.name === 'Quickstart',
    );
    const analysis = await bench.ask('study.analysis', { studyId });
    const table = analysis.rows.flatMap(({ configuration, cells }) =>
      cells.map(({ metric, value, low, high }) => [configuration, metric, value, low, high]),
    );
    expect(table).toEqual(expected.quickstart);
    const [experimentId = ''] = Object.keys(expected.experiments);
    const experiment = await bench.ask('experiment.result', { experimentId });
    expect(
      experiment.cells.map(({ label, metric, part, agentId, value, low, high }) => [
        ...[label, metric, part, agentId],
        ...[value, low, high],
      ]),
    ).toEqual(expected.experimentCells);
    const reproductionId = reproductionWith('done');
    const result = await bench.ask('exhibit.result', { exhibitId: 'tiny', scale: 'pocket', reproductionId });
    expect(
      result.cells.map(({ row, column, state, ours }) => [
        ...[row, column, state.kind],
        ...[ours?.value ?? null, ours?.low ?? null, ours?.high ?? null],
      ]),
    ).toEqual(expected.reproductionCells);
  });

  it('shows how far its experiments and reproductions are', async () => {
    const experiments = await bench.ask('experiment.list', {});
    const progress = ({ id, state, done, total }: (typeof experiments)[number]) =>
      [id, { state: state.kind, done, total }] as const;
    expect(entries(experiments, progress)).toEqual(expected.experiments);
    const reproductions = await bench.ask('reproduction.list', {});
    expect(
      entries(reproductions, ({ id, state, done, total }) => [id, { state: state.kind, done, total }]),
    ).toEqual(expected.reproductions);
  });

  it('replays its trees from their seeds', async () => {
    for (const studyId of Object.keys(expected.studies)) {
      const { trees, mismatches } = await bench.ask('study.verify', { studyId });
      expect(trees).toBeGreaterThan(0);
      expect(mismatches).toEqual([]);
    }
  });

  it('resumes the reproduction that was killed and paused, to its end', async () => {
    const reproductionId = reproductionWith('paused');
    await bench.ask('reproduction.resume', { reproductionId });
    const ended = await bench.until(
      reproductionId,
      ({ state }) => state.kind !== 'running' && state.kind !== 'paused',
    );
    expect([ended.state, ended.done]).toEqual([{ kind: 'done' }, ended.total]);
  });
});

function reproductionWith(state: string): string {
  const id = Object.keys(expected.reproductions).find((one) => expected.reproductions[one]?.state === state);
  if (id === undefined) throw new Error(`No reproduction of the fixture is ${state}`);
  return id;
}
