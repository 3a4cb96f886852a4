import type { JobView } from '../../preload/contract';
import { ok } from '../base';
import { type JobService, launchOnce } from '../jobs';
import { type AsyncResult, type Machine, preparedLearner, shipLearner } from '../machines';
import { environmentLine } from './logic/environment-line';

/** Purpose of the job that makes the environment. */
const LEARNER_PURPOSE = 'learner-environment';

export type PreparedLearner = {
  /** The environment's Python on the machine: absolute, and there once the job is done. */
  readonly python: string;
  /** What makes it; null: it is there. */
  readonly job: JobView | null;
};

/**
 * Starts a job that makes the learner's pinned environment below the workbench's folder on the machine, with any Python
 * that is new enough (`base` names one). Starts nothing if it is there, or if such a job runs already.
 */
export async function prepareLearner(
  machine: Machine,
  base: string | null,
  deps: { readonly jobs: Pick<JobService, 'launch' | 'views'>; readonly resourcesDir: string },
): AsyncResult<PreparedLearner> {
  const prepared = await preparedLearner(machine, deps.resourcesDir);
  if (!prepared.ok) return prepared;
  if (prepared.value !== null) return ok({ python: prepared.value, job: null });
  const paths = await shipLearner(machine, deps.resourcesDir);
  if (!paths.ok) return paths;
  const { python } = paths.value;
  const job = await launchOnce(deps.jobs, {
    machineId: machine.id,
    name: 'Environment of the learner',
    purpose: LEARNER_PURPOSE,
    command: { kind: 'line', line: environmentLine(paths.value, base) },
  });
  return job.ok ? ok({ python, job: job.value }) : job;
}
