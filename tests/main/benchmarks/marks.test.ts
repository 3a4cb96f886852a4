import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { testsOtherFunction } from '../../../main/benchmarks/logic/other-function';
import { temporaryFolder } from '../../support/temporary-folder';
import { humanEvalFile, libraryIn, unwrapped } from './sample-files';

async function openLibrary() {
  const folder = await temporaryFolder();
  const path = join(folder, 'made.jsonl');
  await writeFile(path, humanEvalFile(3));
  const library = libraryIn(join(folder, 'data'));
  const { value } = unwrapped(await library.importBenchmark({ path, version: '1.2', licence: 'MIT' }));
  return { folder, library, benchmark: value };
}

const wrong = { reason: 'wrong tests', exclude: true };

describe('a mark', () => {
  it('is kept over a restart, in the order of the problems, and can be changed and taken away', async () => {
    const { folder, library } = await openLibrary();
    unwrapped(await library.mark('made', [{ problemId: 'Made/2', mark: wrong }]));
    unwrapped(
      await library.mark('made', [
        { problemId: 'Made/0', mark: { reason: 'several right answers', exclude: false } },
      ]),
    );
    const changed = unwrapped(
      await library.mark('made', [{ problemId: 'Made/2', mark: { ...wrong, exclude: false } }]),
    );
    expect(changed.marks).toEqual([
      { problemId: 'Made/0', reason: 'several right answers', exclude: false },
      { problemId: 'Made/2', reason: 'wrong tests', exclude: false },
    ]);
    expect(libraryIn(join(folder, 'data')).list()).toEqual([changed]);
    const cleared = unwrapped(await library.mark('made', [{ problemId: 'Made/2', mark: null }]));
    expect(cleared.marks).toHaveLength(1);
    expect(cleared.digest).toBe(changed.digest);
  });

  it('of an absent problem or benchmark is refused', async () => {
    const { library } = await openLibrary();
    expect(await library.mark('made', [{ problemId: 'Made/9', mark: wrong }])).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
    expect(await library.mark('none', [{ problemId: 'Made/0', mark: wrong }])).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
  });

  it('is set with others as a whole, or not at all', async () => {
    const { library } = await openLibrary();
    const changes = ['Made/2', 'Made/0'].map((problemId) => ({ problemId, mark: wrong }));
    const refused = await library.mark('made', [...changes, { problemId: 'Made/9', mark: wrong }]);
    expect(refused).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(library.list()[0]?.marks).toEqual([]);
    const marked = unwrapped(await library.mark('made', changes));
    expect(marked.marks.map(({ problemId }) => problemId)).toEqual(['Made/0', 'Made/2']);
  });

  it('many at once are all kept', async () => {
    const { library } = await openLibrary();
    await Promise.all(
      ['Made/0', 'Made/1', 'Made/2'].map((id) => library.mark('made', [{ problemId: id, mark: wrong }])),
    );
    expect(library.list()[0]?.marks.map(({ problemId }) => problemId)).toEqual([
      'Made/0',
      'Made/1',
      'Made/2',
    ]);
  });
});

describe('an exported benchmark', () => {
  it.each(['out.jsonl', 'out.jsonl.gz'])(
    'as %s is imported again as the same, marks and all',
    async (name) => {
      const { folder, library } = await openLibrary();
      const marked = unwrapped(await library.mark('made', [{ problemId: 'Made/1', mark: wrong }]));
      const path = join(folder, name);
      expect(unwrapped(await library.exportBenchmark('made', path))).toEqual({ path, problems: 3 });
      const other = libraryIn(join(folder, 'other'));
      const { value } = unwrapped(await other.importBenchmark({ path, id: 'made' }));
      expect(value).toEqual(marked);
      expect(unwrapped(await other.problems('made'))).toEqual(unwrapped(await library.problems('made')));
      expect((await readdir(folder)).filter((file) => file.startsWith('.'))).toEqual([]);
    },
  );

  it('begins with its record and has a problem a line', async () => {
    const { folder, library } = await openLibrary();
    const path = join(folder, 'out.jsonl.gz');
    unwrapped(await library.exportBenchmark('made', path));
    const lines = gunzipSync(await readFile(path))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      workbench: 'benchmark',
      formatVersion: 1,
      benchmark: { licence: 'MIT', version: '1.2', rules: 'humaneval' },
    });
  });

  it.each([
    [
      'a newer form',
      (text: string) => text.replace('"formatVersion":1', '"formatVersion":2'),
      'a newer version of the workbench is needed',
    ],
    [
      'two headers',
      (text: string) => `${text.split('\n')[0]}\n${text}`,
      'line 2 is a header; it has to be the first line.',
    ],
    [
      'a mark of a stranger',
      (text: string) => text.replace('"marks":[]', '"marks":[{"problemId":"x","reason":"y","exclude":true}]'),
      'its header marks the problem "x"',
    ],
    ['no problems', (text: string) => text.split('\n')[0] ?? '', 'it has no problems in it.'],
  ])('with %s is refused', async (_, change, message) => {
    const { folder, library } = await openLibrary();
    const path = join(folder, 'out.jsonl');
    unwrapped(await library.exportBenchmark('made', path));
    await writeFile(path, change(await readFile(path, 'utf8')));
    const again = await libraryIn(join(folder, 'other')).importBenchmark({ path });
    expect(again.ok ? '' : again.error.message).toContain(message);
  });

  it('into an absent folder is refused', async () => {
    const { folder, library } = await openLibrary();
    const written = await library.exportBenchmark('made', join(folder, 'none', 'out.jsonl'));
    expect(written).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(await library.exportBenchmark('none', join(folder, 'out.jsonl'))).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
  });
});

it('a problem whose stored line was changed is refused, alone as with all others', async () => {
  const { folder } = await openLibrary();
  const stored = join(folder, 'data', 'benchmarks', 'made', 'problems.jsonl');
  await writeFile(stored, (await readFile(stored, 'utf8')).replace('Adds 1', 'Adds 9'));
  const library = libraryIn(join(folder, 'data'));
  const one = await library.problem('made', 'Made/1');
  expect(one.ok ? '' : one.error.message).toContain('it was changed after its import');
  expect(unwrapped(await library.problem('made', 'Made/2')).id).toBe('Made/2');
  const all = await library.problems('made');
  expect(all.ok ? '' : all.error.message).toContain('it was changed after its import');
});

it.each([
  ['def rev(num):\n', 'assert check(70) == False', true],
  ['def rev(num):\n', 'assert rev(70) == 7', false],
  ['def rev(num):\n', 'def check(candidate):\n  assert candidate(70) == 7', false],
  ['', 'assert check(70) == False', false],
])(
  'a problem whose tests call no function that it names is known: %j, %j',
  (starterCode, source, isOther) => {
    const privateTests = [{ kind: 'check', source } as const];
    expect(testsOtherFunction({ statement: 'Reverse it.', starterCode, publicTests: [], privateTests })).toBe(
      isOther,
    );
  },
);
