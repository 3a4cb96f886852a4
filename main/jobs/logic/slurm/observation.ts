import type { ExitFile } from '../job-files';
import type { JobTraces } from '../probe-script';
import type { EndDetails } from './end-details';
import { pendingReason } from './pending-reason';
import { hasEndedInSlurm, type QueueRow } from './queue';
import { ALREADY_STARTED } from './slurm-files';

export type AttemptFacts = {
  readonly traces: Pick<JobTraces, 'hasStarted' | 'process' | 'exit'>;
  /** Description of the exit file; empty for a normal end. */
  readonly exitText: string;
  /** null: Slurm does not answer, or does not know the job (see `slurmAnswers`). */
  readonly row: QueueRow | null;
  readonly slurmAnswers: boolean;
  /** null: not queried. */
  readonly details: EndDetails | null;
  /** Slurm's job id, if known. */
  readonly reference: string | null;
};

/** Like `Observation`, but with times of the cluster's clock; `endedAtS` null: use the exit file's time. */
export type SlurmObservation =
  | { readonly kind: 'queued'; readonly why: string }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly pid: null }
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly endedAtS: number | null;
      readonly why: string;
      readonly isIntended?: boolean;
    }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Derives the state from the facts. For a forced end Slurm's state takes precedence over our exit file, which knows only
 * the signal; for a normal end the exit file has the most information.
 */
export function observe(facts: AttemptFacts): SlurmObservation {
  const { traces, row } = facts;
  const state = endState(facts);
  if (state !== null) return endOf(state, facts);
  if (row !== null && wasRequeued(facts)) {
    return lost(
      facts,
      `Slurm took it from its node and requeued it${reasonOf(row)}; it will not be run a second time.`,
    );
  }
  if (traces.exit !== null && !mayHaveBeenForced(facts)) return exited(facts, '');
  if (row !== null) return activeState(row, traces);
  if (!facts.slurmAnswers) {
    return { kind: 'unknown', why: 'Slurm does not answer; running jobs continue.' };
  }
  if (facts.reference === null && !traces.hasStarted) return { kind: 'starting' };
  const why =
    'Slurm no longer knows the job, and it left no exit code: it was killed together with its script, or its node failed.';
  return { kind: 'lost', why: `${why}${ranOn(facts)}` };
}

/**
 * Whether a cached row is still valid according to the files: if the job has started or ended since, Slurm must be queried
 * again. Other changes show in the next regular query.
 */
export function isStillValid({ row, traces }: Pick<AttemptFacts, 'row' | 'traces'>): boolean {
  if (row === null) return false;
  if (hasEndedInSlurm(row.state)) return true;
  return isWaiting(row) ? !traces.hasStarted : traces.exit === null;
}

/** While Slurm still cleans up after a failed command, it is not yet known whether Slurm ended it. */
function mayHaveBeenForced({ traces, row }: AttemptFacts): boolean {
  return row !== null && traces.exit?.code !== 0 && traces.exit?.stage !== 'never-began';
}

/** Queued but already started: either it started between our two queries, or Slurm wants to start it again. */
function isQueuedButStarted({ traces, row }: Pick<AttemptFacts, 'traces' | 'row'>): boolean {
  const isOver = traces.exit?.code === 0 || traces.exit?.stage === 'never-began';
  return row !== null && isWaiting(row) && traces.hasStarted && !isOver;
}

/** The details, queried later, show it still waiting: it was requeued. */
function wasRequeued(facts: AttemptFacts): boolean {
  return isQueuedButStarted(facts) && WAITING.has(facts.details?.end?.state ?? '');
}

