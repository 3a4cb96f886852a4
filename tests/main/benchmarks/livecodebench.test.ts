import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { liveCodeBenchRow, type MadeTest, packedByPython } from './livecodebench-files';
import { libraryIn, unwrapped } from './sample-files';

async function imported(files: Readonly<Record<string, string | Buffer>>, order: object = {}) {
  const folder = await temporaryFolder();
  const source = join(folder, 'release');
  await mkdir(source);
  for (const [name, content] of Object.entries(files)) await writeFile(join(source, name), content);
  const names = Object.keys(files);
  const path = names.length === 1 && names[0] !== undefined ? join(source, names[0]) : source;
  const library = libraryIn(join(folder, 'data'));
  const result = await library.importBenchmark({ path, ...order });
  const left = await readdir(join(folder, 'data', 'benchmarks')).catch(() => []);
  return { result, library, left };
}

async function problemsOf(files: Readonly<Record<string, string | Buffer>>, order: object = {}) {
  const { result, library } = await imported(files, order);
  const { value } = unwrapped(result);
  return { benchmark: value, problems: unwrapped(await library.problems(value.id)) };
}

const stdin = (n: number): MadeTest => ({ input: `${n}\n`, output: `${n + 1}\n`, testtype: 'stdin' });

/** Each with a packed test of its own. */
const threeRows = (): readonly string[] =>
  packedByPython(...[1, 2, 3].map((n) => [[stdin(n)], 4, true] as const)).map((packed, at) =>
    liveCodeBenchRow(at + 1, { private_test_cases: packed }),
  );

describe('a file of LiveCodeBench', () => {
  it('gives problems whose private tests are the public ones and then the packed ones', async () => {
    const [packed] = packedByPython([[stdin(10), stdin(11)], 4, true]);
    const row = liveCodeBenchRow(5, { private_test_cases: packed });
    const { benchmark, problems } = await problemsOf({ 'test6.jsonl': `${row}\n` });
    expect(benchmark).toMatchObject({
      id: 'livecodebench-v6',
      name: 'LiveCodeBench v6',
      version: 'v6',
      rules: 'livecodebench',
      source: 'The form of LiveCodeBench, from the file test6.jsonl',
      limits: { cpuSeconds: 6 },
      marks: [],
      notes: [],
    });
    expect(problems).toEqual<readonly Problem[]>([
      {
        id: 'made_5',
        title: 'C. Made 5',
        statement: 'Read a number and print it plus 5. "private_test_cases": is no field here.',
        entryPoint: null,
        starterCode: '',
        difficulty: 'hard',
        date: '2025-02-01',
        platform: 'atcoder',
        skills: [],
        publicTests: [{ kind: 'stdin', input: '5\n', expected: '6\n' }],
        privateTests: [
          { kind: 'stdin', input: '5\n', expected: '6\n' },
          { kind: 'stdin', input: '10\n', expected: '11\n' },
          { kind: 'stdin', input: '11\n', expected: '12\n' },
        ],
        canonicalProgram: null,
      },
    ]);
  });

  it('uses function calls if its metadata name a function, even where its tests say otherwise', async () => {
    const tests: MadeTest[] = [
      { input: '[1, 2]\n12345678901234567890', output: '1.0', testtype: 'functional' },
      { input: '[]\n1', output: 'NaN', testtype: 'stdin' },
    ];
    const [packed] = packedByPython([tests.slice(1), 4, true]);
    const row = liveCodeBenchRow(1, {
      public_test_cases: JSON.stringify(tests.slice(0, 1)),
      private_test_cases: packed,
      metadata: '{"func_name": "addUp"}',
      starter_code: 'class Solution:\n    def addUp(self, nums, k):\n        ',
    });
    const [problem] = (await problemsOf({ 'test.jsonl': row })).problems;
    expect(problem).toMatchObject({
      entryPoint: 'addUp',
      publicTests: [{ kind: 'call', input: '[1, 2]\n12345678901234567890', expected: '1.0' }],
      privateTests: [
        { kind: 'call', expected: '1.0' },
        { kind: 'call', input: '[]\n1', expected: 'NaN' },
      ],
    });
  });

  it.each([2, 3, 4, 5])(
    'reads tests that Python packed with protocol %i, small and large',
    async (protocol) => {
      const tests = [
        stdin(1),
        { input: 'é中😀 "quoted" \\ \u2028'.repeat(20_000), output: '\t', testtype: 'stdin' as const },
      ];
      const packings = [tests.slice(0, 1), tests].flatMap((some) =>
        [true, false].map((ascii) => [some, protocol, ascii] as const),
      );
      const rows = packedByPython(...packings).map((packed, i) =>
        liveCodeBenchRow(i, { private_test_cases: packed }),
      );
      const { problems } = await problemsOf({ 'test.jsonl': rows.join('\n') });
      expect(problems.map((problem) => problem.privateTests.slice(1))).toEqual(
        [tests.slice(0, 1), tests.slice(0, 1), tests, tests].map((some) =>
          some.map(({ input, output }) => ({ kind: 'stdin', input, expected: output })),
        ),
      );
    },
  );

  it('reads private tests that are plain JSON in the string, as its own loader does first', async () => {
    const row = liveCodeBenchRow(1, { private_test_cases: JSON.stringify([stdin(7)]) });
    const [problem] = (await problemsOf({ 'test.jsonl': row })).problems;
    expect(problem?.privateTests).toHaveLength(2);
  });

  it('gives the same digest plain, gzipped, as a JSON list and with its fields in another order', async () => {
    const rows = threeRows();
    const reordered = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(row)).reverse())),
    );
    const forms = [rows.join('\n'), gzipSync(rows.join('\n')), `[${rows.join(',\n')}]`, reordered.join('\n')];
    const digests: string[] = [];
    for (const form of forms) digests.push((await problemsOf({ 'test.jsonl': form })).benchmark.digest);
    expect(new Set(digests).size).toBe(1);
  });
});

