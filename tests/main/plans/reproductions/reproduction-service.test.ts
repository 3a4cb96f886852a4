import { readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeSandbox } from '../../../../main/grading';
import type { Exhibit, ExhibitResult, ReproductionView } from '../../../../preload/contract';
import { buildWorkbench } from '../../../support/built-workbench';
import { tinyExhibit } from '../../../support/tiny-exhibit';
import { openWorkbenchBench, statesOf, type WorkbenchBench } from '../../../support/workbench-bench';

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });
const where = '(skipped where no sandbox starts)';

let bench: WorkbenchBench;
beforeAll(async () => {
  bench = await openWorkbenchBench(await buildWorkbench(), [
    tinyExhibit(),
    tinyExhibit({ id: 'again', title: 'The same again' }),
    longExhibit(),
  ]);
});
afterAll(() => bench.dispose());

/** Searched long enough to be stopped in the middle. */
function longExhibit(): Exhibit {
  const tiny = tinyExhibit({ id: 'long' });
  const { pocket } = tiny.scales;
  if (pocket === null) throw new Error('It has a pocket scale');
  const benchmark = { ...pocket.benchmark, problems: 10 };
  return {
    ...tiny,
    scales: { ...tiny.scales, pocket: { ...pocket, benchmark, search: { ...pocket.search, nodes: 24 } } },
  };
}

const isOver = ({ state }: ReproductionView): boolean => state.kind === 'done' || state.kind === 'failed';
const start = (exhibitId: string) => bench.ask('reproduction.start', { exhibitId, scale: 'pocket' });
const oursOf = ({ cells }: ExhibitResult) => cells.map(({ row, column, ours }) => ({ row, column, ours }));
const total = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? Number.NaN), 0);

test.skipIf(sandboxProblem !== null)(
  `a paused reproduction stops everything and goes on after a restart; a server that cannot be started fails its own cells alone; a retry fixes them ${where}`,
  async () => {
    const begun = await start('tiny');
    expect(begun.state.kind).toBe('running');
    await expect(bench.ask('reproduction.remove', { reproductionId: begun.id })).rejects.toThrow(
      /cannot be removed/,
    );
    await bench.until(
      begun.id,
      (view) =>
        statesOf(view, 'train')['Train Vanilla GRPO, weak, in the place of First, seed 11'] === 'done',
    );
    const paused = await bench.ask('reproduction.pause', { reproductionId: begun.id });
    expect(paused.state.kind).toBe('paused');
    const going = (await bench.ask('training.list', {})).filter(({ state }) => state.kind === 'running');
    expect(going).toEqual([]);

    // A checkpoint that is lost: only what is searched with it can fail.
    const training = paused.steps.find(({ title }) => title.includes('First, seed 11'))?.trainingId ?? '';
    const checkpoint = join(bench.dataDir, 'trainings', training, 'checkpoints');
    await rename(checkpoint, `${checkpoint}.away`);
    bench = await bench.reopened();
    const [still] = await bench.ask('reproduction.list', {});
    expect(still?.state.kind).toBe('paused');
    await bench.ask('reproduction.resume', { reproductionId: begun.id });
    const broken = await bench.until(begun.id, isOver);
    expect(broken.state).toMatchObject({ kind: 'failed' });
    expect(statesOf(broken, 'search')).toEqual({
      'Search weak, base, seed 11': 'done',
      'Search weak, GRPO, seed 11': 'blocked',
      'Search Both, trained apart, seed 11': 'blocked',
    });
    const half = await bench.ask('exhibit.result', { exhibitId: 'tiny', scale: 'pocket' });
    expect(half.complete).toBe(false);
    expect(half.cells.map(({ row, state }) => `${row} ${state.kind}`)).toEqual([
      ...['base done', 'base done', 'base done'],
      ...['grpo failed', 'grpo failed', 'grpo failed'],
      ...['team failed', 'team failed', 'team failed'],
    ]);
    expect(half.cells.filter(({ ours }) => ours !== null)).toHaveLength(3);

    await rm(checkpoint, { recursive: true, force: true });
    await rename(`${checkpoint}.away`, checkpoint);
    const failed = broken.steps.find(({ state }) => state.kind === 'failed');
    await bench.ask('reproduction.retry', { reproductionId: begun.id, stepId: failed?.id ?? '' });
    const whole = await bench.until(begun.id, isOver);
    expect(whole.state).toEqual({ kind: 'done' });
    expect(whole.done).toBe(whole.total);
    const servers = await bench.ask('server.list', {});
    expect(servers.filter(({ state }) => state.kind === 'ready')).toEqual([]);
    await expect(bench.ask('reproduction.resume', { reproductionId: begun.id })).rejects.toThrow(
      /nothing to resume/,
    );

    const result = await bench.ask('exhibit.result', { exhibitId: 'tiny', scale: 'pocket' });
    expect(result.complete).toBe(true);
    expect(result.cells.every(({ ours, difference }) => ours !== null && difference !== null)).toBe(true);
    expect(result.cells.every(({ notComparable }) => notComparable.length > 0)).toBe(true);
    expect(result.series[0]?.points.length).toBeGreaterThan(0);
    // What the cells cost is what the steps took, jobs and all.
    for (const unit of ['seconds', 'gpuSeconds', 'tokens'] as const) {
      const steps = total(whole.steps.map(({ took }) => took[unit]));
      // The line's cost is in no cell.
      const cells = total(result.cells.map(({ cost }) => cost[unit]));
      expect(cells).toBeLessThanOrEqual(steps + 1e-6);
      if (unit === 'tokens') expect(cells).toBeCloseTo(steps, 6);
    }
    const decisions = await bench.ask('reproduction.decisions', { reproductionId: begun.id });
    expect(decisions.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Paused.', 'Resumed.', 'Tried again.']),
    );
  },
  280_000,
);

