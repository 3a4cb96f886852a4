import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Journals by path, with their whole lines alone: what the search was told is written. */
async function wholeLines(dataDir: string): Promise<Map<string, Buffer>> {
  const studies = join(dataDir, 'studies');
  const names = await readdir(studies, { recursive: true }).catch(() => []);
  const texts = new Map<string, Buffer>();
  for (const name of names.filter((one) => one.endsWith('.jsonl'))) {
    const bytes = await readFile(join(studies, name)).catch(() => Buffer.alloc(0));
    texts.set(join(studies, name), bytes.subarray(0, bytes.lastIndexOf('\n') + 1));
  }
  return texts;
}

export type JournalWatch = {
  /** Remembers all lines that are whole by now. */
  readonly remember: () => Promise<void>;
  /** What has gone since, in a sentence; null: nothing. */
  readonly lost: () => Promise<string | null>;
  /** What stands in the journals twice; null: nothing. */
  readonly doubled: () => Promise<string | null>;
  /** Bytes of whole lines by now. */
  readonly size: () => Promise<number>;
};

/** Watches the journals of a data folder from outside, as files. */
export function watchJournals(dataDir: string): JournalWatch {
  const known = new Map<string, Buffer>();
  return {
    remember: async () => {
      for (const [path, bytes] of await wholeLines(dataDir)) {
        if (bytes.length > (known.get(path)?.length ?? 0)) known.set(path, bytes);
      }
    },
    lost: async () => {
      const present = await wholeLines(dataDir);
      for (const [path, bytes] of known) {
        const now = present.get(path) ?? Buffer.alloc(0);
        if (!now.subarray(0, bytes.length).equals(bytes)) {
          return `${relative(dataDir, path)} does not begin with the ${bytes.length} bytes that it had`;
        }
      }
      return null;
    },
    doubled: async () => {
      for (const [path, bytes] of await wholeLines(dataDir)) {
        const twice = firstDouble(bytes.toString());
        if (twice !== null) return `${relative(dataDir, path)} has ${twice} twice`;
      }
      return null;
    },
    size: async () => [...(await wholeLines(dataDir)).values()].reduce((sum, { length }) => sum + length, 0),
  };
}

type Line = { kind: string; problemId?: string; part?: string; index?: number; trial?: number };

/** A node, a grade or an end that was written before; null: none. */
function firstDouble(text: string): string | null {
  const seen = new Set<string>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const { kind, problemId = '', part = '', index } = JSON.parse(line) as Line;
    if (!['run-started', 'node-added', 'node-graded', 'tree-searched', 'run-finished'].includes(kind))
      continue;
    const key = [kind, problemId, part, index ?? ''].join(' ').trim();
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return null;
}
