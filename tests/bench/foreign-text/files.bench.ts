// Run: npx vitest run --config tests/bench/foreign-text/bench.config.ts
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { BenchmarkLibrary } from '../../../main/benchmarks';
import { humanEvalFile, humanEvalRow, libraryIn, tableReader } from '../../main/benchmarks/sample-files';
import { temporaryFolder } from '../../support/temporary-folder';

/** Files of a megabyte and of two. */
const COUNT = 2_000;
const LONGEST_MS = 200;

type BadFile = { readonly name: string; readonly bytes: (count: number) => Buffer | Promise<Buffer> };

const table = (name: string): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../main/benchmarks/parquet', name));

/** Files that are as bad as they may be before a limit refuses them, or just behind it. */
const BAD_FILES: readonly BadFile[] = [
  { name: 'rows', bytes: (count) => Buffer.from(humanEvalFile(count)) },
  { name: 'gzipped rows', bytes: (count) => gzipSync(humanEvalFile(count)) },
  { name: 'gzipped blanks', bytes: (count) => gzipSync(`${' '.repeat(1_000)}\n`.repeat(16 * count)) },
  {
    name: 'one row of many values',
    bytes: (count) => Buffer.from(`${humanEvalRow(0).slice(0, -1)},"more":[${'1,'.repeat(200 * count)}1]}`),
  },
  {
    name: 'one row, nested',
    bytes: (count) => Buffer.from(`${humanEvalRow(0).slice(0, -1)},"more":${'['.repeat(800 * count)}`),
  },
  // Its size does not change: what is read of it is bounded by the process that reads it.
  { name: 'a table that grows', bytes: () => table('repeats.parquet') },
  {
    name: 'a table that ends its process',
    bytes: async () => {
      const bytes = await table('mbpp.parquet');
      bytes.set([0xfe, 0xff, 0xff, 0x7f], 78);
      return bytes;
    },
  },
];

/**
 * Milliseconds of this process' processor time, as others may use this computer too: until the file is imported or refused,
 * and the longest that other work had to wait.
 */
async function timesOf(
  library: BenchmarkLibrary,
  path: string,
): Promise<{ readonly all: number; readonly standstill: number }> {
  const spent = (): number => process.cpuUsage().user / 1_000;
  const start = spent();
  let last = start;
  let standstill = 0;
  const ticks = setInterval(() => {
    standstill = Math.max(standstill, spent() - last);
    last = spent();
  }, 1);
  await library.importBenchmark({ path, id: 'bad' });
  clearInterval(ticks);
  return { all: spent() - start, standstill };
}

/** How long files from elsewhere keep main waiting, and how the time grows with their length. */
test('the longest standstill of an import, and how its time grows', async () => {
  const folder = await temporaryFolder();
  const readTable = await tableReader();
  const tooLong: string[] = [];
  process.stdout.write(
    `file                             time (ms)   x2 (ms)  ratio  standstill at x2 (ms)\n`,
  );
  for (const { name, bytes } of BAD_FILES) {
    const path = join(folder, 'bad');
    const times: { readonly all: number; readonly standstill: number }[] = [];
    for (const count of [COUNT, 2 * COUNT]) {
      await writeFile(path, await bytes(count));
      times.push(await timesOf(libraryIn(join(folder, `${name} ${count}`), readTable), path));
    }
    const [once = { all: 0, standstill: 0 }, twice = once] = times;
    const cells = [once.all, twice.all].map((ms) => ms.toFixed(0).padStart(9));
    const ratio = (twice.all / once.all).toFixed(1).padStart(6);
    process.stdout.write(
      `${name.padEnd(32)} ${cells.join(' ')} ${ratio} ${twice.standstill.toFixed(0).padStart(16)}\n`,
    );
    if (twice.standstill > LONGEST_MS) tooLong.push(`${name}: ${twice.standstill.toFixed(0)} ms`);
  }
  expect(tooLong).toEqual([]);
});
