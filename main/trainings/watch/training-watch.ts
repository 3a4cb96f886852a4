import type {
  ProblemsKept,
  Recipe,
  Refusal,
  Rollout,
  TrainingAlarm,
  TrainingCheckpoint,
  TrainingCurve,
  TrainingSpec,
  TrainingView,
} from '../../../preload/contract';
import { isOwnTraining } from '../../../preload/contract/plans';
import { type Disposable, ok, type Result } from '../../base';
import { arrivalsOf, checkpointFacts, leastStep, newestSteps } from '../logic/watch/alarm-facts';
import { alarmsOf } from '../logic/watch/alarms';
import { type CurveClock, CurveStore } from '../logic/watch/curve-store';
import { errorAtEnd } from '../logic/watch/log-ending';
import { openCheckpointMonitor } from './checkpoint-monitor';
import { eventSource } from './event-source';
import { logSource } from './log-source';
import { pocketSource } from './pocket-source';
import type { RolloutQuery } from './rollout-index';
import { stepRollouts } from './step-rollouts';
import type { ReportProblem, TrainingWatchOptions, WatchSource } from './watch-source';
import { workflowSource } from './workflow-source';

export type TrainingWatch = Disposable & {
  /**
   * Reads new data from the files. `isBehind`: there was more than one call reads; the next call continues from there.
   * An error loses nothing: data and offsets stay. Concurrent calls share one read.
   */
  readonly read: () => Promise<Result<{ readonly changed: boolean; readonly isBehind: boolean }, Refusal>>;
  /** At most `points` points each; ends and extremes are preserved. */
  readonly curves: (points: number) => TrainingCurve[];
  readonly latest: () => TrainingView['latest'];
  /** When the steps of the curves were reached; null: no source tells. */
  readonly clock: () => CurveClock | null;
  /**
   * As of the last read, at time `nowMs`. `startedMs`: when its process was started; null: there is no process, and only
   * the values are judged.
   */
  readonly alarms: (nowMs: number, startedMs: number | null) => TrainingAlarm[];
  /** Lists them now. Oldest first, by agent. */
  readonly checkpoints: () => Promise<Result<readonly TrainingCheckpoint[], Refusal>>;
  /** Newest first. */
  readonly rollouts: (query: RolloutQuery) => Promise<Result<readonly Rollout[], Refusal>>;
  /** What the trainer is doing, in words; null: unknown. */
  readonly stage: () => string | null;
  /** The result of choosing problems by Pass@1; null: none was made, or not yet. */
  readonly problemsKept: () => ProblemsKept | null;
  /** Least number of updates of an agent. */
  readonly step: () => number;
  /** Planned steps, where a progress bar shows them; null: unknown. */
  readonly steps: () => number | null;
};

/** Matches stages in which no steps are made. */
const EVALUATION_STAGE = /evaluat|measuring/i;
/** An error behind which a log continues was none of its end. */
const LOG_QUIET_MS = 60_000;
/** More messages add no information. */
const MAX_UNREADABLE = 5;

