import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { createTableReader, type ReadTable } from '../../../main/benchmarks';
import {
  type ImportLimits,
  importLimits,
  type ReadOptions,
  readImportRows,
} from '../../../main/benchmarks/import-file';
import { bytesOf, type FileRow } from '../../../main/benchmarks/row-splitter';
import { buildWorkbench } from '../../support/built-workbench';
import { buildScript, bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';
import { libraryIn, tableReader, unwrapped } from './sample-files';

// Tables made by pyarrow: parquet/make.py.
const made = (name: string) => join(import.meta.dirname, 'parquet', name);
const CODECS = ['none', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4'];

let readTable: ReadTable;
/** So that a damaged table ends soon: those here need less. */
let smallTables: ReadTable;
beforeAll(async () => {
  readTable = await tableReader();
  smallTables = await tableReader({ memoryBytes: 256 * 1024 ** 2, silenceMs: 5_000 });
});

async function rowsOf(path: string): Promise<string[]> {
  const rows: string[] = [];
  const take = (row: FileRow): null => {
    rows.push(bytesOf(row).toString('utf8'));
    return null;
  };
  expect(unwrapped(await readImportRows(path, take, { readTable }))).toBe(rows.length);
  return rows;
}

/** Why bytes are refused; "" when they are read. */
async function refusal(bytes: Uint8Array, options: ReadOptions = {}): Promise<string> {
  const path = join(await temporaryFolder(), 'table.parquet');
  await writeFile(path, bytes);
  const read = await readImportRows(path, () => null, { readTable, ...options });
  return read.ok ? '' : read.error.message.replace(path, 'table');
}

describe('a Parquet table', () => {
  it.each(CODECS)('packed with %s becomes the benchmark that its rows are as JSON lines', async (codec) => {
    const folder = await temporaryFolder();
    const library = libraryIn(folder, readTable);
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
    const library = libraryIn(await temporaryFolder(), readTable);
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
    const library = libraryIn(join(folder, 'data'), readTable);
    expect(unwrapped(await library.importBenchmark({ path: folder })).value).toMatchObject({
      problems: 5,
      notes: ['Files of the folder that have another form were left out: zz.parquet.'],
    });
  });

  it('is imported by the built program', async () => {
    const project = await buildWorkbench();
    const cli = join(project, 'out', 'main', 'cli.js');
    const dataDir = await temporaryFolder();
    const order = ['benchmarks', 'import', made('mbpp.parquet'), '--data', dataDir, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...order]);
    expect(stdout).toContain('"problems": 4');
  });

  it('of samples is imported as a recording', async () => {
    const folder = await temporaryFolder();
    const library = libraryIn(folder, readTable);
    await library.importBenchmark({ path: made('humaneval-none.parquet'), id: 'made' });
    const recorded = await library.importRecording({ path: made('samples.parquet'), benchmarkId: 'made' });
    expect(unwrapped(recorded).value).toMatchObject({ benchmarkId: 'made', samples: 4 });
  });
});

describe('an incomplete Parquet table is refused', () => {
  const whole = readFileSync(made('humaneval-snappy.parquet'));

  it('text that is not UTF-8', async () => {
    expect(await refusal(readFileSync(made('latin1.parquet')))).toBe(
      'table was not imported: it has text that is not UTF-8 (row group 1 of 1, column "task_id").',
    );
  });

  it('a gzipped one', async () => {
    expect(await refusal(gzipSync(whole))).toBe('table was not imported: it is a gzipped Parquet file.');
  });

  it.each([4, 5, 12, 500, whole.length - 1])('cut off after %i bytes', async (length) => {
    expect(await refusal(whole.subarray(0, length))).toMatch(
      /^table was not imported: the Parquet file is damaged, or uses a feature that is not supported \(.+\)\.$/,
    );
  });

  it('18 with changed bytes, each with its place, or it is read: nothing else happens', async () => {
    const random = randomStream('damaged tables', 1);
    const files = Array.from({ length: 18 }, (_, round) => {
      const file = Buffer.from(readFileSync(made(`humaneval-${CODECS[round % CODECS.length]}.parquet`)));
      // Half of them where the file says what it holds.
      const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
      const from = round % 2 === 0 ? 4 : footer;
      for (let change = 0; change < 4; change++) {
        file.writeUInt8(random.integer(256), from + random.integer(file.length - 8 - from));
      }
      return file;
    });
    const messages: string[] = [];
    // Two at a time: each is a process.
    while (files.length > 0) {
      const two = files.splice(0, 2).map((file) => refusal(file, { readTable: smallTables }));
      messages.push(...(await Promise.all(two)));
    }
    for (const message of messages) {
      expect(message).toMatch(
        /^$|^table was not imported: .+ \((?:at )?(?:the list of its columns|row group \d of \d)[\s\S]*\)\.$/,
      );
    }
    expect(messages.filter((message) => message !== '').length).toBeGreaterThan(6);
  });

  // Runs of levels that are said to be 134 million long, in four changed bytes each.
  it.each([
    ['mbpp', 78, 'source_file'],
    ['humaneval-none', 2172, 'prompt'],
    ['samples', 210, 'completion'],
  ])('%s with bytes from %i on that V8 ends the process for', async (name, at, column) => {
    const file = Buffer.from(readFileSync(made(`${name}.parquet`)));
    file.set([0xfe, 0xff, 0xff, 0x7f], at);
    expect(await refusal(file, { readTable: smallTables })).toMatch(
      new RegExp(
        `^table was not imported: the Parquet file needs more memory than a table may take \\(at row group \\d of \\d, column "${column}"\\)\\.$`,
      ),
    );
  });

  // The decoder leaves a promise that nobody waits for.
  it('one that fails where nobody waits for it', async () => {
    const bytes = changed('kinds', [
      [574, 123],
      [2589, 86],
      [37, 0],
      [984, 95],
    ]);
    expect(await refusal(bytes, { readTable: smallTables })).toMatch(
      /\(row group 1 of 1, column "\w+": thrift unhandled type: 11\)\.$/,
    );
  });

  it('one whose heap is too small for it', async () => {
    const file = Buffer.from(readFileSync(made('mbpp.parquet')));
    file.set([0xfe, 0xff, 0xff, 0x7f], 78);
    const tight = await tableReader({ heapBytes: 64 * 1024 ** 2 });
    expect(await refusal(file, { readTable: tight })).toContain(
      'needs more memory than a table may take (at row group 1 of 1, column "source_file").',
    );
  });

  it('one that is read for ever', async () => {
    const impatient = await tableReader({ silenceMs: 3_000 });
    expect(await refusal(endless(), { readTable: impatient })).toBe(
      'table was not imported: the Parquet file gave no row for 3 s (at row group 1 of 1, column "real").',
    );
  });

  it('more rows, longer ones, or more of them in all than is allowed', async () => {
    const limited = (limits: Partial<ImportLimits>) => ({ limits: { ...importLimits, ...limits } });
    expect(await refusal(whole, limited({ lines: 4 }))).toBe(
      'table was not imported: it has more than 4 rows.',
    );
    expect(await refusal(whole, limited({ lineBytes: 100 }))).toBe(
      'table was not imported: row 1 is longer than 1 MB.',
    );
    expect(await refusal(readFileSync(made('repeats.parquet')))).toBe(
      'table was not imported: its 1 MB unpack to more than 256 MB (up to row 4096).',
    );
  });

  it('where no program reads tables, or it does not start', async () => {
    const path = made('mbpp.parquet');
    const nowhere = createTableReader({
      nodeRuntime: { command: join(await temporaryFolder(), 'node'), env: {} },
      script: 'none',
    });
    const read = await readImportRows(path, () => null, { readTable: nowhere });
    expect(read).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/: the program that reads tables did not start \(.+\)\.$/) },
    });
    expect(await readImportRows(path, () => null)).toMatchObject({
      ok: false,
      error: { message: `${path} was not imported: it is a Parquet file, and tables are not read here.` },
    });
  });
});

