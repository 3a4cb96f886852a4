import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openRecordStore, type RecordStoreOptions } from '../../../main/storage';
import { bundleScript } from '../../support/bundled-script';
import { temporaryFolder } from '../../support/temporary-folder';

const schema = z.object({
  version: z.literal(2),
  id: z.string(),
  createdAt: z.string(),
  name: z.string(),
  count: z.number(),
});
type Sample = z.output<typeof schema>;

const sample = (id: string, more: Partial<Sample> = {}): Sample => ({
  version: 2,
  id,
  createdAt: '2026-01-01T00:00:00.000Z',
  name: `Sample ${id}`,
  count: 0,
  ...more,
});

const open = (folder: string, more: Partial<RecordStoreOptions<Sample>> = {}) =>
  openRecordStore<Sample>({
    folder,
    fileName: 'sample.json',
    schema,
    version: 2,
    noun: 'sample',
    nameOf: ({ name }) => name,
    ...more,
  });

test.each([['a folder for each', 'sample.json'] as const, ['a file for each', null] as const])(
  '%s: records are read as they were written, oldest first',
  async (_, fileName) => {
    const folder = await temporaryFolder();
    const store = await open(folder, { fileName });
    await store.put(sample('b'));
    await store.put(sample('c', { createdAt: '2025-01-01T00:00:00.000Z' }));
    await store.put(sample('a'));
    expect(await store.change('a', (record) => ({ ...record, count: 3 }))).toMatchObject({ ok: true });
    expect(await store.remove('b')).toEqual({ ok: true, value: null });
    const again = await open(folder, { fileName });
    expect(again.list()).toEqual([
      sample('c', { createdAt: '2025-01-01T00:00:00.000Z' }),
      sample('a', { count: 3 }),
    ]);
    expect(again.unreadable()).toEqual([]);
    expect(await again.change('b', (record) => record)).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
    expect(await readdir(folder)).toHaveLength(2);
  },
);

test('changes of one record see each other, and the disk has the last', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.put(sample('a'));
  const changes: (number | undefined)[] = [];
  store.onChange(({ before, after }) => changes.push(before?.count, after?.count));
  await Promise.all(
    Array.from({ length: 20 }, () => store.change('a', (record) => ({ ...record, count: record.count + 1 }))),
  );
  expect(store.get('a')?.count).toBe(20);
  expect(changes.slice(0, 4)).toEqual([0, 1, 1, 2]);
  expect((await open(folder)).get('a')?.count).toBe(20);
});

test('a record that cannot be read hides no other, is reported and keeps its text', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  for (const id of ['a', 'torn', 'other', 'newer', 'empty']) await store.put(sample(id));
  const pathOf = (id: string) => join(folder, id, 'sample.json');
  const whole = await readFile(pathOf('torn'), 'utf8');
  await writeFile(pathOf('torn'), whole.slice(0, 40));
  await writeFile(pathOf('other'), JSON.stringify(sample('a')));
  await writeFile(pathOf('newer'), JSON.stringify({ ...sample('newer'), version: 3 }));
  await rm(pathOf('empty'));
  // A write that was cut off leaves its unfinished file next to the complete one.
  await writeFile(join(folder, 'a', '.sample.json.tmp'), whole.slice(0, 10));

  const again = await open(folder);
  expect(again.list().map(({ id }) => id)).toEqual(['a']);
  const reported = [...again.unreadable()].sort((x, y) => (x.id < y.id ? -1 : 1));
  expect(reported).toEqual([
    { id: 'newer', path: pathOf('newer'), why: expect.stringContaining('newer version') },
    { id: 'other', path: `${pathOf('other')}.unread`, why: 'it is the record of "a"' },
    { id: 'torn', path: `${pathOf('torn')}.unread`, why: 'it is not JSON' },
  ]);
  expect(await readFile(`${pathOf('torn')}.unread`, 'utf8')).toBe(whole.slice(0, 40));
});

test('a record of an older version is migrated, and written in the new form with its next change', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'a'));
  const { count: _, ...older } = sample('a');
  await writeFile(join(folder, 'a', 'sample.json'), JSON.stringify({ ...older, version: 1 }));
  const migrate = (value: unknown, version: number) => ({
    ...z.looseObject({}).parse(value),
    version: 2,
    count: version * 10,
  });
  const store = await open(folder, { migrate });
  expect(store.list()).toEqual([sample('a', { count: 10 })]);
  await store.change('a', (record) => ({ ...record, name: 'new' }));
  expect((await open(folder)).list()).toEqual([sample('a', { count: 10, name: 'new' })]);
});

