import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type JobLog, jobHasEnded, logCopyText } from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import { type CliOptions, UsageError } from './cli-options';
import { textOfPiece } from './follow-job';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { findJob } from './job-lookup';
import { withTaskProgress } from './task-progress';

/** Bytes of a log read at once. */
const PIECE_BYTES = 1_048_576;
/** Milliseconds between two reads of a log that is followed. */
const FOLLOW_EVERY_MS = 300;

export async function printLog(workbench: Host, options: CliOptions): Promise<number> {
  const view = await findJob(workbench, options.word(0, 'The job'));
  if (!view.ok) return printRefusal(view.error);
  const jobId = view.value.id;
  const log: JobLog = options.flag('set-up-log') ? 'set-up' : 'output';
  const text = options.text('search');
  if (text !== undefined) return searchLog(workbench, { jobId, log, text }, options);
  const out = options.text('out');
  if (out !== undefined) {
    if (existsSync(out) && !options.flag('overwrite')) {
      throw new UsageError(`${out} exists already. Choose another name, or replace it with --overwrite.`);
    }
    const saved = await withTaskProgress(workbench, 'log-download', () =>
      ask(workbench, 'job.saveLog', { jobId, log, path: resolve(out) }),
    );
    if (!saved.ok) return printRefusal(saved.error);
    printStatus(`${saved.value.bytes} bytes written to ${saved.value.path}`);
    return EXIT.done;
  }
  return followLog(workbench, { jobId, log }, options);
}

async function searchLog(
  workbench: Host,
  query: { readonly jobId: string; readonly log: JobLog; readonly text: string },
  options: CliOptions,
): Promise<number> {
  const view = await ask(workbench, 'job.searchLog', {
    ...query,
    limit: options.count('limit', 1, 1_000) ?? 200,
  });
  if (!view.ok) return printRefusal(view.error);
  if (options.flag('json')) printJson(view.value);
  else for (const { line, text } of view.value.matches) process.stdout.write(`${line}: ${text}\n`);
  if (!view.value.isComplete) printStatus('There are more; give --limit or a longer text.');
  return view.value.matches.length > 0 ? EXIT.done : EXIT.failed;
}

/** Prints the log from the requested position; with --follow until the job has ended. */
async function followLog(
  workbench: Host,
  source: { readonly jobId: string; readonly log: JobLog },
  options: CliOptions,
): Promise<number> {
  const tail = options.count('tail', 1, Number.MAX_SAFE_INTEGER);
  let offset = tail === undefined ? 0 : -tail;
  let silentSince = '';
  let copiedAt = '';
  for (;;) {
    // Asks whether the job has ended before it reads the log, so that the last read has everything.
    const job = await findJob(workbench, source.jobId);
    const ended = job.ok && jobHasEnded(job.value.state);
    // Who follows must not miss what a copy lacks, and waits for the machine.
    const orCopy = ended || !options.flag('follow');
    const piece = await ask(workbench, 'job.readLog', { ...source, offset, maxBytes: PIECE_BYTES, orCopy });
    if (!piece.ok) {
      if (piece.error.code !== 'unreachable' || !options.flag('follow')) return printRefusal(piece.error);
      if (silentSince === '') printStatus(piece.error.message);
      silentSince = piece.error.message;
      await new Promise((done) => setTimeout(done, FOLLOW_EVERY_MS * 10));
      continue;
    }
    const { copy } = piece.value;
    if (copy !== undefined && copiedAt !== copy.at)
      printStatus(`${logCopyText(copy)} Copied: ${localTime(copy.at)}.`);
    copiedAt = copy?.at ?? '';
    silentSince = '';
    await write(textOfPiece(piece.value));
    offset = piece.value.nextOffset;
    if (piece.value.nextOffset < piece.value.size && piece.value.text !== '') continue;
    if (ended || !options.flag('follow')) return EXIT.done;
    await new Promise((done) => setTimeout(done, FOLLOW_EVERY_MS));
  }
}

/** Waits where the reader (a pager, a full pipe) is slow. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise((resume) => process.stdout.once('drain', resume));
}
