import { wholeNumber } from './arguments';

/** The user typed something that can not be meant; ends the command with exit code 2. */
export class UsageError extends Error {}

/** What `parseArgs` found: every option is a text, a flag, or (configuration, file) a list of texts. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** The options of one command, read by name; what can not be meant is thrown as `Usage`. */
export class CliOptions {
  readonly #values: OptionValues;
  /** What stands beside the options, in order. */
  readonly words: readonly string[];

  constructor(values: OptionValues, words: readonly string[]) {
    this.#values = values;
    this.words = words;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  needed(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
    return value;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  all(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  /** A whole number in [least, most]; undefined when it was not given. */
  count(name: string, least: number, most: number): number | undefined {
    const read = wholeNumber(this.text(name), name, least, most);
    if (!read.ok) throw new UsageError(read.error.message);
    return read.value;
  }

  /** Whole numbers in [least, most], separated by commas; undefined when they were not given. */
  counts(name: string, least: number, most: number): number[] | undefined {
    return this.text(name)
      ?.split(',')
      .map((text) => {
        const read = wholeNumber(text, name, least, most);
        if (!read.ok || read.value === undefined) {
          throw new UsageError(`--${name} takes whole numbers, e.g. 11,12,13.`);
        }
        return read.value;
      });
  }

  number(name: string, least: number, most: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new UsageError(`--${name} takes a number from ${least} to ${most}, not "${text}".`);
    }
    return value;
  }

  /** One of these words. */
  choice<const C extends readonly string[]>(name: string, choices: C): C[number] | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = choices.find((one) => one === text);
    if (found === undefined) throw new UsageError(`--${name} is ${listed(choices)}, not "${text}".`);
    return found;
  }

  /** Word number `at` beside the options. */
  word(at: number, what: string): string {
    const word = this.words[at];
    if (word === undefined || word === '') throw new UsageError(`${what} is missing.`);
    return word;
  }
}

/** Leaves out what was not given, so that the contract's own defaults hold. */
export function given<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
