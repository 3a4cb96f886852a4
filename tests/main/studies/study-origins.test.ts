import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { studyFiles } from '../../../main/studies';
import { type OriginDeps, readOrigins, recordOrigins } from '../../../main/studies/study-origins';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const server = (model: string) =>
  ({ id: model, spec: { kind: 'url', id: model, baseUrl: 'http://gpu1/v1', model } }) as const;

async function bench() {
  const files = studyFiles(await temporaryFolder());
  const deps: OriginDeps = {
    files,
    servers: { views: () => [] },
    provenanceOf: async () => ({ ok: true, value: null }),
    appVersion: '1.2.3',
    now: () => 0,
  };
  const path = join(files.folder('s'), 'origins.json');
  return { files, path, ask: (model: string) => recordOrigins('s', [server(model) as never], deps) };
}

test('a changed record of servers is refused, moved aside by the next one, and still said then', async () => {
  const { files, path, ask } = await bench();
  await ask('one');
  expect(await unwrap(readOrigins(files, 's'))).toMatchObject([{ name: 'one' }]);
  const changed = (await readFile(path, 'utf8')).replace('"one"', '"two"');
  await writeFile(path, changed);
  const refusal = await readOrigins(files, 's');
  expect(refusal).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('does not match its checksum') },
  });
  expect(await readFile(path, 'utf8')).toBe(changed);
  await ask('three');
  const aside = join(files.folder('s'), 'origins.damaged-1.json');
  expect(await readFile(aside, 'utf8')).toBe(changed);
  expect(await readOrigins(files, 's')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining(aside), hint: expect.stringContaining('Remove it') },
  });
});

test('a record of an earlier version has no checksum and is read, and the next one keeps what it says', async () => {
  const { files, path, ask } = await bench();
  await ask('one');
  const { sha256: _, ...earlier } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(earlier));
  expect(await unwrap(readOrigins(files, 's'))).toHaveLength(1);
  await ask('two');
  expect((await unwrap(readOrigins(files, 's'))).map(({ name }) => name)).toEqual(['one', 'two']);
  expect(await readdir(files.folder('s'))).toEqual(['origins.json']);
});
