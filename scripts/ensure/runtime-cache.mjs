// Runtimes that are unpacked and checked, one folder each: <cache>/electron/<id>/. A folder appears there by a rename,
// so it is whole or absent, whenever we are killed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive, ownerIsGone } from '../lock.mjs';
import { cacheRoot, readJson } from '../project.mjs';

export const runtimesFolder = () => join(cacheRoot(), 'electron');

const markerName = '.mars2-runtime.json';
const partialPrefix = '.partial';

/** The path of a runtime's executable, or undefined when it is not there or not what we unpacked. */
export async function findRuntime(id, executable) {
  const folder = join(runtimesFolder(), id);
  const path = join(folder, executable);
  try {
    const [marker, found] = await Promise.all([readJson(join(folder, markerName)), stat(path)]);
    // Hashing 180 MB at every start would cost most of a second; size and time show whether it was changed.
    const untouched = marker.bytes === found.size && marker.modifiedMs === found.mtimeMs;
    if (untouched || (await digestOf(path)) === marker.sha256) return path;
  } catch {
    // not there
  }
  return undefined;
}

/** `fill(folder)` unpacks into a new folder; afterwards it is sealed and moved to its place. */
export async function addRuntime(id, executable, fill) {
  const target = join(runtimesFolder(), id);
  const partial = join(runtimesFolder(), `${partialPrefix} ${hostname()} ${process.pid}`);
  await removeAbandoned();
  await mkdir(partial, { recursive: true });
  try {
    const content = join(partial, 'content');
    await mkdir(content);
    await fill(content, partial);
    await seal(content, executable);
    await rm(target, { recursive: true, force: true });
    await rename(content, target);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return join(target, executable);
}

async function seal(folder, executable) {
  const path = join(folder, executable);
  const { size, mtimeMs } = await stat(path);
  const marker = { executable, bytes: size, modifiedMs: mtimeMs, sha256: await digestOf(path) };
  await writeFile(join(folder, markerName), `${JSON.stringify(marker, null, 2)}\n`);
}

/** What a killed run left behind: some 200 MB each time. */
async function removeAbandoned() {
  const names = await readdir(runtimesFolder()).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(partialPrefix))) {
    const path = join(runtimesFolder(), name);
    const { mtimeMs } = await stat(path);
    const owner = name.slice(partialPrefix.length).trim();
    if (ownerIsGone(owner, Date.now() - mtimeMs, hostname(), isAlive))
      await rm(path, { recursive: true, force: true });
  }
}

export async function digestOf(path, algorithm = 'sha256', encoding = 'hex') {
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest(encoding);
}
