import { FAMILY_TRAITS, type Family, ofEachFamily } from './families';
import { applyOperation, interpret } from './interpret';
import type { Outcome, Value } from './operation-kinds';
import { OPERATIONS, operationsOf, type Program, STOP, SYMBOLS } from './operations';
import { FEEDBACK, type ReadPrompt } from './prompt';
import { RELATION_COUNT, relationsBetween } from './relations';
import { VOCABULARY, wordsOf } from './vocabulary';

/** A policy's program has at most this many steps; then it ends without a STOP. */
export const LONGEST_PROGRAM = 5;

const CLAUSES_LEFT = 5;
const WORDS = VOCABULARY.length;

/** First row of each block; a row is one binary feature with a weight for every symbol. */
export type Layout = {
  readonly position: number;
  readonly previous: number;
  readonly used: number;
  readonly clausesLeft: number;
  readonly flags: number;
  readonly bag: number;
  readonly clause: number;
  /** -1: this family has no such rows. */
  readonly examples: number;
  readonly trace: number;
  readonly lockstep: number;
  readonly parentRelations: number;
  readonly parentSymbol: number;
  readonly role: number;
  readonly rows: number;
};

/** Weights for or against copying the earlier program's symbol, independent of the symbol. */
const COPY = { feedback: 0, position: 16, whole: 36, lacking: 52, relations: 56 } as const;
export const COPY_COUNT = COPY.relations + 4 * RELATION_COUNT;

function layoutOf(family: Family): Layout {
  const traits = FAMILY_TRAITS[family];
  let rows = 0;
  const block = (size: number): number => {
    const start = rows;
    rows += size;
    return start;
  };
  const blockIf = (wanted: boolean, size: number): number => (wanted ? block(size) : -1);
  return {
    position: block(LONGEST_PROGRAM),
    previous: block(SYMBOLS),
    used: block(SYMBOLS),
    clausesLeft: block(CLAUSES_LEFT),
    flags: block(2),
    bag: block(WORDS),
    clause: block(3 * WORDS),
    examples: blockIf(traits.readsExamples, LONGEST_PROGRAM * RELATION_COUNT),
    trace: block(RELATION_COUNT),
    lockstep: block(2 * LONGEST_PROGRAM),
    parentRelations: block(3 * RELATION_COUNT),
    parentSymbol: block(2 * SYMBOLS),
    role: block(4 * LONGEST_PROGRAM),
    rows,
  };
}

export const LAYOUTS: Readonly<Record<Family, Layout>> = ofEachFamily(layoutOf);

/** Operations that a family never writes after pre-training, but can copy from an earlier program. */
export const UNKNOWN_OPERATIONS: Readonly<Record<Family, ReadonlySet<number>>> = ofEachFamily(
  (family) => new Set(operationsOf(FAMILY_TRAITS[family].lacks)),
);

/** A prompt, prepared for looking up features. */
export type Encoded = {
  readonly clauses: readonly (readonly number[])[];
  readonly bag: readonly number[];
  readonly flags: readonly number[];
  readonly inputs: readonly (readonly number[])[];
  readonly wanted: readonly Value[];
  readonly exampleRelations: readonly number[];
  readonly role: 0 | 1;
  readonly parent: {
    readonly program: Program;
    readonly feedback: number;
    readonly relations: readonly number[];
  } | null;
};

export function encodePrompt(prompt: ReadPrompt): Encoded {
  const clauses = prompt.clauses.map(wordsOf);
  const inputs = prompt.examples.map(({ input }) => input);
  const expectedOutputs = prompt.examples.map(({ output }) => output);
  const { earlier } = prompt;
  const outcomes = earlier === null ? [] : inputs.map((input) => interpret(earlier.program, input));
  return {
    clauses,
    bag: [...new Set(clauses.flat())],
    flags: [...(prompt.reordered ? [0] : []), ...(prompt.omitted ? [1] : [])],
    inputs,
    wanted: expectedOutputs,
    exampleRelations: relationsBetween(inputs, expectedOutputs),
    role: prompt.role,
    parent:
      earlier === null
        ? null
        : {
            program: earlier.program,
            feedback: FEEDBACK.indexOf(earlier.feedback),
            relations: relationsBetween(outcomes, expectedOutputs),
          },
  };
}

/**
 * With an earlier program, a refiner reads the task clause by clause and also follows its program on the examples,
 * whatever its family. That is the effect of the role: a solver, and any first attempt, use the features of their
 * family only.
 */
function isRepairing({ role, parent }: Encoded): boolean {
  return role === 1 && parent !== null;
}

