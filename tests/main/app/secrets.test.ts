import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Cipher, createEncryptedSecrets } from '../../../main/app/encrypted-secrets';
import { takeEnvironmentSecrets } from '../../../main/app/secrets';
import { temporaryFolder } from '../../support/temporary-folder';

/** A stand-in for the desktop's key store, which a test cannot have: it turns every bit around. */
const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));
const standIn = (problem: string | null = null): Cipher => ({
  keptIn: 'a file',
  problem: () => problem,
  encrypt: (text) => flipped(Buffer.from(text)),
  decrypt: (bytes) => flipped(bytes).toString(),
});

test('keys are kept encrypted, for this user alone, and given back by name', async () => {
  const path = join(await temporaryFolder(), 'keys.json');
  const keys = createEncryptedSecrets(path, standIn());
  await Promise.all([keys.save('lab', 'sk-very-secret'), keys.save('other', 'two')]);
  expect(await keys.names()).toEqual(['lab', 'other']);
  expect(await createEncryptedSecrets(path, standIn()).value('lab')).toBe('sk-very-secret');
  expect(await readFile(path, 'utf8')).not.toContain('sk-very-secret');
  expect((await stat(path)).mode & 0o077).toBe(0);
  const environment = takeEnvironmentSecrets({ MARS2_SECRET_LAB: 'of the environment', HOME: '/home/ada' });
  const all = ['sk-very-secret', 'two', 'of the environment'];
  expect(await createEncryptedSecrets(path, standIn(), environment).values()).toEqual(all);
  await keys.remove('lab');
  expect(await keys.value('lab')).toBeNull();
});

test('without a key store nothing is kept, and it says so', async () => {
  const path = join(await temporaryFolder(), 'keys.json');
  const keys = createEncryptedSecrets(path, standIn('no key store here'));
  expect(await keys.save('lab', 'x')).toMatchObject({ ok: false, error: { message: 'no key store here' } });
  await expect(stat(path)).rejects.toThrow();
});

test('a damaged key file is reported and never overwritten', async () => {
  const path = join(await temporaryFolder(), 'keys.json');
  await writeFile(path, '{"lab": ');
  const keys = createEncryptedSecrets(path, standIn());
  expect(await keys.save('lab', 'x')).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(await readFile(path, 'utf8')).toBe('{"lab": ');
});