function activeState(row: QueueRow, traces: AttemptFacts['traces']): SlurmObservation {
  if (isWaiting(row) && !traces.hasStarted) return { kind: 'queued', why: pendingReason(row.reason) };
  // RUNNING, COMPLETING, SUSPENDED, STOPPED, SIGNALING, STAGE_OUT, RESIZING and what later versions add.
  const hasStarted = traces.hasStarted && row.state !== 'CONFIGURING';
  return hasStarted ? { kind: 'running', pid: null } : { kind: 'starting' };
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

/** Whether the slower details query can add to the queue and the files. */
export function needsEndDetails({ traces, row, slurmAnswers, reference }: AttemptFacts): boolean {
  if (!slurmAnswers || reference === null) return false;
  if (isQueuedButStarted({ traces, row })) return true;
  const code = traces.exit?.code ?? null;
  // 128 + a signal: ended by the command itself or by Slurm? The queue shows it while it knows the job.
  if (row === null) return traces.exit?.stage !== 'never-began' && (code === null || code > 128);
  if (!hasEndedInSlurm(row.state)) return false;
  return (
    row.state === 'CANCELLED' || ((row.state === 'FAILED' || row.state === 'COMPLETED') && code === null)
  );
}

/** Slurm's state at the end: from its queue, its accounting, or its log of the job. null: not ended, or unknown. */
function endState({ row, details }: AttemptFacts): string | null {
  if (row !== null) return hasEndedInSlurm(row.state) ? row.state : null;
  const end = details?.end ?? null;
  if (end !== null && hasEndedInSlurm(end.state)) return end.state;
  return stateInLog(details?.log ?? '');
}

/** e.g. "slurmstepd-node1: error: *** JOB 7 ON node1 CANCELLED AT 2026-11-21T17:29:31 DUE TO TIME LIMIT ***" */
function stateInLog(log: string): string | null {
  const line = log.split('\n').findLast((text) => /^slurm\S+: error: \*\*\* (JOB|STEP) /.test(text)) ?? '';
  if (/DUE TO TIME LIMIT/.test(line)) return 'TIMEOUT';
  if (/DUE TO PREEMPTION/.test(line)) return 'PREEMPTED';
  if (/DUE TO NODE/.test(line)) return 'NODE_FAIL';
  // A plain "CANCELLED" appears after any signal via Slurm, including ours: it proves nothing.
  return /oom[_-]kill/i.test(log) ? 'OUT_OF_MEMORY' : null;
}

/**
 * A forced end counts as `lost` if its cause was external (node failure, preemption), so that retries apply, and as an
 * exit if the request or a person caused it.
 */
function endOf(state: string, facts: AttemptFacts): SlurmObservation {
  const { row, traces } = facts;
  switch (state) {
    case 'TIMEOUT': {
      const minutes = row?.limitMinutes ?? null;
      const limit = minutes === null ? '' : ` of ${formatMinutes(minutes)}`;
      return exited(facts, `It exceeded its time limit${limit}, and Slurm ended it.`);
    }
    case 'DEADLINE':
      return exited(facts, 'Slurm ended it: it could not have finished before its deadline.');
    case 'PREEMPTED':
      return lost(facts, 'Slurm ended it to make room for a job with higher priority (preempted).');
    case 'NODE_FAIL':
      return lost(facts, `Its node failed.${ranOn(facts)}`);
    case 'BOOT_FAIL':
      return lost(facts, 'Its node could not be started.');
    case 'REVOKED':
      return lost(facts, 'Another cluster of the federation took it.');
    case 'CANCELLED':
      return { ...exited(facts, cancelledReason(facts)), isIntended: true };
    case 'OUT_OF_MEMORY':
      return exited(
        facts,
        `It exceeded the memory that Slurm assigned to it${onNode(facts)}. Request more, e.g. --mem=64G in the Slurm options.`,
      );
    default:
      return traces.exit === null ? endWithoutExitFile(state, facts) : exited(facts, '');
  }
}

/** COMPLETED or FAILED without an exit file: the script ended by itself, and Slurm may know how. */
function endWithoutExitFile(state: string, facts: AttemptFacts): SlurmObservation {
  const { details, traces, row } = facts;
  const end = details?.end ?? null;
  const lastLine = details?.log.trim().split('\n').at(-1) ?? '';
  const lastOutput = lastLine === '' ? '' : ` Its last output: ${lastLine}`;
  if (end !== null && end.exitCode === ALREADY_STARTED && end.signal === 0) {
    return {
      kind: 'lost',
      why: 'Its node failed or Slurm requeued it, and then started it a second time; the second run was prevented.',
    };
  }
  // COMPLETED means that it ran to its end, even if its folder is not visible; a failed start also has a code.
  const isOfCommand = state === 'COMPLETED' || (traces.hasStarted && end?.exitCode !== 0);
  if (end !== null && end.signal === 0 && isOfCommand) {
    const why = `Its exit code was reported by Slurm: it could not write one itself.${lastOutput}`;
    return { kind: 'exited', code: end.exitCode, endedAtS: endedAt(facts), why };
  }
  const killed = end !== null && end.signal > 0 ? `, killed by signal ${end.signal}` : '';
  const how = traces.hasStarted
    ? `Its script${onNode(facts)} ended without an exit code${killed}`
    : `It could not start${onNode(facts)}${killed}`;
  return { kind: 'lost', why: `${how}; Slurm says ${state}${reasonOf(row)}.${lastOutput}` };
}

function cancelledReason({ details, traces }: AttemptFacts): string {
  const by = details?.cancelledBy ?? null;
  const when = traces.process === null ? ' before it started' : '';
  return `It was cancelled in Slurm${by === null ? '' : ` by ${by}`}${when}.`;
}

function lost({ traces }: AttemptFacts, why: string): SlurmObservation {
  const code = traces.exit?.code ?? null;
  return { kind: 'lost', why: code === null ? why : `${why} Its command then ended with exit code ${code}.` };
}

/** `why` from Slurm; if empty, from the exit file. */
function exited(facts: AttemptFacts, why: string): Extract<SlurmObservation, { kind: 'exited' }> {
  const exit: ExitFile | null = facts.traces.exit;
  return {
    kind: 'exited',
    code: exit?.code ?? null,
    endedAtS: exit === null || exit.endedAt === '' ? endedAt(facts) : null,
    why: why === '' || exit?.stage === 'never-began' ? facts.exitText : why,
  };
}

function reasonOf(row: QueueRow | null): string {
  return row === null || row.reason === 'None' ? '' : ` (${row.reason})`;
}

function endedAt({ row, details }: AttemptFacts): number | null {
  return row?.endedAtS ?? details?.end?.endedAtS ?? null;
}

function nodeOf({ traces, row, details }: AttemptFacts): string | null {
  return row?.node ?? details?.end?.node ?? traces.process?.host ?? null;
}

function onNode(facts: AttemptFacts): string {
  const node = nodeOf(facts);
  return node === null ? '' : ` on ${node}`;
}

function ranOn(facts: AttemptFacts): string {
  const node = nodeOf(facts);
  return node === null ? '' : ` It ran on ${node}.`;
}

/** 90 -> "90 min"; 1440 -> "24 h"; 10080 -> "7 days". */
export function formatMinutes(minutes: number): string {
  if (minutes % 1_440 === 0 && minutes > 1_440) return `${minutes / 1_440} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}
