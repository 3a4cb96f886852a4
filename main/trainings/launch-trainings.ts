import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { JobService, JobSpec } from '../jobs';
import type { PreparedTraining } from './logic/prepared';
import type { TrainingRecord } from './logic/training-record';

/** What a job is for; lists are filtered by it. */
export const TRAINING_PURPOSE = 'training';
/** In the job's notes: whose it is, also where the answer to the launch was lost. */
export const TRAINING_NOTE = 'trainingId';

/** A training whose record is written. */
export type ReadyTraining = { readonly record: TrainingRecord; readonly training: PreparedTraining };

/** Starts their jobs in one go, so that a cluster gets those that ask for the same as one array; an answer for each. */
export async function launchTrainings(
  ready: readonly ReadyTraining[],
  jobs: Pick<JobService, 'launchMany'>,
): Promise<readonly Result<TrainingRecord, Refusal>[]> {
  const launched = await jobs.launchMany(ready.map(jobOf));
  return ready.map(({ record }, at) => {
    const job = launched[at] ?? failed({ code: 'unavailable', message: 'The job was not answered for.' });
    return job.ok ? ok({ ...record, jobId: job.value.id }) : job;
  });
}

function jobOf({ record: { id, order }, training }: ReadyTraining): JobSpec {
  return {
    machineId: order.machineId,
    name: order.name,
    purpose: TRAINING_PURPOSE,
    command: { kind: 'line', line: training.commandLine },
    setUp: [order.setUp.trim(), training.setUp].filter((part) => part !== '').join('\n'),
    env: { ...training.env, ...order.env },
    resources: training.resources,
    notes: { [TRAINING_NOTE]: id },
  };
}
