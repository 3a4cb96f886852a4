import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Cipher, createEncryptedSecrets } from '../encrypted-secrets';
import type { SecretStore } from '../secrets';
import { runTool } from './system-tool';

/**
 * The keys of a service, which has no desktop whose key store Electron could ask: encrypted with a key that the system's
 * keyring keeps, where one answers (secret-tool of libsecret); else in a file that only this user can read.
 */
export async function createServiceKeys(
  dataDir: string,
  environment: Pick<SecretStore, 'value' | 'values'>,
): Promise<SecretStore> {
  const key = await keyringKey();
  return key === null
    ? createEncryptedSecrets(join(dataDir, 'service-keys-plain.json'), PLAIN, environment)
    : createEncryptedSecrets(join(dataDir, 'service-keys.json'), aesCipher(key), environment);
}

const PLAIN: Cipher = {
  keptIn: 'a file of the data folder that only you can read, because no keyring answers',
  problem: () => null,
  encrypt: (text) => Buffer.from(text, 'utf8'),
  decrypt: (bytes) => bytes.toString('utf8'),
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** `key`: 32 bytes. */
export function aesCipher(key: Buffer): Cipher {
  return {
    keptIn: 'a file that is encrypted with a key of the system’s keyring',
    problem: () => null,
    encrypt: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
    },
    decrypt: (bytes) => {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return `${decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8')}${decipher.final('utf8')}`;
    },
  };
}

const ATTRIBUTES = ['application', 'mars2-workbench', 'use', 'service-keys'];

/** The key that the keyring keeps for us, made where it has none yet; null: no keyring answers. */
async function keyringKey(): Promise<Buffer | null> {
  const answer = await secretTool(['lookup', ...ATTRIBUTES], '');
  // A keyring without our key answers with code 1 and without a word.
  if (answer === null || (answer.code !== 0 && answer.stderr.trim() !== '')) return null;
  if (answer.code === 0) return keyOf(answer.stdout);
  const made = randomBytes(KEY_BYTES).toString('hex');
  await secretTool(['store', '--label=MARS² Workbench: keys of the service', ...ATTRIBUTES], made);
  const stored = await secretTool(['lookup', ...ATTRIBUTES], '');
  return stored !== null && stored.stdout.trim() === made ? keyOf(made) : null;
}

function keyOf(text: string): Buffer | null {
  const key = Buffer.from(text.trim(), 'hex');
  return key.length === KEY_BYTES ? key : null;
}

/** A locked keyring may show its question on a screen without a user. */
const PATIENCE_MS = 5_000;

const secretTool = (args: readonly string[], input: string) =>
  runTool('secret-tool', args, { input, patienceMs: PATIENCE_MS });
