import { shellWord } from '../../../base';
import { PROBE_SCRIPT, probeInput } from '../probe-script';
import { NO_SLURM, PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import { hasEndedInSlurm, parseQueue, QUEUE_COMMAND, type QueueRow } from './queue';
import { slurmFiles, slurmFolder } from './slurm-files';

/** squeue retries for long if the controller is unavailable; the files are read anyway. */
const SQUEUE_TIMEOUT_S = 20;

/** The mark is new each time, so that nobody can have named a job after it. `!` stands before what are no rows of it. */
const QUERY_QUEUE = `
mark=$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \\n')
rows=$( { ${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
limit=
command -v timeout >/dev/null 2>&1 && limit='timeout ${SQUEUE_TIMEOUT_S}'
$limit ${QUEUE_COMMAND}; } 2>&1 </dev/null)
echo "@slurm $?"
printf '%s\\n' "$rows" | sed "s/^/!/; s/^!$mark|//"
`;

/**
 * Reports any number of jobs at once: Slurm's queue of this user, then the jobs' files. Slurm is queried first, so that
 * a job that ends in between has written its exit code when the files are read.
 */
export function surveyScript(querySlurm: boolean): string {
  return `${querySlurm ? QUERY_QUEUE : 'echo "@slurm not-asked"; echo'}
echo @notes
while IFS= read -r own && [ -n "$own" ]; do
  echo note
  [ -e "$own/${slurmFiles.script}" ] && echo script || continue
  for name in ${slurmFiles.reference} ${slurmFiles.claim} ${slurmFiles.array}; do
    word=
    [ -r "$own/$name" ] && IFS= read -r word <"$own/$name"
    [ -z "$word" ] || echo "$name $word"
  done
done
echo @probe
${PROBE_SCRIPT}`;
}

export function surveyInput(
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
): string {
  return `${jobs.map(({ folder, attempt }) => `${slurmFolder(folder, attempt)}\n`).join('')}\n${probeInput(jobs)}`;
}

/** The facts in the files of one attempt. */
export type AttemptNotes = {
  /** It was submitted to Slurm, or was about to be. */
  readonly wasSubmitted: boolean;
  readonly reference: string | null;
  /** The Slurm job that actually started it; takes precedence over `reference`. */
  readonly claim: string | null;
  readonly array: ArrayElement | null;
};

export type ArrayElement = {
  /** The array's name in Slurm. */
  readonly name: string;
  readonly index: number;
  /** On the machine, absolute. */
  readonly folder: string;
};

export type Survey = {
  /** null: Slurm was not queried, or did not answer; `output` says why. */
  readonly queue: readonly QueueRow[] | null;
  readonly output: string;
  readonly isSlurmMissing: boolean;
  readonly notes: readonly AttemptNotes[];
  /** The output of `PROBE_SCRIPT`. */
  readonly probe: string;
};

/** null: invalid. */
export function parseSurvey(text: string, jobCount: number): Survey | null {
  const head = /^@slurm (\d+|not-asked)\n/.exec(text);
  const notesAt = text.indexOf('\n@notes\n');
  const probeAt = text.indexOf('\n@probe\n');
  if (head === null || notesAt === -1 || probeAt < notesAt) return null;
  const output = text.slice(head[0].length, notesAt);
  const notes = text.slice(notesAt + '\n@notes'.length, probeAt).split('\nnote');
  if (notes.length !== jobCount + 1) return null;
  return {
    queue: head[1] === '0' ? parseQueue(output) : null,
    output: output.replace(/^!/gm, ''),
    isSlurmMissing: Number(head[1]) === NO_SLURM,
    notes: notes.slice(1).map(notesOf),
    probe: text.slice(probeAt + '\n@probe\n'.length),
  };
}

function notesOf(text: string): AttemptNotes {
  const word = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? null;
  const reference = (name: string) => {
    const value = word(name);
    return value !== null && /^\d+(_\d+)?$/.test(value) ? value : null;
  };
  const element = /^(\S+) (\d+) (.+)$/.exec(word(slurmFiles.array) ?? '');
  const [, name = '', index = '', folder = ''] = element ?? [];
  return {
    wasSubmitted: /^script$/m.test(text),
    reference: reference(slurmFiles.reference),
    claim: reference(slurmFiles.claim),
    array: element === null ? null : { name, index: Number(index), folder },
  };
}

/** Slurm's job id of an attempt and its row in the queue, as far as known. */
export function findInQueue(
  attempt: { readonly name: string; readonly reference: string | null; readonly notes: AttemptNotes },
  queue: readonly QueueRow[],
): { readonly reference: string | null; readonly row: QueueRow | null } {
  const { notes } = attempt;
  const reference = notes.claim ?? notes.reference ?? attempt.reference;
  if (reference !== null) return { reference, row: queue.find(({ id }) => id === reference) ?? null };
  if (!notes.wasSubmitted) return { reference: null, row: null };
  const row = queue.find((row) => isOfAttempt(row, attempt)) ?? null;
  return { reference: row?.id ?? null, row };
}

/**
 * Further jobs in the queue for the same attempt, from a submission whose result was lost. They would do nothing when
 * started, but they wait in the queue.
 */
export function duplicatesInQueue(
  attempt: { readonly name: string; readonly notes: AttemptNotes },
  reference: string | null,
  queue: readonly QueueRow[],
): readonly string[] {
  if (!attempt.notes.wasSubmitted) return [];
  return queue
    .filter((row) => isOfAttempt(row, attempt) && row.id !== reference && !hasEndedInSlurm(row.state))
    .map(({ id }) => id);
}

function isOfAttempt(
  row: QueueRow,
  attempt: { readonly name: string; readonly notes: AttemptNotes },
): boolean {
  const { array } = attempt.notes;
  return array === null
    ? row.name === attempt.name
    : row.name === array.name && row.id.endsWith(`_${array.index}`);
}

/** Prints the ids of jobs with this name in Slurm's accounting; nothing if accounting is off. */
export function accountingLookupScript(name: string): string {
  return `${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
sacct --noheader --parsable2 --allocations --format=JobID --starttime=now-30days --name=${shellWord(name)} 2>/dev/null
exit 0
`;
}

/** Parses the output of `accountingLookupScript`: the job, or its element of the array. */
export function parseAccountingLookup(text: string, index: number | null): string | null {
  const ids = text.split('\n').map((line) => line.trim());
  const pattern = index === null ? /^\d+$/ : new RegExp(`^\\d+_${index}$`);
  return ids.find((id) => pattern.test(id)) ?? null;
}
