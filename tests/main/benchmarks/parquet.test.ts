import { readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { readImportRows } from '../../../main/benchmarks/import-file';
import { bytesOf } from '../../../main/benchmarks/row-splitter';
import { temporaryFolder } from '../../support/temporary-folder';
import { libraryIn, unwrapped } from './sample-files';

// Tables made by pyarrow: parquet/make.py.
const made = (name: string) => join(import.meta.dirname, 'parquet', name);
const CODECS = ['none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'];

async function rowsOf(path: string): Promise<string[]> {
  const rows: string[] = [];
  const read = await readImportRows(path, (row) => {
    rows.push(bytesOf(row).toString('utf8'));
    return null;
  });
  expect(unwrapped(read)).toBe(rows.length);
  return rows;
}

/** Why bytes are refused; "" when they are read. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), 'table.parquet');
  await writeFile(path, bytes);
  const read = await readImportRows(path, () => null);
  return read.ok ? '' : read.error.message.replace(path, 'table');
}

describe('a Parquet table', () => {
  it.each(CODECS)('packed with %s becomes the benchmark that its rows are as JSON lines', async (codec) => {
    const folder = await temporaryFolder();
    const library = libraryIn(folder);
    const done: number[] = [];
    const table = await library.importBenchmark({
      path: made(`humaneval-${codec}.parquet`),
      onProgress: (progress) => done.push(progress.done / (progress.total ?? 1)),
    });
    expect(unwrapped(table).value).toMatchObject({
      problems: 5,
      rules: 'humaneval',
      source: `The form of HumanEval, from the file humaneval-${codec}.parquet`,
    });
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(1);
    const lines = join(folder, 'lines.jsonl');
    await writeFile(lines, (await rowsOf(made(`humaneval-${codec}.parquet`))).join('\n'));
    const fromLines = await library.importBenchmark({ path: lines });
    expect(unwrapped(fromLines).value.digest).toBe(unwrapped(table).value.digest);
    const [problem] = unwrapped(await library.problems(unwrapped(table).value.id));
    expect(problem).toMatchObject({
      id: 'Made/0',
      publicTests: [{ kind: 'check', source: 'assert add_0(1) == 1' }],
      statement: expect.stringContaining('Größe'),
    });
  });

  it('has lists as lists', async () => {
    const library = libraryIn(await temporaryFolder());
    const { value } = unwrapped(await library.importBenchmark({ path: made('mbpp.parquet') }));
    expect(value).toMatchObject({ problems: 4, rules: 'mbpp' });
    expect(unwrapped(await library.problems(value.id))[1]).toMatchObject({
      publicTests: [{ source: expect.stringContaining('assert times_12(1) == 12') }],
    });
  });

  it('has every kind of value as JSON', async () => {
    expect((await rowsOf(made('kinds.parquet'))).map((row) => JSON.parse(row))).toEqual([
      {
        text: 'a',
        whole: 2 ** 53 - 1,
        real: 0.5,
        yes: true,
        day: '2025-04-01T00:00:00.000Z',
        moment: '2025-04-01T12:30:00.000Z',
        lists: [[1], []],
        tests: { input: ['1\n', '2\n'], output: ['2\n', '4\n'] },
      },
      {
        text: null,
        whole: '9007199254740992',
        real: null,
        yes: false,
        day: null,
        moment: null,
        lists: null,
        tests: { input: [], output: null },
      },
    ]);
  });

  it('may be in one folder with other tables and files of rows', async () => {
    const folder = join(await temporaryFolder(), 'Made');
    await mkdir(folder);
    await copyFile(made('humaneval-zstd.parquet'), join(folder, 'test-00000-of-00001.parquet'));
    await copyFile(made('mbpp.parquet'), join(folder, 'zz.parquet'));
    const library = libraryIn(join(folder, 'data'));
    expect(unwrapped(await library.importBenchmark({ path: folder })).value).toMatchObject({
      problems: 5,
      notes: ['Files of the folder that have another form were left out: zz.parquet.'],
    });
  });

  it('of samples is imported as a recording', async () => {
    const folder = await temporaryFolder();
    const library = libraryIn(folder);
    await library.importBenchmark({ path: made('humaneval-none.parquet'), id: 'made' });
    const recorded = await library.importRecording({ path: made('samples.parquet'), benchmarkId: 'made' });
    expect(unwrapped(recorded).value).toMatchObject({ benchmarkId: 'made', samples: 4 });
  });
});

describe('an incomplete Parquet table is refused', () => {
  const whole = readFileSync(made('humaneval-snappy.parquet'));

  it('text that is not UTF-8', async () => {
    expect(await refusal(readFileSync(made('latin1.parquet')))).toBe(
      'table was not imported: it has text that is not UTF-8.',
    );
  });

  it('a gzipped one', async () => {
    expect(await refusal(gzipSync(whole))).toBe('table was not imported: it is a gzipped Parquet file.');
  });

  it.each([4, 5, 12, 500, whole.length - 1])('cut off after %i bytes', async (length) => {
    expect(await refusal(whole.subarray(0, length))).toMatch(
      /^table was not imported: the Parquet file is damaged or of a kind that is not read \(.+\)\.$/,
    );
  });

  it('anything with wrong bits, or it is read: nothing else happens', async () => {
    const random = randomStream('damaged tables', 1);
    let refused = 0;
    for (let round = 0; round < 300; round++) {
      const file = Buffer.from(readFileSync(made(`humaneval-${CODECS[round % CODECS.length]}.parquet`)));
      // Half of them where the file says what it holds.
      const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
      const from = round % 2 === 0 ? 4 : footer;
      for (let flip = 0; flip < 3; flip++) {
        const at = from + Math.floor(random.uniform() * (file.length - from));
        file.writeUInt8(file.readUInt8(at) ^ (1 << Math.floor(random.uniform() * 8)), at);
      }
      const message = await refusal(file);
      if (message !== '') refused += 1;
      expect(message).toMatch(/^$|^table was not imported: /);
    }
    expect(refused).toBeGreaterThan(50);
  });
});
