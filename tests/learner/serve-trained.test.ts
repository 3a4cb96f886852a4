import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasEnded } from '../../main/jobs';
import type { TrainingView } from '../../preload/contract';
import { buildWorkbench } from '../support/built-workbench';
import { eventually } from '../support/eventually';
import { tinyModel } from '../support/learner';
import { warmPython } from '../support/warm-python';
import { openWorkbenchBench, type WorkbenchBench } from '../support/workbench-bench';

const PATIENCE_MS = 900_000;
/** More than are made between seeing the first and the end of the processes. */
const UPDATES = 10;
/** Prints what one of the tiny model's pieces prints. */
const problem = (id: string) => {
  const tests = [{ kind: 'stdin', input: '0\n', expected: '0\n' }];
  return { id, statement: `${id}: read zero and print zero.`, publicTests: tests, privateTests: tests };
};

/** The updates that a training has written down, but not what it measured. */
async function stepsIn(path: string): Promise<number[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ step, part }) => (part === undefined ? [step] : []));
}

/** The whole way of a language model, in one workbench: each step goes on where the one before has ended. */
describe.skipIf(warmPython === null)('a language model that was trained here', () => {
  let bench: WorkbenchBench;
  let training: TrainingView;
  beforeAll(async () => {
    bench = await openWorkbenchBench(await buildWorkbench(), []);
    const file = join(bench.dataDir, 'problems.jsonl');
    await writeFile(file, ['a', 'b', 'c'].map((id) => `${JSON.stringify(problem(id))}\n`).join(''));
    await bench.ask('import.benchmark', { path: file, format: 'workbench', id: 'zeros' });
    const agents = [{ id: 'first', model: await tinyModel(1), maxTokens: 3, extraction: 'whole' as const }];
    training = await bench.ask('training.start', {
      name: 'Tiny',
      machineId: 'local',
      spec: {
        ...{ kind: 'model', method: 'rs2', agents, lora: { rank: 4, alpha: 8 } },
        ...{ problems: { benchmarkId: 'zeros' }, python: warmPython as string, device: 'cpu', threads: 1 },
        ...{ updates: UPDATES, batch: 8, treesPerRound: 4, nodes: 4, checkpointEvery: 5 },
        evaluation: { problems: 1, nodes: 1, samples: 2 },
      },
    });
  }, PATIENCE_MS);
  afterAll(() => bench?.dispose());

  const current = async (): Promise<TrainingView> => {
    const view = (await bench.ask('training.list', {})).find(({ id }) => id === training.id);
    if (view === undefined) throw new Error('The training is gone');
    return view;
  };
  const ended = () =>
    eventually(
      'the end of the training',
      async () => {
        const view = await current();
        return hasEnded(view.state) ? view : null;
      },
      PATIENCE_MS,
    );

  it('goes on by itself after kill -9 of all its processes, and makes every update once', {
    timeout: PATIENCE_MS,
  }, async () => {
    const metrics = join(bench.dataDir, 'trainings', training.id, 'metrics.jsonl');
    await eventually('an update', async () => (await stepsIn(metrics)).length > 0 || null, PATIENCE_MS);
    // Without one it would begin anew, so it is not restarted.
    await eventually(
      'a saved state',
      async () => existsSync(join(metrics, '../state.json')) || null,
      PATIENCE_MS,
    );
    const { state } = await current();
    if (state.kind !== 'running') throw new Error(`It is ${JSON.stringify(state)}`);
    process.kill(-(state.pid ?? 0), 'SIGKILL');
    expect((await stepsIn(metrics)).length).toBeLessThan(UPDATES);
    await eventually(
      'its next start',
      async () => (await current()).state.kind === 'queued' || null,
      PATIENCE_MS,
    );
    const { state: end, scale } = await ended();
    expect(end).toMatchObject({ kind: 'exited', code: 0 });
    expect(scale).toBe('own');
    expect(await stepsIn(metrics)).toEqual(Array.from({ length: UPDATES }, (_, at) => at + 1));
    // What an ended training wrote last is read soon after its end is known.
    await eventually(
      'its last update in the view',
      async () => (await current()).step === UPDATES || null,
      PATIENCE_MS,
    );
  });

  it('is served by its last adapter, under its name', { timeout: PATIENCE_MS }, async () => {
    const served = await bench.ask('training.serve', {
      trainingId: training.id,
      checkpointId: 'first-000010',
    });
    const servers = await bench.ask('server.list', {});
    expect(served).toEqual({ kind: 'server', serverId: servers[0]?.id });
    expect(servers).toMatchObject([
      { kind: 'pytorch', model: 'tiny-first-000010', state: { kind: 'ready' }, machineId: 'local' },
    ]);
    expect(servers[0]?.stages.map(({ name }) => name).at(-1)).toBe('one real token');
  });

  it('is searched with, and its table is of scale own in every row', { timeout: PATIENCE_MS }, async () => {
    const { studyId } = await bench.ask('training.evaluate', {
      name: 'Two checkpoints',
      checkpoints: ['first-000005', 'first-000010'].map((checkpointId) => ({
        trainingId: training.id,
        checkpointId,
      })),
      ...{ benchmarkId: 'zeros', problems: 2, nodes: 3, samples: 2, team: true },
    });
    const view = await bench.endedStudy(studyId);
    expect(view).toMatchObject({ state: { kind: 'finished' }, study: { scale: 'own' } });
    const { rows } = await bench.ask('study.analysis', { studyId });
    expect(rows.map(({ configuration, scale }) => [configuration, scale])).toEqual([
      ['Tiny first-000005', 'own'],
      ['Tiny first-000010', 'own'],
      ['Team', 'own'],
    ]);
    for (const { cells, nodesPerTree } of rows) {
      expect(nodesPerTree).toBe(3);
      expect(cells.find(({ metric }) => metric === 'pass@n')).toMatchObject({ problems: 2, faults: 0 });
    }
    const path = join(bench.dataDir, 'table.csv');
    await bench.ask('export.write', { studyId, kind: 'table', path });
    const [head = '', ...lines] = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    const column = head.split(',').indexOf('scale');
    expect(new Set(lines.map((line) => line.split(',')[column]))).toEqual(new Set(['own']));
  });
});