test.skipIf(sandboxProblem !== null)(
  `a pause in the middle of a search stops its study and its servers; a resume ends it ${where}`,
  async () => {
    const request = { exhibitId: 'long', scale: 'pocket' as const, only: ['base.pass-1'] };
    const { id } = await bench.ask('reproduction.start', request);
    await bench.until(id, (view) =>
      view.steps.some(({ kind, state }) => kind === 'search' && state.kind === 'running'),
    );
    const paused = await bench.ask('reproduction.pause', { reproductionId: id });
    expect(paused.state.kind).toBe('paused');
    const search = paused.steps.find(({ kind }) => kind === 'search');
    expect(search?.state).toMatchObject({ kind: 'waiting' });
    const studies = await bench.ask('study.list', {});
    expect(studies.find(({ study }) => study.id === search?.studyId)?.state.kind).toBe('paused');
    const servers = await bench.ask('server.list', {});
    expect(servers.filter(({ state }) => state.kind === 'ready')).toEqual([]);
    await bench.ask('reproduction.resume', { reproductionId: id });
    const done = await bench.until(id, isOver);
    expect(done.state).toEqual({ kind: 'done' });
    // It went on in the study that it had.
    expect(done.steps.find(({ kind }) => kind === 'search')?.studyId).toBe(search?.studyId);
    expect((await bench.ask('study.list', {})).length).toBe(studies.length);
    const result = await bench.ask('exhibit.result', {
      exhibitId: 'long',
      scale: 'pocket',
      reproductionId: id,
    });
    const doneCells = result.cells.filter(({ state }) => state.kind === 'done');
    expect(doneCells).toHaveLength(1);
    await bench.ask('reproduction.remove', { reproductionId: id });
  },
);