describe('a folder of releases', () => {
  const file = (numbers: readonly number[], date = '2025-02-01T00:00:00'): string =>
    numbers.map((n) => `${liveCodeBenchRow(n, { contest_date: date })}\n`).join('');

  it('is read in the order that people count in, and its version follows from its names', async () => {
    const files = {
      'test10.jsonl': file([4]),
      'test2.jsonl': file([2]),
      'test.jsonl': file([1]),
      'README.md': '#',
    };
    const { benchmark, problems } = await problemsOf(files);
    expect(problems.map(({ id }) => id)).toEqual(['made_1', 'made_2', 'made_4']);
    expect(benchmark.version).toBe('v1+v2+v10');
  });

  it.each([
    [['test.jsonl'], 'v1'],
    [['test6.jsonl.gz'], 'v6'],
    [['test.jsonl', 'test2.jsonl', 'test3.jsonl'], 'release_v3'],
    [['test4.jsonl', 'test5.jsonl'], 'v4_v5'],
  ])('%j is %s', async (names, version) => {
    const files = Object.fromEntries(
      names.map((name, i) => [name, name.endsWith('.gz') ? gzipSync(file([i])) : file([i])]),
    );
    expect((await problemsOf(files)).benchmark.version).toBe(version);
  });

  it('reports what it left out: other files, repeated rows, other days', async () => {
    const files = {
      'test5.jsonl': file([1, 2], '2025-01-01T00:00:00') + file([3], '2024-12-31T00:00:00'),
      'test6.jsonl': file([2, 4], '2025-04-30T00:00:00') + file([5], '2025-05-01T00:00:00'),
      'other.jsonl': '{"a": 1}\n',
      'package.json': '{\n  "name": "other"\n}\n',
    };
    const { benchmark, problems } = await problemsOf(files, { from: '2025-01-01', to: '2025-04-30' });
    expect(problems.map(({ id }) => id)).toEqual(['made_1', 'made_2', 'made_4']);
    expect(benchmark).toMatchObject({
      id: 'livecodebench-v5-v6-2025-01-01-2025-04-30',
      version: 'v5_v6',
      notes: [
        '1 row repeats an earlier problem; the first of each is kept.',
        '2 problems of other dates were left out.',
        'Files of the folder that have another form were left out: other.jsonl, package.json.',
      ],
    });
    expect(benchmark.source).toContain('of contests from 2025-01-01 to 2025-04-30');
  });

  it('with a file that is damaged is refused whole', async () => {
    const { result, left } = await imported({
      'test.jsonl': file([1]),
      'test2.jsonl.gz': gzipSync(file([2])).subarray(0, 40),
    });
    expect(result.ok ? '' : result.error.message).toContain(
      'test2.jsonl.gz was not imported: the gzip file is cut',
    );
    expect(left).toEqual([]);
  });
});

