import type { Problem, Recording, RecordingFormat, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { textDigest } from '../storage';
import { refusedImport } from './import-refusals';
import type { LineFile } from './line-file';
import { problemMatcher } from './logic/match-problems';
import { recordedRow } from './logic/recorded-row';
import { RecordingCollector, sourceOf } from './logic/recording-collector';
import { filesOfRows, readRows } from './recorded-rows';
import type { ReadTable } from './table-reader';

/** Programs are gathered by problem in memory before they are written; a recording of 100,000 has some 100 MB. */
const MAX_CHARACTERS = 512 * 1024 ** 2;

export type RecordingOptions = {
  /** A file, or a folder of which all files of rows are read in the order of their names. */
  readonly path: string;
  readonly name: string;
  readonly benchmarkId: string;
  readonly problems: readonly Problem[];
  readonly importedAt: string;
  /** See `recordingFormatSchema`; auto when left out. */
  readonly format?: RecordingFormat | undefined;
  /** Left out: tables are refused. */
  readonly readTable?: ReadTable | undefined;
};

function gather(
  path: string,
  file: string,
  gathering: RecordingCollector,
  note: (text: string) => void,
  readTable: ReadTable | undefined,
): Promise<Result<number, Refusal>> {
  const inFile = path === file ? '' : ` of ${file}`;
  const take = (value: unknown, where: string): Refusal | null => {
    const row = recordedRow(value);
    if (!row.ok) return refusedImport(path, `${where}${inFile} ${row.error}`);
    const added = gathering.add(row.value, `${where}${inFile}`);
    if (!added.ok) return refusedImport(path, `${added.error.where} ${added.error.problem}`);
    if (gathering.characters <= MAX_CHARACTERS) return null;
    return refusedImport(
      path,
      `its programs have more than ${MAX_CHARACTERS} characters.`,
      'Import a part of it.',
    );
  };
  return readRows(file, { take, note }, readTable);
}

/**
 * Reads recorded programs in any form that docs/recordings.md lists, and writes a line per problem that has any, in the
 * benchmark's order: `samples` are whole programs in the file's order; a recording of traces also has `refinements`,
 * for each refined program its digest and its refinements, in the order of recording.
 */
export async function readRecording(
  { path, name, benchmarkId, problems, importedAt, format = 'auto', readTable }: RecordingOptions,
  lines: LineFile,
): Promise<Result<(id: string, digest: string) => Recording, Refusal>> {
  const files = await filesOfRows(path);
  if (!files.ok) return files;
  const gathering = new RecordingCollector(problems, problemMatcher(problems), format);
  const notes = new Set<string>();
  let rows = 0;
  for (const file of files.value) {
    const read = await gather(path, file, gathering, (text) => notes.add(text), readTable);
    if (!read.ok) return read;
    rows += read.value;
  }
  if (rows === 0) return failed(refusedImport(path, 'it has no samples in it, only blank lines.'));
  const gathered = gathering.finish();
  if (!gathered.ok) return failed(refusedImport(path, gathered.error));
  const counts: number[] = [];
  for (const { problemId, samples, refined } of gathered.value.problems) {
    counts.push(samples.length);
    if (samples.length === 0) continue;
    if (refined === null) await lines.add({ problemId, samples });
    else {
      const refinements = refined.map(({ program, next }) => ({ of: textDigest(program), programs: next }));
      await lines.add({ problemId, samples, refinements });
    }
  }
  const base = path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
  const called = files.value.length === 1 ? `the file ${base}` : `${files.value.length} files of ${base}`;
  return ok((id, digest) => ({
    id,
    name,
    benchmarkId,
    problems: counts.filter((count) => count > 0).length,
    samples: counts.reduce((sum, count) => sum + count, 0),
    refinements: gathered.value.refinements,
    fewestSamples: counts.reduce((least, count) => Math.min(least, count)),
    mostSamples: counts.reduce((most, count) => Math.max(most, count)),
    digest,
    source: sourceOf(called, gathered.value, [...notes]),
    importedAt,
  }));
}
