import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { replaceFile } from '../storage/index';
import type { SecretStore } from './secrets';

/** What makes a key unreadable to everybody but this login of this computer. */
export type Cipher = {
  /** null: it works; else why it does not, in a sentence. */
  readonly problem: () => string | null;
  readonly encrypt: (text: string) => Buffer;
  /** Throws for what another login has encrypted. */
  readonly decrypt: (bytes: Buffer) => string;
};

const fileSchema = z.record(z.string(), z.string());
type Kept = z.infer<typeof fileSchema>;

/** Keys in a file at `path`, each encrypted. A file that can not be read is never written over. */
export function createKeptSecrets(path: string, cipher: Cipher): SecretStore {
  const read = async (): Promise<Result<Kept, Refusal>> => {
    try {
      return ok(fileSchema.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok({});
      const message = `The file of the keys can not be read: ${path}.`;
      return failed({ code: 'unavailable', message, hint: 'Move it away; then save the keys again.' });
    }
  };
  let turn: Promise<unknown> = Promise.resolve();
  const change = (next: (keys: Kept) => void): Promise<Result<null, Refusal>> => {
    const changed = turn.then(async (): Promise<Result<null, Refusal>> => {
      const keys = await read();
      if (!keys.ok) return keys;
      next(keys.value);
      try {
        await replaceFile(path, `${JSON.stringify(keys.value, null, 2)}\n`, 0o600);
        return ok(null);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return failed({ code: 'unavailable', message: `The keys were not saved: ${why}.` });
      }
    });
    turn = changed;
    return changed;
  };
  const known = async (): Promise<Kept> => {
    const keys = await read();
    return keys.ok ? keys.value : {};
  };
  return {
    problem: cipher.problem,
    names: async () => Object.keys(await known()).sort(),
    value: async (name) => {
      const kept = (await known())[name];
      if (kept === undefined || cipher.problem() !== null) return null;
      try {
        return cipher.decrypt(Buffer.from(kept, 'base64'));
      } catch {
        return null;
      }
    },
    save: async (name, value) => {
      const why = cipher.problem();
      if (why !== null) return failed({ code: 'unavailable', message: why });
      const kept = cipher.encrypt(value).toString('base64');
      return change((keys) => {
        keys[name] = kept;
      });
    },
    remove: (name) =>
      change((keys) => {
        delete keys[name];
      }),
  };
}
