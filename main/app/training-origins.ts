import type { Origin } from '../../preload/contract/index';
import type { JobService } from '../jobs/index';
import type { TrainingService } from '../trainings/index';

/** What made the trainings behind a reproduction; of one whose job is gone or unreachable, its name alone. */
export async function trainingOrigins(
  trainings: Pick<TrainingService, 'list'>,
  jobs: Pick<JobService, 'provenance'>,
  reproductionId: string,
): Promise<readonly Origin[]> {
  const own = trainings.list().filter((training) => training.reproductionId === reproductionId);
  return Promise.all(
    own.map(async ({ name, createdAt, machineId, jobId }): Promise<Origin> => {
      const recorded = jobId === null ? null : await jobs.provenance(jobId);
      const provenance = recorded?.ok ? recorded.value : null;
      return {
        at: createdAt,
        workbench: provenance?.workbench ?? '',
        name,
        address: null,
        machineId,
        jobId,
        provenance,
      };
    }),
  );
}
