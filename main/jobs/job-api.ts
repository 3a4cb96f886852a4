import type {
  GpuCurves,
  JobLog,
  JobView,
  LogMatch,
  LogPiece,
  Provenance,
  Refusal,
} from '../../preload/contract';
import type { Disposable, Result } from '../base';
import type { AsyncResult, Machine } from '../machines';
import type { LogCopies } from './log-copies';
import type { FullJobSpec, JobSpec } from './logic/job-spec';

/** A process launched on a machine that outlives the app and the connection. */
export type Job = {
  readonly id: string;
  readonly spec: FullJobSpec;
  /** As last observed; `view.state` is its state. */
  readonly view: JobView;
  /** Its folder on the machine, absolute; null before the machine was first asked. */
  readonly folder: string | null;
  /** How long the attempts before its automatic retries ran, in seconds, since a person last started it. */
  readonly retriedSeconds: number;
};

/**
 * Whether a job that resumes may start again, after an end that nobody asked for; `why` for its timeline: what it
 * continues from, or a sentence that says why it does not. Must answer the same when asked again about one end.
 * On a failure it is asked again.
 */
export type RetryGate = (
  job: Job,
  /** null: it was killed so hard that nobody wrote one. */
  exitCode: number | null,
) => AsyncResult<{ readonly isAllowed: boolean; readonly why: string }>;

export type JobNotice = { readonly about: 'done' | 'failed' | 'stalled'; readonly job: JobView };

/** Progress of a long call, in bytes of the log. */
export type LogProgress = (doneBytes: number, totalBytes: number) => void;

export type JobService = {
  /**
   * Starts a command that outlives the app. Resolves when its process is known or has ended, when it waits for GPUs,
   * or, in state `unknown`, when the machine stopped answering: it is then started once the machine answers again.
   * On a refusal nothing was started and nothing is saved.
   */
  readonly launch: (spec: JobSpec) => Promise<Result<Job, Refusal>>;
  /**
   * Launches many together; a result for each, in order, as from `launch`. Equal resource requests to one Slurm machine
   * become one job array.
   */
  readonly launchMany: (specs: readonly JobSpec[]) => Promise<readonly Result<Job, Refusal>[]>;
  /**
   * Sets the gate that is asked before a retry of a job that `resumes`; until there is one, the end of such a job is
   * not concluded.
   */
  readonly gateRetries: (gate: RetryGate) => void;
  /** Starts an ended job again in its folder, appending to its logs. */
  readonly relaunch: (id: string) => Promise<Result<Job, Refusal>>;
  /**
   * Sends TERM to the whole process group, and KILL to the rest after `graceMs`; resolves when nothing is left.
   * Processes that left the group are ended too and listed in the timeline. `unreachable`: it is stopped once the
   * machine answers again. `why`: a sentence for its timeline, where no person asked for it.
   */
  readonly stop: (id: string, graceMs: number, why?: string) => Promise<Result<Job, Refusal>>;
  /** Every job in the records, oldest first, as last observed; complete even if machines are off. */
  readonly list: () => readonly Job[];
  readonly views: () => readonly JobView[];
  readonly view: (id: string) => Result<JobView, Refusal>;
  /** Probes now. `unreachable` if the machine does not answer; the job is then `unknown`. */
  readonly inspect: (id: string) => Promise<Result<Job, Refusal>>;
  /** Resolves once each machine with unfinished jobs was probed or found unreachable. */
  readonly ready: () => Promise<void>;
  /** Probes now, e.g. after this computer woke up or a machine reconnected; default: every machine. */
  readonly probeSoon: (machineId?: string) => void;
  readonly onChange: (listener: (view: JobView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Once per end and once per stall, also for jobs that ended while the app was closed. Not for stopped jobs. */
  readonly onNotice: (listener: (notice: JobNotice) => void) => Disposable;
  /**
   * Whole characters of a log from a byte offset (negative: from the end). While the job runs, an incomplete character
   * is left for the next call. Continuing at `nextOffset` neither skips nor repeats anything.
   */
  readonly readLog: (
    id: string,
    log: JobLog,
    offset: number,
    maxBytes: number,
  ) => Promise<Result<LogPiece, Refusal>>;
  /**
   * The same for people: where the log's machine does not answer or has it no more, a copy of its newest part, which says
   * so. It may skip what the copy lacks, so nobody follows a log with it who must not miss anything.
   */
  readonly readLogOrCopy: JobService['readLog'];
  /**
   * Lines that contain `text` (fixed, case-insensitive) and begin at or after byte `offset`; searched on the machine.
   * `isComplete` false: there are more than `limit`.
   */
  readonly searchLog: (
    id: string,
    log: JobLog,
    query: { readonly text: string; readonly offset: number; readonly limit: number },
    report: LogProgress,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly matches: readonly LogMatch[]; readonly isComplete: boolean }, Refusal>>;
  /** Byte offset of a line (from 1), counted on the machine; the log's end if it has fewer lines. */
  readonly findLine: (
    id: string,
    log: JobLog,
    line: number,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly offset: number; readonly isThere: boolean }, Refusal>>;
  /** Copies the log's current content to a file on this computer; survives disconnects, verifies digests at the end. */
  readonly saveLog: (
    id: string,
    log: JobLog,
    path: string,
    report: LogProgress,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly path: string; readonly bytes: number }, Refusal>>;
  /** Copies of logs on this computer, which answer where a log's machine does not. */
  readonly logCopies: Pick<LogCopies, 'keep' | 'remove' | 'sizes'>;
  /** Text of a small file in the job's folder; null: absent. */
  readonly readFile: (id: string, name: string) => AsyncResult<string | null>;
  readonly writeFile: (id: string, name: string, text: string) => AsyncResult<null>;
  /** What made its last start; null: not recorded (yet). Secrets are removed. */
  readonly provenance: (id: string) => AsyncResult<Provenance | null>;
  /** What its GPUs did in all its starts, at most `points` a GPU; reads what is new. */
  readonly gpus: (id: string, points: number) => AsyncResult<GpuCurves>;
  /** null: unknown job, or its machine has not been asked yet. */
  readonly folderOf: (id: string) => string | null;
  readonly machineOf: (id: string) => Result<Machine, Refusal>;
  /** Deletes an ended job with its folder. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Releases all resources; the jobs keep running. */
  readonly dispose: () => Promise<void>;
};
