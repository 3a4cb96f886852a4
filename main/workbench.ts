import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CheckedPayload, Refusal, Settings, Study, WorkbenchEvent } from '../preload/contract/index';
import { Emitter, failed, ok, type Result } from './base/index';
import { createBenchmarkLibrary, type Imported } from './benchmarks/index';
import { type Call, dispatcher, type Handlers } from './dispatch';
import { type Grader, openSandboxGrader, probeSandbox } from './grading/index';
import { createJobService } from './jobs/index';
import { createLocalMachine } from './machines/index';
import { createServerService, type NodeRuntime } from './servers/index';
import { lockDataDir, openRegistry, type WindowPlace } from './store/index';
import {
  createStudyService,
  newStudy,
  pocketCheckpoints,
  QUICKSTART,
  quickstartPlan,
  quickstartStudy,
  type StudySurroundings,
  studyFiles,
} from './studies/index';

/** The whole workbench behind one call; the window and the terminal use the same. */
export type Workbench = {
  /** Checks the payload, does the command, answers with data. Never rejects for what a caller or file does wrong. */
  readonly call: Call;
  readonly events: Emitter<WorkbenchEvent>;
  readonly settings: () => Settings;
  readonly windowPlace: () => WindowPlace | null;
  readonly rememberWindow: (place: WindowPlace) => void;
  /** What was wrong with the data folder when it was opened, to be told to the user; null: nothing. */
  readonly damage: string | null;
  readonly goTo: (address: string) => void;
  /** Stops what runs so that it can be resumed, and gives the data folder free. */
  readonly close: () => Promise<void>;
};

