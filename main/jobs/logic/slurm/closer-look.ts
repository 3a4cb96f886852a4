import { accountingCommand, type EndRow, parseAccounting, parseJobLine } from './accounting';
import { PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import { slurmFiles, slurmFolder } from './slurm-files';

/** Bytes of Slurm's own words about a job that are read: its last lines tell why it ended. */
const LOG_BYTES = 4_000;

/**
 * Asks about jobs that have ended and did not say how: Slurm's books, which fail where nobody keeps them, its memory
 * of each, and what it wrote into the job's own log. Reads "REFERENCE FOLDER" lines.
 */
export const CLOSER_LOOK_SCRIPT = `${SLURM_ENVIRONMENT}
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
echo @books
books=$(${accountingCommand('"$ids"')} 2>/dev/null)
printf '%s\\n' "$books"
echo @users
for number in $(printf '%s\\n' "$books" | sed -n 's/.*|CANCELLED by \\([0-9]*\\)|.*/\\1/p' | sort -u); do
  echo "$number $(id -un "$number" 2>/dev/null)"
done
exit 0
`;

export function closerLookInput(
  jobs: ReadonlyArray<{ readonly reference: string; readonly folder: string; readonly attempt: number }>,
): string {
  return jobs
    .map(({ reference, folder, attempt }) => `${reference} ${slurmFolder(folder, attempt)}\n`)
    .join('');
}

export type CloserLook = {
  readonly end: EndRow | null;
  /** Name of who cancelled it, where the books give a number and the machine knows it. */
  readonly cancelledBy: string | null;
  /** The end of what Slurm itself wrote about the job. */
  readonly log: string;
};

const NOTHING: CloserLook = { end: null, cancelledBy: null, log: '' };

/** The answer to `CLOSER_LOOK_SCRIPT` for these references, in their order. */
export function parseCloserLook(text: string, references: readonly string[]): readonly CloserLook[] {
  const usersAt = text.lastIndexOf('\n@users\n');
  const booksAt = text.lastIndexOf('\n@books\n', usersAt);
  if (usersAt === -1 || booksAt === -1) return references.map(() => NOTHING);
  const books = new Map(parseAccounting(text.slice(booksAt, usersAt)).map((row) => [row.id, row]));
  const users = new Map(
    text
      .slice(usersAt)
      .split('\n')
      .map((line) => /^(\d+) (\S+)$/.exec(line))
      .flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const])),
  );
  const parts = `\n${text.slice(0, booksAt)}`.split('\n@job ');
  return references.map((reference) => {
    const part = parts.find((one) => one.startsWith(`${reference}\n`)) ?? '';
    const [memory = '', ...log] = part.split('\n@log\n');
    // The books know who cancelled it and do not forget; the memory is there where nobody keeps books.
    const end = books.get(reference) ?? parseJobLine(memory.split('\n')[1] ?? '');
    const number = end?.cancelledBy ?? null;
    return {
      end,
      cancelledBy: number === null ? null : (users.get(number) ?? `the user number ${number}`),
      // A space before each line keeps what stands there apart from our own marks.
      log: log.join('\n').replaceAll(/^ /gm, '').trimEnd(),
    };
  });
}
