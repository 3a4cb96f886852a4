import { z } from 'zod';
import { isRowFile, naturalOrder } from './import-options';
import { rowOf } from './rows';

const PARQUET = /\.parquet$/i;

/** A data set in the hub's API (GET /api/datasets/NAME); further fields are ignored. */
const dataSetSchema = z.object({
  sha: z.string().optional(),
  siblings: z.array(z.object({ rfilename: z.string() })),
  cardData: z.object({ license: z.union([z.string(), z.array(z.string())]).optional() }).nullish(),
});

export type DataSet = {
  readonly files: readonly string[];
  readonly revision: string | null;
  readonly licence: string | null;
};

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Null if the answer is not a data set of the hub's API. */
export function dataSetOf(answer: unknown): DataSet | null {
  const parsed = rowOf(answer, dataSetSchema);
  if (!parsed.ok) return null;
  const { sha, siblings, cardData } = parsed.value;
  const licence = cardData?.license ?? null;
  return {
    files: siblings.map(({ rfilename }) => rfilename),
    revision: sha ?? null,
    licence: Array.isArray(licence) ? licence.join(', ') : licence,
  };
}

/** `folders`: there are several tables, and which one is wanted is not clear. */
export type ProblemFiles =
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | { readonly kind: 'several'; readonly folders: readonly string[]; readonly example: string };

/**
 * The files of a data set that hold problems: those of the test split (test.jsonl, test2.jsonl ...) if it has any, else
 * all of JSON lines, else all of JSON; without JSON, the Parquet tables of the test split, else all of them, if they
 * lie in one folder.
 */
export function problemFiles(files: readonly string[]): ProblemFiles {
  const rows = files
    .filter((file) => isRowFile(baseName(file)) && !/^(?:dataset_infos|config)\.json$/.test(baseName(file)))
    .sort(naturalOrder);
  const tables = rows.filter((file) => PARQUET.test(file));
  const json = rows.filter((file) => !PARQUET.test(file));
  const tests = json.filter((file) => /^test[-_\d]*\.(?:jsonl|json)(?:\.gz)?$/i.test(baseName(file)));
  const lines = json.filter((file) => /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file));
  const wanted = [tests, lines, json].find((some) => some.length > 0);
  return wanted === undefined ? tablesOf(tables) : { kind: 'files', files: wanted };
}

/** A folder is a configuration: of MBPP there are "full" and "sanitized". */
function tablesOf(tables: readonly string[]): ProblemFiles {
  const tests = tables.filter((file) => /^test[-_.\d]/i.test(baseName(file)));
  const wanted = tests.length > 0 ? tests : tables;
  const folders = [...new Set(wanted.map((file) => file.split('/').slice(0, -1).join('/')))];
  const last = wanted.at(-1);
  if (folders.length <= 1 || last === undefined) return { kind: 'files', files: wanted };
  return { kind: 'several', folders, example: last };
}

/** A path of a data set as it is put into an address; null for one that leads out of it. */
export function addressPath(file: string): string | null {
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  return parts.map(encodeURIComponent).join('/');
}

/** The name that a downloaded file gets in one folder with the others. */
export function localName(file: string, all: readonly string[]): string {
  const name = baseName(file);
  const isUnique = all.filter((other) => baseName(other) === name).length === 1;
  return isUnique ? name : file.replaceAll('/', '__');
}
