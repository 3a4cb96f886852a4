import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type CountedEntry, sizesText } from '../logic/sizes-text';

/** A data folder of years has millions of files: after this time the count so far is reported. */
const TIMEOUT_MS = 8_000;

/** Files and bytes of each entry of the data folder, as lines. Names of its own entries alone are named. */
export async function readSizes(
  dataDir: string,
  { now, signal }: { readonly now: () => number; readonly signal: { readonly aborted: boolean } },
): Promise<string> {
  const until = now() + TIMEOUT_MS;
  const isOver = (): boolean => signal.aborted || now() > until;
  const entries = await readdir(dataDir, { withFileTypes: true });
  const counted: CountedEntry[] = [];
  let setAside = 0;
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    // The names and sizes in Electron's own folder are of no use.
    if (entry.name === 'electron') continue;
    const waiting = [entry.name];
    let [files, bytes, isWhole] = [0, 0, true];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (isOver()) {
        isWhole = false;
        break;
      }
      const path = join(dataDir, next);
      const status = await lstat(path).catch(() => null);
      if (status?.isDirectory()) {
        const inside = await readdir(path).catch(() => []);
        for (const name of inside) waiting.push(join(next, name));
      } else if (status !== null) {
        files += 1;
        bytes += status.size;
        if (/\.(?:unread|damaged)/.test(next)) setAside += 1;
      }
    }
    counted.push({ name: entry.name, isFolder: entry.isDirectory(), files, bytes, isWhole });
  }
  const disk = await statfs(dataDir).catch(() => null);
  const freeBytes = disk === null ? null : disk.bavail * disk.bsize;
  return sizesText({ entries: counted, setAside, freeBytes });
}
