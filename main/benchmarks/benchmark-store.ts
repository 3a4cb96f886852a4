import { join } from 'node:path';
import {
  type Benchmark,
  type BenchmarkFormat,
  benchmarkSchema,
  type MarkChange,
  type Problem,
  type ProblemOutline,
  type Refusal,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { FolderStore, type Imported, type NewItem } from './folder-store';
import {
  defaultNameOf,
  findFiles,
  type ImportProgress,
  type ImportRequest,
  readBenchmark,
} from './import-benchmark';
import { idOfName } from './logic/import-options';
import { outlineOf, type ProblemIndex, ProblemIndexWriter, readProblemIndex } from './problem-index';
import { writeBenchmark } from './problem-writer';
import { readProblem, readProblems } from './read-problems';
import type { ReadTable } from './table-reader';
import type { TestParser } from './test-parser';

/** A benchmark without the fields that follow from its problems. */
export type NewBenchmark = Omit<Benchmark, 'problems' | 'digest' | 'importedAt' | 'marks'>;

/** What to import; fields that are left out are detected. */
export type BenchmarkImport = {
  /** A file, or a folder of which all files of the format are read in natural order. */
  readonly path: string;
  /** auto when left out: detected by the first row. */
  readonly format?: BenchmarkFormat | undefined;
  /** When left out it is made from the file's name, with a number if that is taken. */
  readonly id?: string | undefined;
  readonly version?: string | undefined;
  readonly licence?: string | undefined;
  /** ISO days of the contests, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** As of ImportOptions. */
  readonly markUnparsed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
};

export type BenchmarkStore = {
  /** Sorted by id, without folders whose record is damaged. */
  readonly list: () => readonly Benchmark[];
  /** All problems in order, checked against the benchmark's digest; refused above 1 GB. */
  readonly problems: (id: string) => Promise<Result<readonly Problem[], Refusal>>;
  /** One problem with its tests, without reading the others. */
  readonly problem: (id: string, problemId: string) => Promise<Result<Problem, Refusal>>;
  /** All problems in their order without texts and tests. */
  readonly outline: (id: string) => Promise<Result<readonly ProblemOutline[], Refusal>>;
  /** Problem ids must differ. */
  readonly add: (
    benchmark: NewBenchmark,
    problems: readonly Problem[],
  ) => Promise<Result<Imported<Benchmark>, Refusal>>;
  /** The same content under the same id changes nothing. A refused or cancelled import leaves nothing behind. */
  readonly importBenchmark: (request: BenchmarkImport) => Promise<Result<Imported<Benchmark>, Refusal>>;
  /** Replaces marks; refused as a whole if a problem is not in the benchmark. */
  readonly mark: (id: string, changes: readonly MarkChange[]) => Promise<Result<Benchmark, Refusal>>;
  /** Changes the display name, which no other benchmark may have; the id stays. */
  readonly rename: (id: string, name: string) => Promise<Result<Benchmark, Refusal>>;
  /** Deletes it with its problems. */
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Writes the workbench's own form (docs/benchmarks.md), gzipped if the path ends in .gz; replaces the file. */
  readonly exportBenchmark: (
    id: string,
    path: string,
  ) => Promise<Result<{ readonly path: string; readonly problems: number }, Refusal>>;
};

/** Additional information of an import of downloaded files. */
export type BenchmarkOrigin = { readonly origin?: string; readonly name?: string };

const INDEX = 'problems.index.json';

export function invalidId(id: string): Refusal {
  return {
    code: 'bad-input',
    message: `"${id}" cannot be an id: use lower-case letters, digits, dots and dashes, with a letter or digit first.`,
  };
}

export class BenchmarkFolders implements BenchmarkStore {
  readonly #store: FolderStore<Benchmark>;
  readonly #now: () => string;
  readonly #readTable: ReadTable | undefined;
  readonly #openTestParser: (() => TestParser) | undefined;
  // Runs and their inspector read the same benchmark repeatedly; only the last one is kept, because they may be large.
  #lastRead: { readonly digest: string; readonly problems: readonly Problem[] } | null = null;
  #lastIndex: { readonly digest: string; readonly index: ProblemIndex } | null = null;

  constructor(root: string, now: () => string, readTable?: ReadTable, openTestParser?: () => TestParser) {
    this.#now = now;
    this.#readTable = readTable;
    this.#openTestParser = openTestParser;
    this.#store = new FolderStore({
      root,
      recordName: 'benchmark.json',
      linesName: 'problems.jsonl',
      noun: 'benchmark',
      schema: benchmarkSchema,
    });
  }

  readonly list = (): readonly Benchmark[] => this.#store.list();

  readonly problems = async (id: string): Promise<Result<readonly Problem[], Refusal>> => {
    const benchmark = this.#store.get(id);
    if (!benchmark.ok) return benchmark;
    const { digest } = benchmark.value;
    if (this.#lastRead?.digest === digest) return ok(this.#lastRead.problems);
    const read = await readProblems(this.#store.linesPath(id), benchmark.value);
    if (read.ok) this.#lastRead = { digest, problems: read.value };
    return read;
  };

  readonly problem = async (id: string, problemId: string): Promise<Result<Problem, Refusal>> => {
    const benchmark = this.#store.get(id);
    if (!benchmark.ok) return benchmark;
    const index =
      this.#lastRead?.digest === benchmark.value.digest ? null : await this.#index(benchmark.value);
    const entryOfProblem = index?.find((entry) => entry.id === problemId);
    if (entryOfProblem !== undefined)
      return readProblem(this.#store.linesPath(id), benchmark.value, entryOfProblem);
    if (index !== null) return failed(noProblem(id, problemId));
    const all = await this.problems(id);
    if (!all.ok) return all;
    const problem = all.value.find((problem) => problem.id === problemId);
    return problem === undefined ? failed(noProblem(id, problemId)) : ok(problem);
  };

  readonly outline = async (id: string): Promise<Result<readonly ProblemOutline[], Refusal>> => {
    const benchmark = this.#store.get(id);
    if (!benchmark.ok) return benchmark;
    const index = await this.#index(benchmark.value);
    if (index !== null) return ok(index.map(({ offset: _offset, digest: _digest, ...rest }) => rest));
    const all = await this.problems(id);
    if (!all.ok) return all;
    return ok(all.value.map((problem) => outlineOf(problem, JSON.stringify(problem).length)));
  };

  readonly add = async (
    benchmark: NewBenchmark,
    problems: readonly Problem[],
  ): Promise<Result<Imported<Benchmark>, Refusal>> => {
    const { id } = benchmark;
    if (new Set(problems.map((problem) => problem.id)).size < problems.length) {
      return failed({
        code: 'bad-input',
        message: `The benchmark "${id}" was not added: two of its problems have one id.`,
      });
    }
    return this.#add({ id, defaultId: id, write: this.#writerOf(benchmark, problems) });
  };

  /** As `add`, with a number after its id if that is taken. */
  addWithFreeId(
    benchmark: NewBenchmark,
    problems: readonly Problem[],
  ): Promise<Result<Imported<Benchmark>, Refusal>> {
    return this.#add({ id: null, defaultId: benchmark.id, write: this.#writerOf(benchmark, problems) });
  }

  readonly importBenchmark = (request: BenchmarkImport): Promise<Result<Imported<Benchmark>, Refusal>> =>
    this.importFrom(request, {});

  async importFrom(
    { id, format = 'auto', ...options }: BenchmarkImport,
    { origin, name }: BenchmarkOrigin,
  ): Promise<Result<Imported<Benchmark>, Refusal>> {
    if (id !== undefined && !benchmarkSchema.shape.id.safeParse(id).success) return failed(invalidId(id));
    const work: ImportRequest = { ...options, format, origin, name, readTable: this.#readTable };
    const files = await findFiles(work);
    if (!files.ok) return files;
    return this.#add({
      id: id ?? null,
      defaultId: idOfName(defaultNameOf(work, files.value)),
      write: async (lines, folder) => {
        const index = new ProblemIndexWriter();
        const parser = this.#openTestParser?.() ?? null;
        const close = (): void => parser?.close();
        options.signal?.addEventListener('abort', close, { once: true });
        const read = await readBenchmark(work, files.value, this.#now(), { lines, index, parser }).finally(
          close,
        );
        options.signal?.removeEventListener('abort', close);
        if (!read.ok) return read;
        await index.write(join(folder, INDEX));
        return ok((id, digest) => withOwnName(read.value(id, digest), this.list()));
      },
    });
  }

  readonly mark: BenchmarkStore['mark'] = async (id, changes) => {
    const outline = await this.outline(id);
    if (!outline.ok) return outline;
    const order = new Map(outline.value.map((problem, i) => [problem.id, i]));
    const absent = changes.find(({ problemId }) => !order.has(problemId));
    if (absent !== undefined) return failed(noProblem(id, absent.problemId));
    return this.#store.update(id, (benchmark) => {
      const marks = new Map(benchmark.marks.map((mark) => [mark.problemId, mark]));
      for (const { problemId, mark } of changes) {
        if (mark === null) marks.delete(problemId);
        else marks.set(problemId, { problemId, ...mark });
      }
      const positionOf = ({ problemId }: { problemId: string }): number => order.get(problemId) ?? 0;
      return { ...benchmark, marks: [...marks.values()].sort((a, b) => positionOf(a) - positionOf(b)) };
    });
  };

  readonly rename: BenchmarkStore['rename'] = (id, name) => this.#store.rename(id, name);

  readonly remove: BenchmarkStore['remove'] = (id) => this.#store.remove(id);

  readonly exportBenchmark: BenchmarkStore['exportBenchmark'] = async (id, path) => {
    const benchmark = this.#store.get(id);
    if (!benchmark.ok) return benchmark;
    return writeBenchmark(benchmark.value, this.#store.linesPath(id), path);
  };

  #add(item: NewItem<Benchmark>): Promise<Result<Imported<Benchmark>, Refusal>> {
    const id = item.id ?? item.defaultId;
    if (!benchmarkSchema.shape.id.safeParse(id).success) return Promise.resolve(failed(invalidId(id)));
    return this.#store.add(item);
  }

  #writerOf(benchmark: NewBenchmark, problems: readonly Problem[]): NewItem<Benchmark>['write'] {
    return async (lines, folder) => {
      const index = new ProblemIndexWriter();
      for (const problem of problems) index.add(problem, await lines.add(problem));
      await index.write(join(folder, INDEX));
      const importedAt = this.#now();
      return ok((id, digest) => ({
        ...benchmark,
        id,
        digest,
        problems: problems.length,
        importedAt,
        marks: [],
      }));
    };
  }

  async #index({ id, digest }: Benchmark): Promise<ProblemIndex | null> {
    if (this.#lastIndex?.digest === digest) return this.#lastIndex.index;
    const index = await readProblemIndex(join(this.#store.folder(id), INDEX));
    if (index !== null) this.#lastIndex = { digest, index };
    return index;
  }
}

/** Two files of one name may hold different problems: where a list shows names alone, they must differ. */
function withOwnName(benchmark: Benchmark, others: readonly Benchmark[]): Benchmark {
  const isTaken = others.some(({ id, name }) => id !== benchmark.id && name === benchmark.name);
  return isTaken ? { ...benchmark, name: `${benchmark.name} (${benchmark.id})` } : benchmark;
}

function noProblem(id: string, problemId: string): Refusal {
  return { code: 'not-found', message: `The benchmark ${id} has no problem ${problemId}.` };
}
