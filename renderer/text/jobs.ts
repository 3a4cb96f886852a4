import { assertNever } from '../../preload/contract/assert-never';
import { wasStopped } from '../../preload/contract/folds/job-end';
import type { JobState, JobView } from '../../preload/contract/job';
import { asSentence, type StatusLabel } from './status';

export function jobStatus(job: Pick<JobView, 'state' | 'timeline'>): StatusLabel {
  return wasStopped(job) ? { tone: 'quiet', text: 'Stopped' } : stateLabel(job.state);
}

/** A state by itself. */
export function stateLabel(state: JobState): StatusLabel {
  switch (state.kind) {
    case 'queued':
      return { tone: 'quiet', text: 'Queued' };
    case 'starting':
      return { tone: 'active', text: 'Starting' };
    case 'running':
      return { tone: 'active', text: 'Running' };
    case 'exited':
      if (state.code === 0) return { tone: 'good', text: 'Done' };
      return { tone: 'bad', text: state.code === null ? 'Killed' : 'Failed' };
    case 'lost':
      return { tone: 'bad', text: 'Lost' };
    case 'unknown':
      return { tone: 'unsure', text: 'Unknown' };
    default:
      return assertNever(state);
  }
}

/** Exit codes that say more than their number. 128 + n: ended by the signal n. */
const EXIT_CODE_MEANINGS: Readonly<Record<number, string>> = {
  2: 'often a usage error; see the last lines of the log',
  126: 'the command exists but is not executable',
  127: 'the command was not found; the set-up may need to load it',
  130: 'interrupted (signal 2)',
  134: 'aborted (signal 6)',
  137: 'killed (signal 9), often because memory ran out',
  139: 'segmentation fault (signal 11)',
  143: 'terminated (signal 15)',
};

/** What an exit code means, e.g. "killed (signal 9), often because memory ran out"; null: nothing is known of it. */
function exitMeaning(code: number): string | null {
  const meaning = EXIT_CODE_MEANINGS[code];
  if (meaning !== undefined) return meaning;
  return code > 128 && code < 160 ? `ended by signal ${code - 128}` : null;
}

/** The exit code for a table: "0", "1", "137". */
export function exitText(state: JobState): string {
  if (state.kind !== 'exited') return '';
  return state.code === null ? 'none' : String(state.code);
}

/** What the user can do about a state: the buttons next to the explanation. */
export type JobHelp = 'connect';
export type JobExplanation = { readonly message: string; readonly help: readonly JobHelp[] };

/** Why the job is in its state and what helps; null where there is nothing to explain. */
export function explainJob(job: JobView, machineName: string): JobExplanation | null {
  const { state } = job;
  if (wasStopped(job)) return null;
  switch (state.kind) {
    case 'queued':
      return {
        message: state.why === '' ? 'Waiting for its turn.' : `Waiting: ${asSentence(state.why)}`,
        help: [],
      };
    case 'unknown':
      return {
        message: `${machineName} is not reachable, so the state of the job is unknown. It was last seen ${state.last}. Nothing is lost: its output stays on the machine, and its state is read as soon as the machine answers.`,
        help: ['connect'],
      };
    case 'lost':
      return {
        message: `The job ended without an exit code: ${asSentence(state.why)} Its output is below.`,
        help: [],
      };
    case 'exited': {
      if (state.code === 0) return null;
      if (state.code === null) {
        const message =
          'The job was killed before it could write an exit code; the machine may have run out of memory.';
        return { message, help: [] };
      }
      const meaning = exitMeaning(state.code);
      return meaning === null
        ? null
        : { message: `Exit code ${state.code}: ${asSentence(meaning)}`, help: [] };
    }
    case 'starting':
    case 'running':
      return null;
    default:
      return assertNever(state);
  }
}

/** Since when the job has been silent (ISO date), if longer than the limit (minutes; null: no limit); else null. */
export function stalledSince(job: JobView, limitMinutes: number | null, now: number): string | null {
  if (limitMinutes === null || job.state.kind !== 'running') return null;
  const last = job.lastOutputAt ?? job.startedAt;
  if (last === null || now - Date.parse(last) < limitMinutes * 60_000) return null;
  return last;
}

export function mayWriteMore(state: JobState): boolean {
  return state.kind === 'starting' || state.kind === 'running';
}

/** How long the job ran or has been running, as far as is known, milliseconds; null before it started. */
export function ranMs(job: JobView, now: number): number | null {
  if (job.startedAt === null) return null;
  const lastSeen = job.state.kind === 'unknown' ? Date.parse(job.state.since) : now;
  const end = job.endedAt === null ? lastSeen : Date.parse(job.endedAt);
  return Math.max(0, end - Date.parse(job.startedAt));
}
