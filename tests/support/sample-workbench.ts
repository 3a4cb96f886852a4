import { analyseStudy } from '../../main/metrics';
import { extendedStudy } from '../../main/studies/logic/extend-study';
import { OutcomeSummary } from '../../main/studies/logic/run-outcomes';
import { takenBack } from '../../main/studies/logic/take-back';
import type {
  Analysis,
  Answer,
  Benchmark,
  CommandName,
  DiagnosticsPartId,
  DiversityCell,
  JournalProblem,
  MachineService,
  NodeDetail,
  OptionPosterior,
  Payload,
  Recording,
  Refusal,
  ReportPart,
  RunEvent,
  RunView,
  ServerView,
  ServiceInfo,
  Settings,
  Study,
  StudyState,
  StudyView,
  TestCase,
  Value,
  Verdict,
  WindowApi,
  WorkbenchEvent,
} from '../../preload/contract';
import { commands, defaultSettings, PROBLEM_PAGE } from '../../preload/contract';
import { foldRun, studyIsRunning, treeKey } from '../../preload/contract/folds';
import { assignHues, configurationsOf, withGradings, withLooks } from '../../preload/contract/plans';
import { endedViews, sampleComparison } from './sample-comparison';
import { sampleDiagnosticsHandlers } from './sample-diagnostics';
import { type SampleExhibitOptions, sampleExhibitHandlers } from './sample-exhibits';
import { sampleExperimentHandlers } from './sample-experiments';
import { type SampleLabOptions, sampleJobHandlers, sampleLab } from './sample-jobs';
import { LIVECODEBENCH, sampleOutline, sampleProblem } from './sample-library';
import { textLog } from './sample-logs';
import { type SampleMachineOptions, sampleMachineHandlers } from './sample-machines';
import { sampleOrigins } from './sample-provenance';
import { sampleChanges, sampleRegrade } from './sample-regrade';
import { sampleRequestHandlers } from './sample-requests';
import {
  type RunUpdate,
  SAMPLE_TEST_COUNTS,
  sampleEvents,
  sampleHeadline,
  sampleProgram,
  sampleStudy,
} from './sample-study';
import { type SampleTrainingOptions, sampleTrainingHandlers } from './sample-trainings';

/** As many as a study of three configurations has. */
const SAMPLE_PARTS: ReportPart[] = [
  ['results', 'Results by configuration'],
  ['pairs', 'Differences between configurations'],
  ['solves', 'Who solves what'],
  ['gains', 'What teams add'],
  ['contributions', 'What each agent contributes'],
  ['transitions', 'Who refines whom'],
  ['shapes', 'Shape of the trees'],
  ['costs', 'What it cost'],
  ['settings', 'Where the configurations differ'],
  ['breakdowns', 'Parts of the problems'],
].map(([id = '', title = '']): ReportPart => ({ id, title, kind: 'table' }));
for (const [at, measure] of ['Pass@N', 'Pass@N (public tests)', 'Pass@1(MCTS)'].entries()) {
  for (const axis of ['nodes', 'tokens', 'seconds']) {
    SAMPLE_PARTS.push({ id: `curve-${at}-${axis}`, title: `${measure} over ${axis}`, kind: 'figure' });
  }
}
const SAMPLE_REPORT = { files: [{ path: '/home/lab/paper/results.tex', bytes: 812 }] };

const SAMPLE_GRADER: NonNullable<Value<'app.info'>['grader']> = {
  python: '3.11.2',
  path: '/usr/bin/python3',
  reason:
    'It has more of the packages that programs import than the others here. /opt/lab/bin/python3 has none of the packages.',
  packages: ['numpy 1.24.2', 'sympy 1.11.1'],
  isolation: 'sandbox',
  cpuFactor: 1,
  problem: null,
};

/**
 * A workbench in memory with a made-up study, for tests of the stores and for previews of the screens. It satisfies
 * the real window's type without a cast, plays events on request, and is never bundled into the app.
 */
