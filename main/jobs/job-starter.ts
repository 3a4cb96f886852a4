import type { Refusal } from '../../preload/contract';
import type { Result } from '../base';
import type { Asked, Machine } from '../machines';
import type { FullJobSpec } from './logic/job-spec';
import type { JobLook, Stopped } from './logic/sighting';

/** One start of a job, as a starter needs it. Everything in it is kept in the job's record: it is the same after a restart of the app. */
export type StartedJob = {
  readonly id: string;
  /** From 1; each start of the job has the next. With `id` it names the start, so that nothing starts twice. */
  readonly attempt: number;
  /** The job's own folder on the machine, absolute. */
  readonly folder: string;
  readonly order: FullJobSpec;
  /** All that is added to the environment: the order's own, the job's mark, the GPUs that it was given. */
  readonly env: Readonly<Record<string, string>>;
  readonly gpuIds: readonly string[];
  readonly machine: Machine;
  /** What `start` answered: Slurm's number of this attempt; null before, and where there is none. */
  readonly reference: string | null;
  /** ISO date of the moment when this attempt was first asked for, by this computer's clock. */
  readonly createdAt: string;
};

/** How jobs are started on a kind of machine. Every call may be repeated after a lost answer. */
export type JobStarter = {
  /**
   * Makes the folder and its files, and starts the attempt. Idempotent: a second call with the same id and attempt
   * starts nothing and answers the same reference. A refusal other than `unreachable` says that nothing was started.
   */
  readonly start: (job: StartedJob) => Asked<{ readonly reference: string | null }>;
  /**
   * Starts many of one machine in one go, where that is more than one after the other (a job array of Slurm's). As
   * idempotent as `start`; an answer for each, in their order.
   */
  readonly startMany?: (
    jobs: readonly StartedJob[],
  ) => Promise<readonly Result<{ readonly reference: string | null }, Refusal>[]>;
  /** Looks at all these jobs (of one machine) at once; the answers are in their order. */
  readonly look: (jobs: readonly StartedJob[]) => Asked<readonly JobLook[]>;
  /**
   * Ends the attempt, and keeps one that has not begun from beginning. TERM, after `graceMs` KILL, then a look at
   * what is left. One that has ended is no error.
   */
  readonly stop: (job: StartedJob, graceMs: number) => Asked<Stopped>;
};
