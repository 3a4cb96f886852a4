import { expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import { interpret, type Program } from '../../../main/pocket';
import { passes, privateExamples, publicExamples } from '../../../main/pocket/examples';
import { sameOutcome } from '../../../main/pocket/interpret';
import { PROBLEM_LENGTHS } from '../../../main/pocket/problems';
import { editProgram } from '../../../main/pocket/random-program';
import { PROBES } from '../../../main/pocket/signature';
import { nextTask } from '../../../main/pocket/tasks';

/** Inputs of our own, and the fixed probes by which functions count as different. */
const inputs: readonly (readonly number[])[] = [
  ...PROBES,
  ...Array.from({ length: 60 }, (_, i) => {
    const random = randomStream('mutant-input', i);
    return Array.from({ length: random.integer(9) }, () => random.integer(31) - 15);
  }),
];

/** Differs where the reference has an answer; where the reference fails, no problem has a test. */
function isWrong(mutant: Program, reference: Program): boolean {
  return inputs.some((input) => {
    const expected = interpret(reference, input);
    return typeof expected !== 'string' && !sameOutcome(interpret(mutant, input), expected);
  });
}

test('private tests kill nearly all wrong programs that pass the public tests', () => {
  const random = randomStream('mutant-test');
  let wrong = 0;
  let passing = 0;
  let survivors = 0;
  for (let i = 0; i < 200; i++) {
    const length = PROBLEM_LENGTHS[i % PROBLEM_LENGTHS.length] ?? 2;
    const task = nextTask({ split: 'validation', length }, random, () => true);
    const shown = task === null ? null : publicExamples(task.program, random);
    if (task === null || shown === null) continue;
    const hidden = privateExamples(task.program, shown, random);
    // Mutants of our own drawing, not those that the search for tests has seen.
    for (let j = 0; j < 300; j++) {
      let mutant = editProgram(task.program, random, 6);
      if (j % 2 === 0) mutant = editProgram(mutant, random, 6);
      if (!isWrong(mutant, task.program)) continue;
      wrong += 1;
      if (!passes(mutant, shown)) continue;
      passing += 1;
      if (passes(mutant, hidden)) survivors += 1;
    }
  }
  expect(wrong).toBeGreaterThan(40_000);
  // Measured: 2 % of the wrong programs pass the public tests, and none of these the private ones.
  expect(passing / wrong).toBeLessThan(0.05);
  expect(1 - survivors / passing).toBeGreaterThan(0.99);
});
