import { wasStopped } from '../../preload/contract/folds/job-end';
import type { JobState, JobView } from '../../preload/contract/job';
import { assertNever } from './assert-never';

export type JobTone = 'active' | 'good' | 'quiet' | 'bad' | 'unsure';
export type JobWords = { readonly tone: JobTone; readonly words: string };

/** The state of a job in a word or two, as lists have it. */
export function jobWords(job: Pick<JobView, 'state' | 'timeline'>): JobWords {
  const { state } = job;
  if (wasStopped(job)) return { tone: 'quiet', words: 'Stopped' };
  switch (state.kind) {
    case 'queued':
      return { tone: 'quiet', words: 'Queued' };
    case 'starting':
      return { tone: 'active', words: 'Starting' };
    case 'running':
      return { tone: 'active', words: 'Running' };
    case 'exited':
      if (state.code === 0) return { tone: 'good', words: 'Done' };
      return { tone: 'bad', words: state.code === null ? 'Killed' : 'Failed' };
    case 'lost':
      return { tone: 'bad', words: 'Lost' };
    case 'unknown':
      return { tone: 'unsure', words: 'Unknown' };
    default:
      return assertNever(state);
  }
}

/** Exit codes that say more than their number. 128 + n: ended by the signal n. */
const CODES: Readonly<Record<number, string>> = {
  2: 'often a wrong use of the command; its last lines say more',
  126: 'the command is there but may not be run',
  127: 'the command was not found; the set-up may have to load it',
  130: 'interrupted (signal 2)',
  134: 'it aborted (signal 6)',
  137: 'killed (signal 9), often because the memory ran out',
  139: 'a crash in its memory (signal 11)',
  143: 'asked to end (signal 15)',
};

/** What an exit code says beyond its number: "killed (signal 9), often because ..."; null: nothing. */
function exitMeaning(code: number): string | null {
  const known = CODES[code];
  if (known !== undefined) return known;
  return code > 128 && code < 160 ? `ended by signal ${code - 128}` : null;
}

/** The signal or reason of an exit in the room of a table: "0", "1", "137". */
export function exitText(state: JobState): string {
  if (state.kind !== 'exited') return '';
  return state.code === null ? 'none' : String(state.code);
}

/** What the user can do about a state; the button stands beside the explanation. */
export type JobHelp = 'connect';
export type JobExplanation = { readonly message: string; readonly help: readonly JobHelp[] };

/** Why it is as it is, and what helps, in plain words; null where nothing needs to be said. */
export function explainJob(job: JobView, machineName: string): JobExplanation | null {
  const { state } = job;
  if (wasStopped(job)) return null;
  switch (state.kind) {
    case 'queued':
      return {
        message: state.why === '' ? 'It waits for its turn.' : `It waits: ${asSentence(state.why)}`,
        help: [],
      };
    case 'unknown':
      return {
        message: `${machineName} does not answer, so nobody knows whether it still runs. It was ${state.last} when last seen. Nothing is lost: the machine keeps its output, and its state is read there as soon as the machine answers.`,
        help: ['connect'],
      };
    case 'lost':
      return {
        message: `It ended without an exit code: ${asSentence(state.why)} What it wrote until then is below.`,
        help: [],
      };
    case 'exited': {
      if (state.code === 0) return null;
      if (state.code === null) {
        const message =
          'It was killed so hard that no exit code was written; the machine may have run out of memory.';
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

/** With a full stop, unless it ends already. */
export function asSentence(words: string): string {
  const text = words.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Since when it says nothing, where that is longer than the limit (minutes; null: none). ISO date, or null. */
export function stalledSince(job: JobView, limitMinutes: number | null, now: number): string | null {
  if (limitMinutes === null || job.state.kind !== 'running') return null;
  const last = job.lastOutputAt ?? job.startedAt;
  if (last === null || now - Date.parse(last) < limitMinutes * 60_000) return null;
  return last;
}

/** May it be writing to its log now? */
export function mayWrite(state: JobState): boolean {
  return state.kind === 'starting' || state.kind === 'running';
}

/** How long it ran or has been running, as far as anybody knows, milliseconds; null before it started. */
export function ranMs(job: JobView, now: number): number | null {
  if (job.startedAt === null) return null;
  const seen = job.state.kind === 'unknown' ? Date.parse(job.state.since) : now;
  const end = job.endedAt === null ? seen : Date.parse(job.endedAt);
  return Math.max(0, end - Date.parse(job.startedAt));
}
