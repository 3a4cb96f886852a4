import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { CommandName, Payload, Refusal, Value } from '../../preload/contract/index';
import { dataFolder, type Workbench } from '../app/index';
import { failed, ok, type Result } from '../base/index';
import { makeUserFolder } from '../storage/index';
import { type CliOptions, UsageError } from './cli-options';

/** The workbench that runs a command: of this process, or the one that has the data folder open. */
export type Host = Pick<Workbench, 'call' | 'events'> & {
  /** Another process has the data folder open: what is open there stays when the command ends. */
  readonly outlivesCommand?: boolean;
};

export const EXIT = { done: 0, failed: 1, usage: 2, missing: 3, stopped: 130 } as const;

export function exitCodeOf(refusal: Refusal): number {
  if (refusal.code === 'invalid-payload') return EXIT.usage;
  if (refusal.code === 'cancelled') return EXIT.stopped;
  return refusal.code === 'unavailable' ? EXIT.missing : EXIT.failed;
}

/** The data folder of a command: its `--data`, else the usual one. Throws a `UsageError` where a script's variable is empty. */
export function dataFolderOf(options: CliOptions): string {
  const choice = options.text('data');
  if (choice === '') throw new UsageError('--data needs a folder, but its value is empty.');
  return dataFolder(choice, {
    platform: process.platform,
    env: process.env,
    home: homedir(),
  });
}

/** Verbs that only read what is there. */
const READING = new Set([
  'list',
  'show',
  'compare',
  'curves',
  'checkpoints',
  'evaluation',
  'rollouts',
  'logs',
]);

/** Why a command that only reads has nothing to read: its disk may not be there. null: there is a folder, or it was not named. */
export function absentDataFolder(verb: string, options: CliOptions): Refusal | null {
  if (options.text('data') === undefined || options.text('service') !== undefined || !READING.has(verb))
    return null;
  const folder = dataFolderOf(options);
  if (existsSync(folder)) return null;
  return {
    code: 'unavailable',
    message: `There is no data folder ${folder}.`,
    hint: 'Look at the path, and whether its disk is there. A command that starts or adds something makes a new data folder.',
  };
}

/** "mars2 machines prepare local": a command line up to its options, which may hold what nobody else should read. */
export function typedCommand(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('-'));
  return ['mars2', ...words.slice(0, end === -1 ? undefined : end)].join(' ').slice(0, 200);
}

export function printStatus(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printRefusal(refusal: Refusal): number {
  printStatus(refusal.message);
  if (refusal.hint) printStatus(refusal.hint);
  return exitCodeOf(refusal);
}

/**
 * A refusal with a hint how the work continues that a command followed until the workbench was closed: the same command
 * would start it a second time.
 */
export function withResumeHint(refusal: Refusal, hint: string): Refusal {
  return refusal.code === 'unavailable' ? { ...refusal, hint } : refusal;
}

/** `workbench.call` with the answer's type: our own code made the value. */
export async function ask<N extends CommandName>(
  workbench: Host,
  name: N,
  payload: Payload<N>,
): Promise<Result<Value<N>, Refusal>> {
  return (await workbench.call(name, payload, 'terminal')) as Result<Value<N>, Refusal>;
}

/** Creates the output folder before hours of work rather than after them. */
export async function outFolder(out: string): Promise<Result<string, Refusal>> {
  const folder = resolve(out);
  try {
    await makeUserFolder(folder);
    await access(folder, constants.W_OK);
    return ok(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed({
      code: 'bad-input',
      message: `The folder ${folder} cannot be created or written to: ${why}`,
    });
  }
}

/** Creates the folder of `--out`; null when the option is not set. */
export async function outFolderOf(options: CliOptions): Promise<Result<string | null, Refusal>> {
  const out = options.text('out');
  return out === undefined ? ok(null) : outFolder(out);
}

/** Prints the result of `--json`. */
export function printJson(value: unknown): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}
