import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Benchmark,
  benchmarkSchema,
  type Problem,
  problemOutlineSchema,
  type Refusal,
} from '../../preload/contract/index';
import { counted, failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import { makeFolder, replaceFile } from '../storage/index';

/** What the tables need where a benchmark is not in the library. */
export const benchmarkOutlineSchema = z.object({
  benchmark: benchmarkSchema,
  problems: z.array(problemOutlineSchema).max(100_000).readonly(),
});
export type BenchmarkOutline = z.output<typeof benchmarkOutlineSchema>;

type Outlines = {
  readonly list: () => readonly Benchmark[];
  readonly outline: (id: string) => Promise<Result<BenchmarkOutline['problems'], Refusal>>;
};

/** Outlines of benchmarks that came with bundles. */
export type BenchmarkOutlines = {
  readonly save: (outline: BenchmarkOutline) => Promise<void>;
  readonly find: (benchmarkId: string) => BenchmarkOutline | undefined;
  /** The library plus these outlines; the library's own benchmarks win. */
  readonly extend: <L extends Outlines>(library: L) => L;
};

/** Reads the outlines in `folder`, one file per benchmark; unreadable files are ignored. */
export function openBenchmarkOutlines(folder: string): BenchmarkOutlines {
  const stored = new Map<string, BenchmarkOutline>();
  for (const name of namesIn(folder)) {
    const read = benchmarkOutlineSchema.safeParse(jsonIn(join(folder, name)));
    if (read.success) stored.set(read.data.benchmark.id, read.data);
  }
  return {
    save: async (outline) => {
      await makeFolder(folder);
      // Its id is a plain file name by its schema.
      await replaceFile(join(folder, `${outline.benchmark.id}.json`), JSON.stringify(outline));
      stored.set(outline.benchmark.id, outline);
    },
    find: (benchmarkId) => stored.get(benchmarkId),
    extend: (library) => {
      const own = (id: string): boolean => library.list().some((benchmark) => benchmark.id === id);
      return {
        ...library,
        list: () => [
          ...library.list(),
          ...[...stored.values()].flatMap(({ benchmark }) => (own(benchmark.id) ? [] : [benchmark])),
        ],
        outline: async (id: string) => {
          const outline = own(id) ? undefined : stored.get(id);
          return outline === undefined ? library.outline(id) : ok(outline.problems);
        },
      };
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return []; // no bundle was ever opened here
  }
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

type Library = Pick<BenchmarkLibrary, 'list' | 'problem' | 'find'>;

/**
 * Reads a problem, also one of a benchmark that came with a bundle. A generated problem is generated again here. For
 * any other problem a bundle has neither statement nor tests (they belong to their authors), so this refuses it with
 * the known facts.
 */
export function createProblemReader(
  library: Library,
  outlines: Pick<BenchmarkOutlines, 'find'>,
): (benchmarkId: string, problemId: string) => Promise<Result<Problem, Refusal>> {
  return async (benchmarkId, problemId) => {
    const stored = outlines.find(benchmarkId);
    const isImported = library.list().some(({ id }) => id === benchmarkId);
    if (stored === undefined || isImported) return library.problem(benchmarkId, problemId);
    const made = await library.find(benchmarkId);
    if (made.ok && made.value.digest === stored.benchmark.digest) {
      return library.problem(benchmarkId, problemId);
    }
    const outline = stored.problems.find(({ id }) => id === problemId);
    if (outline === undefined) return library.problem(benchmarkId, problemId);
    const { title, difficulty, platform, date, publicTests } = outline;
    const tests = counted(publicTests, 'public test');
    const facts = [difficulty, platform, date, tests].filter((fact) => fact !== null).join(', ');
    const { name, version } = stored.benchmark;
    return failed({
      code: 'unavailable',
      message: `${title} (${facts}). A bundle does not contain statements and tests, which belong to their authors.`,
      hint: `To read them, import ${[name, version].filter(Boolean).join(', ')} in the library with the id ${benchmarkId}.`,
    });
  };
}
