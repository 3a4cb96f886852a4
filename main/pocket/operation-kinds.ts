/** What an operation of the pocket language is, and makers of the kinds that many operations share. */

const SKILLS = ['order', 'cut', 'keep', 'shift', 'scale', 'nonneg', 'scan', 'zip', 'report'] as const;
export type Skill = (typeof SKILLS)[number];

/** How a statement hints at a skill without naming the operation. */
export const VAGUE_PHRASES: Readonly<Record<Skill, string>> = {
  order: 'put the numbers into another order',
  cut: 'use only a part of the list',
  keep: 'keep only certain numbers',
  shift: 'shift every number a little',
  scale: 'rescale every number',
  nonneg: 'make every number non-negative',
  scan: 'replace the list by running values',
  zip: 'combine the list place by place with a second one',
  report: 'report a single number',
};

/** A list after a step, a number after a `report` step, or the reason for neither. */
export type Value = readonly number[] | number;
/** `error`: Python raises. `too-big`: an integer left the range that a double holds exactly; Python would continue. */
export type Outcome = Value | 'error' | 'too-big';

export type Operation = {
  readonly name: string;
  readonly skill: Skill;
  /** Ends the program: a number instead of a list. */
  readonly final: boolean;
  /** `xs` is the present list, `original` the program's input. */
  readonly apply: (xs: readonly number[], original: readonly number[]) => Value | 'error';
  /** Two precise wordings for the statement. */
  readonly phrases: readonly [string, string];
  /** Two ways to write it in Python, lines without indentation of their own; list steps set `xs`, others `answer`. */
  readonly python: readonly [readonly string[], readonly string[]];
};

type Apply = Operation['apply'];
type Wording = readonly [string, string];
type Lines = string | readonly string[];

/** An operation from its two Python forms, each of one or several lines. */
export function step(
  name: string,
  skill: Skill,
  apply: Apply,
  phrases: Wording,
  first: Lines,
  second: Lines,
): Operation {
  const lines = (text: Lines): readonly string[] => (typeof text === 'string' ? [text] : text);
  return { name, skill, final: skill === 'report', apply, phrases, python: [lines(first), lines(second)] };
}

/** A filter or map has the same two Python forms everywhere: a comprehension, or a lambda. */
export function filterStep(
  name: string,
  keeps: (x: number) => boolean,
  python: string,
  phrases: Wording,
): Operation {
  const apply: Apply = (xs) => xs.filter(keeps);
  const second = `xs = list(filter(lambda x: ${python}, xs))`;
  return step(name, 'keep', apply, phrases, `xs = [x for x in xs if ${python}]`, second);
}

export function mapStep(
  name: string,
  skill: Skill,
  map: (x: number) => number,
  python: string,
  phrases: Wording,
): Operation {
  const apply: Apply = (xs) => xs.map(map);
  return step(
    name,
    skill,
    apply,
    phrases,
    `xs = [${python} for x in xs]`,
    `xs = list(map(lambda x: ${python}, xs))`,
  );
}

export function sliceStep(
  name: string,
  apply: Apply,
  slice: string,
  condition: string,
  phrases: Wording,
): Operation {
  const second = `xs = [x for i, x in enumerate(xs) if ${condition}]`;
  return step(name, 'cut', apply, phrases, `xs = xs[${slice}]`, second);
}
