import { assertNever } from '../assert-never';
import type { MartiFlag, MartiFlagValue, MartiPreset } from './marti-flag';
import { MARTI_FLAGS } from './marti-flags';

/** null: not in the table. */
export function martiFlag(name: string): MartiFlag | null {
  return MARTI_FLAGS.find((flag) => flag.name === name) ?? null;
}

/** Every flag that a preset passes, with its value. */
export function martiDefaults(preset: MartiPreset): Readonly<Record<string, MartiFlagValue>> {
  return Object.fromEntries(
    MARTI_FLAGS.flatMap(({ name, defaults }): [string, MartiFlagValue][] => {
      const value = defaults[preset];
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The value that a text means; a text that means none stays one, for `flagProblem` to name. */
export function flagValue({ takes }: MartiFlag, text: string): MartiFlagValue {
  if (takes.kind === 'switch') return SWITCHES.get(text) ?? text;
  const isNumber = takes.kind === 'whole' || takes.kind === 'number';
  return isNumber && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/** As the terminal and the form's fields have them. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
]);

/** What is wrong with a value, as a sentence; null: nothing. */
export function flagProblem(flag: MartiFlag, value: MartiFlagValue): string | null {
  const { takes, label } = flag;
  const subject = `"${label}" (${flag.name})`;
  switch (takes.kind) {
    case 'switch':
      return typeof value === 'boolean' ? null : `${subject} must be on or off, not "${value}".`;
    case 'text':
      return typeof value === 'string' && value.trim() !== '' ? null : `${subject} needs a text.`;
    case 'choice':
      return typeof value === 'string' && takes.choices.includes(value)
        ? null
        : `${subject} must be one of ${takes.choices.join(', ')}, not "${value}".`;
    case 'whole':
    case 'number': {
      const whole = takes.kind === 'whole';
      const fits =
        typeof value === 'number' &&
        value >= takes.least &&
        value <= takes.most &&
        (!whole || Number.isInteger(value));
      return fits
        ? null
        : `${subject} takes a ${whole ? 'whole ' : ''}number from ${takes.least} to ${takes.most}, not "${value}".`;
    }
    case 'pair': {
      const words = typeof value === 'string' ? value.trim().split(/\s+/) : [];
      const fits =
        words.length === 2 &&
        words.map(Number).every((number) => number >= takes.least && number <= takes.most);
      return fits
        ? null
        : `${subject} takes two numbers from ${takes.least} to ${takes.most}, as in "0 1", not "${value}".`;
    }
    default:
      return assertNever(takes);
  }
}
