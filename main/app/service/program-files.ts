import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { localManifest } from '../../machines/index';

const packagesSchema = z.array(z.string().regex(/^node_modules\//)).max(1_000);

/** The files of this program that a machine needs to run its service, as one folder. */
export type ProgramFiles = {
  /** Holds links only: who copies it follows them. */
  readonly folder: string;
  /** Of the files' names and contents. */
  readonly digest: string;
  readonly dispose: () => Promise<void>;
};

/** The part of ours that is made for one system: what opens terminals. */
const NATIVE = /^node_modules\/@lydell\/node-pty-[a-z0-9-]+$/;

/** A package in place of the one that is for this computer. */
export type OtherNative = { readonly name: string; readonly folder: string };

/**
 * `project`: the folder of a checkout that was built, or of an installed workbench. `other`: for a machine of another system;
 * null: it is one like this computer.
 */
export async function gatherProgram(project: string, other: OtherNative | null): Promise<ProgramFiles> {
  const list = await readFile(join(project, 'out', 'main', 'packages.json'), 'utf8');
  const packages = packagesSchema.parse(JSON.parse(list));
  const folder = await mkdtemp(join(tmpdir(), 'mars2-program-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    // A package inside of another is there with it.
    const outer = packages.filter(
      (path) => path.lastIndexOf('node_modules/') === 0 && (other === null || !NATIVE.test(path)),
    );
    for (const path of [join('out', 'main'), 'resources', 'package.json', ...outer]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await symlink(join(project, path), join(folder, path));
    }
    if (other !== null) {
      await mkdir(join(folder, 'node_modules', dirname(other.name)), { recursive: true });
      await symlink(other.folder, join(folder, 'node_modules', other.name));
    }
    const hash = createHash('sha256');
    for (const [name, digest] of (await localManifest(folder)) ?? []) hash.update(`${name}\0${digest}\0`);
    return { folder, digest: hash.digest('hex'), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
