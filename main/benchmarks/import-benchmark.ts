import type { Benchmark, GradingLimits, Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { BenchmarkReader, type ReaderDeps } from './benchmark-reader';
import { type IdentifiedFile, type IdentifiedFiles, identifyFiles } from './identify-files';
import { readImportRows } from './import-file';
import { refusedImport } from './import-refusals';
import { type ImportOptions, importName, windowText } from './logic/import-options';
import { unparsedText } from './logic/unparsed-tests';
import type { ReadTable } from './table-reader';

/** Progress of an import; `done` equals `total` at the end of reading. */
export type ImportProgress = {
  /** e.g. "reading test6.jsonl", "downloading test6.jsonl" */
  readonly activity: string;
  /** Bytes: of all files on disk while reading, of one file while downloading. */
  readonly done: number;
  /** null: the server does not send it. */
  readonly total: number | null;
};

export type ImportRequest = ImportOptions & {
  /** A file, or a folder of files. */
  readonly path: string;
  /** Describes where the files came from, if it is more than their names. */
  readonly origin?: string | undefined;
  /** For a benchmark whose file has no name of its own. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Left out: tables are refused. */
  readonly readTable?: ReadTable | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
};

/** The version in the request, or else the one in the files' names. */
function versionOf(options: ImportOptions, { files }: IdentifiedFiles): string | null {
  if (options.version !== undefined) return options.version;
  return files[0].form.versionOf?.(files.map(({ name }) => name)) ?? null;
}

function nameOf(work: ImportRequest, { files }: IdentifiedFiles, version: string | null): string {
  const { form } = files[0];
  if (form.versionOf === undefined || version === null) return work.name ?? importName(work.path);
  const days = [work.from, work.to].filter((day) => day !== undefined);
  return [form.name, version, ...days].join(' ');
}

function sourceOf(work: ImportRequest, { files }: IdentifiedFiles): string {
  const names = files.map(({ name }) => name).join(', ');
  const { name } = files[0].form;
  const where = work.origin ?? `from the ${files.length === 1 ? 'file' : 'files'} ${names}`;
  return [`The form of ${name}, ${where}`, windowText(work)].filter((part) => part !== null).join(', ');
}

/** The limits of the problem that may run longest. */
function limitsOf(limits: GradingLimits, cpuSeconds: number): GradingLimits {
  if (cpuSeconds <= 0) return limits;
  return { ...limits, cpuSeconds, wallSeconds: Math.max(20, 4 * cpuSeconds) };
}

async function readFiles(
  files: readonly IdentifiedFile[],
  reader: BenchmarkReader,
  { signal, readTable, onProgress }: ImportRequest,
): Promise<Refusal | null> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const file of files) {
    const activity = `reading ${file.name}`;
    const report = (done: number): void => onProgress?.({ activity, done: before + done, total });
    const read = await readImportRows(file.path, (row) => reader.readRow(file, row), {
      signal,
      readTable,
      onProgress: report,
    });
    if (!read.ok) return read.error;
    before += file.bytes;
    onProgress?.({ activity, done: before, total });
  }
  return null;
}

/** Identifies the files of an import before any of them is read. */
export function findFiles(work: ImportRequest): Promise<Result<IdentifiedFiles, Refusal>> {
  return identifyFiles(work);
}

export function defaultNameOf(work: ImportRequest, files: IdentifiedFiles): string {
  return nameOf(work, files, versionOf(work, files));
}

const UNPARSED_HINT =
  'Correct the tests. To import the file all the same, with these problems marked and left out of new studies, press Import anyway; in a terminal, add --mark-unparsed.';

/** Reads the files through and writes their problems. */
export async function readBenchmark(
  work: ImportRequest,
  found: IdentifiedFiles,
  importedAt: string,
  deps: ReaderDeps,
): Promise<Result<(id: string, digest: string) => Benchmark, Refusal>> {
  const { files, skipped } = found;
  const { form } = files[0];
  const reader = new BenchmarkReader(work, deps);
  const refusal = await readFiles(files, reader, work);
  if (refusal !== null) return failed(refusal);
  if (reader.problems === 0) {
    const none = reader.rows === 0 ? 'it has no problems in it.' : 'none of its problems is imported.';
    return failed(refusedImport(work.path, [none, ...reader.notes()].join(' ')));
  }
  const unparsed = reader.unparsed();
  if (unparsed.length > 0 && work.markUnparsed !== true) {
    const refusal = refusedImport(work.path, unparsedText(unparsed), UNPARSED_HINT);
    return failed({ ...refusal, cause: 'tests' });
  }
  const marks = reader.marks();
  if (!marks.ok) return failed(refusedImport(work.path, marks.error));
  const notes = [...reader.notes()];
  if (skipped.length > 0) {
    notes.push(`Files of the folder that have another form were left out: ${skipped.join(', ')}.`);
  }
  const { header } = reader;
  const version = work.version ?? header?.version ?? versionOf(work, found);
  return ok((id, digest) => ({
    id,
    name: header?.name ?? nameOf(work, found, version),
    scale: header?.scale ?? 'paper',
    problems: reader.problems,
    digest,
    source: header?.source ?? sourceOf(work, found),
    importedAt,
    limits: header?.limits ?? limitsOf(form.limits, reader.cpuSeconds),
    // The header of an exported benchmark has some of the notes already.
    notes: [...new Set([...(header?.notes ?? []), ...notes])],
    rules: header?.rules ?? form.rules,
    version,
    licence: work.licence ?? header?.licence ?? null,
    marks: [...marks.value],
  }));
}
