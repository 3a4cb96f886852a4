import { describe, expect, test } from 'vitest';
import { failed, ok } from '../../../main/base';
import type { GradeRequest, Grader } from '../../../main/grading';
import { pocketProblems } from '../../../main/pocket';
import { POCKET_LIMITS } from '../../../main/trainer/pocket/pocket-problems';
import { TrainerError } from '../../../main/trainer/trainer-error';
import { VerdictCache, type VerdictRules } from '../../../main/trainer/verdict-cache';
import type { Grade, Problem, Verdict } from '../../../preload/contract';
import { interpreterGrader } from '../../support/interpreter-grader';

const [problem, other] = pocketProblems({ split: 'train', seed: 4, count: 2 }) as [Problem, Problem];
const right = problem.canonicalProgram ?? '';
const wrong = 'print("no")';
const RULES: VerdictRules = { limits: POCKET_LIMITS, faults: 'fatal' };

/** Records requests, and grades with the interpreter. */
function recordingGrader(): Pick<Grader, 'grade' | 'health'> & { readonly requests: GradeRequest[] } {
  const inner = interpreterGrader();
  const requests: GradeRequest[] = [];
  return {
    requests,
    health: inner.health,
    grade: (request) => {
      requests.push(request);
      return inner.grade(request);
    },
  };
}

describe('the verdict cache', () => {
  test('grades every pair of problem and program once, also when it is requested concurrently', async () => {
    const grader = recordingGrader();
    const cache = new VerdictCache(grader, RULES);
    const answers = await Promise.all([
      cache.passes(problem, right),
      cache.passes(problem, right),
      cache.publicGrade(problem, right).then(() => true),
    ]);
    expect(answers).toEqual([true, true, true]);
    expect(await cache.passes(problem, right)).toBe(true);
    expect(grader.requests.map(({ tests }) => tests)).toEqual([problem.publicTests, problem.privateTests]);
    await cache.passes(other, right);
    expect(grader.requests.length).toBeGreaterThan(2);
    expect(cache.statistics).toMatchObject({ pairs: 2 });
  });

  test('evicts the least recently used grades when it holds too many', async () => {
    const grader = recordingGrader();
    // Room for two grades: the weight of a grade grows with its tests (main/grading/grade-cache.ts).
    const cache = new VerdictCache(grader, RULES, 2 * (100 + 100 * problem.publicTests.length));
    for (const program of [wrong, `${wrong}\n`]) await cache.passes(problem, program);
    await cache.passes(other, wrong);
    await cache.passes(other, wrong);
    expect(grader.requests).toHaveLength(3);
    await cache.passes(problem, wrong);
    expect(grader.requests).toHaveLength(4);
  });

  test('runs all public tests, but no private test of a program that fails a public one', async () => {
    const grader = recordingGrader();
    const cache = new VerdictCache(grader, RULES);
    expect(await cache.passes(problem, wrong)).toBe(false);
    expect(grader.requests).toHaveLength(1);
    expect(grader.requests[0]?.stopAtFirstFailure).toBe(false);
    const { results } = await cache.publicGrade(problem, wrong);
    expect(results).toHaveLength(problem.publicTests.length);
  });

  test('returns only verdicts: no text or time of the sandbox gets into a tree', async () => {
    const { results } = await new VerdictCache(interpreterGrader(), RULES).publicGrade(problem, right);
    for (const result of results) {
      expect(result).toEqual({ verdict: 'passed', actual: null, error: null, cpuMs: 0, wallMs: 0 });
    }
  });

  const gradeWith = (verdict: Verdict): Grade => ({
    verdict,
    results: [{ verdict, actual: null, error: 'no process could be made', cpuMs: 0, wallMs: 0 }],
  });
  const refusing: readonly (readonly [string, Pick<Grader, 'grade' | 'health'>, RegExp])[] = [
    [
      'a program that could not be judged',
      { health: () => ({ kind: 'good' }), grade: async () => ok(gradeWith('sandbox-fault')) },
      /no process could be made/,
    ],
    [
      'a sandbox that judges wrongly',
      { health: () => ({ kind: 'broken', message: 'It lies.' }), grade: async () => ok(gradeWith('passed')) },
      /It lies/,
    ],
    [
      'a grader that was closed',
      {
        health: () => ({ kind: 'good' }),
        grade: async () => failed({ code: 'cancelled', message: 'The grading was cancelled.' }),
      },
      /cancelled/,
    ],
  ];
  test.each(refusing)(
    'ends the training at %s instead of counting it as wrong',
    async (_, grader, message) => {
      const work = new VerdictCache(grader, RULES).passes(problem, right);
      await expect(work).rejects.toThrow(message);
      await expect(work).rejects.toBeInstanceOf(TrainerError);
    },
  );

  test('counts a program that could not be run as failed where the training says so', async () => {
    const grader: Pick<Grader, 'grade' | 'health'> = {
      health: () => ({ kind: 'good' }),
      grade: async () => ok(gradeWith('sandbox-fault')),
    };
    const cache = new VerdictCache(grader, { ...RULES, faults: 'failed' });
    expect(await cache.passes(problem, right)).toBe(false);
    const { verdict, results } = await cache.publicGrade(problem, right);
    expect(verdict).toBe('runtime-error');
    expect(results).toHaveLength(problem.publicTests.length);
  });

  test('says of a program that the grader could not judge that it is neither right nor wrong, and asks again', async () => {
    let faults = 2;
    const grader: Pick<Grader, 'grade' | 'health'> = {
      health: () => ({ kind: 'good' }),
      grade: async () => ok(gradeWith(faults-- > 0 ? 'grader-fault' : 'passed')),
    };
    const cache = new VerdictCache(grader, { ...RULES, faults: 'failed' });
    expect((await cache.publicGrade(problem, right)).verdict).toBe('grader-fault');
    expect(await cache.passes(problem, right)).toBeNull();
    expect(await cache.passes(problem, right)).toBe(true);
  });
});
