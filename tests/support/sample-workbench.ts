import { analyseStudy } from '../../main/metrics';
import type {
  Analysis,
  Answer,
  Benchmark,
  CommandName,
  NodeDetail,
  Payload,
  Problem,
  Recording,
  Refusal,
  RunEvent,
  RunView,
  ServerView,
  Settings,
  StudyState,
  StudyView,
  TestCase,
  Value,
  Verdict,
  WindowApi,
  WorkbenchEvent,
} from '../../preload/contract';
import { foldRun, treeKey } from '../../preload/contract/folds';
import { type RunTold, SAMPLE_TEST_COUNTS, sampleEvents, sampleProgram, sampleStudy } from './sample-study';

/**
 * A workbench in memory with a made-up study, for tests of the stores and for previews of the screens. It satisfies
 * the real window's type without a cast, plays events when told to, and is never bundled into the app.
 */
export type SampleWorkbench = {
  readonly api: WindowApi;
  /** Lets the next so many events of the study happen, told as one batch; true while there are more. */
  readonly play: (count: number) => boolean;
  /** Tells the window these events. */
  readonly tell: (...batch: readonly WorkbenchEvent[]) => void;
  /** What was called, in order. */
  readonly calls: readonly CommandName[];
  /** Listeners of events that have not ended. */
  readonly listeners: () => number;
};

export type SampleOptions = {
  /** empty: first start, no study. Else the study has this share of its events behind it, in [0, 1]. */
  readonly played?: number | 'empty';
  readonly state?: StudyState;
  readonly warnings?: readonly string[];
  readonly sandboxProblem?: string | null;
  readonly problems?: number;
  readonly seeds?: readonly number[];
  readonly createdAt?: string;
  readonly theme?: Settings['theme'];
  /** Commands that are refused, and how. */
  readonly refuse?: Partial<Record<CommandName, Refusal>>;
  /** Ended studies beside the one that plays. */
  readonly others?: readonly StudyView[];
  readonly emptyLibrary?: boolean;
};

type Handlers = { readonly [N in CommandName]: (payload: Payload<N>) => Answer<Value<N>> };

const STARTED = '2026-01-05T09:30:00.000Z';
const DATA_DIR = '/home/lab/.local/share/mars2-workbench';

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

function refused(message: string, code: Refusal['code'] = 'not-found'): Answer<never> {
  return { ok: false, error: { code, message } };
}

