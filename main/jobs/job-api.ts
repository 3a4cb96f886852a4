import type { JobLog, JobView, LogMatch, LogPiece, Refusal } from '../../preload/contract';
import type { Disposable, Result } from '../base';
import type { Asked, Machine } from '../machines';
import type { FullJobSpec, JobSpec } from './logic/job-spec';

/** A process launched on a machine, which outlives the app and the connection. */
export type Job = {
  readonly id: string;
  readonly spec: FullJobSpec;
  /** As last seen; `view.state` is its state. */
  readonly view: JobView;
  /** Its folder on the machine, absolute; null until the machine was asked for the first time. */
  readonly folder: string | null;
};

export type JobNotice = { readonly about: 'done' | 'failed' | 'stalled'; readonly job: JobView };

/** How far a long call is, in bytes of the log. */
export type LogProgress = (doneBytes: number, totalBytes: number) => void;

export type JobService = {
  /**
   * Starts a command that outlives us. Answers when its process is known (or has already ended), when it waits for
   * GPUs, or - state unknown - when the machine stopped answering: it is then started as soon as it answers again.
   * A refusal says that nothing was started and nothing is kept.
   */
  readonly launch: (spec: JobSpec) => Promise<Result<Job, Refusal>>;
  /**
   * Launches many in one go; an answer for each, in their order, as `launch` gives. Those of one Slurm machine that ask
   * for the same become one job array.
   */
  readonly launchMany: (specs: readonly JobSpec[]) => Promise<readonly Result<Job, Refusal>[]>;
  /** Starts an ended job again, in its folder and appending to its logs. */
  readonly launchAgain: (id: string) => Promise<Result<Job, Refusal>>;
  /**
   * TERM to the whole group, KILL to what is left after `graceMs`; answers when nothing is left. Processes that had
   * left the group are ended too and named in the timeline. `unreachable`: it is stopped as soon as the machine
   * answers again.
   */
  readonly stop: (id: string, graceMs: number) => Promise<Result<Job, Refusal>>;
  /** Every job in the records, oldest first, as last seen: complete when machines are off. */
  readonly list: () => readonly Job[];
  readonly views: () => readonly JobView[];
  readonly view: (id: string) => Result<JobView, Refusal>;
  /** Looks now. `unreachable` when the machine does not answer; the job itself is then `unknown`. */
  readonly inspect: (id: string) => Promise<Result<Job, Refusal>>;
  /** Resolves once the records are read and each machine with living jobs was looked at or found unreachable. */
  readonly ready: () => Promise<void>;
  /** The computer woke, or a machine answers again: looks now. Every machine when left out. */
  readonly lookSoon: (machineId?: string) => void;
  readonly onChange: (listener: (view: JobView) => void) => Disposable;
  readonly onRemoved: (listener: (id: string) => void) => Disposable;
  /** Once per end and once per silence; also for what ended while the app was closed. Not for what a person stopped. */
  readonly onNotice: (listener: (notice: JobNotice) => void) => Disposable;
  /**
   * Whole characters of a log from a byte offset (negative: from the end). A character that is not written to its
   * end waits for the next call while the job runs. Reading on at `nextOffset` loses and doubles nothing.
   */
  readonly readLog: (
    id: string,
    log: JobLog,
    offset: number,
    maxBytes: number,
  ) => Promise<Result<LogPiece, Refusal>>;
  /**
   * Lines that hold `text` as it stands, case ignored, that begin at byte `offset` or behind it; searched on the
   * machine. Not complete: there are more than `limit`.
   */
  readonly searchLog: (
    id: string,
    log: JobLog,
    query: { readonly text: string; readonly offset: number; readonly limit: number },
    report: LogProgress,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly matches: readonly LogMatch[]; readonly isComplete: boolean }, Refusal>>;
  /** The byte that a line begins with, counted on the machine from 1; its end where it has fewer lines. */
  readonly findLine: (
    id: string,
    log: JobLog,
    line: number,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly offset: number; readonly isThere: boolean }, Refusal>>;
  /** Copies what the log holds now to a file of this computer; goes on after cuts, and compares digests at the end. */
  readonly saveLog: (
    id: string,
    log: JobLog,
    path: string,
    report: LogProgress,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly path: string; readonly bytes: number }, Refusal>>;
  /** Text of a small file in the job's folder; null when it is absent. */
  readonly readFile: (id: string, name: string) => Asked<string | null>;
  readonly writeFile: (id: string, name: string, text: string) => Asked<null>;
  /** null: unknown job, or its machine has not answered yet. */
  readonly folderOf: (id: string) => string | null;
  readonly machineOf: (id: string) => Result<Machine, Refusal>;
  /** Deletes an ended job with its folder. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Lets go of everything; the jobs go on. */
  readonly dispose: () => Promise<void>;
};
