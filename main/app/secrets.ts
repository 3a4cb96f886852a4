import type { Refusal } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';

/** Where keys are kept. A value is given to what sends it, and to nobody else. */
export type SecretStore = {
  /** null: keys can be kept; else why they can not, in a sentence. */
  readonly problem: () => string | null;
  readonly names: () => Promise<readonly string[]>;
  /** null: there is none of that name. */
  readonly value: (name: string) => Promise<string | null>;
  readonly save: (name: string, value: string) => Promise<Result<null, Refusal>>;
  readonly remove: (name: string) => Promise<Result<null, Refusal>>;
};

const PREFIX = 'MARS2_SECRET_';
/** "lab-key" is MARS2_SECRET_LAB_KEY. */
const variableOf = (name: string): string => `${PREFIX}${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;

/** A terminal reaches no key store: keys come from its environment, and none is kept. */
export function environmentSecrets(env: NodeJS.ProcessEnv): SecretStore {
  const problem =
    'The terminal has no key store: it reads keys from variables such as MARS2_SECRET_MYKEY. The window keeps them.';
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
    save: refuse,
    remove: refuse,
  };
}
