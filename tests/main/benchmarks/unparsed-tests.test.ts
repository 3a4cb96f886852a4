import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BenchmarkLibrary, createBenchmarkLibrary, createTestParser } from '../../../main/benchmarks';
import { taskIdSchema } from '../../../main/benchmarks/logic/rows';
import { parseAnswerLine } from '../../../main/benchmarks/logic/source-answer';
import { type TestParserLimits, testParserLimits } from '../../../main/benchmarks/test-parser';
import { executablesNamed } from '../../../main/grading';
import { temporaryFolder } from '../../support/temporary-folder';
import { hasRealFiles, realFiles, unwrapped } from './sample-files';

const pythons = () => executablesNamed('python3');

function parser(limits: Partial<TestParserLimits> = {}, paths = pythons) {
  return createTestParser(paths, { ...testParserLimits, ...limits });
}

function libraryAt(dataDir: string, paths = pythons): BenchmarkLibrary {
  return createBenchmarkLibrary({ dataDir, clock: () => 0, openTestParser: () => createTestParser(paths) });
}

const check = (source: string) => ({ kind: 'check', source });
const ROWS = [
  { id: 'good', privateTests: [check('assert f(1) == 2')] },
  { id: 'bad', privateTests: [check('assert f(1) == 2'), check('x = 1\ndef (')] },
  { id: 'public', publicTests: [check('assert f(1) ==')], privateTests: [check('f(1)')] },
];

async function file(rows: readonly object[] = ROWS): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  const path = join(folder, 'own.jsonl');
  await writeFile(path, rows.map((row) => `${JSON.stringify({ statement: 'Write f.', ...row })}\n`).join(''));
  return { folder, path };
}

describe('tests that Python cannot parse', () => {
  it('refuse an import with line, problem and reason, and mark the problems where it is wanted all the same', async () => {
    const { folder, path } = await file();
    const library = libraryAt(folder);
    const refused = await library.importBenchmark({ path });
    if (refused.ok) throw new Error('It was imported.');
    const { code, cause, message, hint } = refused.error;
    expect({ code, cause }).toEqual({ code: 'bad-input', cause: 'tests' });
    expect(message).toMatch(
      /own\.jsonl was not imported: it has tests that Python cannot parse, so no program can pass them: line 2 of own\.jsonl, problem "bad", private test 2: .+ \(line 2 of the test\); line 3 of own\.jsonl, problem "public", public test 1: invalid syntax \(line 1 of the test\)\.$/,
    );
    expect(hint).toContain('Import anyway');
    expect(library.list()).toEqual([]);

    const { value } = unwrapped(await library.importBenchmark({ path, markUnparsed: true }));
    expect(value.notes).toContain(
      '2 problems have tests that Python cannot parse: marked and left out of new studies.',
    );
    expect(value.marks).toEqual([
      { problemId: 'bad', exclude: true, reason: expect.stringContaining('private test 2: ') },
      { problemId: 'public', exclude: true, reason: expect.stringContaining('public test 1: ') },
    ]);
    // What a lab has left out already stops nobody else.
    const exported = join(folder, 'exported.jsonl');
    unwrapped(await library.exportBenchmark(value.id, exported));
    const again = unwrapped(await libraryAt(join(folder, 'b')).importBenchmark({ path: exported })).value;
    expect(again).toMatchObject({ marks: value.marks, notes: value.notes, digest: value.digest });
  });

  it('are not known without a Python, which is said', async () => {
    const { folder, path } = await file();
    for (const paths of [[], [join(folder, 'none')]]) {
      const library = libraryAt(join(folder, String(paths.length)), async () => paths);
      expect(unwrapped(await library.importBenchmark({ path })).value.notes).toContain(
        'Whether Python can parse the tests of 3 problems was not checked: this computer has no Python 3, or they are too long for it.',
      );
    }
  });

  it('are those that no Python of the computer can parse', async () => {
    const folder = await temporaryFolder();
    const old = join(folder, 'old-python');
    await writeFile(old, `#!/bin/sh\nwhile read line; do echo '["invalid syntax", 1]'; done\n`);
    await chmod(old, 0o700);
    const both = parser({}, async () => [old, ...(await pythons())]);
    expect(await both.parse('match x:\n    case 1: pass')).toBe('parsed');
    expect(await both.parse('def (')).toEqual({ message: 'invalid syntax', line: 1 });
    both.close();
  });
});

describe('the process that parses', () => {
  it('never runs what it parses, and says what it cannot say', async () => {
    const open = parser();
    expect(await open.parse('raise SystemExit(3)')).toBe('parsed');
    expect(await open.parse('a = "\0"')).toMatchObject({ message: expect.stringContaining('null bytes') });
    expect(await open.parse(`${'('.repeat(100_000)}`)).not.toBe('parsed');
    expect(await open.parse(`x = ${'-'.repeat(1_000_000)}1`)).not.toBe('parsed');
    expect(await open.parse('f(1)')).toBe('parsed');
    open.close();
    expect(await open.parse('f(1)')).toBe('unknown');
  });

  it('has limits on length, memory, processor time and waiting', async () => {
    const large = `x = [${'1,'.repeat(400_000)}]`;
    const all: readonly [Partial<TestParserLimits>, string][] = [
      [{ characters: 3 }, 'f(1)'],
      [{ memoryBytes: 128 * 1024 ** 2 }, large],
      [{ cpuSeconds: 0 }, large],
      [{ answerMs: 1 }, large],
    ];
    for (const [limits, source] of all) {
      const open = parser(limits);
      expect(await open.parse(source), JSON.stringify(limits)).toBe('unknown');
      open.close();
    }
  });

  it.each(['', 'nonsense', '{}', '[1, 2]', '["a"]', '["a", 1.5]', '['.repeat(5_000)])(
    'is not believed when it answers %s',
    (text) => expect(parseAnswerLine(text)).toBeNull(),
  );
});

it.runIf(hasRealFiles)('the published files have none', async () => {
  const library = libraryAt(await temporaryFolder());
  for (const path of [realFiles.humanEval, realFiles.humanEvalPlus, realFiles.mbpp, realFiles.interCode])
    expect(unwrapped(await library.importBenchmark({ path })).value.notes.join()).not.toContain('parse');
});

it('an id is any text without control marks, and never the name of a file', async () => {
  expect(taskIdSchema.safeParse('a\u202eb').success).toBe(false);
  const { folder, path } = await file([{ ...ROWS[0], id: 'a/../../x' }]);
  const library = libraryAt(folder);
  const { value } = unwrapped(await library.importBenchmark({ path }));
  expect(unwrapped(await library.problem(value.id, 'a/../../x')).id).toBe('a/../../x');
});