export function createSampleWorkbench(options: SampleOptions = {}): SampleWorkbench {
  const study = sampleStudy({
    problems: options.problems ?? 60,
    seeds: options.seeds ?? [1],
    ...(options.createdAt === undefined ? {} : { createdAt: options.createdAt }),
  });
  const script: readonly RunTold[] = sampleEvents(study);
  const nodesTotal = script.filter(({ event }) => event.kind === 'node-added').length;
  const listeners = new Set<(batch: readonly WorkbenchEvent[]) => void>();
  const calls: CommandName[] = [];
  const journals = new Map<string, RunEvent[]>();
  const views = new Map<string, RunView>();
  let next = 0;
  let started = options.played !== 'empty';
  let removed = false;
  let state: StudyState = options.state ?? { kind: 'running' };
  let settings: Settings = {
    theme: options.theme ?? 'system',
    railCollapsed: false,
    panes: {},
    gradeWithoutSandbox: false,
  };

  const tell = (...batch: readonly WorkbenchEvent[]): void => {
    for (const listener of [...listeners]) listener(batch);
  };
  const happen = (count: number): readonly RunTold[] => {
    const now = script.slice(next, next + count);
    next += now.length;
    for (const { runId, event } of now) {
      const journal = journals.get(runId) ?? [];
      journal.push(event);
      journals.set(runId, journal);
      const view = foldRun(views.get(runId) ?? null, [event]);
      if (view !== null) views.set(runId, view);
    }
    return now;
  };
  const viewOf = (): StudyView => {
    let nodesDone = 0;
    let gradedDone = 0;
    let problemsDone = 0;
    for (const run of views.values()) {
      for (const tree of run.trees.values()) {
        nodesDone += tree.nodes.length;
        gradedDone += tree.graded;
        if (tree.part === 'search' && tree.searched !== null && tree.graded === tree.nodes.length)
          problemsDone += 1;
      }
    }
    const elapsedMs = nodesDone * 22;
    return {
      study,
      state,
      progress: {
        nodesDone,
        nodesTotal,
        gradedDone,
        problemsDone,
        problemsTotal: study.runs.reduce((sum, { problemIds }) => sum + problemIds.length, 0),
        elapsedMs,
        remainingMs: state.kind === 'running' && nodesDone > 40 ? (nodesTotal - nodesDone) * 22 : null,
      },
      warnings: [...(options.warnings ?? [])],
      finishedAt: state.kind === 'finished' ? new Date().toISOString() : null,
    };
  };
  const inFlight = (): number => (state.kind === 'running' && started ? 7 : 0);
  const servers = (): ServerView[] => (started ? sampleServers(study.id, state, inFlight()) : []);

  if (typeof options.played === 'number') happen(Math.round(options.played * script.length));
  else if (options.played === undefined) happen(script.length);
  if (next === script.length && options.state === undefined) state = { kind: 'finished' };

  const analysis = (): Analysis =>
    analyseStudy({
      studyId: study.id,
      runs: [...views.values()],
      complete: state.kind === 'finished',
      seed: 1,
      resamples: 300,
    });

  const handlers: Handlers = {
    'app.info': () =>
      good({
        version: '0.1.0',
        dataDir: DATA_DIR,
        platform: 'linux x64',
        sandboxProblem: options.sandboxProblem ?? null,
        runsAsRoot: false,
      }),
    'settings.read': () => good(settings),
    'settings.change': (part) => {
      settings = {
        theme: part.theme ?? settings.theme,
        railCollapsed: part.railCollapsed ?? settings.railCollapsed,
        panes: part.panes ?? settings.panes,
        gradeWithoutSandbox: part.gradeWithoutSandbox ?? settings.gradeWithoutSandbox,
      };
      return good(settings);
    },
    'quickstart.plan': () =>
      good({
        configurations: study.runs.map(({ configuration, team }) => ({
          configuration,
          team: team.kind,
          agents: team.agents.map(({ name }) => name),
        })),
        problems: study.runs[0]?.problemIds.length ?? 0,
        nodesPerTree: 24,
        samplesPerAgent: 4,
        candidates: nodesTotal,
        estimatedSeconds: 140,
        dataDir: DATA_DIR,
        sandboxProblem: options.sandboxProblem ?? null,
      }),
    'quickstart.start': () => {
      started = true;
      state = { kind: 'running' };
      tell({ kind: 'study-changed', view: viewOf() });
      return good({ studyId: study.id });
    },
    'study.list': () => good([...(started && !removed ? [viewOf()] : []), ...(options.others ?? [])]),
    'study.create': () => good({ studyId: study.id }),
    'study.start': () => change({ kind: 'running' }),
    'study.pause': () => change({ kind: 'paused' }),
    'study.cancel': () => change({ kind: 'cancelled' }),
    'study.remove': () => {
      removed = true;
      tell({ kind: 'study-removed', studyId: study.id });
      return good(null);
    },
    'study.restore': () => {
      removed = false;
      tell({ kind: 'study-changed', view: viewOf() });
      return good(null);
    },
    'study.analysis': ({ studyId }) =>
      studyId === study.id && views.size > 0 ? good(analysis()) : refused(`There is no study ${studyId}.`),
    'run.events': ({ runId }) => good([...(journals.get(runId) ?? [])]),
    'node.read': ({ runId, problemId, part, index }) => {
      const tree = views.get(runId)?.trees.get(treeKey(problemId, part));
      const node = tree?.nodes[index];
      if (tree === undefined || node === undefined) return refused(`The run ${runId} has no such node.`);
      const parent = tree.nodes[node.parent];
      return good(sampleDetail(node, parent === undefined ? null : sampleProgram(parent)));
    },
    'benchmark.list': () => good(options.emptyLibrary === true ? [] : [BENCHMARK, HUMANEVAL]),
    'benchmark.problem': ({ problemId }) => good(sampleProblem(problemId)),
    'recording.list': () => good(options.emptyLibrary === true ? [] : [RECORDING, ...HUMANEVAL_RECORDINGS]),
    'import.benchmark': () => refused('A terminal command.', 'not-allowed'),
    'import.recording': () => refused('A terminal command.', 'not-allowed'),
    'import.chooseBenchmark': () => good(BENCHMARK),
    'import.chooseRecording': () => good(RECORDING),
    'server.list': () => good(servers()),
    'server.stop': () => good(null),
    'server.readLog': ({ offset, maxBytes }) => {
      const from = offset < 0 ? Math.max(0, LOG.length + offset) : Math.min(offset, LOG.length);
      const text = LOG.slice(from, from + maxBytes);
      return good({ text, nextOffset: from + text.length, size: LOG.length });
    },
    'export.write': () => refused('A terminal command.', 'not-allowed'),
    'export.choose': ({ what }) => good({ path: `/home/lab/${what}.csv`, rows: 15, bytes: 1_204 }),
  };
  const change = (to: StudyState): Answer<null> => {
    state = to;
    tell({ kind: 'study-changed', view: viewOf() });
    return good(null);
  };

  return {
    calls,
    listeners: () => listeners.size,
    tell,
    play: (count) => {
      const now = happen(count);
      if (next === script.length && state.kind === 'running') state = { kind: 'finished' };
      tell(
        ...now.map(({ runId, event }): WorkbenchEvent => ({ kind: 'run-events', runId, events: [event] })),
        { kind: 'study-changed', view: viewOf() },
        { kind: 'analysis-changed', studyId: study.id },
        { kind: 'servers-changed', servers: servers() },
      );
      return next < script.length;
    },
    api: {
      call: async <N extends CommandName>(name: N, payload: Payload<N>): Promise<Answer<Value<N>>> => {
        calls.push(name);
        const refusal = options.refuse?.[name];
        if (refusal !== undefined) return { ok: false, error: refusal };
        return handlers[name](payload);
      },
      onEvents: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}

function sampleServers(studyId: string, state: StudyState, inFlight: number): ServerView[] {
  const up = state.kind === 'running' || state.kind === 'preparing';
  return ['reader', 'tracer'].map((family, at) => ({
    id: `server-${family}`,
    kind: 'pocket',
    model: `pocket-${family}-base`,
    state: up ? { kind: 'ready', baseUrl: `http://127.0.0.1:${41_233 + at}/v1` } : { kind: 'stopped' },
    startedAt: STARTED,
    pid: up ? 48_211 + at : null,
    studyId,
    inFlight: at === 0 ? inFlight : Math.floor(inFlight / 2),
    answered: at === 0 ? 3_214 : 1_102,
    logBytes: LOG.length,
  }));
}

function sampleDetail(
  node: {
    readonly index: number;
    readonly generationSeed: number;
    readonly publicVerdicts: readonly Verdict[];
    readonly privateVerdicts: readonly Verdict[];
  },
  parentProgram: string | null,
): NodeDetail {
  const program = sampleProgram(node);
  const tests = (count: number, verdicts: readonly Verdict[]) =>
    Array.from({ length: count }, (_, at) => {
      const verdict = verdicts[at];
      const test: TestCase = {
        kind: 'stdin',
        input: `${at + 1} 4 -2 ${at * 3} 8\n`,
        expected: `${8 * (2 + (at % 3))}\n`,
      };
      if (verdict === undefined) return { test, result: null };
      const error = verdict === 'runtime-error' ? 'IndexError: list index out of range' : null;
      const actual = verdict === 'passed' ? test.expected : verdict === 'wrong-answer' ? '0\n' : null;
      return { test, result: { verdict, actual, error, cpuMs: 11, wallMs: 14 } };
    });
  return {
    answer: `The numbers are sorted, then the even ones are kept.\n\n\`\`\`python\n${program}\`\`\`\n`,
    program,
    parentProgram,
    prompt: [
      { role: 'system', content: 'You write one complete Python program.' },
      { role: 'user', content: 'Given a list of integers: keep the even ones, then report the largest.' },
    ],
    promptIsExact: true,
    publicTests: tests(SAMPLE_TEST_COUNTS.publicTests, node.publicVerdicts),
    privateTests: tests(SAMPLE_TEST_COUNTS.privateTests, node.privateVerdicts),
  };
}

const BENCHMARK: Benchmark = {
  id: 'pocket-test-1',
  name: 'Pocket, test split 1',
  scale: 'pocket',
  problems: 60,
  digest: '9f2c51d07a'.padEnd(64, '0'),
  source: 'Generated, seed 1',
  importedAt: STARTED,
  limits: { cpuSeconds: 4, wallSeconds: 12, memoryBytes: 268_435_456, processes: 16, outputBytes: 65_536 },
  notes: [],
};

const RECORDING: Recording = {
  id: 'sample-recording',
  name: 'A sample recording',
  benchmarkId: 'pocket-test-1',
  problems: 60,
  samples: 6_000,
  fewestSamples: 100,
  mostSamples: 100,
  digest: '41aa90c2b7'.padEnd(64, '0'),
  source: 'samples.jsonl.gz',
  importedAt: STARTED,
};

const HUMANEVAL: Benchmark = {
  id: 'humaneval',
  name: 'HumanEval',
  scale: 'paper',
  problems: 164,
  digest: '7d20be5512'.padEnd(64, '0'),
  source: "HumanEval's format, from the file HumanEval.jsonl.gz",
  importedAt: STARTED,
  limits: {
    cpuSeconds: 3,
    wallSeconds: 15,
    memoryBytes: 4_294_967_296,
    processes: 16,
    outputBytes: 1_048_576,
  },
  notes: ['31 problems have no public tests: every candidate of theirs has the public score 0.'],
};

const HUMANEVAL_RECORDINGS: readonly Recording[] = [
  { id: 'codegen-16b', samples: 100 },
  { id: 'gpt-3.5', samples: 5 },
].map(({ id, samples }) => ({
  ...RECORDING,
  id,
  name: id,
  benchmarkId: HUMANEVAL.id,
  problems: HUMANEVAL.problems,
  samples: HUMANEVAL.problems * samples,
  fewestSamples: samples,
  mostSamples: samples,
}));

function sampleProblem(id: string): Problem {
  return {
    id,
    title: `Even numbers, ${id}`,
    statement:
      'Given a list of integers: keep only the even numbers, then double each, then report the largest.\n\nInput: the numbers in one line, separated by spaces.\nOutput: one number.',
    entryPoint: null,
    starterCode: '',
    difficulty: 'medium',
    date: null,
    skills: ['keep', 'scale'],
    publicTests: [
      { kind: 'stdin', input: '1 4 -2 8\n', expected: '16\n' },
      { kind: 'stdin', input: '2 2 3\n', expected: '4\n' },
    ],
    privateTests: [],
    canonicalProgram: null,
  };
}

const LOG = Array.from(
  { length: 400 },
  (_, at) =>
    `09:30:${String(Math.floor(at / 10)).padStart(2, '0')}.${at % 10}00 POST /v1/chat/completions 200 ${12 + ((at * 7) % 20)} ms, ${40 + ((at * 13) % 80)} tokens\n`,
).join('');
