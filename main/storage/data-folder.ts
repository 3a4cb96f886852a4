import { readdirSync } from 'node:fs';
import type { Refusal } from '../../preload/contract';
import { reasonOf, systemErrorCode } from './system-error';

export const LOCK_NAME = 'workbench.lock';

/** What the workbench makes in a data folder; and what file systems and a Mac's Finder put into an empty one. */
const OWN_NAMES = new Set(
  `app.log benchmarks checkpoints control-socket downloads electron environments exhibits experiments gpu-days jobs keys.json
  outlines recipes recordings reproductions service-keys-plain.json service-keys.json service.log sockets studies trainings
  trash usage lost+found .snapshot .DS_Store`.split(/\s+/),
);

/** Nothing else makes them. */
const isMark = (name: string): boolean => name.startsWith('registry.') || name.startsWith(LOCK_NAME);

/** Every start makes all of them. */
const MADE = ['app.log', 'jobs', 'trainings', 'reproductions'];

/**
 * Why a folder is not used as the data folder; null: it may be. One that holds something else is refused, because the
 * workbench takes every file in its data folder away from other users, and puts its own beside them. Reads one folder's
 * names.
 */
export function dataFolderRefusal(dataDir: string): Refusal | null {
  const hint = 'Choose an empty folder or a new one with --data.';
  let names: readonly string[];
  try {
    names = readdirSync(dataDir);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return null;
    const why = code === 'ENOTDIR' ? 'it is not a folder' : reasonOf(error);
    return { code: 'unavailable', message: `The data folder ${dataDir} cannot be used: ${why}.`, hint };
  }
  const foreign = names.find((name) => !OWN_NAMES.has(name) && !isMark(name));
  const isOurs = names.some(isMark) || MADE.every((name) => names.includes(name));
  if (foreign === undefined || isOurs) return null;
  return {
    code: 'bad-input',
    message: `${dataDir} is not a data folder of the workbench: it holds other things, such as ${JSON.stringify(foreign)}. Nothing in it was changed.`,
    hint,
  };
}
