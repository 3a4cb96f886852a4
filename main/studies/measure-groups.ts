import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JournalProblem, Regrade, RunConfig, RunView } from '../../preload/contract/index';
import {
  type ComparedConfiguration,
  countedRuns,
  graderNoiseSteps,
  measureComparedSteps,
  type Prices,
  type StudyRunView,
} from '../metrics/index';
import type { comparedProblems } from './compared-problems';
import { type ComparedRun, renamedView } from './logic/compared-runs';
import type { StudyResults } from './study-results';

/** Lets other work run after every step. null: it was stopped. */
export async function runStepsUntilStopped<T>(
  steps: Generator<void, T>,
  stop: { readonly aborted: boolean },
): Promise<{ readonly value: T } | null> {
  while (!stop.aborted) {
    const step = steps.next();
    if (step.done) return { value: step.value };
    await yieldToEventLoop();
  }
  return null;
}

type RunProblem = { readonly runId: string; readonly problem: JournalProblem };

/** Reads and measures the runs of each configuration. null: it was stopped. */
export async function measureGroups(
  runs: readonly ComparedRun[],
  options: {
    readonly results: Pick<StudyResults, 'loadRun'>;
    readonly regrades: readonly Regrade[];
    readonly name: Awaited<ReturnType<typeof comparedProblems>>['name'];
    readonly costs: Prices;
    readonly stop: { readonly aborted: boolean };
    readonly readAnother: () => void;
  },
): Promise<{
  readonly configurations: readonly ComparedConfiguration[];
  /** Of each run that has not begun. */
  readonly missing: readonly string[];
  /** Of each that has not finished, while another of its configuration has. */
  readonly unfinished: readonly string[];
  readonly problems: readonly RunProblem[];
} | null> {
  const { results, regrades, name, costs, stop, readAnother } = options;
  const configurations: ComparedConfiguration[] = [];
  const missing: string[] = [];
  const unfinished: string[] = [];
  const problems: RunProblem[] = [];
  for (const group of groupsOf(runs)) {
    const read: StudyRunView[] = [];
    for (const run of group) {
      const { placed: one, problem } = await labelled(results, run);
      if (problem !== null) problems.push({ runId: run.config.id, problem });
      if (one !== null) read.push(one);
      else if (problem === null) missing.push(runName(run.config));
      readAnother();
      await yieldToEventLoop();
      if (stop.aborted) return null;
    }
    // As on a study's own page.
    const counted = new Set(countedRuns(viewsIn(read)));
    const placed = read.filter(({ view }) => counted.has(view));
    const leftOut = read.filter(({ view }) => !counted.has(view));
    unfinished.push(...leftOut.map(({ view }) => runName(view.config)));
    const noise =
      placed.length === 0
        ? null
        : await runStepsUntilStopped(graderNoiseSteps(viewsIn(placed), regrades), stop);
    if (placed.length > 0 && noise === null) return null;
    const [first, ...others] = placed.map(({ studyId, view }) => ({
      studyId,
      view: renamedView(view, name),
    }));
    if (first === undefined) continue;
    const measured = await runStepsUntilStopped(
      measureComparedSteps([first, ...others], costs, noise?.value ?? null),
      stop,
    );
    if (measured === null) return null;
    configurations.push(measured.value);
  }
  return { configurations, missing, unfinished, problems };
}

function runName({ configuration, seed }: RunConfig): string {
  return `${configuration}, seed ${seed}`;
}

/** The view of a run under its label, null: it has not begun, or is missing; and what is wrong with its journal. */
export async function labelled(
  results: Pick<StudyResults, 'loadRun'>,
  { study, config }: ComparedRun,
): Promise<{ readonly placed: StudyRunView | null; readonly problem: JournalProblem | null }> {
  const { view, problem } = await results.loadRun(study, config);
  if (view === null) return { placed: null, problem };
  const { configuration, tests } = config;
  const named = { ...view, config: { ...view.config, configuration, ...(tests && { tests }) } };
  return { placed: { studyId: study.id, view: named }, problem };
}

/** In the order in which configurations are first named. */
function groupsOf(runs: readonly ComparedRun[]): ReadonlyArray<readonly ComparedRun[]> {
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    const group = groups.get(run.config.configuration);
    if (group === undefined) groups.set(run.config.configuration, [run]);
    else group.push(run);
  }
  return [...groups.values()];
}

function viewsIn(placed: readonly StudyRunView[]): readonly RunView[] {
  return placed.map(({ view }) => view);
}
