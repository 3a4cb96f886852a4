import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A digest of each file below a folder but for those of jobs, which go on by themselves. */
export async function fileDigests(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => relative(folder, path)).filter((name) => !name.startsWith(`jobs${sep}`));
  const digests = await Promise.all(
    names.map(async (name) =>
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    ),
  );
  return Object.fromEntries(names.map((name, at) => [name, digests[at] ?? '']));
}
