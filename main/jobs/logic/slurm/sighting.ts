import type { ExitFile } from '../job-files';
import type { JobTraces } from '../look-script';
import type { CloserLook } from './closer-look';
import { pendingReason } from './pending-reason';
import { hasEndedInSlurm, type QueueRow } from './queue';
import { BEGUN_BEFORE } from './slurm-files';

export type StartFacts = {
  readonly traces: Pick<JobTraces, 'hasBegun' | 'process' | 'exit'>;
  /** What the exit file means, in words; empty for a plain end. */
  readonly exitWords: string;
  /** null: Slurm does not answer, or it does not know the job: see `slurmAnswers`. */
  readonly row: QueueRow | null;
  readonly slurmAnswers: boolean;
  /** null: not asked. */
  readonly closer: CloserLook | null;
  /** Slurm's number of it, as far as it is known. */
  readonly reference: string | null;
};

/** As the `Sighting` of a starter, times still by the cluster's clock; `null`: by the exit file's. */
export type SlurmSighting =
  | { readonly kind: 'queued'; readonly why: string }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly pid: null }
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly endedAtS: number | null;
      readonly why: string;
      readonly isWanted?: boolean;
    }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * What the facts mean. Slurm's word on a forced end goes before our own exit file, which only knows the signal that
 * came of it; for an end by itself the exit file knows most.
 */
export function sightingOf(facts: StartFacts): SlurmSighting {
  const { traces, row } = facts;
  const state = endState(facts);
  if (state !== null) return endOf(state, facts);
  if (row !== null && isTakenBack(facts)) {
    return lost(
      facts,
      `Slurm took it from its node and put it back into its queue${reasonOf(row)}; it is not begun a second time.`,
    );
  }
  if (traces.exit !== null && !mayHaveBeenForced(facts)) return exited(facts, '');
  if (row !== null) return livingIn(row, traces);
  if (!facts.slurmAnswers) {
    return { kind: 'unknown', why: 'Slurm does not answer; what runs there goes on.' };
  }
  if (facts.reference === null && !traces.hasBegun) return { kind: 'starting' };
  const why =
    'Slurm no longer knows the job, and it left no exit code: it was killed together with its script, or its node failed.';
  return { kind: 'lost', why: `${why}${ranOn(facts)}` };
}

/**
 * Whether a row of a moment ago still stands, as far as the files tell: a job that has begun since, or ended, calls
 * for a new question. What Slurm did to it meanwhile shows with the next.
 */
export function stillStands({ row, traces }: Pick<StartFacts, 'row' | 'traces'>): boolean {
  if (row === null) return false;
  if (hasEndedInSlurm(row.state)) return true;
  return isWaiting(row) ? !traces.hasBegun : traces.exit === null;
}

/** While Slurm still cleans up after a command that failed, it has not said yet whether that was its own doing. */
function mayHaveBeenForced({ traces, row }: StartFacts): boolean {
  return row !== null && traces.exit?.code !== 0 && traces.exit?.stage !== 'never-began';
}

/** It waits, and had begun: either it did so between two of our questions, or Slurm wants to begin it again. */
function hasBegunAndWaits({ traces, row }: Pick<StartFacts, 'traces' | 'row'>): boolean {
  const isOver = traces.exit?.code === 0 || traces.exit?.stage === 'never-began';
  return row !== null && isWaiting(row) && traces.hasBegun && !isOver;
}

/** The longer question, which came later, found it waiting still. */
function isTakenBack(facts: StartFacts): boolean {
  return hasBegunAndWaits(facts) && WAITING.has(facts.closer?.end?.state ?? '');
}

function livingIn(row: QueueRow, traces: StartFacts['traces']): SlurmSighting {
  if (isWaiting(row) && !traces.hasBegun) return { kind: 'queued', why: pendingReason(row.reason) };
  // RUNNING, COMPLETING, SUSPENDED, STOPPED, SIGNALING, STAGE_OUT, RESIZING and what later versions add.
  const hasBegun = traces.hasBegun && row.state !== 'CONFIGURING';
  return hasBegun ? { kind: 'running', pid: null } : { kind: 'starting' };
}

const WAITING = new Set([
  'PENDING',
  'REQUEUED',
  'REQUEUE_HOLD',
  'REQUEUE_FED',
  'SPECIAL_EXIT',
  'RESV_DEL_HOLD',
]);

function isWaiting(row: QueueRow): boolean {
  return WAITING.has(row.state);
}

/** True when a second, longer question can tell more than the queue and the files do. */
export function needsCloserLook({ traces, row, slurmAnswers, reference }: StartFacts): boolean {
  if (!slurmAnswers || reference === null) return false;
  if (hasBegunAndWaits({ traces, row })) return true;
  const code = traces.exit?.code ?? null;
  // 128 + a signal: the command's own doing, or Slurm's? The queue says so as long as it knows the job.
  if (row === null) return traces.exit?.stage !== 'never-began' && (code === null || code > 128);
  if (!hasEndedInSlurm(row.state)) return false;
  return (
    row.state === 'CANCELLED' || ((row.state === 'FAILED' || row.state === 'COMPLETED') && code === null)
  );
}

/** Slurm's word for the end: of its queue, its books, or what it wrote into the job's log. null: not ended, or unknown. */
function endState({ row, closer }: StartFacts): string | null {
  if (row !== null) return hasEndedInSlurm(row.state) ? row.state : null;
  const end = closer?.end ?? null;
  if (end !== null && hasEndedInSlurm(end.state)) return end.state;
  return stateInLog(closer?.log ?? '');
}

