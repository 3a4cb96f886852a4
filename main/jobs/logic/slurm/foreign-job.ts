import type { JobState } from '../../../../preload/contract';
import { shellWord } from '../../../base';
import { accountingCommand, type EndRow, parseAccounting, parseJobLine } from './accounting';
import { PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import { pendingReason } from './pending-reason';
import { hasEndedInSlurm } from './queue';

/** A job of Slurm that others submitted. */
export type ForeignJob = {
  readonly state: JobState;
  /** Where its output goes, absolute; null: Slurm no longer says. */
  readonly log: string | null;
  readonly name: string;
  /** The node that runs its script; null: not started, or Slurm no longer says. */
  readonly node: string | null;
};

/** Asks the controller, then the accounting, which remembers longer. Exits with 9 where there is no Slurm. */
export function foreignJobScript(slurmId: string): string {
  const id = shellWord(slurmId);
  return `${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
scontrol --oneliner show job ${id} 2>/dev/null | head -n 1
echo @accounting
${accountingCommand(id)} 2>/dev/null
exit 0
`;
}

/**
 * Parses the output of `foreignJobScript`; null: Slurm knows no such job. `isoDate` formats seconds; null: now, for an end
 * without a time.
 */
export function parseForeignJob(
  stdout: string,
  isoDate: (seconds: number | null) => string,
): ForeignJob | null {
  const [memory = '', accounting = ''] = stdout.split('@accounting\n');
  const line = memory.trim();
  const row = parseJobLine(line) ?? parseAccounting(accounting)[0] ?? null;
  if (row === null) return null;
  return {
    state: stateOf(row, fieldOf(line, 'Reason'), isoDate),
    log: /^\//.test(fieldOf(line, 'StdOut')) ? fieldOf(line, 'StdOut') : null,
    name: fieldOf(line, 'JobName'),
    node: fieldOf(line, 'BatchHost') || null,
  };
}

/** Values may have spaces in them: they end before the next key. */
function fieldOf(line: string, key: string): string {
  const at = line.startsWith(`${key}=`) ? 0 : line.indexOf(` ${key}=`);
  if (at < 0) return '';
  const rest = line.slice(line.indexOf('=', at) + 1);
  const end = rest.search(/ [A-Z][A-Za-z:/]*=/);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

function stateOf(
  { state, exitCode, signal, endedAtS }: EndRow,
  reason: string,
  isoDate: (seconds: number | null) => string,
): JobState {
  if (state === 'PENDING') return { kind: 'queued', why: pendingReason(reason) };
  if (!hasEndedInSlurm(state)) return { kind: 'running', pid: null };
  const code = state === 'COMPLETED' ? 0 : state === 'FAILED' && signal === 0 ? exitCode : null;
  if (code === null) return { kind: 'lost', why: `Slurm says ${state}.` };
  return { kind: 'exited', code, endedAt: isoDate(endedAtS) };
}
