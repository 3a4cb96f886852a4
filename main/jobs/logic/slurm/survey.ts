import { shellWord } from '../../../base';
import { LOOK_SCRIPT, lookInput } from '../look-script';
import { NO_SLURM, PLAIN_TIMES, SLURM_ENVIRONMENT } from './environment';
import { hasEndedInSlurm, parseQueue, QUEUE_COMMAND, type QueueRow } from './queue';
import { slurmFiles, slurmFolder } from './slurm-files';

/** A squeue whose controller is away tries for long; our files are read all the same. */
const SLURM_PATIENCE_S = 20;

const ASKING = `
rows=$( { ${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
limit=
command -v timeout >/dev/null 2>&1 && limit='timeout ${SLURM_PATIENCE_S}'
$limit ${QUEUE_COMMAND}; } 2>&1 </dev/null)
echo "@slurm $?"
printf '%s\\n' "$rows"
`;

/**
 * Tells of any number of jobs in one go: what Slurm knows of all jobs of this user, then what our files say. Slurm
 * is asked first: a job that ends between the two has written its exit code by the time the files are read.
 */
export function surveyScript(asksSlurm: boolean): string {
  return `${asksSlurm ? ASKING : 'echo "@slurm not-asked"; echo'}
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
echo @look
${LOOK_SCRIPT}`;
}

export function surveyInput(
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
): string {
  return `${jobs.map(({ folder, attempt }) => `${slurmFolder(folder, attempt)}\n`).join('')}\n${lookInput(jobs)}`;
}

/** What the files of one start say of it. */
export type StartNotes = {
  /** Slurm was asked for it, or was about to be. */
  readonly wasAsked: boolean;
  readonly reference: string | null;
  /** The reference of what began it: goes before the other. */
  readonly claim: string | null;
  readonly array: ArrayPlace | null;
};

export type ArrayPlace = {
  /** Its name in Slurm. */
  readonly name: string;
  readonly index: number;
  /** On the machine, absolute. */
  readonly folder: string;
};

export type Survey = {
  /** null: Slurm was not asked, or did not answer; `said` tells how. */
  readonly queue: readonly QueueRow[] | null;
  readonly said: string;
  readonly isSlurmMissing: boolean;
  readonly notes: readonly StartNotes[];
  /** The answer to `LOOK_SCRIPT`. */
  readonly look: string;
};

/** null when it is no such answer. */
export function parseSurvey(text: string, jobCount: number): Survey | null {
  const head = /^@slurm (\d+|not-asked)\n/.exec(text);
  const notesAt = text.indexOf('\n@notes\n');
  const lookAt = text.indexOf('\n@look\n');
  if (head === null || notesAt === -1 || lookAt < notesAt) return null;
  const said = text.slice(head[0].length, notesAt);
  const notes = text.slice(notesAt + '\n@notes'.length, lookAt).split('\nnote');
  if (notes.length !== jobCount + 1) return null;
  return {
    queue: head[1] === '0' ? parseQueue(said) : null,
    said,
    isSlurmMissing: Number(head[1]) === NO_SLURM,
    notes: notes.slice(1).map(notesOf),
    look: text.slice(lookAt + '\n@look\n'.length),
  };
}

function notesOf(text: string): StartNotes {
  const word = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? null;
  const reference = (name: string) => {
    const found = word(name);
    return found !== null && /^\d+(_\d+)?$/.test(found) ? found : null;
  };
  const place = /^(\S+) (\d+) (.+)$/.exec(word(slurmFiles.array) ?? '');
  const [, name = '', index = '', folder = ''] = place ?? [];
  return {
    wasAsked: /^script$/m.test(text),
    reference: reference(slurmFiles.reference),
    claim: reference(slurmFiles.claim),
    array: place === null ? null : { name, index: Number(index), folder },
  };
}

/** Slurm's number of a start and its row, from whatever is known of it; both null where it knows nothing. */
export function findInQueue(
  start: { readonly name: string; readonly reference: string | null; readonly notes: StartNotes },
  queue: readonly QueueRow[],
): { readonly reference: string | null; readonly row: QueueRow | null } {
  const { notes } = start;
  const reference = notes.claim ?? notes.reference ?? start.reference;
  if (reference !== null) return { reference, row: queue.find(({ id }) => id === reference) ?? null };
  if (!notes.wasAsked) return { reference: null, row: null };
  const row = queue.find((one) => isOfStart(one, start)) ?? null;
  return { reference: row?.id ?? null, row };
}

/**
 * Further jobs in the queue for the same start, from a submission whose answer was lost while it was still under way.
 * They do nothing when they begin, but they wait for it.
 */
export function twinsInQueue(
  start: { readonly name: string; readonly notes: StartNotes },
  reference: string | null,
  queue: readonly QueueRow[],
): readonly string[] {
  if (!start.notes.wasAsked) return [];
  return queue
    .filter((row) => isOfStart(row, start) && row.id !== reference && !hasEndedInSlurm(row.state))
    .map(({ id }) => id);
}

function isOfStart(row: QueueRow, start: { readonly name: string; readonly notes: StartNotes }): boolean {
  const { array } = start.notes;
  return array === null
    ? row.name === start.name
    : row.name === array.name && row.id.endsWith(`_${array.index}`);
}

/** Asks sacct by name; prints rows of an id each. Fails where accounting is off: then it prints nothing. */
export function bookedScript(name: string): string {
  return `${SLURM_ENVIRONMENT}
${PLAIN_TIMES}
sacct --noheader --parsable2 --allocations --format=JobID --starttime=now-30days --name=${shellWord(name)} 2>/dev/null
exit 0
`;
}

/** The answer to `bookedScript`: the job, or the element of the array that stands for it. */
export function parseBooked(text: string, index: number | null): string | null {
  const ids = text.split('\n').map((line) => line.trim());
  const wanted = index === null ? /^\d+$/ : new RegExp(`^\\d+_${index}$`);
  return ids.find((id) => wanted.test(id)) ?? null;
}
