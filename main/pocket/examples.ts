import type { Random } from '../base';
import { interpret, isValue, sameOutcome } from './interpret';
import type { Value } from './operation-kinds';
import type { Program } from './operations';
import { editProgram, neighbours } from './random-program';
import { PROBES } from './signature';

/** An input and the reference program's output. */
export type Example = { readonly input: readonly number[]; readonly output: Value };

const PUBLIC_TESTS = 2;
/** Minimum number of private tests; more only if killing all mutants takes more inputs. */
const PRIVATE_TESTS = 16;
const MAX_PRIVATE_TESTS = 28;
const EDGE_INPUTS: readonly (readonly number[])[] = [[], [0], [5], [-3, -3], [2, -2]];
/** Random mutants two edits away, in addition to all that are one edit away. */
const DISTANT_MUTANTS = 300;
/** Candidate inputs for killing mutants. */
const POOL = 60;

function randomInput(random: Random, shortest: number, longest: number, largest: number): readonly number[] {
  const length = shortest + random.integer(longest - shortest + 1);
  return Array.from({ length }, () => random.integer(2 * largest + 1) - largest);
}

function exampleOf(program: Program, input: readonly number[]): Example | null {
  const output = interpret(program, input);
  return isValue(output) ? { input, output } : null;
}

/** Examples for the statement: short, without failures, not empty, with different results; null if none are found. */
export function publicExamples(program: Program, random: Random): readonly Example[] | null {
  const examples: Example[] = [];
  for (let attempt = 0; attempt < 60 && examples.length < PUBLIC_TESTS; attempt++) {
    const example = exampleOf(program, randomInput(random, 3, 6, 9));
    if (example === null || (typeof example.output === 'object' && example.output.length === 0)) continue;
    if (examples.every((other) => !sameOutcome(other.output, example.output))) examples.push(example);
  }
  return examples.length === PUBLIC_TESTS ? examples : null;
}

export function passes(program: Program, examples: readonly Example[]): boolean {
  return examples.every(({ input, output }) => sameOutcome(interpret(program, input), output));
}

/**
 * Tests for the final grade. Edge cases come first. Then inputs that kill wrong programs which pass the public tests
 * (all programs one edit away from the reference, and some two edits away): a greedy search that ends when no input of
 * the pool kills another one. Then random inputs.
 */
export function privateExamples(
  program: Program,
  shown: readonly Example[],
  random: Random,
): readonly Example[] {
  const far = Array.from({ length: DISTANT_MUTANTS }, () =>
    editProgram(editProgram(program, random, program.length + 2), random, program.length + 2),
  );
  const tests: Example[] = [];
  for (const input of EDGE_INPUTS) {
    const example = exampleOf(program, input);
    if (example !== null) tests.push(example);
  }
  let alive = [...neighbours(program), ...far].filter(
    (mutant) => passes(mutant, shown) && passes(mutant, tests),
  );
  // The probes distinguish all functions that count as different; the other inputs are this problem's own.
  const pool = PROBES.flatMap((input) => exampleOf(program, input) ?? []).filter(
    ({ input }) => !EDGE_INPUTS.some((edge) => edge.join() === input.join()),
  );
  for (let i = 0; i < POOL * 4 && pool.length < POOL; i++) {
    const input =
      i % 3 === 0 ? randomInput(random, 2, 4, 3) : randomInput(random, 4, 12, i % 3 === 1 ? 9 : 25);
    const example = exampleOf(program, input);
    if (example !== null) pool.push(example);
  }
  while (alive.length > 0 && tests.length < MAX_PRIVATE_TESTS && pool.length > 0) {
    const survivors = pool.map((example) => alive.filter((mutant) => passes(mutant, [example])));
    const best = survivors.reduce(
      (held, left, i) => (left.length < (survivors[held]?.length ?? 0) ? i : held),
      0,
    );
    const left = survivors[best] ?? alive;
    if (left.length === alive.length) break; // on this pool the rest equals the reference
    alive = left;
    tests.push(...pool.splice(best, 1));
  }
  // The end of the pool holds random inputs, not probes.
  const missing = Math.max(0, PRIVATE_TESTS - tests.length);
  if (missing > 0) tests.push(...pool.slice(-missing));
  return tests;
}
