/** What a look at one start of a job tells. `why` in words; empty where it needs none. */
export type Sighting =
  | { readonly kind: 'queued'; readonly why: string }
  | { readonly kind: 'starting' }
  /** `pid` of the process that leads its group, where it is known. */
  | { readonly kind: 'running'; readonly pid: number | null }
  | {
      readonly kind: 'exited';
      /** Exit code; 128 + n when signal n ended it; null when nobody wrote one. */
      readonly code: number | null;
      /** ISO date by this computer's clock. */
      readonly endedAt: string;
      /** e.g. "The set-up ended with exit code 3; the command was not started." */
      readonly why: string;
      /** True: somebody ended it on purpose, past us (Slurm's scancel). It is not started again by itself. */
      readonly isWanted?: boolean;
    }
  /** Gone without an exit code. */
  | { readonly kind: 'lost'; readonly why: string }
  /** The machine answers, and still nobody can tell, e.g. another host of the same name answers. */
  | { readonly kind: 'unknown'; readonly why: string };

export type LogFacts = {
  /** Bytes in the output file. */
  readonly bytes: number;
  /** ISO date of its last byte by this computer's clock; null for an empty one. */
  readonly lastOutputAt: string | null;
};

export type JobLook = {
  readonly sighting: Sighting;
  /** null: the starter did not look; the service then asks for the file itself. */
  readonly log: LogFacts | null;
};

/** A process that stopping found outside of the job's own group, or could not end. */
export type FoundProcess = { readonly pid: number; readonly command: string };

export type Stopped = {
  /** Had left the job's group or session; were ended too. */
  readonly orphans: readonly FoundProcess[];
  /** Still there after KILL. */
  readonly left: readonly FoundProcess[];
};