/** e.g. "slurmstepd-node1: error: *** JOB 7 ON node1 CANCELLED AT 2026-11-21T17:29:31 DUE TO TIME LIMIT ***" */
function stateInLog(log: string): string | null {
  const line = log.split('\n').findLast((text) => /^slurm\S+: error: \*\*\* (JOB|STEP) /.test(text)) ?? '';
  if (/DUE TO TIME LIMIT/.test(line)) return 'TIMEOUT';
  if (/DUE TO PREEMPTION/.test(line)) return 'PREEMPTED';
  if (/DUE TO NODE/.test(line)) return 'NODE_FAIL';
  // A plain "CANCELLED" stands there after any signal that Slurm passed on, also after our own: it proves nothing.
  return /oom[_-]kill/i.test(log) ? 'OUT_OF_MEMORY' : null;
}

/**
 * An end that Slurm forced counts as `lost` where the job could not help it (its node failed, others came first), so
 * that the retries for that apply, and as an exit where the order or a person was the reason.
 */
function endOf(state: string, facts: StartFacts): SlurmSighting {
  const { row, traces } = facts;
  switch (state) {
    case 'TIMEOUT': {
      const minutes = row?.limitMinutes ?? null;
      const limit = minutes === null ? '' : ` of ${timeInWords(minutes)}`;
      return exited(facts, `It ran out of its time${limit}, and Slurm ended it.`);
    }
    case 'DEADLINE':
      return exited(facts, 'Slurm ended it: it could not have finished before its deadline.');
    case 'PREEMPTED':
      return lost(facts, 'Slurm ended it to make room for a job that comes first (preempted).');
    case 'NODE_FAIL':
      return lost(facts, `Its node failed.${ranOn(facts)}`);
    case 'BOOT_FAIL':
      return lost(facts, 'Its node could not be started.');
    case 'REVOKED':
      return lost(facts, 'Another cluster of the federation has taken it.');
    case 'CANCELLED':
      return { ...exited(facts, cancelledWords(facts)), isWanted: true };
    case 'OUT_OF_MEMORY':
      return exited(
        facts,
        `It ran out of the memory that Slurm gave it${onNode(facts)}. Ask for more, e.g. --mem=64G in the Slurm options.`,
      );
    default:
      return traces.exit === null ? unwrittenEnd(state, facts) : exited(facts, '');
  }
}

/** COMPLETED and FAILED without an exit file: the script ended by itself, and Slurm may know how. */
function unwrittenEnd(state: string, facts: StartFacts): SlurmSighting {
  const { closer, traces, row } = facts;
  const end = closer?.end ?? null;
  const said = closer?.log.trim().split('\n').at(-1) ?? '';
  const lastWords = said === '' ? '' : ` Its last words: ${said}`;
  if (end !== null && end.exitCode === BEGUN_BEFORE && end.signal === 0) {
    return {
      kind: 'lost',
      why: 'Its node failed or Slurm took it back, and began it a second time, which would have run it twice.',
    };
  }
  // Only one that ran to its end is COMPLETED, also where its folder is out of sight; a failure to begin has a code too.
  const isOfCommand = state === 'COMPLETED' || (traces.hasBegun && end?.exitCode !== 0);
  if (end !== null && end.signal === 0 && isOfCommand) {
    const why = `Its exit code is Slurm's word: it could write none itself.${lastWords}`;
    return { kind: 'exited', code: end.exitCode, endedAtS: endedAt(facts), why };
  }
  const killed = end !== null && end.signal > 0 ? `, killed by signal ${end.signal}` : '';
  const how = traces.hasBegun
    ? `Its script${onNode(facts)} ended without an exit code${killed}`
    : `It could not begin${onNode(facts)}${killed}`;
  return { kind: 'lost', why: `${how}; Slurm says ${state}${reasonOf(row)}.${lastWords}` };
}

function cancelledWords({ closer, traces }: StartFacts): string {
  const by = closer?.cancelledBy ?? null;
  const when = traces.process === null ? ' before it began' : '';
  return `It was cancelled in Slurm${by === null ? '' : ` by ${by}`}${when}.`;
}

function lost({ traces }: StartFacts, why: string): SlurmSighting {
  const code = traces.exit?.code ?? null;
  return { kind: 'lost', why: code === null ? why : `${why} Its command then ended with exit code ${code}.` };
}

/** `why` of Slurm; where it has nothing to say, that of the exit file. */
function exited(facts: StartFacts, why: string): Extract<SlurmSighting, { kind: 'exited' }> {
  const exit: ExitFile | null = facts.traces.exit;
  return {
    kind: 'exited',
    code: exit?.code ?? null,
    endedAtS: exit === null || exit.endedAt === '' ? endedAt(facts) : null,
    why: why === '' || exit?.stage === 'never-began' ? facts.exitWords : why,
  };
}

function reasonOf(row: QueueRow | null): string {
  return row === null || row.reason === 'None' ? '' : ` (${row.reason})`;
}

function endedAt({ row, closer }: StartFacts): number | null {
  return row?.endedAtS ?? closer?.end?.endedAtS ?? null;
}

function nodeOf({ traces, row, closer }: StartFacts): string | null {
  return row?.node ?? closer?.end?.node ?? traces.process?.host ?? null;
}

function onNode(facts: StartFacts): string {
  const node = nodeOf(facts);
  return node === null ? '' : ` on ${node}`;
}

function ranOn(facts: StartFacts): string {
  const node = nodeOf(facts);
  return node === null ? '' : ` It ran on ${node}.`;
}

/** 90 -> "90 min"; 1440 -> "24 h"; 10080 -> "7 days". */
export function timeInWords(minutes: number): string {
  if (minutes % 1_440 === 0 && minutes > 1_440) return `${minutes / 1_440} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
