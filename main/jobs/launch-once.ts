import { type JobView, jobHasEnded } from '../../preload/contract';
import { ok } from '../base';
import type { AsyncResult } from '../machines';
import type { JobService } from './job-api';
import type { JobSpec } from './logic/job-spec';

/** The job with this purpose that runs on the machine, or waits to; where there is none, a new one. */
export async function launchOnce(
  jobs: Pick<JobService, 'launch' | 'views'>,
  spec: JobSpec,
): AsyncResult<JobView> {
  const running = jobs
    .views()
    .find(
      ({ machineId, purpose, state }) =>
        machineId === spec.machineId && purpose === spec.purpose && !jobHasEnded(state),
    );
  if (running !== undefined) return ok(running);
  const job = await jobs.launch(spec);
  return job.ok ? ok(job.value.view) : job;
}
