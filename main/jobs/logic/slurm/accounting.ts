import { secondsOfUtc } from './queue';

/** How a job ended, from Slurm's accounting (`sacct`) or the controller's memory (`scontrol show job`). */
export type EndRow = {
  /** "1234" or "1234_7". */
  readonly id: string;
  /** Slurm's state without suffix, e.g. "CANCELLED". */
  readonly state: string;
  /** User id of who cancelled it; null: unknown. */
  readonly cancelledBy: string | null;
  /** The script's own exit code and the signal that ended it (0: none). */
  readonly exitCode: number;
  readonly signal: number;
  /** Seconds since 1970 by the cluster's clock. */
  readonly endedAtS: number | null;
  readonly node: string | null;
};

/** Used by the command and the parser. */
const FIELDS = ['JobID', 'State', 'ExitCode', 'End', 'NodeList'] as const;

/** `ids`: a shell expression, e.g. `"$ids"`, of comma-separated job ids. */
export const accountingCommand = (ids: string): string =>
  `sacct --noheader --parsable2 --allocations --format=${FIELDS.join(',')} --jobs=${ids}`;

/** Parses the output of `accountingCommand` under TZ=UTC; other lines are skipped. */
export function parseAccounting(text: string): readonly EndRow[] {
  return text.split('\n').flatMap((line) => {
    const parts = line.split('|');
    const [id = '', state = '', code = '', end = '', node = ''] = parts;
    const codes = /^(\d+):(\d+)$/.exec(code);
    if (parts.length !== FIELDS.length || !/^\d+(_\d+)?$/.test(id) || codes === null) return [];
    return [
      {
        id,
        // "CANCELLED by 1000"; some versions mark a state that may still change with a "+".
        state: state.split(' ')[0]?.replace(/\+$/, '') ?? '',
        cancelledBy: / by (\d+)$/.exec(state)?.[1] ?? null,
        exitCode: Number(codes[1]),
        signal: Number(codes[2]),
        endedAtS: secondsOfUtc(end),
        node: node === '' || node.startsWith('None') ? null : node,
      },
    ];
  });
}

/** Parses a line of `scontrol --oneliner show job` under TZ=UTC; null: invalid. */
export function parseJobLine(line: string): EndRow | null {
  const value = (key: string) => new RegExp(`(?:^| )${key}=(\\S*)`).exec(line)?.[1] ?? '';
  const [, arrayId = value('JobId'), index] =
    /(?:^| )ArrayJobId=(\d+) ArrayTaskId=(\d+)(?: |$)/.exec(line) ?? [];
  const codes = /^(\d+):(\d+)$/.exec(value('ExitCode'));
  if (!/^\d+$/.test(arrayId) || codes === null) return null;
  const node = value('BatchHost') || value('NodeList');
  return {
    id: index === undefined ? arrayId : `${arrayId}_${index}`,
    state: value('JobState'),
    cancelledBy: null,
    exitCode: Number(codes[1]),
    signal: Number(codes[2]),
    endedAtS: secondsOfUtc(value('EndTime')),
    node: node === '' || node === '(null)' ? null : node,
  };
}
