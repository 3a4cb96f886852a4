import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder';
import { humanEvalFile, libraryIn, unwrapped } from './sample-files';

async function openLibrary() {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const library = libraryIn(data);
  for (const [name, count] of [
    ['made', 3],
    ['other', 2],
  ] as const) {
    const path = join(folder, `${name}.jsonl`);
    await writeFile(path, humanEvalFile(count));
    unwrapped(await library.importBenchmark({ path }));
  }
  return { data, library };
}

const missing = (path: string) =>
  access(path).then(
    () => false,
    () => true,
  );

it('a benchmark keeps its id and problems under a new name, which no other has', async () => {
  const { data, library } = await openLibrary();
  const before = library.list()[0];
  const renamed = unwrapped(await library.rename('made', 'Sums'));
  expect(renamed).toEqual({ ...before, name: 'Sums' });
  expect(libraryIn(data).list()[0]).toEqual(renamed);
  expect(unwrapped(await library.problems('made'))).toHaveLength(3);
  const taken = await library.rename('other', 'Sums');
  expect(taken.ok ? '' : taken.error.message).toBe(
    'The benchmark "other" was not renamed: "made" is already called "Sums". Choose another name.',
  );
  expect(unwrapped(await library.rename('made', 'Sums'))).toEqual(renamed);
});

it('a removed benchmark leaves nothing behind, and its id is free again', async () => {
  const { data, library } = await openLibrary();
  await library.problems('made');
  expect(unwrapped(await library.remove('made'))).toBeNull();
  expect(library.list().map(({ id }) => id)).toEqual(['other']);
  expect((await library.problems('made')).ok).toBe(false);
  expect(await missing(join(data, 'benchmarks', 'made'))).toBe(true);
  expect(libraryIn(data).list()).toEqual(library.list());
  expect(await library.remove('made')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  const path = join(data, '..', 'made.jsonl');
  expect(unwrapped(await library.importBenchmark({ path })).alreadyPresent).toBe(false);
});

it('a recording is renamed and removed likewise', async () => {
  const { data, library } = await openLibrary();
  const path = join(data, '..', 'samples.jsonl');
  await writeFile(path, `${JSON.stringify({ task_id: 'Made/0', completion: '    return x\n' })}\n`);
  unwrapped(await library.importRecording({ path, benchmarkId: 'made', id: 'samples' }));
  expect(unwrapped(await library.renameRecording('samples', 'A model')).name).toBe('A model');
  expect(libraryIn(data).recordings()[0]?.name).toBe('A model');
  expect(unwrapped(await library.removeRecording('samples'))).toBeNull();
  expect(libraryIn(data).recordings()).toEqual([]);
});