export type SampleWorkbench = {
  readonly api: WindowApi;
  /** Emits the next `count` events of the study as one batch; true while there are more. */
  readonly play: (count: number) => boolean;
  /** Tells the window these events. */
  readonly emit: (...batch: readonly WorkbenchEvent[]) => void;
  /** What was called, in order. */
  readonly calls: readonly CommandName[];
  /** Listeners of events that have not ended. */
  readonly listeners: () => number;
};

export type SampleOptions = {
  /** The study that plays; the quickstart's when left out. */
  readonly study?: Study;
  /** Changes what happens, event by event. */
  readonly change?: (event: RunEvent) => RunEvent;
  /** What is wrong with journals, by run id, until they are repaired. */
  readonly journalProblems?: Readonly<Record<string, JournalProblem>>;
  readonly marks?: Benchmark['marks'];
  /** Verdicts that depend on the reading. */
  readonly differingVerdicts?: number;
  /** How the tests of a node are reported. */
  readonly tests?: 'stdin' | 'reference';
  /** empty: first start, no study. Else the study has this share of its events behind it, in [0, 1]. */
  readonly played?: number | 'empty';
  readonly state?: StudyState;
  readonly warnings?: StudyView['warnings'];
  readonly sandboxProblem?: string | null;
  readonly pythonIsAtFault?: true;
  readonly service?: ServiceInfo;
  readonly grader?: Value<'app.info'>['grader'];
  readonly problems?: number;
  readonly seeds?: readonly number[];
  readonly createdAt?: string;
  readonly theme?: Settings['theme'];
  /** Python of the learner's environment on every machine; left out: none was prepared. */
  readonly preparedPython?: string;
  /** Commands that are refused, and how. */
  readonly refuse?: Partial<Record<CommandName, Refusal>>;
  /** Commands that go on for ever: each says this and no more, until it is cancelled. */
  readonly underWay?: Partial<Record<CommandName, ProgressEvent>>;
  /** Ended studies besides the one that plays. */
  readonly others?: readonly StudyView[];
  readonly emptyLibrary?: boolean;
  /** Nothing was imported; read with every answer, so that a test can import meanwhile. */
  readonly pocketOnly?: boolean;
  /** With a benchmark of 1,055 problems. */
  readonly largeLibrary?: boolean;
  /** Jobs, servers of the user's own, launches and keys; none when left out. */
  readonly lab?: SampleLabOptions;
  /** Machines and terminals that can be acted on; this computer alone, or the lab's, when left out. */
  readonly machines?: SampleMachineOptions;
  /** Trainings and experiments; none when left out. */
  readonly training?: SampleTrainingOptions;
  /** Exhibits and reproductions; the built-in ones, none reproduced, when left out. */
  readonly exhibits?: SampleExhibitOptions;
  /** Parts of the report of a problem that cannot be collected, and why. */
  readonly diagnosticsProblems?: Partial<Record<DiagnosticsPartId, string>>;
  /** Settings that are not as usual. */
  readonly settings?: Partial<Settings>;
  /** Do the problems of comparisons have a day? */
  readonly dated?: boolean;
};

type ProgressEvent = Extract<WorkbenchEvent, { kind: 'progress' }>;

type Reply<N extends CommandName> = Answer<Value<N>>;
type Handlers = { readonly [N in CommandName]?: (payload: Payload<N>) => Reply<N> | Promise<Reply<N>> };

const STARTED = '2026-01-05T09:30:00.000Z';
const DATA_DIR = '/home/lab/.local/share/mars2-workbench';

/** One of an earlier version runs on gpu-a; the other machines have none. */
function sampleServiceOn(machineId: string): MachineService {
  if (machineId !== 'gpu-a') return { kind: 'none' };
  return {
    kind: 'installed',
    version: '0.0.9',
    startsWithComputer: 'systemd',
    dataFolder: '/home/lee/.local/share/mars2-workbench',
    running: {
      ...{ version: '0.0.9', pid: 88_123, startedAt: STARTED, host: 'gpu-a.lab' },
      unfinished: ['Quickstart', 'Table 2, five seeds', 'train-heter-2'],
    },
  };
}

