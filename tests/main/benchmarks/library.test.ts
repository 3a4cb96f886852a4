import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BenchmarkLibrary, createBenchmarkLibrary } from '../../../main/benchmarks';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { hasRealFiles, humanEvalFile, humanEvalRow, libraryIn, realFiles, unwrapped } from './sample-files';

async function importFile(
  content: string | Buffer,
  name = 'file.jsonl',
): Promise<{ folder: string; path: string; library: BenchmarkLibrary }> {
  const folder = await temporaryFolder();
  const path = join(folder, name);
  await writeFile(path, content);
  return { folder, path, library: libraryIn(join(folder, 'data')) };
}

/** Everything in the data folder but the two shelves themselves. */
async function leftIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'data'), { recursive: true }).catch(() => []);
  return names.filter((name) => name !== 'benchmarks' && name !== 'recordings').sort();
}

describe('importing a HumanEval file', () => {
  it('makes problems with the docstring examples as public tests and check as the private one', async () => {
    const { path, library } = await importFile(humanEvalFile(3), 'Made Eval.jsonl');
    const { value, alreadyPresent } = unwrapped(await library.importBenchmark({ path }));
    expect(alreadyPresent).toBe(false);
    expect(value).toMatchObject({
      id: 'made-eval',
      name: 'Made Eval',
      problems: 3,
      importedAt: '2023-11-14T22:13:20.000Z',
      notes: [],
    });
    expect(unwrapped(await library.problems('made-eval'))[1]).toMatchObject({
      id: 'Made/1',
      entryPoint: 'add_1',
      publicTests: [{ kind: 'check', source: 'assert add_1(1) == 2' }],
      privateTests: [
        { kind: 'check', source: 'def check(candidate):\n    assert candidate(5) == 6\n\ncheck(add_1)' },
      ],
      canonicalProgram: expect.stringContaining('    """\n    return x + 1\n'),
    });
  });

  it('says how many problems have no public tests', async () => {
    const { path, library } = await importFile(
      `${humanEvalRow(0)}\n${humanEvalRow(1, { prompt: 'def add_1(x):\n' })}`,
    );
    const { value } = unwrapped(await library.importBenchmark({ path }));
    expect(value.notes).toEqual([
      '1 problem has no public tests: every candidate for it has the public score 0.',
    ]);
  });

  it.each([
    ['gzipped', (text: string) => gzipSync(text)],
    [
      'in two gzip members',
      (text: string) => Buffer.concat([gzipSync(text.slice(0, 99)), gzipSync(text.slice(99))]),
    ],
    ['with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['with Windows line ends', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['without a last line end', (text: string) => Buffer.from(text.trimEnd())],
    ['with blank lines', (text: string) => Buffer.from(`\n${text}\n \n`)],
  ])('%s gives the same digest as the plain one', async (_, change) => {
    const plain = await importFile(humanEvalFile(3));
    const other = await importFile(change(humanEvalFile(3)));
    const digest = unwrapped(await plain.library.importBenchmark(plain)).value.digest;
    expect(unwrapped(await other.library.importBenchmark(other)).value.digest).toBe(digest);
  });

  it('again changes nothing and says so; another one of that id is refused', async () => {
    const { folder, path, library } = await importFile(humanEvalFile(3));
    const first = unwrapped(await library.importBenchmark({ path, id: 'mine' }));
    expect(unwrapped(await library.importBenchmark({ path, id: 'mine' }))).toMatchObject({
      value: first.value,
      alreadyPresent: true,
      asRead: { id: 'mine', notes: first.value.notes },
    });
    await writeFile(path, humanEvalFile(4));
    const other = await library.importBenchmark({ path, id: 'mine' });
    expect(other).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('the id "mine"') },
    });
    expect(await leftIn(folder)).toEqual([
      'benchmarks/mine',
      'benchmarks/mine/benchmark.json',
      'benchmarks/mine/problems.index.json',
      'benchmarks/mine/problems.jsonl',
    ]);
  });

  it('without an id goes beside another one of the same file name', async () => {
    const { path, library } = await importFile(humanEvalFile(3));
    unwrapped(await library.importBenchmark({ path }));
    await writeFile(path, humanEvalFile(4));
    expect(unwrapped(await library.importBenchmark({ path }))).toMatchObject({
      alreadyPresent: false,
      value: { id: 'file-2' },
    });
    expect(unwrapped(await library.importBenchmark({ path }))).toMatchObject({
      alreadyPresent: true,
      value: { id: 'file-2' },
    });
    expect(library.list().map(({ id }) => id)).toEqual(['file', 'file-2']);
    expect(library.list().map(({ name }) => name)).toEqual(['file', 'file (file-2)']);
  });

  it.each(['../up', 'Big', '.dot', 'a/b', ''])('under the id "%s" is refused', async (id) => {
    const { folder, path, library } = await importFile(humanEvalFile(1));
    const imported = await library.importBenchmark({ path, id });
    expect(imported.ok ? '' : imported.error.message).toContain(`"${id}" cannot be an id`);
    expect(await leftIn(folder)).toEqual([]);
  });

  it('twice at once takes turns', async () => {
    const { path, library } = await importFile(humanEvalFile(50));
    const both = await Promise.all([library.importBenchmark({ path }), library.importBenchmark({ path })]);
    // Which is first is the file system's to say.
    expect(both.map((one) => unwrapped(one).alreadyPresent).sort()).toEqual([false, true]);
  });
});

