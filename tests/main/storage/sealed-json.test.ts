import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readSealed, resealed, sealed, writeJson } from '../../../main/storage';
import { temporaryFolder } from '../../support/temporary-folder';

const schema = z.object({ rate: z.number(), names: z.array(z.string()) });
const VALUE = { rate: 0.1 + 0.2, names: ['a', 'b'] };

async function written(value: unknown): Promise<string> {
  const path = join(await temporaryFolder(), 'x.json');
  await writeJson(path, value);
  return path;
}

it('gives back what was sealed, whatever the spaces of its file are', async () => {
  expect(await readSealed(await written(sealed(VALUE)), schema)).toEqual({ kind: 'read', value: VALUE });
  const path = await written(null);
  await writeFile(path, JSON.stringify(sealed(VALUE), null, 2));
  expect(await readSealed(path, schema)).toEqual({ kind: 'read', value: VALUE });
});

it('notices one changed digit, and reads a file that has no seal', async () => {
  const text = JSON.stringify(sealed(VALUE));
  const path = await written(null);
  await writeFile(path, text.replace('0.3', '0.4'));
  expect(await readSealed(path, schema)).toMatchObject({
    kind: 'damaged',
    why: expect.stringContaining('checksum'),
  });
  expect(await readSealed(await written(VALUE), schema)).toEqual({ kind: 'read', value: VALUE });
});

it('is renewed only where something was hidden', async () => {
  const before = sealed(VALUE);
  expect(resealed(before, { ...before })).toEqual(before);
  const hidden = resealed(before, { ...before, names: ['a', '***'] });
  const read = await readSealed(await written(hidden), schema);
  expect(read).toEqual({ kind: 'read', value: { ...VALUE, names: ['a', '***'] } });
  // What was damaged already is not made whole by it.
  const forged = { ...before, rate: 1 };
  expect((await readSealed(await written(resealed(forged, { ...forged })), schema)).kind).toBe('damaged');
});
