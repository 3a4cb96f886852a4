import { counted } from '../../base/index';

/** An entry of the data folder. `isWhole` false: only counted so far. */
export type CountedEntry = {
  readonly name: string;
  readonly isFolder: boolean;
  readonly files: number;
  readonly bytes: number;
  readonly isWhole: boolean;
};

/** The workbench's own names for entries of its data folder. */
const OWN_NAME = /^[a-z][a-z-]{0,30}(?:\.(?:json|log|log\.1))?$/;

export function sizesText(sizes: {
  readonly entries: readonly CountedEntry[];
  /** Files that could not be read and were set aside. */
  readonly setAside: number;
  /** null: not known. */
  readonly freeBytes: number | null;
}): string {
  const others = sizes.entries.filter(({ name }) => !OWN_NAME.test(name));
  const lines = sizes.entries
    .filter(({ name }) => OWN_NAME.test(name))
    .map((entry) => `${`${entry.name}${entry.isFolder ? '/' : ''}`.padEnd(18)} ${sizeOf([entry])}`);
  if (others.length > 0) lines.push(`${'(others)'.padEnd(18)} ${sizeOf(others)}`);
  if (lines.length === 0) lines.push('It is empty.');
  if (sizes.setAside > 0)
    lines.push(`Set aside because they could not be read: ${counted(sizes.setAside, 'file')}.`);
  if (sizes.freeBytes !== null) lines.push(`Free on its disk: ${megabytes(sizes.freeBytes)}`);
  return lines.join('\n');
}

function sizeOf(entries: readonly CountedEntry[]): string {
  const files = entries.reduce((sum, entry) => sum + entry.files, 0);
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const least = entries.every(({ isWhole }) => isWhole) ? '' : 'at least ';
  return `${least}${files} ${files === 1 ? 'file' : 'files'}, ${megabytes(bytes)}`;
}

function megabytes(bytes: number): string {
  if (bytes < 1e5) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e10 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
