import type { JobResources } from '../../../preload/contract';

/** A training as a job, and what can be said of it before anything is asked. */
export type PreparedTraining = {
  /** For /bin/sh on the machine. */
  readonly commandLine: string;
  /** Before it; the order's own lines come first. */
  readonly setUp: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the job asks its machine for. */
  readonly resources: JobResources;
  /** GPUs of the whole training, wherever they are. */
  readonly gpus: number;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
};