describe('a file that is not what it should be is refused and leaves nothing', () => {
  const good = humanEvalFile(2);
  const row = (changes: Readonly<Record<string, unknown>>) => `${good}${humanEvalRow(2, changes)}\n`;
  const cases: ReadonlyArray<readonly [string, string | Buffer, string]> = [
    ['empty', '', 'it is empty.'],
    ['only blank lines', '\n\n', 'it has no problems in it'],
    ['binary', Buffer.from([1, 2, 0, 3]), 'it is a binary file, not JSON lines.'],
    ['a Zip archive', Buffer.from('PK\u0003\u0004abc'), 'it is a Zip archive'],
    ['UTF-16', Buffer.from(good, 'utf16le'), 'it is a binary file'],
    ['prose', 'Dear reader,\n', 'line 1 is not JSON; one JSON object a line is needed.'],
    ['a JSON list of lists', `[[${humanEvalRow(0)}]]`, 'entry 1 is JSON, but not an object'],
    ['a cut JSON list', `[${humanEvalRow(0)},`, 'its JSON list is cut off before its end (its entry 1).'],
    ['a JSON list without commas', `[${humanEvalRow(0)} ${humanEvalRow(1)}]`, 'no comma follows entry 1.'],
    ['a JSON number', '5', 'line 1 is JSON, but not an object'],
    ['an unknown object', '{"a": 1, "b": 2}', 'line 1 has the fields of no known benchmark (a, b).'],
    [
      'a problem of our own form without its private tests',
      '{"id": "sum", "statement": "Add.", "publicTests": []}',
      'line 1 looks like the form of the workbench, but has no "privateTests" (it has id, statement, publicTests).',
    ],
    [
      'a row of CodeContests without its tests',
      '{"name": "a", "description": "b"}',
      'line 1 looks like the form of CodeContests, but has no "public_tests" (it has name, description).',
    ],
    ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\n', 'a pointer of Git LFS'],
    [
      'latin-1',
      Buffer.concat([Buffer.from(good), Buffer.from('{"a": "\u00e9"}', 'latin1')]),
      'line 3 is not UTF-8 text.',
    ],
    ['truncated text', good.slice(0, -20), 'line 2 is not JSON'],
    [
      'a row nested two million deep, in a field that nobody reads',
      row({ more: 'DEEP' }).replace('"DEEP"', '['.repeat(2_000_000) + ']'.repeat(2_000_000)),
      'line 3 is nested more than 1000 deep (at its character ',
    ],
    [
      'a row of five million values',
      row({ more: 'MANY' }).replace('"MANY"', `[${'1,'.repeat(5_000_000)}1]`),
      'line 3 has more than 4000000 values and keys (at its character ',
    ],
    ['truncated gzip', gzipSync(good).subarray(0, -20), 'the gzip file is cut off before its end, after '],
    [
      'a gzip of two bytes',
      gzipSync(good).subarray(0, 2),
      'the gzip file is cut off before its end, after its beginning.',
    ],
    ['damaged gzip', flipped(gzipSync(good)), 'the gzip file is damaged after its beginning.'],
    ['gzipped twice', gzipSync(gzipSync(good)), 'it is gzipped twice.'],
    ['gzip of a binary', gzipSync(Buffer.alloc(9)), 'it holds a binary file'],
    ['a field missing', row({ test: undefined }), 'line 3 has no "test".'],
    ['a field of another type', row({ prompt: 5 }), 'line 3 has a "prompt" that is not text.'],
    [
      'an entry point that is code',
      row({ entry_point: 'f);evil(' }),
      'line 3 has an "entry_point" that is not a name of Python.',
    ],
    [
      'a test without check',
      row({ test: 'assert True' }),
      'line 3 has a "test" that does not define "check".',
    ],
    [
      'the same problem twice',
      row({ task_id: 'Made/0' }),
      'line 3 has the problem "Made/0" of line 1 again.',
    ],
    [
      'samples',
      '{"task_id": "a", "completion": "b"}',
      'This is a file of recorded samples: import it as a recording.',
    ],
  ];
  function flipped(bytes: Buffer): Buffer {
    bytes[20] = (bytes[20] ?? 0) ^ 0xff;
    bytes[21] = (bytes[21] ?? 0) ^ 0xff;
    return bytes;
  }
  it.each(cases)('%s', async (_, content, message) => {
    const { folder, path, library } = await importFile(content);
    const imported = await library.importBenchmark({ path });
    expect(imported.ok ? '' : imported.error.message).toContain(`${path} was not imported: `);
    expect(imported.ok ? '' : imported.error.message).toContain(message);
    expect(await leftIn(folder)).toEqual([]);
    expect(library.list()).toEqual([]);
  });

  it('a missing file', async () => {
    const { folder, path, library } = await importFile('');
    expect(await library.importBenchmark({ path: `${path}.gone` })).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
    expect(await leftIn(folder)).toEqual([]);
  });

  it('a folder without a file of rows', async () => {
    const { folder, library } = await importFile(good, 'file.txt');
    const imported = await library.importBenchmark({ path: folder });
    expect(imported.ok ? '' : imported.error.message).toContain('the folder has no file that ends in .jsonl');
  });

  it('a device', async () => {
    const { library } = await importFile('');
    const imported = await library.importBenchmark({ path: '/dev/zero' });
    expect(imported.ok ? '' : imported.error.message).toContain('it is not an ordinary file.');
  });

  it('50 GB, without reading it', async () => {
    const { path, library } = await importFile(good);
    await truncate(path, 50 * 1024 ** 3); // sparse: takes no room
    const imported = await library.importBenchmark({ path });
    expect(imported.ok ? '' : imported.error.message).toContain(
      'it has 50.0 GB; files of up to 32.0 GB are read.',
    );
  });

  it('a gzip that unpacks to one endless line, early', async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 ** 2, 'a'));
    const { path, library } = await importFile(packed);
    for (let n = 0; n < 40; n++) await appendFile(path, packed);
    const imported = await library.importBenchmark({ path });
    expect(imported.ok ? '' : imported.error.message).toContain('line 1 is longer than 192 MB.');
  });

  it('a gzip that unpacks to far more than files of rows do', async () => {
    const { path, library } = await importFile(gzipSync(good));
    const packed = gzipSync(`${' '.repeat(1_000)}\n`.repeat(64 * 1024));
    for (let n = 0; n < 5; n++) await appendFile(path, packed);
    const imported = await library.importBenchmark({ path });
    expect(imported.ok ? '' : imported.error.message).toContain('its 1 MB unpack to more than 256 MB.');
  });
});

