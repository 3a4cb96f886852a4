import { join } from 'node:path';
import {
  type Benchmark,
  benchmarkSchema,
  type GradingLimits,
  type Problem,
  type Recording,
  type Refusal,
  recordingSchema,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { POCKET_GENERATOR_VERSION, type ProblemOptions, pocketProblems } from '../pocket';
import { readHumanEval } from './import-humaneval';
import { readRecording } from './import-recording';
import { idOfName, importName } from './logic/import-names';
import { readProblems } from './read-problems';
import { type Imported, type NewItem, Shelf } from './shelf';

/** What a benchmark says of itself; the rest follows from its problems. */
export type NewBenchmark = Pick<Benchmark, 'id' | 'name' | 'scale' | 'source' | 'limits' | 'notes'>;

export type BenchmarkLibrary = {
  /** Sorted by id. A folder whose record is damaged is not in it. */
  readonly list: () => readonly Benchmark[];
  /** All problems in their order, checked against the benchmark's digest. */
  readonly problems: (id: string) => Promise<Result<readonly Problem[], Refusal>>;
  /** Problem ids must differ. */
  readonly add: (
    benchmark: NewBenchmark,
    problems: readonly Problem[],
  ) => Promise<Result<Imported<Benchmark>, Refusal>>;
  /** Without an id one is made from the file's name, with a number behind it where that is taken. */
  readonly importHumanEval: (file: {
    path: string;
    id?: string | undefined;
  }) => Promise<Result<Imported<Benchmark>, Refusal>>;
  readonly recordings: () => readonly Recording[];
  readonly importRecording: (file: {
    path: string;
    benchmarkId: string;
    id?: string | undefined;
  }) => Promise<Result<Imported<Recording>, Refusal>>;
  /** The file of samples, as a recorded model server reads it. */
  readonly recordingPath: (id: string) => Result<string, Refusal>;
  /** The generated benchmark, made when it is not there yet. */
  readonly ensurePocket: (options: ProblemOptions) => Promise<Result<Benchmark, Refusal>>;
};

/** Pocket programs run for some milliseconds; an endless loop need not be waited for as long as a real one. */
const pocketLimits: GradingLimits = {
  cpuSeconds: 2,
  wallSeconds: 10,
  memoryBytes: 512 * 1024 ** 2,
  processes: 16,
  outputBytes: 1024 ** 2,
};

function badId(id: string): Refusal {
  return {
    code: 'bad-input',
    message: `"${id}" can not be an id: use lower-case letters, digits, dots and dashes, with a letter or digit first.`,
  };
}

/** The benchmarks and recordings of a data folder. Whoever makes one holds the folder's lock. */
export function createBenchmarkLibrary({
  dataDir,
  clock,
}: {
  readonly dataDir: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}): BenchmarkLibrary {
  const benchmarks = new Shelf({
    root: join(dataDir, 'benchmarks'),
    recordName: 'benchmark.json',
    linesName: 'problems.jsonl',
    noun: 'benchmark',
    schema: benchmarkSchema,
  });
  const recordings = new Shelf({
    root: join(dataDir, 'recordings'),
    recordName: 'recording.json',
    linesName: 'samples.jsonl',
    noun: 'recording',
    schema: recordingSchema,
  });
  const now = (): string => new Date(clock()).toISOString();
  // A run and its inspector ask for the same benchmark over and over; a library of large ones must not pile up.
  let lastRead: { readonly digest: string; readonly problems: readonly Problem[] } | null = null;

  const problems = async (id: string): Promise<Result<readonly Problem[], Refusal>> => {
    const benchmark = benchmarks.get(id);
    if (!benchmark.ok) return benchmark;
    const { digest } = benchmark.value;
    if (lastRead?.digest === digest) return ok(lastRead.problems);
    const read = await readProblems(benchmarks.linesPath(id), benchmark.value);
    if (read.ok) lastRead = { digest, problems: read.value };
    return read;
  };

  const put = (item: NewItem<Benchmark>): Promise<Result<Imported<Benchmark>, Refusal>> => {
    const id = item.id ?? item.defaultId;
    if (!benchmarkSchema.shape.id.safeParse(id).success) return Promise.resolve(failed(badId(id)));
    return benchmarks.put(item);
  };

  const writing = (benchmark: NewBenchmark, list: readonly Problem[]): NewItem<Benchmark>['write'] => {
    return async (lines) => {
      for (const problem of list) await lines.add(problem);
      const importedAt = now();
      return ok((id, digest) => ({ ...benchmark, id, digest, problems: list.length, importedAt }));
    };
  };

  return {
    list: () => benchmarks.list(),
    problems,
    add: (benchmark, list) => {
      const { id } = benchmark;
      const ids = new Set(list.map((problem) => problem.id));
      if (ids.size < list.length) {
        return Promise.resolve(
          failed({
            code: 'bad-input',
            message: `The benchmark "${id}" was not added: two of its problems have one id.`,
          }),
        );
      }
      return put({ id, defaultId: id, write: writing(benchmark, list) });
    },
    importHumanEval: ({ path, id }) =>
      put({
        id: id ?? null,
        defaultId: idOfName(importName(path)),
        write: (lines) => readHumanEval(path, now(), lines),
      }),
    recordings: () => recordings.list(),
    importRecording: async ({ path, benchmarkId, id }) => {
      if (id !== undefined && !recordingSchema.shape.id.safeParse(id).success) return failed(badId(id));
      const list = await problems(benchmarkId);
      if (!list.ok) return list;
      return recordings.put({
        id: id ?? null,
        defaultId: idOfName(importName(path)),
        write: (lines) =>
          readRecording({ path, benchmarkId, problems: list.value, importedAt: now() }, lines),
      });
    },
    recordingPath: (id) => {
      const recording = recordings.get(id);
      return recording.ok ? ok(recordings.linesPath(id)) : recording;
    },
    ensurePocket: async (options) => {
      const { split, seed, count } = options;
      const source = `Generator ${POCKET_GENERATOR_VERSION}, ${split} split, seed ${seed}, ${count} problems`;
      const present = benchmarks.list().find((benchmark) => benchmark.source === source);
      if (present !== undefined) return ok(present);
      const name = `Pocket, ${split} split, seed ${seed}`;
      const id = `pocket-${split}-${seed}-${count}`;
      const benchmark: NewBenchmark = { id, name, scale: 'pocket', source, limits: pocketLimits, notes: [] };
      const added = await put({
        id: null,
        defaultId: id,
        write: writing(benchmark, pocketProblems(options)),
      });
      return added.ok ? ok(added.value.value) : added;
    },
  };
}
