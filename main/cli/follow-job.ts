import {
  type JobState,
  type JobView,
  jobHasEnded,
  leftOutText,
  type Refusal,
  type Value,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { ask, EXIT, type Host, printRefusal, printStatus } from './host';

/** How often the log is read, milliseconds. */
const FOLLOW_EVERY_MS = 500;
/** Bytes of a log read at once. */
const PIECE_BYTES = 262_144;

/** The text of a piece of a log, behind a line for what was left out in front of it. */
export function textOfPiece({ text, start, leftOut }: Value<'job.readLog'>): string {
  return start !== undefined && leftOut !== undefined ? `${leftOutText(leftOut)}\n${text}` : text;
}

/** Passes the job's log on as it grows, until the job has ended; its end. Survives a machine that does not answer. */
async function followJob(
  workbench: Host,
  jobId: string,
  onText: (text: string) => void,
): Promise<Result<JobState, Refusal>> {
  let offset = 0;
  for (;;) {
    // Whether it has ended is asked before the last look at its log: then nothing comes after that look.
    const jobs = await ask(workbench, 'job.probe', {});
    if (!jobs.ok) return jobs;
    const job = jobs.value.find(({ id }) => id === jobId);
    if (job === undefined) return failed({ code: 'not-found', message: 'The job was removed meanwhile.' });
    const piece = await ask(workbench, 'job.readLog', {
      jobId,
      log: 'output',
      offset,
      maxBytes: PIECE_BYTES,
    });
    if (!piece.ok && piece.error.code !== 'unreachable') return piece;
    if (piece.ok) {
      onText(textOfPiece(piece.value));
      offset = piece.value.nextOffset;
      if (piece.value.nextOffset < piece.value.size && piece.value.text !== '') continue;
    }
    if (jobHasEnded(job.state)) return ok(job.state);
    await new Promise((done) => setTimeout(done, FOLLOW_EVERY_MS));
  }
}

/**
 * Follows a job that prepares something, its log to stderr; null: it was there already. Gives the exit code, after it said
 * why it is not 0. `subject`: "The environment".
 */
export async function followPreparation(
  workbench: Host,
  job: JobView | null,
  subject: string,
): Promise<number> {
  if (job === null) {
    printStatus(`${subject} is already there.`);
    return EXIT.done;
  }
  printStatus(
    `Job ${job.id.slice(0, 8)} prepares it. Its log: mars2 jobs logs ${job.id.slice(0, 8)} --follow`,
  );
  const end = await followJob(workbench, job.id, (text) => process.stderr.write(text));
  if (!end.ok) return printRefusal(end.error);
  if (end.value.kind === 'exited' && end.value.code === 0) return EXIT.done;
  printStatus(`${subject} could not be prepared; the reason is in the lines above.`);
  return EXIT.failed;
}