/** Candidates a second on a laptop's two cores, until this computer has been measured. */
const FIRST_GUESS_PER_SECOND = 70;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export async function openWorkbench(options: {
  readonly dataDir: string;
  /** The project's folder: built entries under out/, resources/. */
  readonly project: string;
  readonly appVersion: string;
  readonly nodeRuntime: NodeRuntime;
}): Promise<Result<Workbench, Refusal>> {
  const { dataDir, project, appVersion, nodeRuntime } = options;
  const now = (): number => Date.now();
  const lock = await lockDataDir(dataDir);
  if (!lock.ok) return lock;
  const opened = await openRegistry(join(dataDir, 'registry.json'));
  if (!opened.ok) {
    await lock.value.dispose();
    return opened;
  }
  const registry = opened.value;
  const events = new Emitter<WorkbenchEvent>();
  const library = createBenchmarkLibrary({ dataDir, clock: now });
  const jobs = createJobService({
    machine: createLocalMachine(),
    folder: join(dataDir, 'jobs'),
    clock: { now },
    newId: () => randomUUID(),
  });
  const servers = createServerService({
    jobs,
    nodeRuntime,
    modelServerScript: join(project, 'out', 'main', 'model-server.js'),
    clock: { now },
  });
  // Servers outlive the app: those that a killed one left behind are shown, used again or stopped.
  await servers.reattach();
  servers.onChange((views) => events.emit({ kind: 'servers-changed', servers: [...views] }));

  const resourcesDir = join(project, 'resources');
  let grader: Promise<Result<Grader, Refusal>> | null = null;
  const openGrader = async (): Promise<Result<Grader, Refusal>> => {
    const opening: Promise<Result<Grader, Refusal>> =
      grader ??
      openSandboxGrader({
        resourcesDir,
        concurrency: availableParallelism(),
        allowUnsandboxed: registry.read().settings.gradeWithoutSandbox,
      });
    grader = opening;
    const result = await opening;
    if (!result.ok) grader = null; // the user may install what was missing and try again
    return result;
  };
  const sandboxProblem = async (): Promise<string | null> => {
    if (registry.read().settings.gradeWithoutSandbox) return null;
    const problem = await probeSandbox({ resourcesDir, allowUnsandboxed: false });
    return problem === null ? null : [problem.message, problem.hint].filter(Boolean).join(' ');
  };

  const around: StudySurroundings = {
    appVersion,
    now,
    sleep,
    digest,
    openGrader,
    library,
    servers,
    checkpoints: pocketCheckpoints({
      dataDir,
      nodeRuntime,
      script: join(project, 'out', 'main', 'pretrain-pocket.js'),
    }),
    files: studyFiles(dataDir),
  };
  const studies = createStudyService({ registry, around, events });
  const newName = (): { studyId: string; createdAt: string } => {
    const createdAt = new Date(now()).toISOString();
    return { studyId: `${createdAt.slice(0, 10)}-${randomUUID().slice(0, 8)}`, createdAt };
  };

  const beginStudy = async (study: Study): Promise<Result<{ studyId: string }, Refusal>> => {
    const added = await studies.add(study);
    return added.ok ? ok({ studyId: study.id }) : added;
  };

  const createStudy = async (
    order: CheckedPayload<'study.create'>,
  ): Promise<Result<{ studyId: string }, Refusal>> => {
    const benchmark = library.list().find(({ id }) => id === order.benchmarkId);
    if (benchmark === undefined) {
      return failed({
        code: 'not-found',
        message: `There is no benchmark ${order.benchmarkId} in the library.`,
      });
    }
    const problems = await library.problems(benchmark.id);
    if (!problems.ok) return problems;
    return beginStudy(
      newStudy(order, { ...newName(), benchmark, problemIds: problems.value.map(({ id }) => id) }),
    );
  };

  const startQuickstart = async (
    order: CheckedPayload<'quickstart.start'>,
  ): Promise<Result<{ studyId: string }, Refusal>> => {
    const occupied = studies.busy();
    if (occupied !== null) return failed(occupied);
    const opened = await openGrader();
    if (!opened.ok) return opened;
    const benchmark = await library.ensurePocket({
      split: 'test',
      seed: QUICKSTART.benchmarkSeed,
      count: Math.max(QUICKSTART.problems, order.problems ?? 0),
    });
    if (!benchmark.ok) return benchmark;
    const problems = await library.problems(benchmark.value.id);
    if (!problems.ok) return problems;
    const study = quickstartStudy(order, {
      ...newName(),
      benchmark: benchmark.value,
      problemIds: problems.value.map(({ id }) => id),
    });
    const begun = await beginStudy(study);
    if (!begun.ok) return begun;
    const started = await studies.start(study.id);
    return started.ok ? begun : started;
  };

  const changeSettings = async (
    part: CheckedPayload<'settings.change'>,
  ): Promise<Result<Settings, Refusal>> => {
    const given = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
    const saved = await registry.update((data) => ({ ...data, settings: { ...data.settings, ...given } }));
    if (!saved.ok) return saved;
    const { settings } = saved.value;
    if (part.gradeWithoutSandbox !== undefined && grader !== null) {
      const old = await grader;
      grader = null;
      if (old.ok) await old.value.dispose();
    }
    events.emit({ kind: 'settings-changed', settings });
    return ok(settings);
  };

  const imported = <T extends { id: string }>(result: Result<Imported<T>, Refusal>): Result<T, Refusal> => {
    if (!result.ok) return result;
    const { value, wasThere } = result.value;
    const message = `This file was imported before, as "${value.id}"; nothing was changed.`;
    if (wasThere) events.emit({ kind: 'notice', level: 'info', message });
    else events.emit({ kind: 'library-changed' });
    return ok(value);
  };

  const handlers: Handlers = {
    'app.info': async () =>
      ok({
        version: appVersion,
        dataDir,
        platform: process.platform,
        sandboxProblem: await sandboxProblem(),
        runsAsRoot: process.getuid?.() === 0,
      }),
    'settings.read': async () => ok(registry.read().settings),
    'settings.change': changeSettings,
    'quickstart.plan': async () =>
      ok(
        quickstartPlan({
          candidatesPerSecond:
            registry.read().speeds.findLast(({ scale }) => scale === 'pocket')?.candidatesPerSecond ??
            FIRST_GUESS_PER_SECOND,
          dataDir,
          sandboxProblem: await sandboxProblem(),
        }),
      ),
    'quickstart.start': startQuickstart,
    'study.list': async () => ok([...studies.list()]),
    'study.create': createStudy,
    'study.start': ({ studyId }) => studies.start(studyId),
    'study.pause': ({ studyId }) => studies.stop(studyId, 'paused'),
    'study.cancel': ({ studyId }) => studies.stop(studyId, 'cancelled'),
    'study.remove': ({ studyId }) => studies.remove(studyId),
    'study.restore': ({ studyId }) => studies.restore(studyId),
    'study.analysis': ({ studyId }) => studies.archive.analysis(studyId),
    'run.events': async ({ runId }) => {
      const read = await studies.archive.runEvents(runId);
      return read.ok ? ok([...read.value]) : read;
    },
    'node.read': (place) => studies.archive.readNode(place),
    'benchmark.list': async () => ok([...library.list()]),
    'benchmark.problem': async ({ benchmarkId, problemId }) => {
      const problems = await library.problems(benchmarkId);
      if (!problems.ok) return problems;
      const problem = problems.value.find(({ id }) => id === problemId);
      return problem === undefined
        ? failed({ code: 'not-found', message: `The benchmark ${benchmarkId} has no problem ${problemId}.` })
        : ok(problem);
    },
    'recording.list': async () => ok([...library.recordings()]),
    'import.benchmark': async ({ path, id }) => imported(await library.importHumanEval({ path, id })),
    'import.recording': async ({ path, benchmarkId, id }) =>
      imported(await library.importRecording({ path, benchmarkId, id })),
    'server.list': async () => ok([...servers.views()]),
    'server.stop': ({ serverId }) => servers.stop(serverId),
    'server.readLog': ({ serverId, offset, maxBytes }) => servers.readLog(serverId, offset, maxBytes),
    'export.write': (order) => studies.archive.exportCsv(order),
  };

  const call = dispatcher(handlers, (error) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  });

  return ok({
    call,
    events,
    settings: () => registry.read().settings,
    windowPlace: () => registry.read().window,
    rememberWindow: (place) => void registry.update((data) => ({ ...data, window: place })),
    damage:
      registry.damaged === null
        ? null
        : `The registry was damaged (${registry.damaged.why}) and was moved to ${registry.damaged.movedTo}. The files of its studies are still there, but they are not listed.`,
    goTo: (address) => events.emit({ kind: 'go-to', address }),
    close: async () => {
      await studies.close();
      servers.dispose();
      const old = grader === null ? null : await grader;
      if (old?.ok) await old.value.dispose();
      await lock.value.dispose();
    },
  });
}