function follows(family: Family, encoded: Encoded): boolean {
  return FAMILY_TRAITS[family].executes || isRepairing(encoded);
}

function readsInOrder(family: Family, encoded: Encoded): boolean {
  return FAMILY_TRAITS[family].readsInOrder || isRepairing(encoded);
}

/** The program written so far: its steps, and their results on the examples' inputs. */
export type Prefix = {
  readonly steps: readonly number[];
  readonly states: readonly Outcome[];
  readonly lockstep: boolean;
};

export function emptyPrefix(encoded: Encoded): Prefix {
  return { steps: [], states: encoded.inputs, lockstep: encoded.parent !== null };
}

export function extend(family: Family, encoded: Encoded, prefix: Prefix, symbol: number): Prefix {
  const position = prefix.steps.length;
  const states = follows(family, encoded)
    ? prefix.states.map((state, i) => applyOperation(symbol, state, encoded.inputs[i] ?? []))
    : prefix.states;
  const lockstep = prefix.lockstep && parentSymbol(encoded, position) === symbol;
  return { steps: [...prefix.steps, symbol], states, lockstep };
}

/** The earlier program's symbol at this position; -1 without one, or past its end. */
export function parentSymbol(encoded: Encoded, position: number): number {
  if (encoded.parent === null || position > encoded.parent.program.length) return -1;
  return encoded.parent.program[position] ?? STOP;
}

/** The active rows when the next symbol is chosen. */
export function activeRows(family: Family, encoded: Encoded, prefix: Prefix): readonly number[] {
  const layout = LAYOUTS[family];
  const position = prefix.steps.length;
  const last = prefix.steps[position - 1] ?? STOP;
  const left = Math.min(Math.max(encoded.clauses.length - position, 0), CLAUSES_LEFT - 1);
  const rows = [layout.position + position, layout.previous + last, layout.clausesLeft + left];
  for (const step of prefix.steps) {
    const row = layout.used + step;
    if (!rows.includes(row)) rows.push(row);
  }
  for (const flag of encoded.flags) rows.push(layout.flags + flag);
  for (const word of encoded.bag) rows.push(layout.bag + word);
  if (readsInOrder(family, encoded)) {
    for (let offset = -1; offset <= 1; offset++) {
      for (const word of encoded.clauses[position + offset] ?? [])
        rows.push(layout.clause + (offset + 1) * WORDS + word);
    }
  }
  if (layout.examples >= 0) {
    for (const relation of encoded.exampleRelations)
      rows.push(layout.examples + position * RELATION_COUNT + relation);
  }
  if (follows(family, encoded)) {
    for (const relation of relationsBetween(prefix.states, encoded.wanted))
      rows.push(layout.trace + relation);
  }
  const { parent, role } = encoded;
  rows.push(layout.role + (2 * role + (parent === null ? 0 : 1)) * LONGEST_PROGRAM + position);
  if (parent !== null) {
    const side = prefix.lockstep ? 1 : 0;
    rows.push(layout.lockstep + side * LONGEST_PROGRAM + position);
    // Past the end of the earlier program, its results show which step is missing.
    const column = prefix.lockstep && position === parent.program.length ? 2 : side;
    for (const relation of parent.relations)
      rows.push(layout.parentRelations + column * RELATION_COUNT + relation);
    // Only a refiner has features of the earlier program's step at this position, since it repairs the program. A solver
    // copies steps or writes new ones.
    const symbol = parentSymbol(encoded, position);
    if (role === 1 && symbol >= 0) rows.push(layout.parentSymbol + side * SYMBOLS + symbol);
  }
  return rows;
}

/** The active copy features; they affect only `parentSymbol`. */
export function activeCopies(family: Family, encoded: Encoded, prefix: Prefix): readonly number[] {
  const { parent, role } = encoded;
  const position = prefix.steps.length;
  const symbol = parentSymbol(encoded, position);
  if (parent === null || symbol < 0) return [];
  const side = 2 * role + (prefix.lockstep ? 1 : 0);
  const copies = [
    COPY.feedback + 4 * side + parent.feedback,
    COPY.position + LONGEST_PROGRAM * side + position,
  ];
  const ends = symbol === STOP || OPERATIONS[symbol]?.final === true;
  // One more symbol would repeat the earlier program exactly, which is never worth a node.
  if (ends && prefix.lockstep)
    copies.push(COPY.whole + 4 * (2 * role + (symbol === STOP ? 1 : 0)) + parent.feedback);
  if (UNKNOWN_OPERATIONS[family].has(symbol)) copies.push(COPY.lacking + side);
  for (const relation of parent.relations) copies.push(COPY.relations + side * RELATION_COUNT + relation);
  return copies;
}
