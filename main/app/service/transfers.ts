import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Refusal } from '../../../preload/contract/index';
import { failed, ok } from '../../base/index';
import { type AsyncResult, fetchFolder, type Machine } from '../../machines/index';
import { reasonOf } from '../../storage/index';
import { pruneScript } from './logic/service-script';

/** A folder of its own on a machine, for files on their way between its service and this computer. */
export type Transfer = { readonly transferId: string; readonly path: string };

/** The leftovers of an interrupted command are removed by a later one after this many days. */
const KEPT_DAYS = 7;

const folderOf = async (machine: Machine, transferId: string): AsyncResult<string> => {
  const home = await machine.home();
  return home.ok ? ok(join(home.value, 'transfers', transferId)) : home;
};

/** A folder for a new transfer, or for one that continues. */
async function folderFor(machine: Machine, transferId: string): AsyncResult<string> {
  const folder = await folderOf(machine, transferId);
  if (!folder.ok) return folder;
  // Room that is wasted is no reason to refuse a transfer.
  await machine.run(pruneScript(dirname(folder.value), KEPT_DAYS));
  return folder;
}

/** Copies a file or folder of this computer there, for a command that reads it. */
export async function uploadInput(machine: Machine, from: string): AsyncResult<Transfer> {
  const transferId = randomUUID();
  const folder = await folderFor(machine, transferId);
  if (!folder.ok) return folder;
  const path = join(folder.value, basename(from));
  const sent = await machine.upload(from, path);
  return sent.ok ? ok({ transferId, path }) : sent;
}

/**
 * The path there for the output of a command that belongs to the path `to` of this computer: a folder if that is one.
 */
export async function pathForOutput(
  machine: Machine,
  to: string,
  transferId: string = randomUUID(),
): AsyncResult<Transfer> {
  const folder = await folderFor(machine, transferId);
  if (!folder.ok) return folder;
  const path = join(folder.value, basename(to));
  const isFolder = await isLocalFolder(to);
  const made = await machine.makeFolder(isFolder ? path : folder.value);
  return made.ok ? ok({ transferId, path }) : made;
}

/**
 * Moves what was written there to the path `to` here, with files beside it whose names begin with its own (its manifest), and
 * removes it there. Other names are refused: the machine must not replace what the user did not name.
 */
export async function fetchOutput(machine: Machine, transferId: string, to: string): AsyncResult<null> {
  const folder = await folderOf(machine, transferId);
  if (!folder.ok) return folder;
  const draft = join(dirname(to), `.incoming-${randomUUID()}`);
  try {
    const fetched = await fetchFolder(machine, folder.value, draft);
    if (!fetched.ok) return fetched;
    const names = await readdir(draft);
    const stray = names.find((name) => name !== basename(to) && !name.startsWith(`${basename(to)}.`));
    if (stray !== undefined) return failed(notNamed(machine.spec.name, stray));
    for (const name of names) {
      const from = join(draft, name);
      if (name === basename(to) && (await lstat(from)).isDirectory()) await moveInto(from, to);
      else await rename(from, join(dirname(to), name));
    }
  } catch (error) {
    return failed(cannotTake(to, error));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return machine.removeFolder(folder.value);
}

/** Removes files that a command there did not use, or has read. */
export async function removeTransfer(machine: Machine, transferId: string): AsyncResult<null> {
  const folder = await folderOf(machine, transferId);
  return folder.ok ? machine.removeFolder(folder.value) : folder;
}

async function moveInto(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if ((await lstat(source)).isDirectory()) await moveInto(source, target);
    else await rename(source, target);
  }
}

const isLocalFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const notNamed = (machine: string, name: string): Refusal => ({
  code: 'bad-input',
  message: `${machine} sent a file that does not belong to the export: ${name.slice(0, 200)}. Nothing was written here.`,
});

const cannotTake = (to: string, error: unknown): Refusal => ({
  code: 'unavailable',
  message: `Cannot write ${to}: ${reasonOf(error)}.`,
});
