import type { Refusal, TrainingRequest, TrainingSpec } from '../../preload/contract';
import { DEFAULT_RESTARTS } from '../../preload/contract/plans';
import { failed, ok, type Result } from '../base';
import { type Job, type JobService, type JobSpec, PROVENANCE_NOTES } from '../jobs';
import type { PreparedTraining } from './logic/prepared';
import type { TrainingRecord } from './logic/training-record';

/** Purpose of a training's job; job lists are filtered by it. */
export const TRAINING_PURPOSE = 'training';
/** In the job's notes: the training's id, so that its job is found even if the result of the launch was lost. */
export const TRAINING_NOTE = 'trainingId';

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

/** The Python and the models of a training, which its command names in a file or in flags of its own. */
function provenanceNotes(spec: TrainingSpec): Readonly<Record<string, string>> {
  if (spec.kind !== 'model' && spec.kind !== 'marti') return {};
  const models = new Set(spec.agents.map(({ model }) => model));
  return {
    [PROVENANCE_NOTES.python]: spec.python,
    [PROVENANCE_NOTES.weights]: [...models].join('\n'),
  };
}

/** Variables of a training's job, and the lines that run before its command. */
export function environmentOf(
  request: Pick<TrainingRequest, 'setUp' | 'env'>,
  training: Pick<PreparedTraining, 'setUp' | 'env'>,
): Pick<PreparedTraining, 'setUp' | 'env'> {
  return {
    setUp: [request.setUp.trim(), training.setUp].filter((part) => part !== '').join('\n'),
    env: { ...training.env, ...request.env },
  };
}

function jobOf({ record: { id, order: request }, training }: ReadyTraining): JobSpec {
  return {
    machineId: request.machineId,
    name: request.name,
    purpose: TRAINING_PURPOSE,
    command: { kind: 'line', line: training.commandLine },
    ...environmentOf(request, training),
    resources: training.resources,
    retry: { lost: request.restarts ?? DEFAULT_RESTARTS },
    resumes: true,
    notes: { [TRAINING_NOTE]: id, ...provenanceNotes(request.spec) },
  };
}

/** The job of a training; null: it was not started, or its job was removed. */
export function jobOfTraining(jobs: Pick<JobService, 'list'>, { id, jobId }: TrainingRecord): Job | null {
  const job = jobId === null ? undefined : jobs.list().find((job) => job.id === jobId);
  // The app may have quit after the launch, before the job's id was saved.
  return job ?? jobs.list().findLast(({ spec }) => spec.notes[TRAINING_NOTE] === id) ?? null;
}