it('marks the problems that its authors list as faulty, and keeps them', async () => {
  const rows = [
    liveCodeBenchRow(1, { question_id: 'abc311_c' }),
    liveCodeBenchRow(2, { question_id: 'abc337_e' }),
    liveCodeBenchRow(3, { question_id: '3194', question_title: 'find-the-peaks' }),
    liveCodeBenchRow(4),
  ];
  const { benchmark, problems } = await problemsOf({ 'test3.jsonl': rows.join('\n') });
  expect(problems).toHaveLength(4);
  expect(benchmark.marks).toEqual([
    {
      problemId: 'abc311_c',
      exclude: false,
      reason: expect.stringContaining(
        "several right answers, of which one is accepted (LiveCodeBench's ERRATA.md)",
      ),
    },
    { problemId: 'abc337_e', exclude: false, reason: expect.stringContaining('interactive') },
    { problemId: '3194', exclude: false, reason: expect.stringContaining('several right answers') },
  ]);
});

describe('packed tests that are not what they should be are refused with their line and leave nothing', () => {
  const pickled = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([
      Buffer.from('\x80\x02X', 'latin1'),
      length,
      bytes,
      Buffer.from('q\x00.', 'latin1'),
    ]);
  };
  const packed = (bytes: Buffer): string => deflateSync(bytes).toString('base64');
  const good = packed(pickled('[]'));
  const cases: ReadonlyArray<readonly [string, unknown, string]> = [
    ['no text', 5, 'has no "private_test_cases" that is text.'],
    ['missing', undefined, 'has no "private_test_cases" that is text.'],
    ['prose', 'not packed at all!', 'is not base64.'],
    ['base64 that is cut', good.slice(0, -3), 'is not whole base64.'],
    ['base64 with foreign signs', `${good.slice(0, -4)}%%%%`, 'is not base64.'],
    ['base64 behind its padding', `${good.replace(/=*$/, '')}====AAAA`.slice(0, 32), 'base64'],
    ['base64 of no zlib data', Buffer.from('hello world!').toString('base64'), 'is not zlib data in base64.'],
    [
      'zlib data that are cut',
      deflateSync(pickled('[1]')).subarray(0, 9).toString('base64'),
      'is cut off: its zlib data have no end.',
    ],
    [
      'a pickle of a list',
      packed(Buffer.from('\x80\x02]q\x00.', 'latin1')),
      'the pickle has the opcode EMPTY_LIST',
    ],
    [
      'a pickle that calls a function',
      packed(Buffer.from('\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R.', 'latin1')),
      'the pickle has the opcode GLOBAL',
    ],
    ['a string that is no JSON', packed(pickled('tests')), 'it is not a JSON list.'],
    ['a JSON object', packed(pickled('{"a": 1}')), 'it is not a JSON list.'],
    [
      'a list that is cut',
      packed(pickled('[{"input": "1"')),
      'its JSON list is cut off before its end (its entry 1).',
    ],
    ['two lists', packed(pickled('[] []')), 'something follows its JSON list (its last entry is 0).'],
    [
      'a test without an output',
      packed(pickled('[{"input": "1", "testtype": "stdin"}]')),
      'has a test 1 that has no "output".',
    ],
    ['a test that is no object', packed(pickled('[1]')), 'has a test 1 that is JSON, but not an object'],
    [
      'a test that is nested too deep',
      packed(pickled(`[${'['.repeat(2_000)}${']'.repeat(2_000)}]`)),
      'has a test 1 that is nested more than 1000 deep (at its character 1001).',
    ],
    ['a test that is no JSON', packed(pickled('[{a}]')), 'has a test 1 that is not JSON.'],
    [
      'a lone surrogate in UTF-8',
      packed(
        Buffer.concat([
          Buffer.from('\x80\x02X\x07\x00\x00\x00["', 'latin1'),
          Buffer.from([0xed, 0xa0, 0x80]),
          Buffer.from('"]q\x00.', 'latin1'),
        ]),
      ),
      'has a test 1 that is not UTF-8 text.',
    ],
    [
      '400 MB of zeros',
      packed(
        Buffer.concat([
          Buffer.from('\x80\x02X\x00\x00\x00\x7f[', 'latin1'),
          Buffer.alloc(400 * 1024 ** 2, 0x20),
        ]),
      ),
      'unpacks to more than 384 MB.',
    ],
  ];
  it.each(cases)('%s', async (_, tests, message) => {
    const rows = [liveCodeBenchRow(1), liveCodeBenchRow(2, { private_test_cases: tests })];
    const { result, left } = await imported({ 'test.jsonl': rows.join('\n') });
    expect(result.ok ? '' : result.error.message).toContain('test.jsonl was not imported: line 2 has ');
    expect(result.ok ? '' : result.error.message).toContain(message);
    expect(left).toEqual([]);
  });

  it.each([
    ['an unknown difficulty', { difficulty: 'hardest' }, 'has a "difficulty"'],
    ['no date', { contest_date: 'soon' }, 'has a "contest_date" that is not a date like 2025-01-31.'],
    [
      'public tests that are no list',
      { public_test_cases: '{}' },
      'has a "public_test_cases" that is not a JSON list in a string.',
    ],
    [
      'metadata that are no JSON',
      { metadata: '' },
      'has a "metadata" that is not a JSON object in a string.',
    ],
  ])('%s', async (_, changes, message) => {
    const { result } = await imported({
      'test.jsonl': `${liveCodeBenchRow(1)}\n${liveCodeBenchRow(2, changes)}`,
    });
    expect(result.ok ? '' : result.error.message).toContain(`line 2 ${message}`);
  });

  it('a window without any problem', async () => {
    const { result, left } = await imported({ 'test.jsonl': liveCodeBenchRow(1) }, { from: '2026-01-01' });
    expect(result.ok ? '' : result.error.message).toContain(
      'none of its problems is imported. 1 problem of other dates was left out.',
    );
    expect(left).toEqual([]);
  });
});

