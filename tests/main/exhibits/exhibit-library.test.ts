import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exhibitHandlers } from '../../../main/app/handlers/exhibit-handlers';
import { createExhibitLibrary } from '../../../main/exhibits';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const BUILT_IN = join(import.meta.dirname, '../../../resources/exhibits');

async function openLibrary() {
  const folder = await temporaryFolder();
  const ownFolder = join(folder, 'exhibits');
  const library = createExhibitLibrary({ builtInFolder: BUILT_IN, ownFolder });
  let changes = 0;
  library.onChange(() => {
    changes += 1;
  });
  return { library, ownFolder, changes: () => changes };
}

async function ownText(library: ReturnType<typeof createExhibitLibrary>, id: string): Promise<string> {
  return (await unwrap(library.text('template'))).replace('"my-exhibit"', JSON.stringify(id));
}

describe('the library of exhibits', () => {
  test('has the built-in ones where no folder of the lab is there', async () => {
    const { library } = await openLibrary();
    const { exhibits, problems } = await library.list();
    expect(exhibits).toHaveLength((await readdir(BUILT_IN)).length);
    expect(exhibits.every(({ origin }) => origin === 'built-in')).toBe(true);
    expect(problems).toEqual([]);
  });

  test('stands in the order of the papers, numbered figures first', async () => {
    const { library } = await openLibrary();
    const { exhibits } = await library.list();
    expect(exhibits.map(({ exhibit }) => `${exhibit.paper.title}: ${exhibit.place}`)).toEqual([
      'MARTI-MARS²: Figure 3',
      'MARTI-MARS²: Figure 4',
      'MARTI-MARS²: Figure 5',
      'MARTI-MARS²: Scaling-law figure',
      'MARTI-MARS²: T+ ablation table',
      'MARS²: Main results table, single models',
      'MARS²: Main results table, systems',
      'MARS²: Table of diversity measures',
    ]);
  });

  test('names a file by the digest of its text', async () => {
    const { library } = await openLibrary();
    const text = await readFile(join(BUILT_IN, 'homogeneous.json'), 'utf8');
    expect(await unwrap(library.text('homogeneous'))).toBe(text);
    const { digest } = await unwrap(library.get('homogeneous'));
    expect(digest).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('saves, replaces and removes an exhibit of the lab, with an event for each', async () => {
    const { library, ownFolder, changes } = await openLibrary();
    const text = await ownText(library, 'ours');
    const saved = await unwrap(library.save(text));
    expect(saved).toMatchObject({ origin: 'own', exhibit: { id: 'ours' } });
    expect(await unwrap(library.get('ours'))).toEqual(saved);
    expect(await readdir(ownFolder)).toEqual(['ours.json']);
    const second = text.replace('Two models', 'Three models');
    expect((await unwrap(library.save(second))).exhibit.title).toBe('Three models alone and together');
    expect(await unwrap(library.text('ours'))).toBe(second);
    expect(await library.remove('ours')).toEqual({ ok: true, value: null });
    expect(await readdir(ownFolder)).toEqual([]);
    expect(changes()).toBe(3);
    expect(await library.get('ours')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  test('replaces an exhibit in the file that holds it, under any file name', async () => {
    const { library, ownFolder } = await openLibrary();
    await mkdir(ownFolder);
    await writeFile(join(ownFolder, 'from a colleague.json'), await ownText(library, 'ours'));
    await unwrap(library.save((await ownText(library, 'ours')).replace('Two models', 'Our models')));
    expect(await readdir(ownFolder)).toEqual(['from a colleague.json']);
    expect((await unwrap(library.get('ours'))).exhibit.title).toMatch(/^Our models/);
  });

  test('does not replace, remove or shadow a built-in one', async () => {
    const { library, ownFolder, changes } = await openLibrary();
    const text = await ownText(library, 'homogeneous');
    expect(await library.save(text)).toMatchObject({
      ok: false,
      error: { code: 'conflict', hint: expect.stringContaining('another id') },
    });
    expect(await library.remove('homogeneous')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await mkdir(ownFolder);
    await writeFile(join(ownFolder, 'h.json'), text);
    expect((await unwrap(library.get('homogeneous'))).origin).toBe('built-in');
    const { problems } = await library.list();
    expect(problems).toEqual([
      {
        file: join(ownFolder, 'h.json'),
        problems: [{ path: 'id', message: expect.stringContaining('a built-in exhibit') }],
      },
    ]);
    expect(changes()).toBe(0);
  });

  test('saves nothing that has a problem, and says which and where', async () => {
    const { library, ownFolder } = await openLibrary();
    const text = (await ownText(library, 'ours')).replace('"row": "roles"', '"row": "none"');
    expect(library.check(text)).toHaveLength(1);
    expect(await library.save(text)).toMatchObject({
      ok: false,
      error: { code: 'bad-input', message: expect.stringContaining('cells[2].row: There is no row "none"') },
    });
    await expect(readdir(ownFolder)).rejects.toThrow();
  });

  test('lists invalid files with what is wrong, next to the valid ones', async () => {
    const { library, ownFolder } = await openLibrary();
    await mkdir(ownFolder);
    await writeFile(join(ownFolder, 'a.json'), '{"version": 1');
    await writeFile(join(ownFolder, 'b.json'), await ownText(library, 'ours'));
    await writeFile(join(ownFolder, 'c.json'), await ownText(library, 'ours'));
    await writeFile(join(ownFolder, 'notes.txt'), 'not read');
    const { exhibits, problems } = await library.list();
    expect(exhibits.at(-1)).toMatchObject({ origin: 'own', exhibit: { id: 'ours' } });
    expect(problems.map(({ file }) => file)).toEqual([join(ownFolder, 'a.json'), join(ownFolder, 'c.json')]);
    expect(problems[1]?.problems[0]?.message).toContain('b.json');
  });

  test.skipIf(process.getuid?.() === 0)('reports a folder that cannot be written to', async () => {
    const { library, ownFolder } = await openLibrary();
    await mkdir(ownFolder);
    await chmod(ownFolder, 0o500);
    const refused = await library.save(await ownText(library, 'ours'));
    await chmod(ownFolder, 0o700);
    expect(refused).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });
});

test('the commands answer with the text, the problems and the list', async () => {
  const { library } = await openLibrary();
  const handlers = exhibitHandlers({
    ...{ exhibits: library, fillExhibit: never },
    ...{ studies: { list: () => [] }, trainings: { list: () => [] } },
  });
  const { text } = await unwrap(handlers['exhibit.text']?.({ exhibitId: 'template' }) ?? never());
  expect(await unwrap(handlers['exhibit.check']?.({ text }) ?? never())).toEqual({ problems: [] });
  await unwrap(handlers['exhibit.save']?.({ text }) ?? never());
  const listed = await unwrap(handlers['exhibit.list']?.({}) ?? never());
  expect(listed.exhibits.at(-1)?.exhibit.id).toBe('my-exhibit');
  expect(await handlers['exhibit.remove']?.({ exhibitId: 'my-exhibit' })).toEqual({ ok: true, value: null });
  expect(await handlers['exhibit.text']?.({ exhibitId: 'my-exhibit' })).toMatchObject({ ok: false });
});

function never(): never {
  throw new Error('no such handler');
}
