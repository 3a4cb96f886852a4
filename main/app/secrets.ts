import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { replaceFile } from '../storage/index';

/** Where API keys are stored. A value is read only by the code that sends it, and by what takes it out of texts. */
export type SecretStore = {
  /** null: keys can be saved; otherwise why not, in a sentence. */
  readonly problem: () => string | null;
  readonly names: () => Promise<readonly string[]>;
  /** null: there is no key of that name. */
  readonly value: (name: string) => Promise<string | null>;
  /** All that can be read, those of the environment too, to take them out of a text that leaves the workbench. */
  readonly values: () => Promise<readonly string[]>;
  readonly save: (name: string, value: string) => Promise<Result<null, Refusal>>;
  readonly remove: (name: string) => Promise<Result<null, Refusal>>;
};

const PREFIX = 'MARS2_SECRET_';
/** "lab-key" is MARS2_SECRET_LAB_KEY. */
const variableOf = (name: string): string => `${PREFIX}${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;

/** A terminal has no key store: keys come from its environment, and none can be saved. */
export function environmentSecrets(env: NodeJS.ProcessEnv): SecretStore {
  const problem =
    'The terminal has no key store: it reads keys from variables such as MARS2_SECRET_MYKEY. Save keys in the window.';
  const refuse = async (): Promise<Result<null, Refusal>> =>
    failed({ code: 'unavailable', message: problem });
  return {
    problem: () => problem,
    names: async () =>
      Object.keys(env)
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => name.slice(PREFIX.length).toLowerCase().replaceAll('_', '-'))
        .sort(),
    value: async (name) => env[variableOf(name)] ?? null,
    values: async () =>
      Object.entries(env).flatMap(([name, value]) => (name.startsWith(PREFIX) && value ? [value] : [])),
    save: refuse,
    remove: refuse,
  };
}

/**
 * As `environmentSecrets`, and removes the variables from `env`: programs that are started from this process inherit the
 * rest of its environment, and so they cannot print or store a key.
 */
export function takeEnvironmentSecrets(env: NodeJS.ProcessEnv): SecretStore {
  const taken: NodeJS.ProcessEnv = {};
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX)) continue;
    taken[name] = env[name];
    delete env[name];
  }
  return environmentSecrets(taken);
}

/** Encrypts a key so that only this login on this computer can read it. */
export type Cipher = {
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
