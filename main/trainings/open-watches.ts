import type { Refusal } from '../../preload/contract';
import { isOwnTraining } from '../../preload/contract/plans';
import { ok, type Result } from '../base';
import type { Job } from '../jobs';
import type { AsyncResult, Machine } from '../machines';
import { type ProgressRate, rateSince, updateRate } from './logic/estimate';
import { martiValues } from './logic/marti/marti-values';
import { trainingAgents } from './logic/titles';
import { trainingPaths } from './logic/training-paths';
import type { SavedWatch, TrainingRecord } from './logic/training-record';
import { sentenceAtEnd } from './logic/watch/log-ending';
import { openTrainingWatch, type TrainingWatch } from './watch';

/** Watches of ended trainings that stay open, so that comparing curves needs no reading; each holds its points. */
const MAX_ENDED_OPEN = 12;

/** Of a log, in which the last line is looked for. */
const LOG_END_BYTES = 4_096;

export type OpenWatch = {
  readonly watch: TrainingWatch;
  /** Path of the log that it reads; null before the job has a folder. */
  readonly log: string | null;
  rate: ProgressRate | null;
  readAt: number;
  /** The alarms last reported: a stall alarm comes without new data. */
  alarms: string;
};

type OpenWatchesDeps = {
  readonly machines: { readonly get: (id: string) => Result<Machine, Refusal> };
  readonly clock: { readonly now: () => number };
  readonly folderOf: (id: string) => string;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly records: () => readonly TrainingRecord[];
  readonly isActive: (record: TrainingRecord) => boolean;
};

/** Watches that hold what they have read: of active trainings, and of those that were asked for last. */
export class OpenWatches {
  readonly #deps: OpenWatchesDeps;
  /** Least recently used first. */
  readonly #open = new Map<string, OpenWatch>();
  #isOver = false;

  constructor(deps: OpenWatchesDeps) {
    this.#deps = deps;
  }

  get(id: string): OpenWatch | undefined {
    return this.#open.get(id);
  }

  close(id: string): void {
    this.#open.get(id)?.watch.dispose();
    this.#open.delete(id);
  }

  closeOldest(): void {
    const { records, isActive } = this.#deps;
    const active = new Set(records().flatMap((record) => (isActive(record) ? [record.id] : [])));
    const inactive = [...this.#open.keys()].filter((id) => !active.has(id));
    for (const id of inactive.slice(0, -MAX_ENDED_OPEN)) this.close(id);
  }

  open(record: TrainingRecord): Result<OpenWatch, Refusal> {
    const { machines, clock, folderOf, jobOf } = this.#deps;
    const folder = jobOf(record)?.folder ?? null;
    const log = folder === null ? null : `${folder}/output.log`;
    const existing = this.#open.get(record.id);
    if (existing !== undefined && existing.log === log) {
      this.#open.delete(record.id);
      this.#open.set(record.id, existing);
      return ok(existing);
    }
    this.close(record.id);
    const machine = machines.get(record.order.machineId);
    if (!machine.ok) return machine;
    const watch = openTrainingWatch({
      machine: machine.value,
      spec: record.order.spec,
      agents: trainingAgents(record.order.spec),
      paths: trainingPaths(record, { folder: folderOf(record.id), log }),
      ...(record.recipe === null ? {} : { recipe: record.recipe }),
      checkpointEvery: checkpointEvery(record),
      clock,
    });
    const watched: OpenWatch = { watch, log, rate: null, readAt: 0, alarms: '' };
    this.#open.set(record.id, watched);
    this.closeOldest();
    return ok(watched);
  }

  /** Reads until it is up to date; `changed`: there was new data. `startedMs`: of its process; null: none runs. */
  async readAll(watched: OpenWatch, startedMs: number | null): AsyncResult<{ readonly changed: boolean }> {
    const { clock } = this.#deps;
    let changed = false;
    for (;;) {
      const read = await watched.watch.read();
      watched.readAt = clock.now();
      if (!read.ok) return read;
      changed ||= read.value.changed;
      if (!read.value.isBehind || this.#isOver) break;
    }
    watched.rate = updateRate(rateSince(watched.rate, startedMs), clock.now(), watched.watch.step());
    return ok({ changed });
  }

  /** What our own trainer says of its failure, where it has failed and says it in a sentence. */
  async failureOf(record: TrainingRecord, { log }: OpenWatch): Promise<Pick<SavedWatch, 'failure'>> {
    const { spec, machineId } = record.order;
    const state = this.#deps.jobOf(record)?.view.state;
    if (log === null || !isOwnTraining(spec) || state?.kind !== 'exited' || state.code !== 1) return {};
    const machine = this.#deps.machines.get(machineId);
    const end = machine.ok ? await machine.value.readSlice(log, -LOG_END_BYTES, LOG_END_BYTES) : machine;
    const text = end.ok && end.value !== null ? new TextDecoder().decode(end.value.bytes) : '';
    const failure = sentenceAtEnd(text);
    return failure === null ? {} : { failure };
  }

  dispose(): void {
    this.#isOver = true;
    for (const id of [...this.#open.keys()]) this.close(id);
  }
}

/** What is saved of a training between two starts of the app. */
export function savedWatchOf(
  watch: TrainingWatch,
  at: { readonly nowMs: number; readonly startedMs: number | null; readonly job: Job | null },
): SavedWatch {
  const problemsKept = watch.problemsKept();
  return {
    step: watch.step(),
    stage: watch.stage(),
    latest: watch.latest(),
    alarms: watch.alarms(at.nowMs, at.startedMs),
    endedAt: at.job?.view.endedAt ?? null,
    ...(problemsKept === null ? {} : { problemsKept }),
  };
}

/** Planned steps between checkpoints, to detect a checkpoint that is overdue. */
function checkpointEvery({ order: { spec } }: TrainingRecord): number | null {
  if (isOwnTraining(spec)) return spec.checkpointEvery;
  const steps = spec.kind === 'marti' ? martiValues(spec).number('save_steps', -1) : -1;
  return steps > 0 ? steps : null;
}
