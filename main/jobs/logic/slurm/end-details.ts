import { accountingCommand, type EndRow, parseAccounting, parseJobLine } from './accounting';
import { PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import { slurmFiles, slurmFolder } from './slurm-files';

/** Bytes read from the end of Slurm's log of a job, which says why it ended. */
const LOG_BYTES = 4_000;

/**
 * Collects details of ended jobs without an exit code: from Slurm's accounting (may be off), the controller's memory, and
 * Slurm's log of the job. Reads "REFERENCE FOLDER" lines.
 */
export const END_DETAILS_SCRIPT = `${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
ids=
jobs=
while IFS=' ' read -r id own; do
  echo "@job $id"
  scontrol --oneliner show job "$id" 2>/dev/null
  echo @log
  [ ! -r "$own/${slurmFiles.log}" ] || tail -c ${LOG_BYTES} "$own/${slurmFiles.log}" | sed 's/^/ /'
  echo
  ids=$ids\${ids:+,}$id
done
echo @accounting
accounting=$(${accountingCommand('"$ids"')} 2>/dev/null)
printf '%s\\n' "$accounting"
echo @users
for number in $(printf '%s\\n' "$accounting" | sed -n 's/.*|CANCELLED by \\([0-9]*\\)|.*/\\1/p' | sort -u); do
  echo "$number $(id -un "$number" 2>/dev/null)"
done
exit 0
`;

export function endDetailsInput(
  jobs: ReadonlyArray<{ readonly reference: string; readonly folder: string; readonly attempt: number }>,
): string {
  return jobs
    .map(({ reference, folder, attempt }) => `${reference} ${slurmFolder(folder, attempt)}\n`)
    .join('');
}

export type EndDetails = {
  readonly end: EndRow | null;
  /** User who cancelled it, if accounting knows. */
  readonly cancelledBy: string | null;
  /** The end of Slurm's log of the job. */
  readonly log: string;
};

const NO_DETAILS: EndDetails = { end: null, cancelledBy: null, log: '' };

/** Parses the output of `END_DETAILS_SCRIPT` for these references, in order. */
export function parseEndDetails(text: string, references: readonly string[]): readonly EndDetails[] {
  const usersAt = text.lastIndexOf('\n@users\n');
  const accountingAt = text.lastIndexOf('\n@accounting\n', usersAt);
  if (usersAt === -1 || accountingAt === -1) return references.map(() => NO_DETAILS);
  const rows = new Map(parseAccounting(text.slice(accountingAt, usersAt)).map((row) => [row.id, row]));
  const users = new Map(
    text
      .slice(usersAt)
      .split('\n')
      .map((line) => /^(\d+) (\S+)$/.exec(line))
      .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const])),
  );
  const parts = `\n${text.slice(0, accountingAt)}`.split('\n@job ');
  return references.map((reference) => {
    const part = parts.find((part) => part.startsWith(`${reference}\n`)) ?? '';
    const [memory = '', ...log] = part.split('\n@log\n');
    // Accounting knows who cancelled it and never forgets; the controller's memory works without accounting.
    const end = rows.get(reference) ?? parseJobLine(memory.split('\n')[1] ?? '');
    const number = end?.cancelledBy ?? null;
    return {
      end,
      cancelledBy: number === null ? null : (users.get(number) ?? `the user with id ${number}`),
      // Log lines are prefixed with a space, so that they cannot be confused with our markers.
      log: log.join('\n').replaceAll(/^ /gm, '').trimEnd(),
    };
  });
}
