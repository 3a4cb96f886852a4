import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type {
  Analysis,
  CommandName,
  Payload,
  Refusal,
  StudyView,
  Value,
  WorkbenchEvent,
} from '../../preload/contract/index';
import type { Workbench } from '../app/index';
import { assertNever, failed, ok, type Result } from '../base/index';
import { makeFolder } from '../storage/index';
import type { CliOptions } from './cli-options';
import { progressLine, tableText, unsaidWarnings } from './report';

/** The workbench that a command speaks to: of this process, or the one that has the data folder open. */
export type Host = Pick<Workbench, 'call' | 'events'>;

export const EXIT = { done: 0, failed: 1, usage: 2, missing: 3, stopped: 130 } as const;

export function exitCodeOf(refusal: Refusal): number {
  if (refusal.code === 'invalid-payload') return EXIT.usage;
  return refusal.code === 'unavailable' ? EXIT.missing : EXIT.failed;
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function sayRefusal(refusal: Refusal): number {
  say(refusal.message);
  if (refusal.hint) say(refusal.hint);
  return exitCodeOf(refusal);
}

/** `workbench.call` with the answer's type: the value was made by our own side of the contract. */
export async function ask<N extends CommandName>(
  workbench: Host,
  name: N,
  payload: Payload<N>,
): Promise<Result<Value<N>, Refusal>> {
  return (await workbench.call(name, payload, 'terminal')) as Result<Value<N>, Refusal>;
}

async function viewOf(workbench: Host, studyId: string): Promise<StudyView | undefined> {
  const list = await ask(workbench, 'study.list', {});
  return list.ok ? list.value.find(({ study }) => study.id === studyId) : undefined;
}

/** Shows progress until the study does not run any more. Ctrl+C pauses it; a second one ends at once. */
async function follow(workbench: Host, studyId: string): Promise<StudyView> {
  const onTerminal = process.stderr.isTTY;
  let lastSaid = 0;
  let step = '';
  const told = new Set<string>();
  const show = (event: WorkbenchEvent): void => {
    if (event.kind === 'notice') say(event.message);
    if (event.kind !== 'study-changed' || event.view.study.id !== studyId) return;
    const { state, progress } = event.view;
    if (state.kind === 'preparing' && state.step !== step) {
      step = state.step;
      say(step);
    }
    if (state.kind !== 'running') return;
    for (const warning of unsaidWarnings(event.view.warnings, told)) {
      say(`${onTerminal ? '\r\u001b[K' : ''}Warning: ${warning}`);
    }
    const line = progressLine(progress, process.stderr.columns ?? 110);
    if (onTerminal) process.stderr.write(`\r${line}\u001b[K`);
    else if (progress.elapsedMs - lastSaid >= 5_000) {
      lastSaid = progress.elapsedMs;
      say(line);
    }
  };
  const listening = workbench.events.on(show);
  let interrupted = false;
  const interrupt = (): void => {
    if (interrupted) process.exit(EXIT.stopped);
    interrupted = true;
    say('\nPausing; press Ctrl+C again to end at once (nothing that is done will be lost).');
    void workbench.call('study.pause', { studyId }, 'terminal');
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    for (;;) {
      const view = await viewOf(workbench, studyId);
      if (view === undefined) throw new Error(`The study ${studyId} has vanished`);
      const { kind } = view.state;
      if (kind !== 'running' && kind !== 'preparing' && kind !== 'pausing') return view;
      await new Promise((done) => setTimeout(done, 100));
    }
  } finally {
    if (onTerminal) process.stderr.write('\n');
    listening.dispose();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** The folder of the CSV files, made before hours of work rather than after them. */
export async function outFolder(out: string): Promise<Result<string, Refusal>> {
  const folder = resolve(out);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
    return ok(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed({
      code: 'bad-input',
      message: `The folder ${folder} can not be made or written to: ${why}`,
    });
  }
}

/** The folder of `--out`, made and tried; null where none was asked for. */
export async function outFolderOf(options: CliOptions): Promise<Result<string | null, Refusal>> {
  const out = options.text('out');
  return out === undefined ? ok(null) : outFolder(out);
}

async function writeFiles(workbench: Host, studyId: string, out: string): Promise<Result<string[], Refusal>> {
  const folder = await outFolder(out);
  if (!folder.ok) return folder;
  const paths: string[] = [];
  for (const what of ['table', 'nodes', 'curves'] as const) {
    const path = join(folder.value, `${what}.csv`);
    const written = await ask(workbench, 'export.write', { studyId, what, path });
    if (!written.ok) return written;
    paths.push(written.value.path);
  }
  return ok(paths);
}

/** Follows a started study to its end, writes its CSV files, prints the comparison. */
export async function finishStudy(
  workbench: Host,
  studyId: string,
  options: { readonly out: string; readonly json: boolean },
): Promise<number> {
  const view = await follow(workbench, studyId);
  for (const warning of view.warnings) say(`Warning: ${warning}`);
  const { state } = view;
  switch (state.kind) {
    case 'failed':
      say(state.message);
      if (state.hint) say(state.hint);
      say(`What is done is kept. Go on with: resume ${studyId}`);
      return EXIT.failed;
    case 'paused':
    case 'cancelled':
    case 'interrupted':
    case 'planned':
      say(`Stopped. What is done is kept. Go on with: resume ${studyId}`);
      return EXIT.stopped;
    case 'finished':
      break;
    case 'preparing':
    case 'running':
    case 'pausing':
      throw new Error('The study is still running');
    default:
      return assertNever(state);
  }
  const files = await writeFiles(workbench, studyId, options.out);
  if (!files.ok) return sayRefusal(files.error);
  const analysis = await ask(workbench, 'study.analysis', { studyId });
  if (!analysis.ok) return sayRefusal(analysis.error);
  process.stdout.write(
    options.json ? jsonText(view, analysis.value, files.value) : tableText(analysis.value),
  );
  say(
    `Study ${studyId}, ${(view.progress.elapsedMs / 1_000).toFixed(1)} s of work. Written: ${files.value.join(', ')}`,
  );
  return EXIT.done;
}

function jsonText(view: StudyView, analysis: Analysis, files: readonly string[]): string {
  return `${JSON.stringify({ studyId: view.study.id, elapsedMs: view.progress.elapsedMs, files, warnings: view.warnings, analysis }, null, 2)}\n`;
}
