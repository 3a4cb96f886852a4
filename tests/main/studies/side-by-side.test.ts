import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Emitter, failed, ok } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import type { Grader } from '../../../main/grading';
import type { ReconcileProblem } from '../../../main/reconcile';
import type { ChatClient } from '../../../main/servers';
import { openRegistry } from '../../../main/storage';
import { createStudyService, type StudyDeps, studyFiles } from '../../../main/studies';
import {
  PLAIN_SEARCH,
  type ServerSpec,
  type Study,
  singleTeam,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { gradeOf } from '../../support/search-fixture';
import { makeTemporaryFolder } from '../../support/temporary-folder';

const NODES = 8;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.dispose());

/** The quality that a program prints decides. */
const grader: Grader = {
  isolation: 'sandbox',
  python: 'none',
  packages: [],
  cpuFactor: 1,
  health: () => ({ kind: 'good' }),
  grade: async ({ program, tests }) => {
    const { verdict, results } = await gradeOf(program ?? '');
    const missing = { verdict: 'wrong-answer', actual: null, error: null, cpuMs: 0, wallMs: 0 } as const;
    return ok({ verdict, results: tests.map((_, at) => results[at % results.length] ?? missing) });
  },
  statistics: () => ({ queued: 0, running: 0, graded: 0, faults: 0, together: 0 }),
  dispose: async () => undefined,
};

const recorded = (machineId?: string): ServerSpec => ({
  kind: 'recorded',
  id: 'rec',
  model: 'rec',
  recordingId: 'rec',
  latencyMs: 0,
  maxInFlight: 2,
  ...(machineId === undefined ? {} : { machineId }),
});

/** Studies over servers that answer at once, by problem, node and seed; `gate` holds every answer back. */
async function openStudies(gate: () => Promise<void> = async () => undefined) {
  const dataDir = join(folder.path, `data-${Math.random()}`);
  const library = createBenchmarkLibrary({ dataDir, clock: () => 0 });
  const benchmark = await library.ensurePocket({ split: 'test', seed: 1, count: 4 });
  if (!benchmark.ok) throw new Error(benchmark.error.message);
  const problems = await library.problems(benchmark.value.id);
  if (!problems.ok) throw new Error(problems.error.message);
  const client: ChatClient = {
    complete: async ({ seed, metadata }) => {
      await gate();
      const text = `# ${metadata.problemId} ${metadata.ordinal}\nprint(${seed % 4})\n`;
      return ok({ text, promptTokens: 1, completionTokens: 1 });
    },
    models: async () => ok(['rec']),
    maxInFlight: 2,
    inFlight: () => 0,
    answered: () => 0,
    dispose: () => undefined,
  };
  const stopped: string[] = [];
  const servers: StudyDeps['servers'] = {
    ensure: async () => ok({ id: 's', baseUrl: '', client }),
    onChange: () => ({ dispose: () => undefined }),
    stopOwnedBy: async (studyId) => void stopped.push(studyId),
    views: () => [],
  };
  const registry = await openRegistry(join(dataDir, 'registry.json'));
  if (!registry.ok) throw new Error(registry.error.message);
  const files = studyFiles(dataDir);
  const events = new Emitter<WorkbenchEvent>();
  const errors: ReconcileProblem[] = [];
  let isFull = false;
  const full = async () => failed({ code: 'unavailable', message: 'The disk is full.' } as const);
  const studies = createStudyService({
    registry: { ...registry.value, update: (next) => (isFull ? full() : registry.value.update(next)) },
    events,
    onError: (problem) => void errors.push(problem),
    deps: {
      appVersion: 'test',
      now: () => Date.now(),
      sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
      digest: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
      openGrader: async () => ok(grader),
      library: { ...library, recordingPath: () => ok('recording.jsonl') },
      servers,
      checkpoints: {
        ensure: async () => failed({ code: 'unavailable', message: 'No checkpoints here' }),
        ensureReward: async () => failed({ code: 'unavailable', message: 'No reward model here' }),
        trained: async () => failed({ code: 'unavailable', message: 'No trainings here' }),
      },
      files,
      rewardOf: async () => failed({ code: 'unavailable', message: 'No reward model here' }),
    },
  });
  const add = async (id: string, seed: number, server: ServerSpec): Promise<void> => {
    const study: Study = {
      id,
      name: id,
      createdAt: '',
      scale: 'recorded',
      runs: [
        {
          id: `${id}.run`,
          configuration: 'single',
          team: singleTeam(server),
          benchmarkId: benchmark.value.id,
          benchmarkDigest: benchmark.value.digest,
          problemIds: problems.value.map((problem) => problem.id),
          search: {
            ...PLAIN_SEARCH,
            strategy: { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
            nodes: NODES,
            batch: 1,
            score: 'fraction',
            tie: 'latest',
            samplesPerAgent: 0,
          },
          seed,
          scale: 'recorded',
        },
      ],
    };
    const added = await studies.add(study);
    if (!added.ok) throw new Error(added.error.message);
  };
  const stateOf = (id: string) => studies.list().find(({ study }) => study.id === id)?.state.kind;
  return {
    studies,
    add,
    stateOf,
    stopped,
    errors,
    setFull: (value: boolean): void => {
      isFull = value;
    },
    finished: (id: string) => eventually(`the end of ${id}`, () => stateOf(id) === 'finished'),
    nodesCsv: async (id: string): Promise<string> => {
      const path = join(folder.path, `${id}.csv`);
      const written = await studies.results.exportCsv({ studyId: id, kind: 'nodes', path });
      if (!written.ok) throw new Error(written.error.message);
      return readFile(path, 'utf8');
    },
  };
}

test('two studies on two machines run side by side, to the same bytes as alone', async () => {
  const alone = await openStudies();
  await alone.add('one', 1, recorded());
  await alone.add('two', 2, recorded('gpu-1'));
  const expected = new Map<string, string>();
  for (const id of ['one', 'two']) {
    expect(await alone.studies.start(id)).toEqual({ ok: true, value: null });
    await alone.finished(id);
    expected.set(id, await alone.nodesCsv(id));
  }
  await alone.studies.close();

  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const lab = await openStudies(() => opened);
  await lab.add('one', 1, recorded());
  await lab.add('two', 2, recorded('gpu-1'));
  expect(await lab.studies.start('one')).toEqual({ ok: true, value: null });
  expect(await lab.studies.start('two')).toEqual({ ok: true, value: null });
  await eventually('both at work', () => ['one', 'two'].every((id) => lab.stateOf(id) === 'running'));
  open();
  for (const id of ['one', 'two']) {
    await lab.finished(id);
    expect(await lab.nodesCsv(id)).toBe(expected.get(id));
  }
  expect(lab.stopped.sort()).toEqual(['one', 'two']);
  await lab.studies.close();
});

test('a study that needs the machine of a running one is refused, with its name and what to do', async () => {
  const lab = await openStudies(() => new Promise((done) => setTimeout(done, 5)));
  await lab.add('first', 1, recorded());
  await lab.add('second', 2, recorded());
  const [begun, refused] = await Promise.all([lab.studies.start('first'), lab.studies.start('second')]);
  expect(begun.ok).toBe(true);
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'conflict',
      message: expect.stringContaining('The study "first" is running on this computer.'),
      hint: expect.stringContaining('on another machine'),
    },
  });
  await lab.finished('first');
  expect(lab.studies.conflict([recorded()])).toBeNull();
  expect((await lab.studies.start('second')).ok).toBe(true);
  await lab.finished('second');
  await lab.studies.close();
});