/** Watches one training. Opens nothing until `read` is called; holds no connection between calls. */
export function openTrainingWatch(options: TrainingWatchOptions): TrainingWatch {
  const { agents, clock, spec } = options;
  const curveStore = new CurveStore();
  const unreadable = new Set<string>();
  const checkpointMonitor = openCheckpointMonitor(options);
  const sources = openSources(options, curveStore, (problem) => {
    if (unreadable.size < MAX_UNREADABLE) unreadable.add(problem);
  });
  const agentIds = agents.map(({ id }) => id);
  const every = options.checkpointEvery ?? (isOwnTraining(spec) ? spec.checkpointEvery : null);
  let isDisposed = false;
  /** By this computer's clock: when all files were last read, and when they last had new data. */
  let readMs: number | null = null;
  let arrivedMs: number | null = null;
  let underWay: ReturnType<TrainingWatch['read']> | null = null;

  const stage = (): string | null =>
    sources.map((source) => source.stage()).find((known) => known !== null) ?? null;
  const logError = (): string | null =>
    sources.map((source) => errorAtEnd(source.logEnd?.() ?? '')).find((error) => error !== null) ?? null;
  const readAll: TrainingWatch['read'] = async () => {
    const before = stage();
    let bytes = 0;
    let isBehind = false;
    for (const source of sources) {
      if (isDisposed) break;
      const read = await source.read();
      if (!read.ok) return read;
      bytes += read.value.bytes;
      isBehind ||= read.value.isBehind;
    }
    readMs = clock.now();
    if (bytes > 0) arrivedMs = readMs;
    const refreshed = isDisposed ? ok(false) : await checkpointMonitor.refreshIfStale();
    const changed = bytes > 0 || stage() !== before;
    // Data that was read is reported even if the connection broke afterwards.
    return refreshed.ok || changed
      ? ok({ changed: changed || (refreshed.ok && refreshed.value), isBehind })
      : refreshed;
  };

  return {
    read: () => {
      underWay ??= readAll().finally(() => {
        underWay = null;
      });
      return underWay;
    },
    curves: (points) => curveStore.curves(points),
    latest: () => curveStore.latest(),
    clock: () => curveStore.clock(),
    alarms: (nowMs, startedMs) => {
      const { aheadMs, disk, checkpoints } = checkpointMonitor.latest();
      const steps = newestSteps(curveStore);
      return alarmsOf({
        // Without a successful read it is unknown whether there is new data.
        nowMs: Math.min(nowMs, readMs ?? nowMs) + aheadMs,
        startedMs: startedMs === null ? null : startedMs + aheadMs,
        isWatched: spec.kind === 'watched',
        isEvaluating: EVALUATION_STAGE.test(stage() ?? ''),
        trends: curveStore.trends(),
        arrivals: arrivalsOf(curveStore, arrivedMs === null ? null : arrivedMs + aheadMs),
        step: Math.max(0, ...steps.values()),
        checkpoints: { every, ...checkpointFacts(steps, checkpoints) },
        disk,
        logError:
          spec.kind === 'watched' && (readMs ?? 0) - (arrivedMs ?? 0) >= LOG_QUIET_MS ? logError() : null,
        unreadable: [...unreadable],
      });
    },
    checkpoints: () => checkpointMonitor.refresh(),
    rollouts: async (query) => {
      const all: Rollout[] = [];
      for (const source of sources) {
        const result = await source.rollouts(query);
        if (!result.ok) return result;
        all.push(...result.value);
      }
      return ok(all.toSorted((a, b) => b.step - a.step).slice(0, query.limit));
    },
    stage,
    problemsKept: () =>
      sources.map((source) => source.problemsKept?.() ?? null).find((kept) => kept !== null) ?? null,
    step: () => leastStep(curveStore, spec, agentIds),
    steps: () => sources.map((source) => source.steps()).find((steps) => steps !== null) ?? null,
    dispose: () => {
      isDisposed = true;
    },
  };
}

function openSources(
  options: TrainingWatchOptions,
  curves: CurveStore,
  reportProblem: ReportProblem,
): WatchSource[] {
  const { agents, machine, recipe, paths, spec } = options;
  const agentIds = agents.map(({ id }) => id);
  const agentAt = (position: number | null): string | null =>
    position === null
      ? agents.length === 1
        ? (agentIds[0] ?? null)
        : null
      : (agentIds[position] ?? String(position));
  const opened: WatchSource[] = [];
  if (paths.metrics !== null) opened.push(pocketSource(machine, paths.metrics, curves, reportProblem));
  const names = { keys: recipe?.keys ?? {}, isSearched: searchesTrees(spec) };
  if (paths.events.length > 0)
    opened.push(eventSource({ machine, folders: paths.events, curves, names, agentAt, reportProblem }));
  const log = logOf(spec, recipe);
  if (log !== null && paths.logs.length > 0)
    opened.push(logSource(machine, paths.logs, { ...log, names, agentAt }, curves));
  if (paths.rollouts != null) opened.push(stepRollouts(machine, paths.rollouts, agentIds[0] ?? ''));
  if (paths.workflow !== null)
    opened.push(workflowSource({ machine, folder: paths.workflow, curves, agentIds, agentAt }));
  return opened;
}

function logOf(spec: TrainingSpec, recipe: TrainingWatchOptions['recipe']): Recipe['log'] {
  if (spec.kind === 'marti') return { form: 'python-dict', stepKey: null };
  // verl, whose lines these are, begins them with the step.
  if (spec.kind === 'watched')
    return { form: spec.logForm, stepKey: spec.logForm === 'pairs' ? 'step' : null };
  return recipe?.log ?? null;
}

/** MARTI evaluates with trees of one node by default. */
function searchesTrees(spec: TrainingSpec): boolean {
  return spec.kind === 'marti' && Number(spec.flags['workflow_args.eval_max_num_nodes'] ?? 1) > 1;
}
