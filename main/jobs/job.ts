import type { CommandFile } from './logic/job-files';

/** Settled from the job's files and the process table, whenever somebody looks. */
export type JobState =
  /** Asked for; its wrapper has not named its process yet. */
  | { readonly kind: 'starting' }
  /** `pid` is its wrapper's, the leader of its process group. */
  | { readonly kind: 'running'; readonly pid: number }
  /** `code` is null when it was killed so hard that nobody wrote one. */
  | { readonly kind: 'exited'; readonly code: number | null; readonly endedAt: string }
  /** Gone without an exit code: the machine was restarted, or something killed wrapper and command together. */
  | { readonly kind: 'lost' };

/** A process launched on a machine, which outlives the app. */
export type Job = {
  readonly id: string;
  readonly file: CommandFile;
  readonly state: JobState;
  /** Bytes in its output file. */
  readonly logBytes: number;
};

export function hasEnded(state: JobState): boolean {
  return state.kind === 'exited' || state.kind === 'lost';
}
