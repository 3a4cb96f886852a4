import { MAX_SEEDS, readSeeds, type SweptField } from '../../preload/contract/index';
import { wholeNumber } from './agent-arguments';

/** Wrong input of the user; ends the command with exit code 2. */
export class UsageError extends Error {}

/** A text, a switch, or every value of an option that may be repeated. */
export type OptionValue = string | boolean | readonly string[] | undefined;

/** The options and arguments of one command, read by name; a value that is not allowed throws a `UsageError`. */
export class CliOptions {
  readonly #values: Readonly<Record<string, OptionValue>>;
  /** The arguments, in order. */
  readonly words: readonly string[];

  constructor(values: Readonly<Record<string, OptionValue>>, words: readonly string[]) {
    this.#values = values;
    this.words = words;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
    return value;
  }

  /** Names all that is missing at once, so that the command line is corrected once. */
  requireAll(...names: readonly string[]): void {
    const missing = names.filter((name) => this.text(name) === undefined && this.all(name).length === 0);
    if (missing.length > 1)
      throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`);
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  all(name: string): string[] {
    const value = this.#values[name];
    return typeof value === 'object' ? [...value] : [];
  }

  /** A whole number in [least, most]; undefined when the option is not set. */
  count(name: string, least: number, most: number): number | undefined {
    const read = wholeNumber(this.text(name), name, least, most);
    if (!read.ok) throw new UsageError(read.error.message);
    return read.value;
  }

  /** Whole numbers in [least, most], separated by commas; undefined when the option is not set. */
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

  /** `--seeds` as a list with ranges ("1-3,7"); undefined when the option is not set. */
  seeds(): number[] | undefined {
    const text = this.text('seeds');
    if (text === undefined) return undefined;
    const read = readSeeds(text, MAX_SEEDS);
    if (!read.ok) throw new UsageError(`--seeds takes whole numbers and ranges. ${read.message}`);
    if (read.value.length === 0) throw new UsageError('--seeds takes whole numbers and ranges, e.g. 1-3.');
    return [...read.value];
  }

  /** Every `--sweep FIELD=VALUE,VALUE`. */
  swept(): SweptField[] {
    return this.all('sweep').map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`--sweep takes FIELD=VALUE,VALUE, not "${text}".`);
      const values = text.slice(at + 1).split(',');
      return { id: text.slice(0, at), values: values.map((value) => value.trim()) };
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
    const choice = choices.find((choice) => choice === text);
    if (choice === undefined) throw new UsageError(`--${name} is ${listed(choices)}, not "${text}".`);
    return choice;
  }

  /** Argument number `at`; `label` names it in the error. */
  word(at: number, label: string): string {
    const word = this.words[at];
    if (word === undefined || word === '') throw new UsageError(`${label} is missing.`);
    return word;
  }
}

/** Leaves out undefined values, so that the contract's own defaults hold. */
export function definedOnly<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
