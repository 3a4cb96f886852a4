import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../storage';
import type { Manifest } from './logic/manifest';
import { valueOnCode } from './refusals';

/** The manifest of a file or folder of this computer; follows links. Null when it is absent. */
export async function localManifest(path: string): Promise<Manifest | null> {
  const entry = await stat(path).catch(valueOnCode('ENOENT', null));
  if (entry === null) return null;
  const manifest = new Map<string, string>();
  if (!entry.isDirectory()) return manifest.set('', await sha256OfFile(path));
  const names = [''];
  for (let below = names.pop(); below !== undefined; below = names.pop()) {
    for (const name of (await readdir(join(path, below))).sort()) {
      const part = below === '' ? name : `${below}/${name}`;
      if ((await stat(join(path, part))).isDirectory()) names.push(part);
      else manifest.set(part, await sha256OfFile(join(path, part)));
    }
  }
  return manifest;
}
