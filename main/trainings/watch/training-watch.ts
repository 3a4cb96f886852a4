import type {
  Refusal,
  Rollout,
  TrainingAlarm,
  TrainingCheckpoint,
  TrainingCurve,
  TrainingSpec,
  TrainingView,
} from '../../../preload/contract';
import { type Disposable, ok, type Result } from '../../base';
import { alarmsOf } from '../logic/watch/alarms';
import { CurveBook } from '../logic/watch/curve-book';
import { checkpointFacts, leastStep, newestSteps, paceOf } from '../logic/watch/facts';
import { openCheckpointShelf } from './checkpoint-shelf';
import { eventPart } from './event-part';
import { logPart } from './log-part';
import { pocketPart } from './pocket-part';
import type { RolloutQuery } from './rollout-index';
import type { TrainingWatchOptions } from './watch-options';
import type { WatchedPart } from './watched-part';
import { workflowPart } from './workflow-part';

export type TrainingWatch = Disposable & {
  /**
   * Reads what is new in the files. `isBehind`: there was more than is read at once; the next call goes on from there.
   * A refusal costs nothing: what was read stays, and so does the place. Calls at the same time share one reading.
   */
  readonly read: () => Promise<Result<{ readonly changed: boolean; readonly isBehind: boolean }, Refusal>>;
  /** Of at most so many points each; ends and extremes stay. */
  readonly curves: (points: number) => TrainingCurve[];
  readonly latest: () => TrainingView['latest'];
  /**
   * As of the last reading, by the clock given. `startedMs`: when its process was started; null: there is none, and only
   * its values are judged.
   */
  readonly alarms: (nowMs: number, startedMs: number | null) => TrainingAlarm[];
  /** Looks now. Oldest first, by agent. */
  readonly checkpoints: () => Promise<Result<readonly TrainingCheckpoint[], Refusal>>;
  /** Newest first. */
  readonly rollouts: (query: RolloutQuery) => Promise<Result<readonly Rollout[], Refusal>>;
  /** What the trainer does, in words; null: it does not tell. */
  readonly stage: () => string | null;
  /** Least number of updates of an agent. */
  readonly step: () => number;
  /** Planned steps, where a progress bar tells them. */
  readonly steps: () => number | null;
};

/** In the words of a stage in which no steps come. */
const EVALUATES = /evaluat/i;
/** More of them say nothing more. */
const MOST_UNREADABLE = 5;

/** Watches one training. Opens nothing until `read` is called; holds no connection in between. */
export function openTrainingWatch(options: TrainingWatchOptions): TrainingWatch {
  const { agents, clock, spec } = options;
  const book = new CurveBook();
  const unreadable = new Set<string>();
  const shelf = openCheckpointShelf(options);
  const parts = partsOf(options, book, (words) => {
    if (unreadable.size < MOST_UNREADABLE) unreadable.add(words);
  });
  const agentIds = agents.map(({ id }) => id);
  const every = options.checkpointEvery ?? (spec.kind === 'pocket' ? spec.checkpointEvery : null);
  let isDisposed = false;
  /** By our clock: when all files were last read, and when there was something new in them. */
  let readMs: number | null = null;
  let arrivedMs: number | null = null;
  let reading: ReturnType<TrainingWatch['read']> | null = null;

  const stage = (): string | null => parts.map((part) => part.stage()).find((one) => one !== null) ?? null;
  const readAll: TrainingWatch['read'] = async () => {
    const before = stage();
    let bytes = 0;
    let isBehind = false;
    for (const part of parts) {
      if (isDisposed) break;
      const read = await part.read();
      if (!read.ok) return read;
      bytes += read.value.bytes;
      isBehind ||= read.value.isBehind;
    }
    readMs = clock.now();
    if (bytes > 0) arrivedMs = readMs;
    const looked = isDisposed ? ok(false) : await shelf.lookSometimes();
    const changed = bytes > 0 || stage() !== before;
    // What was read is worth telling, even where the connection was cut behind it.
    return looked.ok || changed ? ok({ changed: changed || (looked.ok && looked.value), isBehind }) : looked;
  };

  return {
    read: () => {
      reading ??= readAll().finally(() => {
        reading = null;
      });
      return reading;
    },
    curves: (points) => book.curves(points),
    latest: () => book.latest(),
    alarms: (nowMs, startedMs) => {
      const { aheadMs, disk, found } = shelf.seen();
      const steps = newestSteps(book);
      return alarmsOf({
        // While nobody could read, nobody knows whether anything is new.
        nowMs: Math.min(nowMs, readMs ?? nowMs) + aheadMs,
        startedMs: startedMs === null ? null : startedMs + aheadMs,
        isEvaluating: EVALUATES.test(stage() ?? ''),
        trends: book.trends(),
        pace: paceOf(book, arrivedMs === null ? null : arrivedMs + aheadMs),
        step: Math.max(0, ...steps.values()),
        checkpoints: { every, ...checkpointFacts(steps, found) },
        disk,
        unreadable: [...unreadable],
      });
    },
    checkpoints: () => shelf.look(),
    rollouts: async (query) => {
      const all: Rollout[] = [];
      for (const part of parts) {
        const told = await part.rollouts(query);
        if (!told.ok) return told;
        all.push(...told.value);
      }
      return ok(all.toSorted((a, b) => b.step - a.step).slice(0, query.limit));
    },
    stage,
    step: () => leastStep(book, spec, agentIds),
    steps: () => parts.map((part) => part.steps()).find((one) => one !== null) ?? null,
    dispose: () => {
      isDisposed = true;
    },
  };
}

function partsOf(
  options: TrainingWatchOptions,
  book: CurveBook,
  notice: (words: string) => void,
): WatchedPart[] {
  const { agents, machine, recipe, sources, spec } = options;
  const agentIds = agents.map(({ id }) => id);
  const agentAt = (position: number | null): string | null =>
    position === null
      ? agents.length === 1
        ? (agentIds[0] ?? null)
        : null
      : (agentIds[position] ?? String(position));
  const parts: WatchedPart[] = [];
  if (sources.metrics !== null) parts.push(pocketPart(machine, sources.metrics, book, notice));
  const names = { keys: recipe?.keys ?? {}, isSearched: searchesTrees(spec) };
  if (sources.events.length > 0)
    parts.push(eventPart({ machine, folders: sources.events, book, names, agentAt, notice }));
  const log =
    spec.kind === 'marti' ? ({ form: 'python-dict', stepKey: null } as const) : (recipe?.log ?? null);
  if (log !== null && sources.logs.length > 0)
    parts.push(logPart(machine, sources.logs, { ...log, names, agentAt }, book));
  if (sources.workflow !== null)
    parts.push(workflowPart({ machine, folder: sources.workflow, book, agentIds, agentAt }));
  return parts;
}

/** MARTI evaluates with trees of one node unless it is told otherwise. */
function searchesTrees(spec: TrainingSpec): boolean {
  return spec.kind === 'marti' && Number(spec.flags['workflow_args.eval_max_num_nodes'] ?? 1) > 1;
}
