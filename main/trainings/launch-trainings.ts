import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { JobService, JobSpec } from '../jobs';
import type { PreparedTraining } from './logic/prepared';
import type { TrainingRecord } from './logic/training-record';

/** Purpose of a training's job; job lists are filtered by it. */
export const TRAINING_PURPOSE = 'training';
/** In the job's notes: the training's id, so that its job is found even if the result of the launch was lost. */
export const TRAINING_NOTE = 'trainingId';

/** It continues from its last checkpoint; one that is killed again and again will not finish. */
const RETRY: JobSpec['retry'] = { lost: 3 };

/** A training whose record is saved. */
export type ReadyTraining = { readonly record: TrainingRecord; readonly training: PreparedTraining };

/** Starts their jobs together, so that equal requests to a cluster become one array; a result for each. */
export async function launchTrainings(
  ready: readonly ReadyTraining[],
  jobs: Pick<JobService, 'launchMany'>,
): Promise<readonly Result<TrainingRecord, Refusal>[]> {
  const launched = await jobs.launchMany(ready.map(jobOf));
  return ready.map(({ record }, at) => {
    const job =
      launched[at] ?? failed({ code: 'unavailable', message: 'The launch returned no result for this job.' });
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
    retry: RETRY,
    notes: { [TRAINING_NOTE]: id },
  };
}
