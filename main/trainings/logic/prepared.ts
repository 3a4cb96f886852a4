import type { JobResources } from '../../../preload/contract';

/** A training as a job, and what is known of it before the machine is asked. */
export type PreparedTraining = {
  /** For /bin/sh on the machine. */
  readonly commandLine: string;
  /** Runs before the command; the request's own set-up lines come first. */
  readonly setUp: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the job requests from its machine. */
  readonly resources: JobResources;
  /** GPUs of the whole training, on all machines. */
  readonly gpus: number;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  /** Folder of our own trainer's files on another machine, absolute; left out: on this computer, or another trainer. */
  readonly remoteFolder?: string;
};
