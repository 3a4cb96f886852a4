import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { eventually } from '../../support/eventually';
import { type JournalWatch, watchJournals } from './journal-watch';
import { type Ended, type Running, startMars2 } from './mars2';
import { processesOf, signalAll } from './processes';

export type CommandOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly before?: readonly string[];
  readonly patienceMs?: number;
};

/** A data folder with a temporary folder of its own, in which commands are given. */
export type Workspace = {
  readonly folder: string;
  /** Has a space in its path, like many users'. */
  readonly dataDir: string;
  /** Where commands write their tables. */
  readonly outDir: string;
  readonly journals: JournalWatch;
  /** `--data` is added, before the words behind "--" if there are some. */
  readonly start: (args: readonly string[], options?: CommandOptions) => Running;
  readonly run: (args: readonly string[], options?: CommandOptions) => Promise<Ended>;
  /** Processes and temporary files that are still there when all has ended; null: none. */
  readonly leftBehind: () => Promise<string | null>;
  readonly dispose: () => Promise<void>;
};

export type WorkspaceOptions = {
  readonly project: string;
  /** Holds everything of it; removed at the end. Short, as sockets lie in it. */
  readonly folder: string;
  /** Base policies of the pocket families, so that none has to be made. */
  readonly checkpoints: string;
  /** Where its data folder is, if not in `folder`. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Milliseconds in which what was told to end, or lost its parent, has ended. */
const ENDS_WITHIN_MS = 20_000;
/** Files that only a write under way may have: its copy, a lock. */
const TEMPORARY = /(\.tmp|\.unfinished|\.new|\.lock(\..*)?|\.mine-[0-9a-f]+)$/;

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { project, folder, checkpoints } = options;
  const dataDir = options.dataDir ?? join(folder, 'data folder');
  const outDir = join(folder, 'out');
  const temporary = join(folder, 'tmp');
  for (const path of [folder, temporary, join(folder, 'commands')]) await mkdir(path, { recursive: true });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await cp(checkpoints, join(dataDir, 'checkpoints'), { recursive: true });
  const base = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? folder,
    TMPDIR: temporary,
    ...options.env,
  };
  const start: Workspace['start'] = (args, { env = {}, ...rest } = {}) => {
    const at = args.indexOf('--');
    const words = at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)];
    const all = [...(words[0] ?? []), '--data', dataDir, ...(words[1] ?? [])];
    return startMars2(project, join(folder, 'commands'), all, { env: { ...base, ...env }, ...rest });
  };
  const leftBehind = async (): Promise<string | null> => {
    const living = async () => (await processesOf(folder)).map(({ command }) => command);
    const ended = eventually('their end', async () => (await living()).length === 0, ENDS_WITHIN_MS);
    if (!(await ended.catch(() => false))) return `processes: ${(await living()).join('; ').slice(0, 300)}`;
    const inData = (await readdir(dataDir, { recursive: true })).filter((name) => TEMPORARY.test(name));
    const inTemporary = await filesBelow(temporary);
    const files = [...inData, ...inTemporary.map((path) => relative(folder, path))];
    return files.length === 0 ? null : `files: ${files.join(', ').slice(0, 300)}`;
  };
  return {
    folder,
    dataDir,
    outDir,
    journals: watchJournals(dataDir),
    start,
    run: (args, commandOptions) => start(args, commandOptions).ended,
    leftBehind,
    dispose: async () => {
      signalAll(
        (await processesOf(folder)).map(({ pid }) => pid),
        'SIGKILL',
      );
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Everything but folders. The empty folder for sockets is meant to stay. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}
