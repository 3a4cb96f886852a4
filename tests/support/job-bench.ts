import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createJobService, hasEnded, type JobService } from '../../main/jobs';
import { createLocalMachine } from '../../main/machines';
import { makeTemporaryFolder } from './temporary-folder';

export type JobBench = {
  readonly folder: string;
  readonly jobs: JobService;
  /** A second service on the same folder, as after a restart of the app. */
  readonly restarted: () => JobService;
  /** Stops what still runs and removes the folder. */
  readonly dispose: () => Promise<void>;
};

/** Real jobs of this computer in a temporary folder. */
export async function openJobBench(): Promise<JobBench> {
  const { path: folder, dispose } = await makeTemporaryFolder();
  const open = () =>
    createJobService({
      machine: createLocalMachine(),
      folder: join(folder, 'jobs'),
      clock: { now: () => Date.now() },
      newId: () => randomUUID(),
    });
  const jobs = open();
  return {
    folder,
    jobs,
    restarted: open,
    dispose: async () => {
      for (const job of await jobs.list()) if (!hasEnded(job.state)) await jobs.stop(job.id, 0);
      await dispose();
    },
  };
}
