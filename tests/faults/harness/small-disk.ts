import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const isRoot = process.getuid?.() === 0;
/** Only root may mount; the script gives itself a view of the file system of its own, so that no mount outlives it. */
export const canMount = process.platform === 'linux' && isRoot;

export type SmallDisk = {
  readonly path: string;
  /** Fills it but for so many bytes. */
  readonly fill: (leftBytes: number) => Promise<void>;
  /** Takes away what it was filled with. */
  readonly free: () => Promise<void>;
  readonly dispose: () => void;
};

/** A disk of so many bytes, in memory. */
export async function mountSmallDisk(path: string, bytes: number): Promise<SmallDisk> {
  await mkdir(path, { recursive: true });
  mount('-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'none', path);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: async (leftBytes) => {
      const { bavail, bsize } = statfsSync(path);
      // More than fits is written as far as it fits.
      await appendFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes))).catch(() => undefined);
    },
    free: () => rm(ballast, { force: true }),
    dispose: () => void execFileSync('umount', ['-l', path]),
  };
}

/** Makes a folder read-only for everybody, root too; the returned function makes it writable again. */
export function mountReadOnly(path: string): () => void {
  mount('--bind', path, path);
  mount('-o', 'remount,bind,ro', path);
  return () => void execFileSync('umount', ['-l', path]);
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
