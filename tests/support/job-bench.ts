import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ok, type Result } from '../../main/base';
import {
  createDetachedStarter,
  createJobService,
  hasEnded,
  type JobService,
  type JobStarter,
} from '../../main/jobs';
import { createLocalMachine, type Machine, type MachineFleet } from '../../main/machines';
import type { Refusal } from '../../preload/contract';
import { LOCAL_MACHINE } from '../../preload/contract';
import { makeTemporaryFolder } from './temporary-folder';
import { throwProblem } from './throw-problem';

type Options = Parameters<typeof createJobService>[0];

export type JobBench = {
  readonly folder: string;
  readonly jobs: JobService;
  readonly machine: Machine;
  /** A further service on the same folder, as after a restart of the app; the one before is left. */
  readonly restarted: (change?: JobBenchOptions) => Promise<JobService>;
  /** Stops what still runs and removes the folder. */
  readonly dispose: () => Promise<void>;
};

export type JobBenchOptions = Partial<Pick<Options, 'gpus' | 'settings' | 'onError' | 'clock'>> & {
  /** Instead of this computer; its id is that of this computer, or the jobs' specs name it. */
  readonly machine?: (home: string) => Machine;
  readonly starter?: JobStarter;
};

/** A job service for one machine, which keeps its records next to the jobs of this computer, as the workbench does. */
export function openJobsIn(folder: string, options: JobBenchOptions = {}): Promise<JobService> {
  const machine = options.machine?.(folder) ?? createLocalMachine(folder);
  const clock = options.clock ?? { now: () => Date.now() };
  const starter = options.starter ?? createDetachedStarter({ clock });
  return createJobService({
    machines: { get: (id) => (id === machine.id ? ok(machine) : noMachine(id)) },
    starters: () => starter,
    gpus: options.gpus ?? (async () => ok({ gpus: [], reservations: [], user: 'me' })),
    folder: join(folder, 'jobs'),
    clock,
    newId: () => randomUUID(),
    settings: options.settings ?? (() => ({ stalledMinutes: null })),
    onError: options.onError ?? throwProblem,
  });
}

/** A job service over a fleet of machines without GPUs, with its records in `folder`. */
export async function openJobsOver(
  fleet: Pick<MachineFleet, 'get' | 'onConnection'>,
  folder: string,
  logLimitBytes?: number,
): Promise<JobService> {
  const clock = { now: () => Date.now() };
  const limit = logLimitBytes === undefined ? {} : { logLimitBytes: () => logLimitBytes };
  const starter = createDetachedStarter({ clock, ...limit });
  const jobs = await createJobService({
    machines: fleet,
    starters: () => starter,
    gpus: async () => ok({ gpus: [], reservations: [], user: 'me' }),
    folder,
    clock,
    newId: () => randomUUID(),
    settings: () => ({ stalledMinutes: null }),
    onError: throwProblem,
  });
  fleet.onConnection((id) => jobs.probeSoon(id));
  return jobs;
}

/** Real jobs of this computer in a temporary folder. */
export async function openJobBench(options: JobBenchOptions = {}): Promise<JobBench> {
  const { path: folder, dispose } = await makeTemporaryFolder();
  let latest = await openJobsIn(folder, options);
  const first = latest;
  return {
    folder,
    jobs: first,
    machine: createLocalMachine(folder),
    restarted: async (change) => {
      await latest.dispose();
      latest = await openJobsIn(folder, { ...options, ...change });
      return latest;
    },
    dispose: async () => {
      for (const { id, view } of latest.list()) if (!hasEnded(view.state)) await latest.stop(id, 0);
      await latest.dispose();
      await dispose();
    },
  };
}

function noMachine(id: string): Result<Machine, Refusal> {
  return {
    ok: false,
    error: { code: 'not-found', message: `There is no machine "${id}"; only ${LOCAL_MACHINE}.` },
  };
}