test.skipIf(sandboxProblem !== null)(
  `the same work is not done twice: another exhibit takes over every training and run ${where}`,
  async () => {
    const plan = await bench.ask('reproduction.plan', { exhibitId: 'again', scale: 'pocket' });
    const work = plan.steps.filter(({ kind }) => kind === 'train' || kind === 'search');
    expect(work.every(({ reuse }) => reuse !== null)).toBe(true);
    const trainings = (await bench.ask('training.list', {})).length;
    const studies = (await bench.ask('study.list', {})).length;
    const begun = await start('again');
    const done = await bench.until(begun.id, isOver);
    expect(done.state).toEqual({ kind: 'done' });
    expect((await bench.ask('training.list', {})).length).toBe(trainings);
    expect((await bench.ask('study.list', {})).length).toBe(studies);
    const [first, second] = await Promise.all(
      ['tiny', 'again'].map((exhibitId) => bench.ask('exhibit.result', { exhibitId, scale: 'pocket' })),
    );
    if (first === undefined || second === undefined) throw new Error('No result');
    expect(oursOf(second)).toEqual(oursOf(first));
    expect(second.cells.every(({ state }) => state.kind === 'done' && state.reused)).toBe(true);
    // What was there already costs a cell as much as what was made for it.
    expect(second.cells.map(({ cost }) => cost)).toEqual(
      first.cells.map(({ cost }) => ({
        seconds: expect.closeTo(cost.seconds ?? Number.NaN, 6),
        gpuSeconds: cost.gpuSeconds,
        tokens: cost.tokens,
      })),
    );
    const log = await readFile(join(bench.dataDir, 'reproductions', begun.id, 'decisions.jsonl'), 'utf8');
    expect(log.split('\n').filter((line) => line.includes('train:')).length).toBeGreaterThan(0);

    // What the lab enters later of the paper belongs to it, and so to its exports and bundles.
    const [cell] = tinyExhibit().cells;
    const at = { kind: 'cell' as const, row: cell?.row ?? '', column: cell?.column ?? '' };
    const entered = { at, value: 61, page: 7, where: 'Table 3', note: '' };
    await bench.ask('exhibit.set-values', { exhibitId: 'again', values: [entered] });
    const record = join(bench.dataDir, 'reproductions', begun.id, 'reproduction.json');
    await expect.poll(() => readFile(record, 'utf8')).toContain('Entered by the lab from p. 7, Table 3');

    // A training that was removed is trained again where its checkpoint is needed.
    const training = done.steps.find(({ title }) => title.includes('First, seed 11'))?.trainingId ?? '';
    const studyIds = new Set(done.steps.flatMap(({ studyId }) => studyId ?? []));
    for (const studyId of studyIds) await bench.ask('study.remove', { studyId });
    await bench.ask('reproduction.remove', { reproductionId: begun.id });
    const third = await start('again');
    await bench.ask('reproduction.pause', { reproductionId: third.id });
    await bench.ask('training.remove', { trainingId: training });
    await bench.ask('training.delete', { trainingId: training, checkpoints: true });
    await bench.ask('reproduction.resume', { reproductionId: third.id });
    const broken = await bench.until(third.id, isOver);
    expect(broken.state.kind).toBe('failed');
    await bench.ask('reproduction.resume', { reproductionId: third.id });
    const resumed = await bench.until(third.id, isOver);
    expect(resumed.state).toEqual({ kind: 'done' });
    expect(resumed.steps.find(({ title }) => title.includes('First, seed 11'))?.trainingId).not.toBe(
      training,
    );
    const again = await bench.ask('exhibit.result', { exhibitId: 'again', scale: 'pocket' });
    expect(oursOf(again)).toEqual(oursOf(first));
    await bench.ask('reproduction.remove', { reproductionId: third.id });
    expect((await bench.ask('reproduction.list', {})).map(({ id }) => id)).not.toContain(begun.id);
  },
  280_000,
);

test('what cannot be started says why, and a step cannot move to an absent machine', async () => {
  await expect(start('nothing')).rejects.toThrow(/nothing/);
  await expect(bench.ask('reproduction.start', { exhibitId: 'tiny', scale: 'paper' })).rejects.toThrow(
    /paper/,
  );
  await expect(bench.ask('reproduction.pause', { reproductionId: 'none' })).rejects.toThrow(
    /no reproduction/,
  );
  const [view] = await bench.ask('reproduction.list', {});
  const stepId = view?.steps[0]?.id ?? '';
  if (view !== undefined) {
    await expect(
      bench.ask('reproduction.move', { reproductionId: view.id, stepId, machineId: 'nowhere' }),
    ).rejects.toThrow(/nowhere/);
  }
  const empty = await bench.ask('exhibit.result', { exhibitId: 'homogeneous', scale: 'pocket' });
  expect(empty.reproductionId).toBeNull();
  expect(new Set(empty.cells.map(({ state }) => state.kind))).toEqual(new Set(['empty']));
});
