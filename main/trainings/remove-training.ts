import { jobHasEnded, type Refusal } from '../../preload/contract';
import { failed, type Result } from '../base';
import type { Job, JobService } from '../jobs';
import type { RecordStore } from '../storage';
import type { TrainingRecord } from './logic/training-record';
import { conflict } from './refusals';
import { removeTrainingFiles } from './remove-files';
import type { TrainingServiceDeps } from './training-api';
import type { WatchManager } from './watch-manager';

/** Removes an ended training with its job and files. */
export async function removeTraining(
  parts: {
    readonly records: RecordStore<TrainingRecord>;
    readonly jobs: JobService;
    readonly machines: TrainingServiceDeps['machines'];
    readonly watches: WatchManager;
    readonly jobOf: (record: TrainingRecord) => Job | null;
  },
  id: string,
  options: { readonly checkpoints: boolean },
): Promise<Result<null, Refusal>> {
  const { records, jobs, machines, watches, jobOf } = parts;
  const record = records.find(id);
  if (!record.ok) return record;
  const job = jobOf(record.value);
  if (job !== null && !jobHasEnded(job.view.state)) {
    const message = `The training "${record.value.order.name}" has not ended, so it cannot be removed.`;
    return failed({ ...conflict(message), hint: 'Stop it first.' });
  }
  const others = records.list().filter((other) => other.id !== id);
  const machine = machines.get(record.value.order.machineId);
  const removed = await removeTrainingFiles(record.value, { ...options, others, machine });
  if (!removed.ok) return removed;
  if (job !== null) {
    const removedJob = await jobs.remove(job.id);
    if (!removedJob.ok) return removedJob;
  }
  watches.forget(id);
  return records.remove(id, options.checkpoints ? [] : ['checkpoints']);
}