/** Of the window itself; a service is the same with another kind. */
export const SAMPLE_SERVICE: ServiceInfo = {
  kind: 'window',
  version: '0.1.0',
  pid: 4211,
  startedAt: STARTED,
  host: 'desk',
  memoryBytes: 112_000_000,
  damage: null,
  unfinished: [],
  through: null,
  otherWindow: null,
};

function good<T>(value: T): Answer<T> {
  return { ok: true, value };
}

function refused(message: string, code: Refusal['code'] = 'not-found'): Answer<never> {
  return { ok: false, error: { code, message } };
}

export function createSampleWorkbench(options: SampleOptions = {}): SampleWorkbench {
  let study =
    options.study ??
    sampleStudy({
      problems: options.problems ?? 60,
      seeds: options.seeds ?? [1],
      ...(options.createdAt === undefined ? {} : { createdAt: options.createdAt }),
    });
  const change = options.change ?? ((event: RunEvent): RunEvent => event);
  const script: readonly RunUpdate[] = sampleEvents(study).map(({ runId, event }) => ({
    runId,
    event: change(event),
  }));
  const nodesTotal = script.filter(({ event }) => event.kind === 'node-added').length;
  const listeners = new Set<(batch: readonly WorkbenchEvent[]) => void>();
  const calls: CommandName[] = [];
  const cancels = new Map<ProgressEvent['task'], () => void>();
  const journals = new Map<string, RunEvent[]>();
  const views = new Map<string, RunView>();
  const summary = new OutcomeSummary();
  const journalProblems = new Map(Object.entries(options.journalProblems ?? {}));
  const benchmarks = new Map([
    [BENCHMARK.id, { ...BENCHMARK, marks: [...(options.marks ?? [])] }],
    [HUMANEVAL.id, HUMANEVAL],
    ...(options.largeLibrary === true ? [[LIVECODEBENCH.id, LIVECODEBENCH] as const] : []),
  ]);
  const changeBenchmark = (id: string, change: (before: Benchmark) => Benchmark) => {
    const before = benchmarks.get(id);
    if (before === undefined) return refused(`There is no benchmark ${id}.`);
    const after = change(before);
    benchmarks.set(id, after);
    emit({ kind: 'library-changed' });
    return good(after);
  };
  let next = 0;
  let started = options.played !== 'empty';
  let removed = false;
  let deleted = false;
  let parallel: number | null = null;
  let state: StudyState = options.state ?? { kind: 'running' };
  let settings: Settings = {
    theme: options.theme ?? 'system',
    railCollapsed: false,
    panes: {},
    gradeWithoutSandbox: false,
    gradingMachine: defaultSettings.gradingMachine,
    gradingPython: null,
    harmlessTogether: true,
    notify: defaultSettings.notify,
    stalledMinutes: null,
    onClose: 'ask',
    jobLogGb: defaultSettings.jobLogGb,
    webhookUrl: null,
    prices: { currency: 'USD', perGpuHour: null, perMillionTokens: null },
    modelCutoffs: {},
    ...options.settings,
  };

  const lab: SampleLabOptions = {
    ...options.lab,
    logs: { 'server-reader': LOG, 'server-tracer': LOG, ...options.lab?.logs },
  };

  const emit = (...batch: readonly WorkbenchEvent[]): void => {
    for (const listener of [...listeners]) listener(batch);
  };
  const happen = (count: number): readonly RunUpdate[] => {
    const now = script.slice(next, next + count);
    next += now.length;
    const byRun = new Map<string, RunEvent[]>();
    for (const { runId } of now) byRun.set(runId, []);
    for (const { runId, event } of now) byRun.get(runId)?.push(event);
    for (const [runId, events] of byRun) {
      const journal = journals.get(runId) ?? [];
      for (const event of events) journal.push(event);
      journals.set(runId, journal);
      const view = foldRun(views.get(runId) ?? null, events);
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
      hues: assignHues(new Map(), configurationsOf(study)),
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
      ...(journalProblems.size > 0
        ? { damage: [...journalProblems].map(([runId, problem]) => ({ runId, ...problem })) }
        : state.kind === 'finished' && { headline: sampleHeadline(study) }),
      ...(parallel !== null && { parallel }),
    };
  };
  /** What a person wrote to studies, by id. */
  const written = new Map<string, { readonly note: string; readonly tags: string[] }>();
  const listed = (): readonly StudyView[] =>
    [...(started && !removed ? [viewOf()] : []), ...(options.others ?? [])].map((view) => ({
      ...view,
      ...written.get(view.study.id),
    }));
  /** Runs of the other studies, once they were asked for. */
  const others = new Map<string, ReadonlyMap<string, RunView>>();
  const inFlight = (): number => (state.kind === 'running' && started ? 7 : 0);
  const servers = (): ServerView[] => (started ? sampleServers(study.id, state, inFlight()) : []);

  if (typeof options.played === 'number') happen(Math.round(options.played * script.length));
  else if (options.played === undefined) happen(script.length);
  if (next === script.length && options.state === undefined) state = { kind: 'finished' };

  const analysis = (): Analysis => {
    const analysed = analyseStudy({
      studyId: study.id,
      runs: [...views.values()],
      complete: state.kind === 'finished',
      seed: 1,
      resamples: 300,
    });
    const differingVerdicts = options.differingVerdicts ?? analysed.differingVerdicts;
    return withGradings(withLooks({ ...analysed, differingVerdicts }, [study]), [study]);
  };

  const handlers: Handlers = {
    ...sampleJobHandlers(lab, emit),
    ...sampleTrainingHandlers(options.training ?? {}, emit),
    ...sampleRequestHandlers(),
    ...sampleDiagnosticsHandlers(options.diagnosticsProblems),
    ...sampleExperimentHandlers(options.training?.experiments ?? []),
    ...sampleExhibitHandlers(options.exhibits ?? {}, emit),
    'app.info': () =>
      good({
        version: '0.1.0',
        dataDir: DATA_DIR,
        platform: 'linux x64',
        sandboxProblem: options.sandboxProblem ?? null,
        ...(options.pythonIsAtFault && { pythonIsAtFault: true }),
        grader: options.grader === undefined ? SAMPLE_GRADER : options.grader,
        runsAsRoot: false,
      }),
    'app.openGrader': () => good(null),
    'service.info': () => good(options.service ?? SAMPLE_SERVICE),
    'service.onMachine': ({ machineId }) => good(sampleServiceOn(machineId)),
    'settings.read': () => good(settings),
    'settings.change': (part) => {
      settings = {
        theme: part.theme ?? settings.theme,
        railCollapsed: part.railCollapsed ?? settings.railCollapsed,
        panes: part.panes ?? settings.panes,
        gradeWithoutSandbox: part.gradeWithoutSandbox ?? settings.gradeWithoutSandbox,
        gradingMachine: part.gradingMachine ?? settings.gradingMachine,
        gradingPython: part.gradingPython === undefined ? settings.gradingPython : part.gradingPython,
        harmlessTogether: part.harmlessTogether ?? settings.harmlessTogether,
        notify: part.notify ?? settings.notify,
        stalledMinutes: part.stalledMinutes === undefined ? settings.stalledMinutes : part.stalledMinutes,
        jobLogGb: part.jobLogGb === undefined ? settings.jobLogGb : part.jobLogGb,
        prices: part.prices ?? settings.prices,
        modelCutoffs: part.modelCutoffs ?? settings.modelCutoffs,
        webhookUrl: part.webhookUrl === undefined ? settings.webhookUrl : part.webhookUrl,
        onClose: part.onClose ?? settings.onClose,
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
      emit({ kind: 'study-changed', view: viewOf() });
      return good({ studyId: study.id });
    },
    'study.list': () => good([...listed()]),
    'study.create': () => good({ studyId: study.id }),
    'study.extend': async (payload) => {
      const { studyId: _, apply, takeBack, ...request } = commands['study.extend'].payload.parse(payload);
      const benchmark = benchmarks.get(study.runs[0]?.benchmarkId ?? '') ?? BENCHMARK;
      const at = `2026-01-12T14:0${takeBack ? 7 : 2}:00.000Z`;
      const extended = takeBack
        ? await takenBack(study, { at, hasResults: true, viewOf: async () => null })
        : extendedStudy(study, request, {
            ...{ benchmark, problems: sampleOutline(benchmark), at, deskModel: () => null },
            ...{ hasResults: true, launchScale: () => 'own' as const, arePapers: () => false },
          });
      if (!extended.ok) return extended;
      const { extension, programs } = extended.value;
      if (apply) {
        study = extended.value.study;
        become(studyIsRunning(state) ? state : { kind: 'paused' });
      }
      return good({ extension, programs });
    },
    'study.start': () => become({ kind: 'running' }),
    'study.pause': () => become({ kind: 'paused' }),
    'study.cancel': () => become({ kind: 'cancelled' }),
    'study.remove': () => {
      removed = true;
      emit({ kind: 'study-removed', studyId: study.id });
      return good(null);
    },
    'study.restore': () => {
      removed = false;
      emit({ kind: 'study-changed', view: viewOf() });
      return good(null);
    },
    'study.trash': () =>
      good(
        removed && !deleted
          ? [{ studyId: study.id, name: study.name, createdAt: study.createdAt, bytes: 14_200_000 }]
          : [],
      ),
    'study.delete': () => {
      deleted = true;
      return good(null);
    },
    'study.outcomes': ({ studyId }) => {
      const runs = study.runs.map((run) =>
        summary.of(run, views.get(run.id) ?? null, {
          warnings: [],
          problem: journalProblems.get(run.id) ?? null,
        }),
      );
      return studyId === study.id ? good({ studyId, runs }) : refused(`There is no study ${studyId}.`);
    },
    'study.origins': ({ studyId }) => good(sampleOrigins(studyId)),
    'study.analysis': ({ studyId }) =>
      studyId === study.id && views.size > 0 ? good(analysis()) : refused(`There is no study ${studyId}.`),
    'study.diversity': ({ studyId }) =>
      good({
        studyId,
        cells: study.runs.flatMap(({ configuration }, at) => diversityOf(configuration, at)),
        method: 'A sample: algorithms are told apart by their structure.',
        damage: [],
      }),
    'study.set': ({ parallel: limit }) => {
      parallel = limit;
      emit({ kind: 'study-changed', view: viewOf() });
      return good(viewOf());
    },
    'study.rename': ({ studyId, name }) => {
      const view = listed().find((one) => one.study.id === studyId);
      if (view === undefined) return refused(`There is no study ${studyId}.`);
      return good({ ...view, study: { ...view.study, name } });
    },
    'study.annotate': ({ studyId, note, tags }) => {
      written.set(studyId, { note, tags: [...tags] });
      const view = listed().find((one) => one.study.id === studyId);
      if (view === undefined) return refused(`There is no study ${studyId}.`);
      emit({ kind: 'study-changed', view });
      return good(view);
    },
    'comparison.read': ({ runs }) =>
      sampleComparison(runs, {
        studies: listed().map((view) => view.study),
        viewOf: (studyId, runId) => {
          if (studyId === study.id) return views.get(runId) ?? null;
          const other = options.others?.find((view) => view.study.id === studyId)?.study;
          if (other === undefined) return null;
          const ended = others.get(studyId) ?? endedViews(other);
          others.set(studyId, ended);
          return ended.get(runId) ?? null;
        },
        prices: settings.prices,
        cutoffs: settings.modelCutoffs,
        problems: journalProblems,
        ...(options.dated === undefined ? {} : { dated: options.dated }),
      }),
    'report.parts': () => good(SAMPLE_PARTS),
    'picture.copy': () => good(null),
    'picture.choose': () => good({ path: '/home/lab/chart.png', bytes: 40_112 }),
    'report.choose': () => good(SAMPLE_REPORT),
    'report.chooseFolder': () => good(SAMPLE_REPORT),
    'bundle.contents': ({ source }) =>
      good({
        studies: source.kind === 'runs' ? listed().map((view) => view.study.name) : [study.name],
        lines: [
          `${source.kind === 'runs' ? `${listed().length} studies` : '1 study'} with settings, notes and tags`,
          `${study.runs.length} journals with every prompt, answer, program and verdict: 41.3 MB`,
          'the tables in every format',
          'names of models and machines, and addresses of servers: check these before you publish it',
          'dates, difficulty and titles of the problems',
        ],
        leftOut: [
          'saved keys, values of environment variables, typed commands of servers and trainings',
          'jobs and their logs, settings of the workbench',
          'statements and tests of the problems, except where a prompt quotes them',
        ],
      }),
    'bundle.choose': () => good({ path: '/home/lab/study-1.mars2.zip', bytes: 41_300_000 }),
    'comparison.diversity': async ({ runs }) => {
      const compared = await handlers['comparison.read']?.({ runs });
      if (compared === undefined || !compared.ok) return compared ?? refused('There are no runs.');
      return good({
        studyId: 'comparison',
        cells: compared.value.configurations.flatMap(diversityOf),
        method: 'A sample: algorithms are told apart by their structure.',
        damage: [],
      });
    },
    'study.verify': () =>
      good({
        trees: 180,
        nodes: 4_320,
        values: 61_204,
        withoutDraws: 0,
        mismatches: [],
        verdicts: {
          kind: 'graded',
          programs: 2_204,
          graded: 500,
          seed: 1,
          seconds: 9,
          faults: 0,
          changed: [],
        },
        regraded: null,
      }),
    'study.regrade': ({ programs, benchmarkId = BENCHMARK.id }) => {
      const changed = sampleChanges(study);
      if (programs !== undefined) return good({ graded: programs, changed: [], faults: 0 });
      const { regrades = [] } = study;
      const kept = sampleRegrade(study, `regrade-${regrades.length + 1}`, benchmarkId);
      study = { ...study, regrades: [...regrades, kept] };
      become(state);
      return good({ graded: kept.programs, changed, faults: 0, kept });
    },
    'study.regradeChanges': () => good(sampleChanges(study)),
    'study.countRegrade': ({ regradeId }) => {
      const { countedRegrade: _, ...first } = study;
      study = regradeId === null ? first : { ...first, countedRegrade: regradeId };
      return become(state);
    },
    'task.cancel': ({ task }) => {
      cancels.get(task)?.();
      return good(null);
    },
    'run.events': ({ runId, from = 0, most }) =>
      good((journals.get(runId) ?? []).slice(from, most === undefined ? undefined : from + most)),
    'run.repair': ({ runId }) => {
      if (!journalProblems.delete(runId))
        return refused(`The journal of ${runId} is not damaged.`, 'conflict');
      emit({ kind: 'study-changed', view: viewOf() }, { kind: 'analysis-changed', studyId: study.id });
      const movedTo = `${DATA_DIR}/studies/${study.id}/${runId}.damaged-1.jsonl`;
      return good({ movedTo, keptEvents: 4_112, lostLines: 1, leftOutEvents: 23 });
    },
    'node.read': ({ runId, problemId, part, index }) => {
      const tree = views.get(runId)?.trees.get(treeKey(problemId, part));
      const node = tree?.nodes[index];
      if (tree === undefined || node === undefined) return refused(`The run ${runId} has no such node.`);
      const parent = tree.nodes[node.parent];
      return good(
        sampleDetail(node, parent === undefined ? null : sampleProgram(parent), options.tests ?? 'stdin'),
      );
    },
    'node.posteriors': ({ index }) =>
      good([
        [believed(0.35, index), believed(0.5, index)],
        [believed(0.3, 1), believed(0.45, 4), believed(0.4, 2)],
        [believed(0.5, 3), believed(0.2, 0)],
        [believed(0.4, index), believed(0.48, index)],
      ]),
    'benchmark.list': () => {
      const all = [...benchmarks.values()].filter(
        ({ scale }) => options.pocketOnly !== true || scale === 'pocket',
      );
      return good(options.emptyLibrary === true ? [] : all);
    },
    'benchmark.problem': ({ problemId }) => good(sampleProblem(problemId)),
    'recording.list': () => good(options.emptyLibrary === true ? [] : [RECORDING, ...HUMANEVAL_RECORDINGS]),
    'benchmark.problems': ({ benchmarkId, from }) => {
      const benchmark = benchmarks.get(benchmarkId);
      if (benchmark === undefined) return refused(`There is no benchmark ${benchmarkId}.`);
      const problems = sampleOutline(benchmark);
      return good({ problems: problems.slice(from, from + PROBLEM_PAGE), total: problems.length });
    },
    'benchmark.mark': ({ benchmarkId, changes }) =>
      changeBenchmark(benchmarkId, (before) => {
        const marks = new Map(before.marks.map((mark) => [mark.problemId, mark]));
        for (const { problemId, mark } of changes) {
          if (mark === null) marks.delete(problemId);
          else marks.set(problemId, { problemId, ...mark });
        }
        return { ...before, marks: [...marks.values()] };
      }),
    'benchmark.rename': ({ benchmarkId, name }) =>
      changeBenchmark(benchmarkId, (before) => ({ ...before, name })),
    'benchmark.remove': ({ benchmarkId }) => {
      benchmarks.delete(benchmarkId);
      emit({ kind: 'library-changed' });
      return good(null);
    },
    'recording.rename': ({ name }) => good({ ...RECORDING, name }),
    'recording.remove': () => good(null),
    'import.hub': () => refused('There is no network.', 'unavailable'),
    'import.benchmark': () => refused('A terminal command.', 'not-allowed'),
    'import.recording': () => refused('A terminal command.', 'not-allowed'),
    'import.chooseBenchmark': () => good(BENCHMARK),
    'import.chooseRecording': () => good(RECORDING),
    'machine.list': () => good([...(options.lab === undefined ? sampleLab().slice(0, 1) : sampleLab())]),
    'machine.learner': () => good({ python: options.preparedPython ?? null }),
    'machine.connect': () => good(null),
    'machine.gpuDayResults': () => good(null),
    'machine.forwards': () => good([]),
    ...(options.machines === undefined ? {} : sampleMachineHandlers(options.machines, emit)),
    'server.list': () => good([...servers(), ...(options.lab?.servers ?? [])]),
    'server.stop': () => good(null),
    'export.write': () => refused('A terminal command.', 'not-allowed'),
    'export.choose': ({ kind }) => good({ path: `/home/lab/${kind}.csv`, rows: 15, bytes: 1_204 }),
  };
  const become = (to: StudyState): Answer<null> => {
    state = to;
    emit({ kind: 'study-changed', view: viewOf() });
    return good(null);
  };

  return {
    calls,
    listeners: () => listeners.size,
    emit,
    play: (count) => {
      const now = happen(count);
      if (next === script.length && state.kind === 'running') state = { kind: 'finished' };
      emit(
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
        const underWay = options.underWay?.[name];
        if (underWay !== undefined) {
          emit(underWay);
          return new Promise((resolve) => {
            cancels.set(underWay.task, () => resolve(refused('Cancelled.', 'cancelled')));
          });
        }
        const handler = handlers[name];
        if (handler === undefined)
          return { ok: false, error: { code: 'not-allowed', message: `The sample has no "${name}".` } };
        checkAgainstContract(name, 'payload', payload);
        const answer = await handler(payload);
        if (answer.ok) checkAgainstContract(name, 'value', answer.value);
        return answer;
      },
      onEvents: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}

/** The window may send, and the sample may answer, only what the contract accepts: as main does, but loudly. */
function checkAgainstContract(name: CommandName, part: 'payload' | 'value', data: unknown): void {
  const checked = commands[name][part].safeParse(data);
  if (checked.success) return;
  const issues = checked.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The ${part} of "${name}" is not what the contract says. ${issues.join('; ')}`);
}

function diversityOf(configuration: string, at: number): DiversityCell[] {
  return [
    cell(configuration, 'distinct', null, 0.61 + 0.08 * at),
    cell(configuration, 'da@k', 4, 1.3 + 0.2 * at),
    cell(configuration, 'ea', null, 1.2 + 0.15 * at),
    cell(configuration, 'nauadc', null, 1.5 + 0.2 * at),
    cell(configuration, 'aec', null, 0.6 + 0.2 * at),
    cell(configuration, 'vendi', null, 3.1 + 0.7 * at),
  ];
}

function cell(
  configuration: string,
  measure: DiversityCell['measure'],
  k: number | null,
  value: number,
): DiversityCell {
  return { configuration, measure, k, value, low: value * 0.9, high: value * 1.1, problems: 60 };
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
    logBytes: LOG.size(),
    machineId: 'local',
    jobId: `server-${family}`,
    launchId: null,
    gpuIds: [],
    stages: [],
    metrics: null,
    diagnosis: null,
  }));
}

/** A made-up belief that has seen so many scores. */
function believed(mean: number, seen: number): OptionPosterior {
  const half = 0.6 / Math.sqrt(1 + seen);
  return { observations: seen, mean, low: mean - half, high: mean + half };
}

function sampleDetail(
  node: {
    readonly index: number;
    readonly generationSeed: number;
    readonly publicVerdicts: readonly Verdict[];
    readonly privateVerdicts: readonly Verdict[];
  },
  parentProgram: string | null,
  kind: 'stdin' | 'reference',
): NodeDetail {
  const program = sampleProgram(node);
  const tests = (count: number, verdicts: readonly Verdict[]) =>
    Array.from({ length: count }, (_, at) => {
      const verdict = verdicts[at];
      const expected = `${8 * (2 + (at % 3))}\n`;
      const test: TestCase =
        kind === 'stdin'
          ? { kind, input: `${at + 1} 4 -2 ${at * 3} 8\n`, expected }
          : {
              kind,
              inputs: JSON.stringify(Array.from({ length: 6 }, (_, n) => [[at + n, 4, -2, 8], n])),
              reference: sampleProgram(node),
              tolerance: 1e-6,
            };
      if (verdict === undefined) return { test, result: null };
      const error = verdict === 'runtime-error' ? 'IndexError: list index out of range' : null;
      const actual = verdict === 'passed' ? expected : verdict === 'wrong-answer' ? '0\n' : null;
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
    why: [
      {
        node: -1,
        question: 'widen',
        measure: 'draw',
        options: ['generate', 'proceed'],
        values: [0.41, 0.62],
        chosen: 1,
      },
      {
        node: -1,
        question: 'child',
        measure: 'draw',
        options: ['child:0', 'child:1', 'child:2'],
        values: [0.21, 0.58, 0.33],
        chosen: 1,
      },
      {
        node: 1,
        question: 'widen',
        measure: 'draw',
        options: ['generate', 'proceed'],
        values: [0.55, -0.03],
        chosen: 0,
      },
      {
        node: 1,
        question: 'agent',
        measure: 'draw',
        options: ['agent:reader', 'agent:tracer'],
        values: [0.47, 0.51],
        chosen: 1,
      },
    ],
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
  rules: 'plain',
  version: null,
  licence: null,
  marks: [],
};

const RECORDING: Recording = {
  id: 'sample-recording',
  name: 'A sample recording',
  benchmarkId: 'pocket-test-1',
  problems: 60,
  samples: 6_000,
  refinements: 0,
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
  notes: ['31 problems have no public tests: every candidate for them has the public score 0.'],
  rules: 'humaneval',
  version: null,
  licence: 'MIT',
  marks: [{ problemId: 'HumanEval/32', reason: 'two right answers', exclude: true }],
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

const LOG = textLog(
  Array.from(
    { length: 400 },
    (_, at) =>
      `09:30:${String(Math.floor(at / 10)).padStart(2, '0')}.${at % 10}00 POST /v1/chat/completions 200 ${12 + ((at * 7) % 20)} ms, ${40 + ((at * 13) % 80)} tokens\n`,
  ).join(''),
);
