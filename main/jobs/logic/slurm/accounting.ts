import { secondsOfUtc } from './queue';

/** How a job ended, as Slurm's books (`sacct`) or its memory (`scontrol show job`) tell it. */
export type EndRow = {
  /** "1234" or "1234_7". */
  readonly id: string;
  /** Slurm's word without what follows it, e.g. "CANCELLED". */
  readonly state: string;
  /** Who cancelled it: the number of a user; null where it does not say. */
  readonly cancelledBy: string | null;
  /** The script's own exit code and the signal that ended it (0: none). */
  readonly exitCode: number;
  readonly signal: number;
  /** Seconds since 1970 by the cluster's clock. */
  readonly endedAtS: number | null;
  readonly node: string | null;
};

/** Declared once for the asker and the reader. */
const FIELDS = ['JobID', 'State', 'ExitCode', 'End', 'NodeList'] as const;

/** `ids` is for the shell to read, e.g. `"$ids"`: references with commas between. */
export const accountingCommand = (ids: string): string =>
  `sacct --noheader --parsable2 --allocations --format=${FIELDS.join(',')} --jobs=${ids}`;

/** Reads what `accountingCommand` printed under TZ=UTC; what is no row is left out. */
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

/** Reads the line of `scontrol --oneliner show job` under TZ=UTC; null when it is none. */
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