describe('the process that reads a table', () => {
  it('ends with a cancelled import, of which nothing stays', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'endless.parquet');
    await writeFile(path, endless());
    const library = libraryIn(join(folder, 'data'), readTable);
    const stop = new AbortController();
    const importing = library.importBenchmark({ path, signal: stop.signal });
    const reader = await eventually('a process that reads the table', () => readersOf(path)[0] ?? null);
    stop.abort();
    expect(await importing).toMatchObject({
      ok: false,
      error: { code: 'cancelled', message: `The import of ${path} was cancelled. Nothing was kept of it.` },
    });
    await eventually('its end', () => !readersOf(path).includes(reader));
    expect(library.list()).toEqual([]);
    expect(await readdir(join(folder, 'data')).catch(() => [])).toEqual([]);
  });

  it('leaves nothing behind of a table whose second group ends it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'half.parquet');
    const file = Buffer.from(readFileSync(made('humaneval-none.parquet')));
    file.set([0xfe, 0xff, 0xff, 0x7f], 2172);
    await writeFile(path, file);
    const library = libraryIn(join(folder, 'data'), smallTables);
    expect(await library.importBenchmark({ path })).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining('as JSON lines') },
    });
    expect(library.list()).toEqual([]);
    expect(await readdir(join(folder, 'data', 'benchmarks'))).toEqual([]);
  });

  it('ends with the process that started it, however that ends', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'endless.parquet');
    await writeFile(path, endless());
    const program = await bundleScript(join(import.meta.dirname, 'programs', 'import-table.ts'), folder);
    const script = await buildScript(resolve('main/benchmarks/table-program.ts'));
    const app = spawn(process.execPath, [program, join(folder, 'data'), path, script], { stdio: 'ignore' });
    const reader = () => readersOf(path).find((id) => id !== `${app.pid}`);
    // It is in its loop by then, and writes nothing: starting takes a fraction of that.
    await eventually('a process that reads the table', () => ticksOf(reader()) > 50);
    app.kill('SIGKILL');
    await eventually('its end', () => readersOf(path).length === 0);
  });
});

/** A table whose column "real" is decoded without end. */
function endless(): Buffer {
  return changed('kinds', [
    [481, 195],
    [205, 141],
    [1745, 1],
    [2029, 11],
  ]);
}

/** A table with other values at some of its bytes. */
function changed(name: string, bytes: ReadonlyArray<readonly [at: number, value: number]>): Buffer {
  const file = Buffer.from(readFileSync(made(`${name}.parquet`)));
  for (const [at, value] of bytes) file.writeUInt8(value, at);
  return file;
}

/** Hundredths of a second that a process has computed. */
function ticksOf(id: string | undefined): number {
  if (id === undefined) return 0;
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]);
}

/** Ids of the processes that have a file's path among their arguments. */
function readersOf(path: string): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(path);
    } catch {
      return false; // it has ended meanwhile
    }
  });
}
