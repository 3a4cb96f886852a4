import type { Refusal } from '../../preload/contract';
import type { Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import type { FullJobSpec } from './logic/job-spec';
import type { JobProbe, StopResult } from './logic/observation';

/** One attempt to run a job. Everything in it is in the job's record, so it is the same after a restart of the app. */
export type StartedJob = {
  readonly id: string;
  /** From 1, increased by each start. Identifies the start together with `id`, so that nothing starts twice. */
  readonly attempt: number;
  /** The job's own folder on the machine, absolute. */
  readonly folder: string;
  readonly spec: FullJobSpec;
  /** Everything added to the environment: the spec's own variables, the job's marker, and its GPUs. */
  readonly env: Readonly<Record<string, string>>;
  readonly gpuIds: readonly string[];
  readonly machine: Machine;
  /** The result of `start`: Slurm's job id of this attempt; null before, and without Slurm. */
  readonly reference: string | null;
  /** ISO date at which this attempt was first requested, by this computer's clock. */
  readonly createdAt: string;
};

/** Starts jobs on one kind of machine. Every call may be repeated if its result was lost. */
export type JobStarter = {
  /**
   * Makes the folder and its files, and starts the attempt. Idempotent: a second call with the same id and attempt
   * starts nothing and returns the same reference. On a refusal other than `unreachable` nothing was started.
   */
  readonly start: (job: StartedJob) => AsyncResult<{ readonly reference: string | null }>;
  /**
   * Starts many on one machine together, if that differs from one by one (a Slurm job array). Idempotent like `start`;
   * a result for each, in order.
   */
  readonly startMany?: (
    jobs: readonly StartedJob[],
  ) => Promise<readonly Result<{ readonly reference: string | null }, Refusal>[]>;
  /** Observes all these jobs of one machine at once; results in order. */
  readonly probe: (jobs: readonly StartedJob[]) => AsyncResult<readonly JobProbe[]>;
  /**
   * Ends the attempt, or prevents it from starting. Sends TERM, after `graceMs` KILL, then reports what is left. No error
   * if it has ended.
   */
  readonly stop: (job: StartedJob, graceMs: number) => AsyncResult<StopResult>;
};
