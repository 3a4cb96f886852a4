import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type Benchmark,
  benchmarkSchema,
  difficultySchema,
  type Refusal,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import { makeFolder, replaceFile } from '../storage/index';

/** Of a problem of a benchmark that is not here: what tables say of it, without its texts and tests. */
export const problemOutlineSchema = z.object({
  id: z.string().min(1),
  title: z.string(),
  difficulty: difficultySchema.nullable(),
  platform: z.string().nullable(),
  date: z.string().nullable(),
  publicTests: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
});
export const benchmarkOutlineSchema = z.object({
  benchmark: benchmarkSchema,
  problems: z.array(problemOutlineSchema).max(100_000).readonly(),
});
export type BenchmarkOutline = z.output<typeof benchmarkOutlineSchema>;

type Outlines = {
  readonly list: () => readonly Benchmark[];
  readonly outline: (id: string) => Promise<Result<BenchmarkOutline['problems'], Refusal>>;
};

/** Benchmarks that only bundles tell of. */
export type BenchmarkOutlines = {
  readonly save: (known: BenchmarkOutline) => Promise<void>;
  readonly find: (benchmarkId: string) => BenchmarkOutline | undefined;
  /** A library that also knows these, where it has none of the same name itself. */
  readonly extend: <L extends Outlines>(library: L) => L;
};

/** Reads what is kept in `folder`, a file a benchmark; one that can not be read is passed over. */
export function openBenchmarkOutlines(folder: string): BenchmarkOutlines {
  const kept = new Map<string, BenchmarkOutline>();
  for (const name of namesIn(folder)) {
    const read = benchmarkOutlineSchema.safeParse(jsonIn(join(folder, name)));
    if (read.success) kept.set(read.data.benchmark.id, read.data);
  }
  return {
    save: async (known) => {
      await makeFolder(folder);
      // Its id is a plain file name by its schema.
      await replaceFile(join(folder, `${known.benchmark.id}.json`), JSON.stringify(known));
      kept.set(known.benchmark.id, known);
    },
    find: (benchmarkId) => kept.get(benchmarkId),
    extend: (library) => {
      const own = (id: string): boolean => library.list().some((benchmark) => benchmark.id === id);
      return {
        ...library,
        list: () => [
          ...library.list(),
          ...[...kept.values()].flatMap(({ benchmark }) => (own(benchmark.id) ? [] : [benchmark])),
        ],
        outline: async (id: string) => {
          const known = own(id) ? undefined : kept.get(id);
          return known === undefined ? library.outline(id) : ok(known.problems);
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
