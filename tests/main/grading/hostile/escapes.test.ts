import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Grader } from '../../../../main/grading';
import { launcherOf } from '../../../../main/grading/open-launcher';
import { createGrader } from '../../../../main/grading/sandbox-grader';
import type { Grade, TestCase } from '../../../../preload/contract';
import { grade, LIMITS, RESOURCES } from '../sandbox';
import { ESCAPES, type Escape, INSPECT } from './escapes';

// Programs that share a process: what one of them does is not seen by the next one, and none gets another verdict there.

const STDIN: TestCase = { kind: 'stdin', input: '3\n4 5\n', expected: '' };
/** Enough on any computer for what ends by itself, and soon over for what does not. */
const limitsOf = ({ endless }: Escape) =>
  endless ? { ...LIMITS, cpuSeconds: 0.2, wallSeconds: 6 } : { ...LIMITS, cpuSeconds: 15, wallSeconds: 45 };

let together: Grader;
let separate: Grader;
let inspections = 0;
/** What a program sees that is alone. */
let clean: unknown;
beforeAll(async () => {
  const launcher = await launcherOf(RESOURCES, ['shared']);
  if (!launcher.ok) throw new Error(launcher.error.message);
  // One runner: what is asked for at once goes to one process, one after the other.
  together = createGrader(launcher.value, 1);
  separate = createGrader({ ...launcher.value, dispose: async () => undefined }, 1, {
    sharesProcesses: false,
  });
  clean = detailsOf(await inspect(separate));
});
afterAll(async () => {
  await separate.dispose();
  await together.dispose();
});

function inspect(grader: Grader): Promise<Grade> {
  inspections += 1;
  return grade(grader, { program: `${INSPECT}# ${inspections}`, tests: [STDIN] });
}

/** All that a person sees of a grade, without addresses and times. */
const detailsOf = ({ results }: Grade) =>
  results.map(({ verdict, actual, error }) => [verdict, actual, error].map(withoutAddresses));
const withoutAddresses = (text: string | null) => text?.replaceAll(/0x[0-9a-f]+/g, '0x') ?? null;

const countOf = (grader: Grader) => grader.statistics().together;

/** A look that was run in the common process. On a busy computer a program may get a process of its own instead. */
async function gradeTogether(): Promise<Grade> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const before = countOf(together);
    const seen = await inspect(together);
    if (countOf(together) === before + 1) return seen;
  }
  throw new Error('No look was run in the common process.');
}

test('a program that looks around sees the same in the common process and in one of its own', async () => {
  const seen = await gradeTogether();
  expect(detailsOf(seen)).toEqual(clean);
  expect(seen.results[0]?.actual).toContain('3 [');
});

describe('its own process, and the next program sees nothing of it:', () => {
  test.each(ESCAPES)('$name', async (attempt) => {
    const { program } = attempt;
    const request = { program, tests: [STDIN], limits: limitsOf(attempt) };
    const [first, attack, second] = await Promise.all([
      inspect(together),
      grade(together, request),
      inspect(together),
    ]);
    expect([detailsOf(first), detailsOf(second)]).toEqual([clean, clean]);
    expect(detailsOf(attack)).toEqual(detailsOf(await grade(separate, request)));
    // By itself: whether the two looks were run in the common process depends on how busy the computer is.
    const before = countOf(together);
    await grade(together, { ...request, fresh: true });
    expect(countOf(together)).toBe(before);
    expect(together.statistics().faults).toBe(0);
  });
});