describe('importing a recording', () => {
  const sample = (id: number, text: string) =>
    `${JSON.stringify({ task_id: `Made/${id}`, completion: text })}\n`;

  async function withBenchmark(content: string | Buffer, name?: string) {
    const all = await importFile(content, name);
    const benchmark = join(all.folder, 'benchmark.jsonl');
    await writeFile(benchmark, humanEvalFile(3));
    unwrapped(await all.library.importBenchmark({ path: benchmark, id: 'made' }));
    return all;
  }

  it('joins whole programs by problem, in the order of the file', async () => {
    const { path, library } = await withBenchmark(
      sample(2, 'c') + sample(0, 'a') + sample(2, 'd'),
      'samples.jsonl',
    );
    const { value } = unwrapped(await library.importRecording({ path, benchmarkId: 'made', id: 'agent' }));
    expect(value).toMatchObject({
      id: 'agent',
      name: 'agent',
      problems: 2,
      samples: 3,
      fewestSamples: 0,
      mostSamples: 2,
    });
    const lines = (await readFile(unwrapped(library.recordingPath('agent')), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { problemId: 'Made/0', samples: [expect.stringMatching(/^def add_0[\s\S]*"""\na$/)] },
      { problemId: 'Made/2', samples: [expect.stringMatching(/c$/), expect.stringMatching(/d$/)] },
    ]);
    expect(value.digest).toBe(
      createHash('sha256')
        .update(`[${lines.join(',')}]`)
        .digest('hex'),
    );
  });

  it('of a file called samples takes the name of its folder', async () => {
    const { folder, library } = await withBenchmark('');
    await mkdir(join(folder, 'Some Model'));
    const path = join(folder, 'Some Model', 'samples.jsonl.gz');
    await writeFile(path, gzipSync(sample(0, 'a')));
    expect(unwrapped(await library.importRecording({ path, benchmarkId: 'made' })).value.id).toBe(
      'some-model-samples',
    );
  });

  it.each([
    [
      'only unknown problems',
      sample(7, 'a') + sample(8, 'b'),
      'none of its rows is for a problem of the benchmark; the first names the problem "Made/7".',
    ],
    [
      'a field missing',
      `${sample(0, 'a')}{"task_id": "Made/0"}`,
      'line 2 has neither "completion" nor "solution".',
    ],
    ['no samples', '\n', 'it has no samples in it'],
    ['gzipped twice', gzipSync(gzipSync(sample(0, 'a'))), 'it is gzipped twice.'],
  ])('with %s is refused and leaves nothing', async (_, content, message) => {
    const { folder, path, library } = await withBenchmark(content);
    const imported = await library.importRecording({ path, benchmarkId: 'made' });
    expect(imported.ok ? '' : imported.error.message).toContain(message);
    expect((await leftIn(folder)).filter((name) => name.startsWith('recordings'))).toEqual([]);
  });

  it('for an absent benchmark is refused', async () => {
    const { path, library } = await importFile(sample(0, 'a'));
    expect(await library.importRecording({ path, benchmarkId: 'none' })).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
    expect(library.recordingPath('none')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });
});

describe('the library', () => {
  it('has after a restart what was imported', async () => {
    const { folder, path, library } = await importFile(humanEvalFile(3));
    const { value } = unwrapped(await library.importBenchmark({ path }));
    const again = libraryIn(join(folder, 'data'));
    expect(again.list()).toEqual([value]);
    expect(unwrapped(await again.problems(value.id))).toEqual(unwrapped(await library.problems(value.id)));
  });

  it('refuses problems that were changed on the disk', async () => {
    const { folder, path, library } = await importFile(humanEvalFile(3));
    unwrapped(await library.importBenchmark({ path }));
    const file = join(folder, 'data', 'benchmarks', 'file', 'problems.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).replace('Adds 1', 'Adds 2'));
    const read = await libraryIn(join(folder, 'data')).problems('file');
    expect(read.ok ? '' : read.error.message).toContain('it was changed after its import');
  });

  it('leaves a folder that it cannot understand alone, and does not take its name', async () => {
    const { folder, path } = await importFile(humanEvalFile(3));
    await mkdir(join(folder, 'data', 'benchmarks', 'file'), { recursive: true });
    await writeFile(join(folder, 'data', 'benchmarks', 'file', 'benchmark.json'), 'what?');
    const library = libraryIn(join(folder, 'data'));
    expect(library.list()).toEqual([]);
    expect(unwrapped(await library.importBenchmark({ path })).value.id).toBe('file-2');
    expect(await library.importBenchmark({ path, id: 'file' })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
  });

  it('tells of a pocket benchmark that it makes, so that a list which was read before is read again', async () => {
    const dataDir = await temporaryFolder();
    let generated = 0;
    const library = createBenchmarkLibrary({ dataDir, clock: () => 0, onGenerated: () => generated++ });
    unwrapped(await library.ensurePocket({ split: 'test', seed: 3, count: 2 }));
    unwrapped(await library.find('pocket-test-3-4'));
    unwrapped(await library.ensurePocket({ split: 'test', seed: 3, count: 2 }));
    expect(generated).toBe(2);
  });

  it('makes a pocket benchmark once, the same on every computer', async () => {
    const [one, two] = [await importFile(''), await importFile('')];
    const options = { split: 'test', seed: 3, count: 5 } as const;
    const first = unwrapped(await one.library.ensurePocket(options));
    expect(first).toMatchObject({ id: 'pocket-test-3-5', scale: 'pocket', problems: 5 });
    expect(unwrapped(await one.library.ensurePocket(options))).toBe(first);
    expect(unwrapped(await two.library.ensurePocket(options))).toEqual(first);
    expect(unwrapped(await one.library.problems(first.id))).toHaveLength(5);
    expect(unwrapped(await one.library.ensurePocket({ ...options, count: 6 })).digest).not.toBe(first.digest);
  });

  it('finds a benchmark by its id, and makes a generated one that is not there yet', async () => {
    const { library } = await importFile('');
    const made = unwrapped(await library.find('pocket-validation-2-3'));
    expect(made).toMatchObject({ id: 'pocket-validation-2-3', problems: 3 });
    expect(unwrapped(await library.find('pocket-validation-2-3'))).toBe(made);
    for (const id of ['pocket-other-1-5', 'pocket-test-1-0', 'pocket-test-1-5000', 'nothing']) {
      expect(await library.find(id)).toMatchObject({ ok: false, error: { code: 'not-found' } });
    }
    expect(library.list()).toEqual([made]);
  });

  it('refuses problems that share an id', async () => {
    const { library } = await importFile('');
    const benchmark = unwrapped(await library.ensurePocket({ split: 'test', seed: 3, count: 1 }));
    const [problem] = unwrapped(await library.problems(benchmark.id));
    if (problem === undefined) throw new Error('No problem.');
    const { digest: _digest, importedAt: _importedAt, problems: _problems, ...rest } = benchmark;
    const added = await library.add({ ...rest, id: 'twice' }, [problem, problem]);
    expect(added.ok ? '' : added.error.message).toContain('two of its problems have one id');
  });
});

describe('a process killed in the middle of an import', () => {
  let script = '';
  beforeAll(async () => {
    const folder = await makeTemporaryFolder();
    script = await bundleScript(join(import.meta.dirname, 'programs', 'import-slowly.ts'), folder.path);
    return folder.dispose;
  });

  it('leaves only whole benchmarks, and the next start clears the rest away', async () => {
    const { folder, path } = await importFile(humanEvalFile(2_000));
    let sawLeftover = false;
    for (let round = 0; round < 8; round++) {
      const child = spawn(process.execPath, [script, join(folder, 'data'), path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exit = once(child, 'exit');
      const lines = createInterface({ input: child.stdout });
      for await (const line of lines) if (line === 'begun') break;
      // At another point of the import each time, and always within one.
      await eventually('an import under way', async () =>
        (await readdir(join(folder, 'data', 'benchmarks')).catch(() => [])).some((name) =>
          name.startsWith('.importing-'),
        ),
      );
      await sleep(5 * round);
      child.kill('SIGKILL');
      await exit;
      expect(child.signalCode).toBe('SIGKILL');
      const before = await readdir(join(folder, 'data', 'benchmarks'));
      sawLeftover ||= before.some((name) => name.startsWith('.importing-'));
      const library = libraryIn(join(folder, 'data'));
      const imports = library.list().filter(({ id }) => id.startsWith('try-'));
      for (const { id } of imports) expect(unwrapped(await library.problems(id))).toHaveLength(2_000);
      unwrapped(await library.ensurePocket({ split: 'test', seed: round, count: 1 })); // waits for the sweep
      const after = await readdir(join(folder, 'data', 'benchmarks'));
      expect(after).toEqual(library.list().map(({ id }) => id));
    }
    expect(sawLeftover).toBe(true);
  });
});

describe.skipIf(!hasRealFiles)('the real files (skipped where ../shared/data is not there)', () => {
  it('of HumanEval give 164 problems, 176 examples that parse and 89 problems without any', async () => {
    const library = libraryIn(await temporaryFolder());
    const { value } = unwrapped(await library.importBenchmark({ path: realFiles.humanEval }));
    expect(value).toMatchObject({ id: 'humaneval', name: 'HumanEval', problems: 164 });
    const problems = unwrapped(await library.problems(value.id));
    expect(problems.reduce((sum, problem) => sum + problem.publicTests.length, 0)).toBe(176);
    expect(value.notes).toEqual([
      '89 problems have no public tests: every candidate for them has the public score 0.',
      '3 docstring examples are left out because the private tests contradict them.',
    ]);
  });

  it.each([
    [
      'CodeGen-16B',
      realFiles.codegen,
      {
        id: 'codet-codegen16b-samples',
        problems: 164,
        samples: 16_400,
        fewestSamples: 100,
        mostSamples: 100,
      },
    ],
    [
      'gpt-3.5',
      realFiles.gpt35,
      { id: 'agentcoder-gpt35-samples', problems: 164, samples: 820, fewestSamples: 5, mostSamples: 5 },
    ],
  ])('of %s are recordings, and keep every sample', async (_, path, expected) => {
    const library = libraryIn(await temporaryFolder());
    unwrapped(await library.importBenchmark({ path: realFiles.humanEval }));
    const { value } = unwrapped(await library.importRecording({ path, benchmarkId: 'humaneval' }));
    expect(value).toMatchObject(expected);
    const rows = (await readFile(unwrapped(library.recordingPath(value.id)), 'utf8')).trimEnd().split('\n');
    const programs = rows.flatMap((row) => (JSON.parse(row) as { samples: string[] }).samples);
    const texts = gunzipSync(await readFile(path))
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line): string => {
        const sample = JSON.parse(line) as { completion?: string; solution?: string };
        return sample.completion ?? sample.solution ?? 'neither';
      });
    // Both files are in HumanEval's order, so sample by sample the program ends with the recorded text.
    expect(programs.map((program, i) => program.endsWith(texts[i] ?? 'none'))).toEqual(texts.map(() => true));
  });
});
