import { join } from 'node:path';
import {
  type Analysis,
  isUnderWay,
  type Refusal,
  type StudyState,
  type StudyView,
  type WorkbenchEvent,
} from '../../preload/contract/index';
import { assertNever, failed, ok, type Result } from '../base/index';
import type { CliOptions } from './cli-options';
import { ask, EXIT, type Host, outFolder, printRefusal, printStatus, withResumeHint } from './host';
import { progressLog } from './progress-log';
import { omittedText, progressLine, tableText, urgentWarnings, waitWarnings, warningText } from './report';
import { OVERWRITE } from './terminal-output';

/** An event tells when a study ends; this is for one that is missed. */
const POLL_EVERY_MS = 1_000;
/** Where stderr is not a terminal, a line of progress at most this often. */
const PRINT_EVERY_MS = 10_000;

async function viewOf(workbench: Host, studyId: string): Promise<Result<StudyView, Refusal>> {
  const list = await ask(workbench, 'study.list', {});
  if (!list.ok)
    return failed(
      withResumeHint(list.error, `Finished work is saved. Resume it with: mars2 resume ${studyId}`),
    );
  const view = list.value.find(({ study }) => study.id === studyId);
  if (view !== undefined) return ok(view);
  const message = `There is no study ${studyId} any more: it was removed.`;
  return failed({ code: 'not-found', message });
}

/** Shows progress until the study does not run any more. Ctrl+C pauses it; a second one ends at once. */
async function follow(workbench: Host, studyId: string): Promise<Result<StudyView, Refusal>> {
  const onTerminal = process.stderr.isTTY;
  const log = progressLog(PRINT_EVERY_MS, () => performance.now());
  const printedWarnings = new Set<string>();
  let step = '';
  let wake = (): void => undefined;
  const show = (event: WorkbenchEvent): void => {
    if (event.kind === 'notice') printStatus(event.message);
    if (event.kind !== 'study-changed' || event.view.study.id !== studyId) return;
    const { state, progress } = event.view;
    if (!isUnderWay(state)) wake();
    const next = stepOf(state);
    if (next !== null && next !== step) {
      step = next;
      printStatus(step);
    }
    if (state.kind !== 'running') return;
    const { warnings } = event.view;
    for (const text of onTerminal
      ? urgentWarnings(warnings, printedWarnings)
      : waitWarnings(warnings, printedWarnings)) {
      printStatus(`${onTerminal ? OVERWRITE : ''}Warning: ${text}`);
    }
    const line = progressLine(progress, process.stderr.columns ?? Number.POSITIVE_INFINITY);
    if (onTerminal) process.stderr.write(`${OVERWRITE}${line}`);
    else log(line);
  };
  const listening = workbench.events.on(show);
  let interrupted = false;
  const interrupt = (): void => {
    if (interrupted) process.exit(EXIT.stopped);
    interrupted = true;
    printStatus('\nPausing. Press Ctrl+C again to quit at once (finished work is saved).');
    void workbench.call('study.pause', { studyId }, 'terminal');
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    for (;;) {
      const view = await viewOf(workbench, studyId);
      if (!view.ok) return view;
      show({ kind: 'study-changed', view: view.value });
      if (!isUnderWay(view.value.state)) return view;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, POLL_EVERY_MS);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  } finally {
    if (onTerminal) process.stderr.write('\n');
    listening.dispose();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** What is reported once, when it begins; null: nothing. */
function stepOf(state: StudyState): string | null {
  if (state.kind === 'preparing') return state.step;
  if (state.kind !== 'queued') return null;
  return `"${state.behind}" is running ${state.where}; this study begins when it is done. Ctrl+C takes it out of the queue.`;
}

async function writeFiles(workbench: Host, studyId: string, out: string): Promise<Result<string[], Refusal>> {
  const folder = await outFolder(out);
  if (!folder.ok) return folder;
  const paths: string[] = [];
  for (const kind of ['table', 'nodes', 'curves'] as const) {
    const path = join(folder.value, `${kind}.csv`);
    const written = await ask(workbench, 'export.write', { studyId, kind, path });
    if (!written.ok) return written;
    paths.push(written.value.path);
  }
  return ok(paths);
}

type Shown = { readonly out: string | null; readonly json: boolean; readonly verbose: boolean };

/** How `finishStudy` shows a study, as the options ask; `out`: the folder of its files; null: none are written. */
export function displayOf(options: CliOptions, out: string | null): Shown {
  return { out, json: options.flag('json'), verbose: options.flag('verbose') };
}

/** Follows a started study to its end, writes its CSV files where they are wanted, prints the comparison. */
export async function finishStudy(workbench: Host, studyId: string, options: Shown): Promise<number> {
  const followed = await follow(workbench, studyId);
  if (!followed.ok) return printRefusal(followed.error);
  const view = followed.value;
  for (const warning of view.warnings) printStatus(warningText(warning));
  const { state } = view;
  switch (state.kind) {
    case 'missing':
      return printRefusal({ code: 'unavailable', ...state });
    case 'failed':
      printStatus(state.message);
      if (state.hint) printStatus(state.hint);
      printStatus(`Finished work is saved. Resume it with: mars2 resume ${studyId}`);
      return EXIT.failed;
    case 'paused':
    case 'cancelled':
    case 'interrupted':
    case 'planned':
      printStatus(`Stopped. Finished work is saved. Resume it with: mars2 resume ${studyId}`);
      return EXIT.stopped;
    case 'finished':
      break;
    case 'queued':
    case 'preparing':
    case 'running':
    case 'pausing':
      throw new Error('The study is still running');
    default:
      return assertNever(state);
  }
  const files = options.out === null ? ok([]) : await writeFiles(workbench, studyId, options.out);
  if (!files.ok) return printRefusal(files.error);
  const analysis = await ask(workbench, 'study.analysis', { studyId });
  if (!analysis.ok) return printRefusal(analysis.error);
  process.stdout.write(
    options.json ? jsonText(view, analysis.value, files.value) : tableText(analysis.value, options.verbose),
  );
  const omitted = options.json || options.verbose ? '' : `. ${omittedText(analysis.value)}`;
  const written =
    options.out === null
      ? 'No CSV files were written: for them add --out DIR'
      : `Written: ${files.value.join(', ')}`;
  printStatus(
    `Study ${studyId}, ${(view.progress.elapsedMs / 1_000).toFixed(1)} s of work. ${written}${omitted}`,
  );
  return EXIT.done;
}

function jsonText(view: StudyView, analysis: Analysis, files: readonly string[]): string {
  return `${JSON.stringify({ studyId: view.study.id, elapsedMs: view.progress.elapsedMs, files, warnings: view.warnings, analysis }, null, 2)}\n`;
}
