import type { Refusal } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';

/** Where API keys are stored. A value is read only by the code that sends it, and by what takes it out of texts. */
export type SecretStore = {
  /** null: keys can be saved; otherwise why not, in a sentence. */
  readonly problem: () => string | null;
  /** Where keys are, as the end of a sentence: "They are kept in ..."; null: nowhere. */
  readonly keptIn: string | null;
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
    keptIn: null,
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
  const environment: NodeJS.ProcessEnv = {};
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX)) continue;
    environment[name] = env[name];
    delete env[name];
  }
  return environmentSecrets(environment);
}
