import { join } from 'node:path';
import {
  type Benchmark,
  type Recording,
  type RecordingFormat,
  type Refusal,
  recordingSchema,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { type ProblemOptions, pocketProblems } from '../pocket';
import { BenchmarkFolders, type BenchmarkStore, invalidId } from './benchmark-store';
import { FolderStore, type Imported } from './folder-store';
import { type HubImport, importFromHub } from './import-hub';
import { readRecording } from './import-recording';
import { idOfName, importName } from './logic/import-options';
import { pocketBenchmark, pocketOptionsOf } from './pocket-benchmark';
import { type RowOfPrograms, readRecordedPrograms } from './recorded-programs';
import type { ReadTable } from './table-reader';
import type { TestParser } from './test-parser';

export type BenchmarkLibrary = BenchmarkStore & {
  /** Downloads files of a public data set and imports them; the downloads are gone afterwards. */
  readonly importFromHub: (request: HubImport) => Promise<Result<Imported<Benchmark>, Refusal>>;
  readonly recordings: () => readonly Recording[];
  readonly renameRecording: (id: string, name: string) => Promise<Result<Recording, Refusal>>;
  readonly removeRecording: (id: string) => Promise<Result<null, Refusal>>;
  /** `path` may be a folder: all its files of rows are read. */
  readonly importRecording: (file: {
    path: string;
    benchmarkId: string;
    id?: string | undefined;
    /** auto when left out. */
    format?: RecordingFormat | undefined;
  }) => Promise<Result<Imported<Recording>, Refusal>>;
  /** The programs of a file of samples, row by row, without importing it. */
  readonly recordedPrograms: (
    path: string,
    benchmarkId: string,
  ) => Promise<Result<readonly RowOfPrograms[], Refusal>>;
  /** The file of samples, as a recorded model server reads it. */
  readonly recordingPath: (id: string) => Result<string, Refusal>;
  /** The generated benchmark, made when it is not there yet. */
  readonly ensurePocket: (options: ProblemOptions) => Promise<Result<Benchmark, Refusal>>;
  /** By id; a generated one, e.g. "pocket-test-1-60", is made when it is not there yet. */
  readonly find: (id: string) => Promise<Result<Benchmark, Refusal>>;
};

/** A longer list in a refusal is not read. */
const MAX_NAMED = 12;

/** The benchmarks and recordings of a data folder. The caller must hold the folder's lock. */
export function createBenchmarkLibrary({
  dataDir,
  clock,
  readTable,
  openTestParser,
  onGenerated,
}: {
  readonly dataDir: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Left out: tables are refused. */
  readonly readTable?: ReadTable;
  /** Left out: whether Python can parse the tests of imported benchmarks is not checked. */
  readonly openTestParser?: () => TestParser;
  /** A generated benchmark was added, which nobody asked for by name: a list that was read before lacks it. */
  readonly onGenerated?: () => void;
}): BenchmarkLibrary {
  const now = (): string => new Date(clock()).toISOString();
  const benchmarks = new BenchmarkFolders(join(dataDir, 'benchmarks'), now, readTable, openTestParser);
  const recordings = new FolderStore({
    root: join(dataDir, 'recordings'),
    recordName: 'recording.json',
    linesName: 'samples.jsonl',
    noun: 'recording',
    schema: recordingSchema,
  });
  const { list, problems, problem, outline, add, importBenchmark, mark, rename, remove, exportBenchmark } =
    benchmarks;

  const ensurePocket: BenchmarkLibrary['ensurePocket'] = async (options) => {
    const benchmark = pocketBenchmark(options);
    const present = list().find(({ source }) => source === benchmark.source);
    if (present !== undefined) return ok(present);
    const added = await benchmarks.addWithFreeId(benchmark, pocketProblems(options));
    if (!added.ok) return added;
    onGenerated?.();
    return ok(added.value.value);
  };

  return {
    list,
    problems,
    problem,
    outline,
    add,
    importBenchmark,
    mark,
    rename,
    remove,
    exportBenchmark,
    importFromHub: (request) =>
      importFromHub(request, join(dataDir, 'downloads'), (files, origin) =>
        benchmarks.importFrom(files, origin),
      ),
    recordings: () => recordings.list(),
    renameRecording: (id, name) => recordings.rename(id, name),
    removeRecording: (id) => recordings.remove(id),
    importRecording: async ({ path, benchmarkId, id, format }) => {
      if (id !== undefined && !recordingSchema.shape.id.safeParse(id).success) return failed(invalidId(id));
      const all = await problems(benchmarkId);
      if (!all.ok) return all;
      return recordings.add({
        id: id ?? null,
        defaultId: idOfName(importName(path)),
        write: (lines) =>
          readRecording(
            {
              // An id that was chosen is what it is called everywhere.
              ...{ path, name: id ?? importName(path), benchmarkId, problems: all.value },
              ...{ importedAt: now(), format, readTable },
            },
            lines,
          ),
      });
    },
    recordedPrograms: async (path, benchmarkId) => {
      const all = await problems(benchmarkId);
      return all.ok ? readRecordedPrograms({ path, problems: all.value, readTable }) : all;
    },
    recordingPath: (id) => {
      const recording = recordings.get(id);
      return recording.ok ? ok(recordings.linesPath(id)) : recording;
    },
    ensurePocket,
    find: async (id) => {
      const present = list().find((benchmark) => benchmark.id === id);
      if (present !== undefined) return ok(present);
      const options = pocketOptionsOf(id);
      if (options !== null) return ensurePocket(options);
      const ids = list().map((benchmark) => benchmark.id);
      const there = ids.length === 0 ? 'It is empty: import one first.' : `There are: ${ids.join(', ')}.`;
      const hint = ids.length > MAX_NAMED ? 'See them with: mars2 benchmarks list' : there;
      return failed({ code: 'not-found', message: `There is no benchmark ${id} in the library.`, hint });
    },
  };
}