test.each([['a folder for each', 'sample.json'] as const, ['a file for each', null] as const])(
  '%s: what a version set aside because it did not know a value is read again by one that does',
  async (_, fileName) => {
    const folder = await temporaryFolder();
    const newer = await open(folder, { fileName });
    for (const id of ['a', 'b', 'c']) await newer.put(sample(id, { count: 7 }));
    // An older version: it knows no count above 5, of the same form.
    const older = { fileName, schema: schema.extend({ count: z.number().max(5) }) };
    const downgraded = await open(folder, older);
    expect(downgraded.list()).toEqual([]);
    expect(downgraded.unreadable().map(({ path }) => path.endsWith('.json.unread'))).toEqual([
      true,
      true,
      true,
    ]);
    // What it writes there itself is newer than what it set aside.
    await downgraded.put(sample('c', { count: 1 }));
    expect((await open(folder, older)).list()).toEqual([sample('c', { count: 1 })]);

    const upgraded = await open(folder, { fileName });
    expect(upgraded.list()).toEqual([
      sample('a', { count: 7 }),
      sample('b', { count: 7 }),
      sample('c', { count: 1 }),
    ]);
    expect(upgraded.unreadable()).toEqual([]);
    expect((await upgraded.change('a', (record) => ({ ...record, count: 8 }))).ok).toBe(true);
    expect((await open(folder, { fileName })).get('a')).toEqual(sample('a', { count: 8 }));
  },
);

test('what cannot be written counts as not done, and is a refusal that names the record', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.put(sample('a'));
  await rm(join(folder, 'a'), { recursive: true });
  await writeFile(join(folder, 'a'), 'in the way');
  const changed = await store.change('a', (record) => ({ ...record, count: 1 }));
  expect(changed).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringContaining('"Sample a"') },
  });
  expect(store.get('a')?.count).toBe(0);
});

test('records that count at once are written with the next change, and the minor ones at the end', async () => {
  const folder = await temporaryFolder();
  const more = {
    fileName: null,
    commit: 'memory',
    isMinor: (a: Sample, b: Sample) => a.name === b.name,
  } as const;
  const store = await open(folder, more);
  void store.put(sample('a'));
  expect(store.get('a')).toEqual(sample('a'));
  await store.put(sample('a', { name: 'named' }));
  await store.put(sample('a', { name: 'named', count: 7 }));
  const onDisk = async () => JSON.parse(await readFile(join(folder, 'a.json'), 'utf8'));
  expect(await onDisk()).toMatchObject({ name: 'named', count: 0 });
  await store.close();
  expect(await onDisk()).toMatchObject({ name: 'named', count: 7 });
  expect(await store.put(sample('a', { name: 'late' }))).toMatchObject({ ok: false });
  expect(await onDisk()).toMatchObject({ name: 'named' });
});

test('a removed record leaves what was to be kept, and is gone before the rest', async () => {
  const folder = await temporaryFolder();
  const store = await open(folder);
  await store.put(sample('a'));
  await mkdir(join(store.folderOf('a'), 'checkpoints'));
  await writeFile(join(store.folderOf('a'), 'spec.json'), '{}');
  const removed: string[] = [];
  store.onChange(({ id, after }) => after === null && removed.push(id));
  expect(await store.remove('a', ['checkpoints'])).toEqual({ ok: true, value: null });
  expect(await readdir(store.folderOf('a'))).toEqual(['checkpoints']);
  expect(removed).toEqual(['a']);
  expect((await open(folder)).list()).toEqual([]);
});

test.skipIf(process.getuid?.() === 0)(
  'a record without rights is reported and stays where it is',
  async () => {
    const folder = await temporaryFolder();
    const store = await open(folder);
    await store.put(sample('a'));
    await chmod(join(folder, 'a', 'sample.json'), 0o000);
    const again = await open(folder);
    expect(again.unreadable()).toEqual([
      { id: 'a', path: join(folder, 'a', 'sample.json'), why: expect.stringContaining('EACCES') },
    ]);
  },
);

test('a process killed in the middle of writing leaves a whole record, no older than what it reported', async () => {
  const script = await bundleScript(
    join(import.meta.dirname, 'programs', 'change-record.ts'),
    await temporaryFolder(),
  );
  const counted = z.object({
    version: z.literal(1),
    id: z.string(),
    createdAt: z.string(),
    count: z.number(),
  });
  for (let round = 0; round < 5; round++) {
    const folder = await temporaryFolder();
    const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.split('\n').length > 5 + round * 7) child.kill('SIGKILL');
      });
      child.on('close', () => resolve());
    });
    const said = Number(text.trimEnd().split('\n').at(-1));
    const store = await openRecordStore({
      folder,
      fileName: 'record.json',
      schema: counted,
      version: 1,
      noun: 'record',
    });
    expect(store.unreadable()).toEqual([]);
    expect(store.get('a')?.count).toBeGreaterThanOrEqual(said);
  }
});