test('pausing one of two studies leaves the other one running', async () => {
  const lab = await openStudies(() => new Promise((done) => setTimeout(done, 20)));
  await lab.add('one', 1, recorded());
  await lab.add('two', 2, recorded('gpu-1'));
  await lab.studies.start('one');
  await lab.studies.start('two');
  await lab.studies.stop('one', 'paused');
  expect([lab.stateOf('one'), lab.stopped]).toEqual(['paused', ['one']]);
  await lab.finished('two');
  await lab.studies.close();
});

test('an end that cannot be saved is reported with the study, and saved once that is possible', async () => {
  const lab = await openStudies();
  await lab.add('one', 1, recorded());
  expect((await lab.studies.start('one')).ok).toBe(true);
  lab.setFull(true);
  await eventually('a report', () => lab.errors.length > 0);
  expect(lab.errors[0]).toMatchObject({ name: 'studies', key: 'one', failures: 1 });
  expect(String(lab.errors[0]?.error)).toContain('The disk is full.');
  expect([lab.studies.isRunning('one'), lab.stateOf('one')]).toEqual([true, 'running']);
  expect(await lab.studies.start('one')).toMatchObject({ ok: false });
  lab.setFull(false);
  expect(await lab.studies.stop('one', 'paused')).toEqual({ ok: true, value: null });
  expect([lab.studies.isRunning('one'), lab.stateOf('one')]).toEqual([false, 'finished']);
  await lab.studies.close();
});

test('a study that cannot be noted as started does not run', async () => {
  const lab = await openStudies();
  await lab.add('one', 1, recorded());
  lab.setFull(true);
  expect(await lab.studies.start('one')).toMatchObject({
    ok: false,
    error: { message: 'The disk is full.' },
  });
  expect([lab.studies.isRunning('one'), lab.stateOf('one'), lab.errors]).toEqual([false, 'planned', []]);
  await lab.studies.close();
});