describe('an import', () => {
  it('says how far it is, in bytes of all files, up to the end', async () => {
    const reports: Array<readonly [string, number, number | null]> = [];
    const rows = Array.from({ length: 2000 }, (_, n) => `${liveCodeBenchRow(n)}\n`).join('');
    const files = { 'test.jsonl': rows, 'test2.jsonl': `${liveCodeBenchRow(5000)}\n` };
    await problemsOf(files, {
      onProgress: ({ activity, done, total }: { activity: string; done: number; total: number }) =>
        reports.push([activity, done, total]),
    });
    const total = Buffer.byteLength(files['test.jsonl']) + Buffer.byteLength(files['test2.jsonl']);
    expect(new Set(reports.map(([activity]) => activity))).toEqual(
      new Set(['reading test.jsonl', 'reading test2.jsonl']),
    );
    expect(reports.map(([, done]) => done)).toEqual(reports.map(([, done]) => done).sort((a, b) => a - b));
    expect(reports.at(-1)).toEqual(['reading test2.jsonl', total, total]);
  });

  it('that is cancelled on its way leaves nothing behind', async () => {
    const stop = new AbortController();
    const rows = Array.from({ length: 4000 }, (_, n) => `${liveCodeBenchRow(n)}\n`).join('');
    const { result, left } = await imported(
      { 'test.jsonl': rows },
      { signal: stop.signal, onProgress: ({ done }: { done: number }) => done > 300_000 && stop.abort() },
    );
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(left).toEqual([]);
  });

  it('lets one problem be read without the others, and notices when its line was changed', async () => {
    const rows = threeRows();
    const { library, result } = await imported({ 'test.jsonl': rows.join('\n') });
    const { id } = unwrapped(result).value;
    const outline = unwrapped(await library.outline(id));
    expect(outline).toMatchObject([
      { id: 'made_1', difficulty: 'hard', platform: 'atcoder', date: '2025-02-01', publicTests: 1 },
      { id: 'made_2' },
      { id: 'made_3' },
    ]);
    const one = unwrapped(await library.problem(id, 'made_2'));
    expect(one.privateTests).toHaveLength(2);
    expect(unwrapped(await library.problems(id))[1]).toEqual(one);
    expect(await library.problem(id, 'other')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });
});
