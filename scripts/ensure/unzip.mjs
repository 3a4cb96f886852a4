// A small zip reader, since not every machine has `unzip`. Streams each entry; keeps modes and links.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

// Field offsets are those of PKWARE's APPNOTE.TXT, sections 4.3.7 (local), 4.3.12 (central) and 4.3.16 (end).
const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const endBytes = 22;
const longestComment = 65_535;
const linkMode = 0o120000;
const typeMask = 0o170000;

/**
 * `start` is where the zip begins in the file (it may lie in another archive), `length` its size.
 * `rename(name)` gives the path below `folder`, or undefined to leave an entry out.
 */
export async function unzip(
  path,
  folder,
  { start = 0, length, rename = (name) => name, onBytes = () => {} } = {},
) {
  const file = await open(path, 'r');
  try {
    const size = length ?? (await file.stat()).size - start;
    const entries = await readEntries(file, start, size);
    for (const entry of entries) {
      const name = rename(entry.name);
      if (name !== undefined && name !== '') await extract(file, path, start, entry, safeJoin(folder, name));
      onBytes(entry.compressedBytes);
    }
    return entries.length;
  } finally {
    await file.close();
  }
}

/** An entry named "../x" must not leave the folder. */
export function safeJoin(folder, name) {
  const target = join(folder, name);
  if (target !== folder && !target.startsWith(folder + sep))
    throw new Error(`the archive holds a path outside of itself: ${name}`);
  return target;
}

async function readEntries(file, start, size) {
  const tailBytes = Math.min(size, endBytes + longestComment);
  const tail = await readAt(file, start + size - tailBytes, tailBytes);
  const endAt = findEnd(tail);
  const count = tail.readUInt16LE(endAt + 10);
  const directory = await readAt(file, start + tail.readUInt32LE(endAt + 16), tail.readUInt32LE(endAt + 12));
  const entries = [];
  for (let at = 0; entries.length < count; ) {
    if (directory.readUInt32LE(at) !== centralSignature)
      throw new Error('the zip archive is damaged: its directory is torn');
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      mode: directory.readUInt16LE(at + 40),
      headerAt: directory.readUInt32LE(at + 42),
      name: directory.toString('utf8', at + 46, at + 46 + nameBytes),
    });
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(tail) {
  for (let at = tail.length - endBytes; at >= 0; at -= 1)
    if (tail.readUInt32LE(at) === endSignature) return at;
  throw new Error('this is no zip archive, or it is cut off');
}

async function extract(file, path, start, entry, target) {
  if (entry.name.endsWith('/')) return void (await mkdir(target, { recursive: true }));
  await mkdir(dirname(target), { recursive: true });
  // The local header repeats the name, with an extra field of a length of its own.
  const header = await readAt(file, start + entry.headerAt, 30);
  const dataAt = start + entry.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if ((entry.mode & typeMask) === linkMode) {
    const bytes = await readAt(file, dataAt, entry.compressedBytes);
    return void (await symlink((await inflate(bytes, entry)).toString('utf8'), target));
  }
  const mode = entry.mode & 0o777 || 0o644;
  const output = createWriteStream(target, { mode });
  if (entry.compressedBytes === 0) return void (await pipeline([], output));
  const input = createReadStream(path, { start: dataAt, end: dataAt + entry.compressedBytes - 1 });
  if (entry.method === 8) await pipeline(input, createInflateRaw(), output);
  else if (entry.method === 0) await pipeline(input, output);
  else throw new Error(`${path}: ${entry.name} is packed with method ${entry.method}, which we cannot read`);
}

async function inflate(bytes, { method }) {
  if (method === 0) return bytes;
  const chunks = [];
  const stream = createInflateRaw();
  stream.end(bytes);
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readAt(file, position, length) {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error('the zip archive is cut off');
  return buffer;
}
