import { jobHasEnded, type TrainingView } from '../../preload/contract';
import { ok, orThrow } from '../base';
import type { Job } from '../jobs';
import type { RecordStore } from '../storage';
import { TRAINING_PURPOSE } from './launch-trainings';
import type { TrainingRecord } from './logic/training-record';
import { viewOfTraining } from './logic/training-view';
import type { TrainingService, TrainingServiceDeps } from './training-api';
import { createWatchManager } from './watch-manager';
import { createWatchedRuns } from './watched-runs';

/** Reads what trainings write and saves what was seen last; `onChange`: another view of one. */
export function createWatchSaving(parts: {
  readonly deps: TrainingServiceDeps;
  readonly records: RecordStore<TrainingRecord>;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  /** On its machine. */
  readonly folderOf: (id: string) => string;
  readonly onChange: (view: TrainingView) => void;
}) {
  const { deps, records, jobOf, folderOf, onChange } = parts;
  const { jobs, machines, clock } = deps;
  const viewOf = (record: TrainingRecord): TrainingView =>
    viewOfTraining(record, jobOf(record)?.view ?? null, watches.seen(record.id));
  const watches = createWatchManager({
    machines,
    clock,
    folderOf,
    jobOf,
    records: records.list,
    onError: deps.onError,
    onRead: (id) => {
      const record = records.get(id);
      if (record !== null) onChange(viewOf(record));
    },
    save: async (id, watched) => {
      orThrow(await records.change(id, (record) => ({ ...record, seen: watched })));
    },
    observe: async (record, problem) => {
      const state = await watchedRuns.stateOf(record, problem);
      const before = records.get(record.id);
      const { seen } = watches.seen(record.id);
      if (before?.watched === undefined) return;
      if (before.watched.state.kind === state.kind && !watchedRuns.isSaveDue(record.id)) return;
      orThrow(
        await records.change(record.id, (now) => ({ ...now, seen: seen ?? now.seen, watched: { state } })),
      );
      const after = records.get(record.id);
      if (after !== null) onChange(viewOf(after));
    },
  });
  const recordOfJob = (jobId: string) => records.list().find((record) => jobOf(record)?.id === jobId);
  const listeners = [
    jobs.onChange(({ id, purpose, state }) => {
      const record = purpose === TRAINING_PURPOSE ? recordOfJob(id) : undefined;
      if (record === undefined) return;
      onChange(viewOf(record));
      if (jobHasEnded(state)) watches.readFinal(record);
    }),
    jobs.onRemoved((jobId) => {
      const record = records.list().find((record) => record.jobId === jobId);
      if (record !== undefined) onChange(viewOf(record));
    }),
  ];

  const watchedRuns = createWatchedRuns({ machines, clock });
  const watch = async (
    request: Parameters<TrainingService['watch']>[0],
    newId: string,
  ): ReturnType<TrainingService['watch']> => {
    const watched = await watchedRuns.find(request, { id: newId, known: records.list() });
    if (!watched.ok) return watched;
    const saved = await records.put(watched.value);
    if (!saved.ok) return saved;
    const { id } = watched.value;
    await watches.read(ok(watched.value));
    await records.change(id, (record) => ({ ...record, seen: watches.seen(id).seen }));
    watches.follow();
    const view = viewOf(records.get(id) ?? watched.value);
    onChange(view);
    return ok(view);
  };

  return {
    watches,
    viewOf,
    watch,
    dispose: async (): Promise<void> => {
      for (const listener of listeners) listener.dispose();
      await watches.dispose();
    },
  };
}
