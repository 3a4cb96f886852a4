import { shellWord } from '../../base';

/** A regular file of a folder on a machine. */
export type FolderEntry = {
  /** Below the folder. */
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
};

/**
 * No hidden file, nothing that leads out of the folder, no backslash or control character: the machine may not be ours. A part begins with
 * a letter, a digit, "_", "-" or "(".
 */
const NAME = /^[\p{L}\p{N}_(-][^\p{Cc}/\\]*(\/[\p{L}\p{N}_(-][^\p{Cc}/\\]*)*$/u;
/** A model's folder has some dozens. */
const MAX_FILES = 2_000;

/** Prints size, digest and name of every regular file below a folder, a line each; for `readFolderEntries`. */
export function folderScript(path: string): string {
  return `cd ${shellWord(path)} || exit 1
if command -v sha256sum >/dev/null 2>&1; then digest() { sha256sum; }
else digest() { shasum -a 256; }; fi
find . -type f | LC_ALL=C sort | while IFS= read -r name; do
  echo "$(wc -c <"$name" | tr -d ' ') $(digest <"$name" | cut -d ' ' -f 1) $name"
done`;
}

/** Parses the output of `folderScript`; null: it is not of that form, or has a name that is not taken. */
export function readFolderEntries(stdout: string): readonly FolderEntry[] | null {
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length === 0 || lines.length > MAX_FILES) return null;
  const entries: FolderEntry[] = [];
  for (const line of lines) {
    const [, bytes, sha256, name] = /^(\d{1,15}) ([0-9a-f]{64}) \.\/(.+)$/.exec(line) ?? [];
    if (bytes === undefined || sha256 === undefined || name === undefined || !NAME.test(name)) return null;
    entries.push({ name, bytes: Number(bytes), sha256 });
  }
  return entries;
}

/** Sends a file, of which no more than the announced bytes are taken. */
export function sendFileScript(path: string, bytes: number): string {
  return `exec head -c ${bytes} ${shellWord(path)}`;
}
