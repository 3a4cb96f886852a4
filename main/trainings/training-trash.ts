import { jobHasEnded, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import { folderBytes, type RecordStore } from '../storage';
import type { TrainingRecord } from './logic/training-record';
import { conflict } from './refusals';
import { removeTrainingFiles } from './remove-files';
import type { TrainingService, TrainingServiceDeps } from './training-api';
import type { WatchManager } from './watch-manager';

/**
 * Trainings that a person removed. Their files stay where they are until they are deleted permanently: studies and
 * servers name the paths of checkpoints.
 */
export function createTrainingTrash(parts: {
  readonly records: RecordStore<TrainingRecord>;
  readonly jobs: JobService;
  readonly machines: TrainingServiceDeps['machines'];
  readonly watches: WatchManager;
  readonly jobOf: (record: TrainingRecord) => Job | null;
  readonly now: () => number;
  /** Whoever still needs its files reads them here, before it leaves the list. */
  readonly beforeRemoval: (record: TrainingRecord) => Promise<void>;
  readonly onRestored: (record: TrainingRecord) => void;
  readonly onRemoved: (id: string) => void;
}): Pick<TrainingService, 'remove' | 'restore' | 'inTrash' | 'deleteForGood' | 'erase'> {
  const { records, jobs, machines, watches, jobOf, now, beforeRemoval, onRestored, onRemoved } = parts;
  const ended = (id: string): Result<TrainingRecord, Refusal> => {
    const record = records.find(id);
    if (!record.ok) return record;
    const job = jobOf(record.value);
    if (job === null || jobHasEnded(job.view.state)) return record;
    const message = `The training "${record.value.order.name}" has not ended, so it cannot be removed.`;
    return failed({ ...conflict(message), hint: 'Stop it first.' });
  };
  const removed = (id: string): Result<TrainingRecord, Refusal> => {
    const record = records.find(id);
    if (!record.ok || record.value.removedAt !== undefined) return record;
    const message = `The training "${record.value.order.name}" is not in the trash: it is in the list of trainings.`;
    return failed(conflict(message));
  };
  const erase: TrainingService['erase'] = async (id, options) => {
    const record = ended(id);
    if (!record.ok) return record;
    if (record.value.removedAt === undefined) await beforeRemoval(record.value);
    const others = records.list().filter((other) => other.id !== id);
    const machine = machines.get(record.value.order.machineId);
    const files = await removeTrainingFiles(record.value, { ...options, others, machine });
    if (!files.ok) return files;
    const job = jobOf(record.value);
    if (job !== null) {
      const removedJob = await jobs.remove(job.id);
      if (!removedJob.ok) return removedJob;
    }
    watches.forget(id);
    const deleted = await records.remove(id, options.checkpoints ? [] : ['checkpoints']);
    if (records.get(id) === null && record.value.removedAt === undefined) onRemoved(id);
    return deleted;
  };
  return {
    erase,
    remove: async (id) => {
      const record = ended(id);
      if (!record.ok) return record;
      // Nothing of it is ours that could be brought back.
      if (record.value.watched !== undefined) return erase(id, { checkpoints: false });
      await beforeRemoval(record.value);
      const removedAt = new Date(now()).toISOString();
      const saved = await records.change(id, (old) => ({ ...old, removedAt }));
      if (!saved.ok) return saved;
      watches.forget(id);
      onRemoved(id);
      return ok(null);
    },
    restore: async (id) => {
      const record = removed(id);
      if (!record.ok) return record;
      const saved = await records.change(id, ({ removedAt: _, ...old }) => old);
      if (!saved.ok) return saved;
      onRestored(saved.value);
      return ok(null);
    },
    inTrash: () =>
      Promise.all(
        records
          .list()
          .filter(({ removedAt }) => removedAt !== undefined)
          .map(async ({ id, order: { name, machineId }, createdAt }) => ({
            ...{ trainingId: id, name, machineId, createdAt },
            bytes: await folderBytes(records.folderOf(id)),
          })),
      ),
    deleteForGood: async (id, options) => {
      const record = removed(id);
      return record.ok ? erase(id, options) : record;
    },
  };
}
