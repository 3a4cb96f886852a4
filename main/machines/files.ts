import type { FileListing, FilePiece, Refusal } from '../../preload/contract';
import { failed, LONGEST_CHARACTER_BYTES, leadingPart, ok, trailingPart } from '../base';
import {
  listingScript,
  MAX_NAMES,
  NO_ENTRY,
  NO_FOLDER,
  NOT_REGULAR,
  readListing,
  regularFileScript,
} from './logic/listing-script';
import type { AsyncResult, Machine, ScriptEnd } from './machine';

/** A network disk may need to wake up; a person waits. */
const LIST_MS = 20_000;

/** The names of a folder of a machine that begin with `prefix`; at most `most`. */
export async function listFiles(
  machine: Machine,
  folder: string,
  { prefix = '', most = MAX_NAMES }: { readonly prefix?: string; readonly most?: number } = {},
): AsyncResult<FileListing> {
  // No name has a slash in it, and a pattern with one would leave the folder.
  if (prefix.includes('/')) return ok({ folder, files: [], more: 0, unreadable: 0 });
  const end = await machine.run(listingScript(folder, prefix, most), { timeoutMs: LIST_MS });
  if (!end.ok) return end;
  const listing = end.value.code === 0 ? readListing(end.value.stdout, isoDate) : null;
  return listing === null ? failed(cannot(machine, folder, 'list', end.value)) : ok(listing);
}

/** The path of a regular file, checked there: reading a pipe or a device could wait, or give, for ever. */
export async function regularFile(machine: Machine, path: string): AsyncResult<string> {
  const end = await machine.run(regularFileScript(path), { timeoutMs: LIST_MS });
  if (!end.ok) return end;
  const [found = '', rest] = end.value.stdout.split('\0');
  if (end.value.code === 0 && rest !== undefined && found.startsWith('/')) return ok(found);
  return failed(cannot(machine, path, 'read', end.value));
}

/**
 * Whole characters of a file of a machine, from a byte offset on (negative: from the end). Continuing at `nextOffset` neither
 * skips nor repeats anything.
 */
export async function readFilePiece(
  machine: Machine,
  path: string,
  offset: number,
  maxBytes: number,
): AsyncResult<FilePiece> {
  const file = await regularFile(machine, path);
  if (!file.ok) return file;
  const slice = await machine.readSlice(file.value, offset, Math.max(maxBytes, LONGEST_CHARACTER_BYTES));
  if (!slice.ok) return slice;
  if (slice.value === null) return failed(cannot(machine, path, 'read', { code: NO_ENTRY, stderr: '' }));
  const { bytes, size } = slice.value;
  const start = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
  const end = start + bytes.length;
  const from = offset < 0 && start > 0 ? leadingPart(bytes) : 0;
  // At the end of the file it is no UTF-8, or completed later: waiting for it could be for ever.
  const incomplete = end < size ? trailingPart(bytes) : 0;
  return ok({
    path: file.value,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      bytes.subarray(from, bytes.length - incomplete),
    ),
    isBinary: bytes.includes(0),
    nextOffset: end - incomplete,
    size,
  });
}

function isoDate(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

function cannot(
  machine: Machine,
  path: string,
  verb: 'list' | 'read',
  { code, stderr }: Pick<ScriptEnd, 'code' | 'stderr'>,
): Refusal {
  const { name } = machine.spec;
  if (code === NO_ENTRY) return { code: 'not-found', message: `There is no ${path} on ${name}.` };
  if (code === NO_FOLDER) return { code: 'bad-input', message: `${path} on ${name} is not a folder.` };
  if (code === NOT_REGULAR)
    return {
      code: 'bad-input',
      message: `${path} on ${name} is not a regular file, so it is not read.`,
    };
  const why = stderr.trim().split('\n').at(-1)?.slice(-300) || 'its answer could not be read';
  return { code: 'unavailable', message: `Cannot ${verb} ${path} on ${name}: ${why}.` };
}
