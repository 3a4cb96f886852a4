import { z } from 'zod';
import { isRowFile, naturalOrder } from './import-order';
import { rowOf } from './rows';

const PARQUET = /\.parquet$/i;

/** What the hub's API says of a data set (GET /api/datasets/NAME); further fields are of no use here. */
const dataSetSchema = z.object({
  sha: z.string().optional(),
  siblings: z.array(z.object({ rfilename: z.string() })),
  cardData: z.object({ license: z.union([z.string(), z.array(z.string())]).optional() }).nullish(),
});

export type DataSet = {
  readonly files: readonly string[];
  readonly revision: string | null;
  readonly licence: string | null;
  /** It has tables that are no JSON. */
  readonly hasParquet: boolean;
};

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Null when the answer is not what the hub's API answers. */
export function dataSetOf(answer: unknown): DataSet | null {
  const parsed = rowOf(answer, dataSetSchema);
  if (!parsed.ok) return null;
  const { sha, siblings, cardData } = parsed.value;
  const licence = cardData?.license ?? null;
  const names = siblings.map(({ rfilename }) => rfilename);
  return {
    files: names,
    revision: sha ?? null,
    licence: Array.isArray(licence) ? licence.join(', ') : licence,
    hasParquet: names.some((name) => PARQUET.test(name)),
  };
}

/**
 * The files of a data set that hold problems: those of the test split (test.jsonl, test2.jsonl ...) where there are
 * any, else all of JSON lines, else all of JSON.
 */
export function problemFiles(files: readonly string[]): readonly string[] {
  const rows = files
    .filter((file) => isRowFile(baseName(file)) && !/^(?:dataset_infos|config)\.json$/.test(baseName(file)))
    .sort(naturalOrder);
  const tests = rows.filter((file) => /^test[-_\d]*\.(?:jsonl|json)(?:\.gz)?$/i.test(baseName(file)));
  if (tests.length > 0) return tests;
  const lines = rows.filter((file) => /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file));
  return lines.length > 0 ? lines : rows;
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
