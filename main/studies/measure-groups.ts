import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Regrade, RunView } from '../../preload/contract/index';
import {
  type ComparedConfiguration,
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
} | null> {
  const { results, regrades, name, costs, stop, readAnother } = options;
  const configurations: ComparedConfiguration[] = [];
  const missing: string[] = [];
  for (const group of groupsOf(runs)) {
    const placed: StudyRunView[] = [];
    for (const run of group) {
      const view = await labelled(results, run);
      if (view === null) missing.push(`${run.config.configuration}, seed ${run.config.seed}`);
      else placed.push(view);
      readAnother();
      await yieldToEventLoop();
      if (stop.aborted) return null;
    }
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
  return { configurations, missing };
}

/** The view of a run under its label; null: it has not begun, or is missing. */
export async function labelled(
  results: Pick<StudyResults, 'loadRun'>,
  { study, config }: ComparedRun,
): Promise<StudyRunView | null> {
  const { view } = await results.loadRun(study, config);
  if (view === null) return null;
  return {
    studyId: study.id,
    view: { ...view, config: { ...view.config, configuration: config.configuration } },
  };
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
