/** What a file or folder holds: SHA-256 (hex) by path below it; "" is the path of a single file. */
export type Manifest = ReadonlyMap<string, string>;

/** Files that programs create when they run from the folder; they are not part of the upload. */
const BYPRODUCT = /(^|\/)__pycache__\//;

/** True when all that is in `wanted` is in `found` and nothing else but by-products. */
export function sameContent(wanted: Manifest, present: Manifest): boolean {
  const matters = (manifest: Manifest) => [...manifest].filter(([path]) => !BYPRODUCT.test(path));
  const left = matters(wanted);
  return (
    left.length === matters(present).length && left.every(([path, digest]) => present.get(path) === digest)
  );
}

/**
 * Reads what `sha256sum`, or `shasum -a 256`, prints for paths that begin with "./" (of a folder) or any one path (of
 * a file). A name with a line feed or a backslash is written with a backslash before the digest.
 */
export function parseDigests(text: string, kind: 'file' | 'folder'): Manifest {
  const manifest = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^(\\?)([0-9a-f]{64}) [ *](.*)$/.exec(line);
    if (match === null) continue;
    const [, escaped = '', digest = '', name = ''] = match;
    const path = escaped === '' ? name : name.replace(/\\([\\nr])/g, (_, letter) => escapes[letter] ?? '');
    manifest.set(kind === 'file' ? '' : path.replace(/^\.\//, ''), digest);
  }
  return manifest;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };
