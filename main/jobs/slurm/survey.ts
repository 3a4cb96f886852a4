import type { Refusal } from '../../../preload/contract';
import { failed, ok, type Result } from '../../base';
import type { Asked, Machine } from '../../machines';
import type { StartedJob } from '../job-starter';
import { type JobTraces, type LookedAt, parseLook } from '../logic/look-script';
import type { QueueRow } from '../logic/slurm/queue';
import { slurmName } from '../logic/slurm/slurm-files';
import {
  bookedScript,
  findInQueue,
  parseBooked,
  parseSurvey,
  type StartNotes,
  type Survey,
  surveyInput,
  surveyScript,
} from '../logic/slurm/survey';

const SURVEY_TIMEOUT_MS = 60_000;
const BOOKS_TIMEOUT_MS = 60_000;

export type Surveyed = Omit<Survey, 'look'> & {
  readonly here: LookedAt;
  readonly traces: readonly JobTraces[];
};

/**
 * What Slurm and the files say of these starts. A Slurm that does not answer is no refusal: the files still tell.
 * With `known`, rows of a moment ago, Slurm itself is left in peace.
 */
export async function survey(
  machine: Machine,
  jobs: ReadonlyArray<{ readonly folder: string; readonly attempt: number }>,
  known: readonly QueueRow[] | null = null,
): Asked<Surveyed> {
  const told = await machine.run(surveyScript(known === null), {
    stdin: surveyInput(jobs),
    timeoutMs: SURVEY_TIMEOUT_MS,
  });
  if (!told.ok) return told;
  const seen = parseSurvey(told.value.stdout, jobs.length);
  const folders = jobs.map(({ folder }) => folder);
  const look = seen === null ? null : parseLook(seen.look, folders);
  if (seen === null || look === null) {
    const said = told.value.stderr.trim().slice(-300) || 'nothing';
    return failed({
      code: 'unavailable',
      message: `"${machine.spec.name}" gave no readable account of its jobs: ${said}.`,
    });
  }
  return ok({ ...seen, queue: known ?? seen.queue, here: look.machine, traces: look.jobs });
}

/** Looks in Slurm's books for a start that was asked for and that its memory does not hold. */
export async function bookedReference(
  machine: Machine,
  name: string,
  notes: StartNotes,
): Promise<Result<{ readonly reference: string }, Refusal> | 'missing'> {
  const told = await machine.run(bookedScript(notes.array?.name ?? name), { timeoutMs: BOOKS_TIMEOUT_MS });
  if (!told.ok) return failed({ ...told.error, code: 'unreachable' });
  const reference = parseBooked(told.value.stdout, notes.array?.index ?? null);
  return reference === null ? 'missing' : ok({ reference });
}

/** Of a start in Slurm; an element of an array has that of the array's first job. */
export function nameOf({ id, attempt, order }: StartedJob): string {
  return slurmName(order.name, id, attempt);
}

/** Slurm's number of a start and its row in the queue, as far as they are known. */
export function placeOf(
  job: StartedJob,
  notes: StartNotes,
  queue: readonly QueueRow[] | null,
): ReturnType<typeof findInQueue> {
  return findInQueue({ name: nameOf(job), reference: job.reference, notes }, queue ?? []);
}
