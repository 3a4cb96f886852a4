import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { replaceFile } from '../storage/index';
import { environmentSecrets, type SecretStore } from './secrets';

/** Encrypts a key so that only this login on this computer can read it. */
export type Cipher = {
  /** Where the keys are, as the end of a sentence: "They are kept in ...". */
  readonly keptIn: string;
  /** null: it works; otherwise why not, in a sentence. */
  readonly problem: () => string | null;
  readonly encrypt: (text: string) => Buffer;
  /** Throws for text that another login has encrypted. */
  readonly decrypt: (bytes: Buffer) => string;
};

const fileSchema = z.record(z.string(), z.string());
type SavedKeys = z.infer<typeof fileSchema>;

/**
 * Keys in a file at `path`, each encrypted; a key that is not there is looked for in `environment`. A file that cannot be
 * read is never overwritten.
 */
export function createEncryptedSecrets(
  path: string,
  cipher: Cipher,
  environment: Pick<SecretStore, 'value' | 'values'> = environmentSecrets({}),
): SecretStore {
  const read = async (): Promise<Result<SavedKeys, Refusal>> => {
    try {
      return ok(fileSchema.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok({});
      const message = `Cannot read the file of the keys: ${path}.`;
      return failed({ code: 'unavailable', message, hint: 'Move the file away, then save the keys again.' });
    }
  };
  let lastChange: Promise<unknown> = Promise.resolve();
  const change = (next: (keys: SavedKeys) => void): Promise<Result<null, Refusal>> => {
    const changed = lastChange.then(async (): Promise<Result<null, Refusal>> => {
      const keys = await read();
      if (!keys.ok) return keys;
      next(keys.value);
      try {
        await replaceFile(path, `${JSON.stringify(keys.value, null, 2)}\n`, 0o600);
        return ok(null);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return failed({ code: 'unavailable', message: `Could not save the keys: ${why}.` });
      }
    });
    lastChange = changed;
    return changed;
  };
  const savedKeys = async (): Promise<SavedKeys> => {
    const keys = await read();
    return keys.ok ? keys.value : {};
  };
  const decrypted = (encrypted: string): string | null => {
    try {
      return cipher.decrypt(Buffer.from(encrypted, 'base64'));
    } catch {
      // Another login has encrypted it: here there is no such key.
      return null;
    }
  };
  return {
    problem: cipher.problem,
    keptIn: cipher.keptIn,
    names: async () => Object.keys(await savedKeys()).sort(),
    value: async (name) => {
      const encrypted = (await savedKeys())[name];
      if (encrypted === undefined || cipher.problem() !== null) return environment.value(name);
      return decrypted(encrypted);
    },
    values: async () => {
      const saved = cipher.problem() === null ? Object.values(await savedKeys()).map(decrypted) : [];
      return [...saved.filter((value) => value !== null), ...(await environment.values())];
    },
    save: async (name, value) => {
      const why = cipher.problem();
      if (why !== null) return failed({ code: 'unavailable', message: why });
      const encrypted = cipher.encrypt(value).toString('base64');
      return change((keys) => {
        keys[name] = encrypted;
      });
    },
    remove: (name) =>
      change((keys) => {
        delete keys[name];
      }),
  };
}
