import type { BenchmarkFormat, Problem } from '../../../preload/contract';
import { plainId } from '../../../preload/contract/plans';

/** Which problems are imported, and under which names. */
export type ImportOptions = {
  readonly format: BenchmarkFormat;
  readonly version?: string | undefined;
  readonly licence?: string | undefined;
  /** ISO days, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Problems with tests that Python cannot parse are marked and left out of new studies; else the import is refused. */
  readonly markUnparsed?: boolean | undefined;
};

/** Names in the order that people count in: test.jsonl, test2.jsonl, test10.jsonl. */
export function naturalOrder(a: string, b: string): number {
  const [left, right] = [chunksOf(stemOf(a)), chunksOf(stemOf(b))];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [leftPart, rightPart] = [left[i] ?? '', right[i] ?? ''];
    if (leftPart === rightPart) continue;
    if (/^\d+$/.test(leftPart) && /^\d+$/.test(rightPart) && Number(leftPart) !== Number(rightPart)) {
      return Number(leftPart) - Number(rightPart);
    }
    return leftPart < rightPart ? -1 : 1;
  }
  return a < b ? -1 : 1;
}

function stemOf(name: string): string {
  return withoutEndings(name, /^[a-z]+$/i);
}

/** Without the last parts behind dots that match. */
function withoutEndings(name: string, ending: RegExp): string {
  const parts = name.split('.');
  while (parts.length > 1 && ending.test(parts.at(-1) ?? '')) parts.pop();
  return parts.join('.');
}

/** Digits and other signs in turn. */
function chunksOf(name: string): readonly string[] {
  return name.match(/\d+|\D+/g) ?? [];
}

/** A file that may hold rows, by its name. */
export function isRowFile(name: string): boolean {
  return /\.(?:(?:jsonl|ndjson|json)(?:\.gz)?|parquet)$/i.test(name) && !name.startsWith('.');
}

export type DateFit = 'inside' | 'outside' | 'unknown';

/** Is the problem's day in the window? Days of ISO sort as text. */
export function dateFit({ date }: Pick<Problem, 'date'>, { from, to }: ImportOptions): DateFit {
  if (from === undefined && to === undefined) return 'inside';
  if (date === null) return 'unknown';
  const day = date.slice(0, 10);
  return (from === undefined || from <= day) && (to === undefined || day <= to) ? 'inside' : 'outside';
}

/** "of contests from 2025-01-01 to 2025-04-30"; null where all days are taken. */
export function windowText({ from, to }: ImportOptions): string | null {
  if (from === undefined && to === undefined) return null;
  const parts = [from === undefined ? null : `from ${from}`, to === undefined ? null : `to ${to}`];
  return `of contests ${parts.filter((part) => part !== null).join(' ')}`;
}

/** Names that many files of samples have: the folder's name is then added. */
const generic = new Set(['samples', 'solutions', 'completions', 'data', 'results']);

/**
 * "HumanEval" of "/data/HumanEval.jsonl.gz"; "codegen samples" of "/data/codegen/samples.jsonl"; "sanitized test" of
 * "/mbpp/sanitized/test-00000-of-00001.parquet".
 */
export function importName(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '');
  const stem = withoutEndings(parts.at(-1) ?? '', /^(?:jsonl?|ndjson|gz|parquet)$/i);
  const base = stem.replace(/-\d+-of-\d+$/, '');
  const folder = parts.at(-2);
  const isGeneric = base !== stem || generic.has(base.toLowerCase());
  return isGeneric && folder !== undefined ? `${folder} ${base}` : base;
}

/** A name as an id of the library: lower case, digits, dots and dashes. */
export function idOfName(name: string): string {
  return plainId(name, { most: 60, dots: true }) || 'import';
}
