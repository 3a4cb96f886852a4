import type { LeftOutPart } from '../../../preload/contract';

/** The observed state of one attempt of a job. `why`: a sentence, or empty. */
export type Observation =
  | { readonly kind: 'queued'; readonly why: string }
  | { readonly kind: 'starting' }
  /** `pid`: leader of its process group, if known. */
  | { readonly kind: 'running'; readonly pid: number | null }
  | {
      readonly kind: 'exited';
      /** Exit code; 128 + n if signal n ended it; null: none was written. */
      readonly code: number | null;
      /** ISO date by this computer's clock. */
      readonly endedAt: string;
      /** e.g. "The set-up ended with exit code 3; the command was not started." */
      readonly why: string;
      /** True: it was ended on purpose outside the workbench (Slurm's scancel). It is not retried. */
      readonly isIntended?: boolean;
    }
  /** Ended without an exit code. */
  | { readonly kind: 'lost'; readonly why: string }
  /** The machine answers, but cannot tell, e.g. because another host of the same name answers. */
  | { readonly kind: 'unknown'; readonly why: string };

export type LogInfo = {
  /** Bytes of output so far, also those left out. */
  readonly bytes: number;
  /** What the log's limit left out. */
  readonly leftOut: LeftOutPart | null;
  /** ISO date of its last byte by this computer's clock; null: empty. */
  readonly lastOutputAt: string | null;
};

export type JobProbe = {
  readonly observation: Observation;
  /** Numbers of its GPUs that were idle for the last ten minutes; left out: none, or not known. */
  readonly idleGpus?: readonly number[];
  /** null: the starter did not check; the service then probes the file itself. */
  readonly log: LogInfo | null;
};

/** A process that a stop found outside the job's process group, or could not end. */
export type LeftoverProcess = { readonly pid: number; readonly command: string };

export type StopResult = {
  /** Had left the job's group or session, and were also ended. */
  readonly orphans: readonly LeftoverProcess[];
  /** Still running after KILL. */
  readonly left: readonly LeftoverProcess[];
};
