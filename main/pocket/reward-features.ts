import { applyOperation, interpret, isValue, sameOutcome } from './interpret';
import { type Outcome, VAGUE_PHRASES, type Value } from './operation-kinds';
import { OPERATIONS, type Program } from './operations';
import { RELATION_COUNT, relationsBetween } from './relations';
import type { ReadStatement } from './statement';
import { VOCABULARY, wordsOf } from './vocabulary';

/**
 * The reward model's view of a problem and a program: the statement's words beside the program's steps, and the
 * program's behaviour on the examples and on inputs near them. It never sees a private test, the reference program or
 * the title (which names the skills).
 */
export type Feature = { readonly index: number; readonly value: number };

const OPS = OPERATIONS.length;
const WORDS = VOCABULARY.length;
const MAX_LENGTH = 6;
/**
 * Steps more (or fewer) than clauses, from -3 to 3, without and with the note that a step is missing from the
 * statement.
 */
const SURPLUS = 7;

/** Blocks of features, each with its number of indices, in the order in which the weights stand. */
const BLOCKS = {
  always: 1,
  examplesPassed: 3,
  length: MAX_LENGTH,
  surplus: 2 * SURPLUS,
  step: OPS,
  repeatedStep: 1,
  /** A word of the clause at the same position as the step. */
  wordInPlace: WORDS * OPS,
  /** A word anywhere in the statement and a step anywhere in the program. */
  wordAnywhere: WORDS * OPS,
  /** How steps and clauses fit: see `addHints`. */
  hints: 6,
  /** With these the model notices that a step is missing which a word nearly always stands for. */
  word: WORDS,
  /** Steps that change nothing, on the examples and on the inputs near them. */
  idle: 2,
  /** On inputs near the examples: share of failures, of empty lists, of different results, of broken relations. */
  nearby: 4,
  /** Relations of input and output that hold on the examples and not on the inputs near them. */
  broken: RELATION_COUNT,
} as const;

type Block = keyof typeof BLOCKS;

const START = new Map<string, number>();
let size = 0;
for (const [block, indices] of Object.entries(BLOCKS)) {
  START.set(block, size);
  size += indices;
}
export const REWARD_FEATURES = size;

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Inputs near an example's: a right program follows the same rule on them. */
function nearbyInputs(input: readonly number[]): readonly (readonly number[])[] {
  return [
    input.slice(0, -1),
    input.slice(1),
    [...input].reverse(),
    input.map((x) => 0 - x),
    input.map((x) => x + 1),
    input.map((x) => 2 * x),
    [...input, ...input.slice(0, 1)],
    [...input, ...input],
    [...input].sort((a, b) => a - b),
    input.map((x, i) => (i === 0 ? x - 7 : x)),
  ];
}

/** Steps that change nothing on any of these inputs. */
function noOpSteps(program: Program, inputs: readonly (readonly number[])[]): number {
  let states: readonly Outcome[] = inputs;
  let idle = 0;
  for (const step of program) {
    const after = states.map((state, i) => applyOperation(step, state, inputs[i] ?? []));
    if (after.every((state, i) => sameOutcome(state, states[i] ?? 'error'))) idle += 1;
    states = after;
  }
  return idle;
}

export function rewardFeatures(statement: ReadStatement, program: Program): readonly Feature[] {
  const features: Feature[] = [];
  const add = (block: Block, offset: number, value = 1): void => {
    if (value !== 0) features.push({ index: (START.get(block) ?? 0) + offset, value });
  };
  const { clauses, reordered, omitted, examples } = statement;
  add('always', 0);

  const outcomes = examples.map(({ input }) => interpret(program, input));
  const passed = outcomes.filter((outcome, i) => sameOutcome(outcome, examples[i]?.output ?? 'error')).length;
  add('examplesPassed', 0, examples.length > 0 && passed === examples.length ? 1 : 0);
  add('examplesPassed', 1, examples.length === 0 ? 0 : passed / examples.length);
  add('examplesPassed', 2, outcomes.some((outcome) => !isValue(outcome)) ? 1 : 0);

  add('length', clamp(program.length, 1, MAX_LENGTH) - 1);
  add('surplus', (omitted ? SURPLUS : 0) + clamp(program.length - clauses.length, -3, 3) + 3);
  const steps = [...new Set(program)];
  for (const step of steps) add('step', step);
  add('repeatedStep', 0, program.length - steps.length);

  const wordsByClause = clauses.map(wordsOf);
  if (!reordered && !omitted) {
    program.forEach((step, position) => {
      for (const word of wordsByClause[position] ?? []) add('wordInPlace', word * OPS + step);
    });
  }
  addHints(statement, program, add);
  const words = [...new Set(wordsByClause.flat())];
  for (const word of words) {
    add('word', word);
    for (const step of steps) add('wordAnywhere', word * OPS + step);
  }

  const inputs = examples.map(({ input }) => input);
  const near = inputs.flatMap(nearbyInputs);
  add('idle', 0, noOpSteps(program, inputs));
  add('idle', 1, noOpSteps(program, [...inputs, ...near]));
  addBehaviour(program, inputs, outcomes.filter(isValue), near, add);
  return features;
}

/** Does the step fit the clause: the named operation, or else any operation of the skill that the clause hints at? */
function fits(step: number, clause: string): boolean {
  const operation = OPERATIONS[step];
  if (operation === undefined) return false;
  return operation.phrases.includes(clause) || VAGUE_PHRASES[operation.skill] === clause;
}

/** How the program agrees with the clauses, each of which names an operation or hints at a skill. */
function addHints(
  { clauses, reordered, omitted }: ReadStatement,
  program: Program,
  add: (block: Block, offset: number, value?: number) => void,
): void {
  const unmet = clauses.filter((clause) => !program.some((step) => fits(step, clause))).length;
  const undescribed = program.filter((step) => !clauses.some((clause) => fits(step, clause))).length;
  add('hints', 0, unmet);
  add('hints', omitted ? 2 : 1, undescribed);
  add('hints', 3, unmet + undescribed === 0 ? 1 : 0);
  if (omitted) return;
  const inOrder = clauses.every((clause, position) => fits(program[position] ?? -1, clause));
  add('hints', reordered ? 4 : 5, inOrder && program.length === clauses.length ? 1 : 0);
}

function addBehaviour(
  program: Program,
  inputs: readonly (readonly number[])[],
  shown: readonly Value[],
  near: readonly (readonly number[])[],
  add: (block: Block, offset: number, value: number) => void,
): void {
  if (near.length === 0) return;
  const answered: { readonly input: readonly number[]; readonly output: Value }[] = [];
  for (const input of near) {
    const output = interpret(program, input);
    if (isValue(output)) answered.push({ input, output });
  }
  const outputs = answered.map(({ output }) => output);
  const empty = outputs.filter((output) => typeof output === 'object' && output.length === 0).length;
  const different = new Set(outputs.map((output) => JSON.stringify(output))).size;
  add('nearby', 0, 1 - answered.length / near.length);
  add('nearby', 1, empty / near.length);
  add('nearby', 2, different / near.length);
  const here = shown.length === inputs.length ? relationsBetween(inputs, shown) : [];
  const predicted = new Set(
    relationsBetween(
      answered.map(({ input }) => input),
      outputs,
    ),
  );
  const broken = here.filter((relation) => !predicted.has(relation));
  add('nearby', 3, here.length === 0 ? 0 : broken.length / here.length);
  for (const relation of broken) add('broken', relation, 1);
}
