// Harmless programs in a common process, and all in processes of their own: throughput on pocket programs, and whether
// verdicts, outputs and error texts of recorded samples are the same.
//
// Run: npx vitest run --config tests/bench/grading/bench.config.ts together
//   WORKERS  2 when left out      CANDIDATES  of the pocket load, 2,000 when left out
//   EVERY    each so many-th recorded sample of ../shared/data, 100 when left out      FROM  the first of them
import { expect, test } from 'vitest';
import type { GradeRequest, Grader } from '../../../main/grading';
import { launcherOf } from '../../../main/grading/open-launcher';
import { createGrader } from '../../../main/grading/sandbox-grader';
import { pocketProblems } from '../../../main/pocket';
import type { Grade } from '../../../preload/contract';
import { LIMITS, RESOURCES } from '../../main/grading/sandbox';
import type { GradingCase } from '../../support/grading-case';
import { hasSharedData, sharedSamples } from '../../support/shared-samples';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const WORKERS = number('WORKERS', 2);
const CANDIDATES = number('CANDIDATES', 2_000);
const EVERY = number('EVERY', 100);
const FROM = number('FROM', 0);
const AT_ONCE = 100;

async function open(sharesProcesses: boolean): Promise<Grader> {
  const launcher = await launcherOf(RESOURCES, ['shared']);
  if (!launcher.ok) throw new Error(`${launcher.error.message} ${launcher.error.hint ?? ''}`);
  return createGrader(launcher.value, WORKERS, { sharesProcesses });
}

async function gradesOf(grader: Grader, requests: readonly GradeRequest[]) {
  const started = performance.now();
  const answers = await Promise.all(requests.map((request) => grader.grade(request)));
  const grades = answers.map((answer) => {
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  });
  return { grades, seconds: (performance.now() - started) / 1_000 };
}

/** Each problem with its own program and those of its neighbours: a fifth of them pass. */
function pocketRequests(tests: 'publicTests' | 'privateTests', stopAtFirstFailure: boolean, count: number) {
  const problems = pocketProblems({ split: 'train', seed: 3, count: Math.ceil(CANDIDATES / 5) });
  return Array.from({ length: count }, (_, i): GradeRequest => {
    const problem = problems[i % problems.length];
    const other = problems[(i + Math.floor(i / problems.length)) % problems.length];
    if (problem === undefined) throw new Error('There are no pocket problems.');
    return {
      // No two are equal, as the grader remembers them.
      program: `${other?.canonicalProgram ?? ''}# ${i}\n`,
      entryPoint: problem.entryPoint,
      tests: problem[tests],
      limits: LIMITS,
      stopAtFirstFailure,
      fresh: true,
    };
  });
}

test('pocket programs, candidates a second', async () => {
  const [together, separate] = [await open(true), await open(false)];
  const lines = [
    `${WORKERS} workers; candidates a second`,
    'tests         stop at failure   together   apart   ratio',
  ];
  for (const tests of ['publicTests', 'privateTests'] as const) {
    for (const stops of [true, false]) {
      const requests = pocketRequests(tests, stops, CANDIDATES);
      const few = requests.slice(0, Math.ceil(CANDIDATES / 8));
      await gradesOf(together, requests.slice(0, 50));
      const [first, second] = [await gradesOf(together, requests), await gradesOf(separate, few)];
      expect(first.grades.slice(0, few.length).map(withoutTimes)).toEqual(second.grades.map(withoutTimes));
      const [ours, before] = [requests.length / first.seconds, few.length / second.seconds];
      const row = [tests.padEnd(13), String(stops).padEnd(15), ours.toFixed(0).padStart(10)];
      lines.push([...row, before.toFixed(0).padStart(7), (ours / before).toFixed(1).padStart(7)].join(' '));
    }
  }
  await Promise.all([together.dispose(), separate.dispose()]);
  console.log(lines.join('\n'));
});

test.skipIf(!hasSharedData)('recorded samples say the same in both ways', async () => {
  const [together, separate] = [await open(true), await open(false)];
  const requests = chosen().map(requestOf);
  const different: string[] = [];
  let seconds: readonly [number, number] = [0, 0];
  for (let from = 0; from < requests.length; from += AT_ONCE) {
    const stopAtFirstFailure = (from / AT_ONCE) % 2 === 0;
    const part = requests.slice(from, from + AT_ONCE).map((request) => ({ ...request, stopAtFirstFailure }));
    const [first, second] = [await gradesOf(together, part), await gradesOf(separate, part)];
    seconds = [seconds[0] + first.seconds, seconds[1] + second.seconds];
    for (const [i, { program }] of part.entries()) {
      const [one, other] = [first.grades[i], second.grades[i]].map(withoutTimes);
      if (JSON.stringify(one) === JSON.stringify(other)) continue;
      different.push([program, JSON.stringify(one), JSON.stringify(other)].join('\n'));
    }
  }
  const share = together.statistics().together / together.statistics().graded;
  await Promise.all([together.dispose(), separate.dispose()]);
  console.log(
    [
      `${requests.length} samples, ${(100 * share).toFixed(1)} % of them graded in the common process alone`,
      `${seconds.map((each) => each.toFixed(1)).join(' s and ')} s (time-outs among them)`,
      `${different.length} say something else`,
      ...different,
    ].join('\n'),
  );
  expect(different).toEqual([]);
});

function chosen(): readonly GradingCase[] {
  const counts = new Map<string, number>();
  return [...sharedSamples()].flatMap(({ set, case: one }) => {
    const count = counts.get(set) ?? 0;
    counts.set(set, count + 1);
    const isChosen = count % EVERY === FROM % EVERY && one.tests.every(({ kind }) => kind !== 'reference');
    return isChosen ? [one] : [];
  });
}

function requestOf({ program, entryPoint, tests, rules }: GradingCase): GradeRequest {
  const limits = { ...LIMITS, cpuSeconds: 3, wallSeconds: 30, memoryBytes: 4 * 1024 ** 3 };
  return { program, entryPoint, tests, rules, limits, stopAtFirstFailure: false, fresh: true };
}

/** What a person sees of a grade, without addresses and times. */
function withoutTimes(grade: Grade | undefined): unknown {
  return grade?.results.map(({ verdict, actual, error }) =>
    [verdict, actual, error].map((text) => text?.replaceAll(/0x[0-9a-f]+/g, '0x') ?? null),
  );
}
