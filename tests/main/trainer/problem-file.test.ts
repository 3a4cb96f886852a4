import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GradeRequest } from '../../../main/grading';
import { pocketProblems } from '../../../main/pocket';
import type { LearningInput } from '../../../main/trainer/learning-input';
import { openProblemFile, type ProblemLine } from '../../../main/trainer/problem-file';
import { TrainerError } from '../../../main/trainer/trainer-error';
import { learningSchema, type Problem } from '../../../preload/contract';
import { interpreterGrader } from '../../support/interpreter-grader';
import { temporaryFolder } from '../../support/temporary-folder';

const problems = pocketProblems({ split: 'train', seed: 7, count: 9 });
const limits = { cpuSeconds: 3, wallSeconds: 9, memoryBytes: 2 ** 28, processes: 4, outputBytes: 1000 };
const header = {
  kind: 'training-problems',
  version: 1,
  benchmarkId: 'some-benchmark',
  split: 'test',
  limits,
  rules: 'mbpp',
};

function linesOf(training: readonly Problem[], heldOut: readonly Problem[]): ProblemLine[] {
  return [
    ...training.map((problem) => ({ part: 'training' as const, problem })),
    ...heldOut.map((problem) => ({ part: 'held-out' as const, problem })),
  ];
}

function specWith(changes: Record<string, unknown> = {}): LearningInput['spec'] {
  return { kind: 'model', ...learningSchema.parse({ method: 'rs2', rate: 1e-5, ...changes }) };
}

async function environmentOf(
  lines: readonly object[],
  { spec = specWith(), grader = interpreterGrader() as Parameters<typeof openProblemFile>[0]['grader'] } = {},
) {
  const path = join(await temporaryFolder(), 'problems.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return openProblemFile({ path, spec, grader });
}

const training = problems.slice(0, 5);
const heldOut = problems.slice(5);

describe('the problems of a benchmark that are shipped with a training', () => {
  test('are all trained on before one comes again, in another order, the same for the same seed', async () => {
    const lines = [header, ...linesOf(training, heldOut)];
    const idsOf = async (seed: number): Promise<string[]> => {
      const environment = await environmentOf(lines, { spec: specWith({ seed }) });
      const ids: string[] = [];
      for (let tree = 0; tree < 10; tree++) ids.push((await environment.problemOf(tree)).id);
      return ids;
    };
    const ids = await idsOf(1);
    const all = training.map(({ id }) => id).sort();
    expect(ids.slice(0, 5).sort()).toEqual(all);
    expect(ids.slice(5).sort()).toEqual(all);
    expect(ids.slice(5)).not.toEqual(ids.slice(0, 5));
    expect(await idsOf(1)).toEqual(ids);
    expect(await idsOf(2)).not.toEqual(ids);
  });

  test('are whole, and evaluated in the order of the file, as many as are asked for', async () => {
    const spec = specWith({ evaluation: { problems: 3 } });
    const environment = await environmentOf([header, ...linesOf(training, heldOut)], { spec });
    expect(environment.heldOut).toEqual(heldOut.slice(0, 3).map(({ id }) => id));
    expect(await environment.heldOutProblem(heldOut[1]?.id ?? '')).toEqual(heldOut[1]);
    const first = await environment.problemOf(0);
    expect(first).toEqual(training.find(({ id }) => id === first.id));
    expect(environment).toMatchObject({ benchmarkId: 'some-benchmark', split: 'test' });
  });

  test('can be chosen from: the order is then of the chosen ones alone', async () => {
    const environment = await environmentOf([header, ...linesOf(training, heldOut)]);
    expect(environment.training?.ids).toEqual(training.map(({ id }) => id));
    expect(await environment.training?.problem(training[2]?.id ?? '')).toEqual(training[2]);
    const chosen = [training[1], training[3], training[4]].map((problem) => problem?.id as string);
    const problemOf = environment.training?.problemOfAmong(new Set(chosen));
    const ids: string[] = [];
    for (let tree = 0; tree < 6; tree++) ids.push((await problemOf?.(tree))?.id ?? '');
    expect(ids.slice(0, 3).sort()).toEqual(chosen.toSorted());
    expect(ids.slice(3).sort()).toEqual(chosen.toSorted());
  });

  test("are graded with the benchmark's limits, rules and entry points", async () => {
    const requests: GradeRequest[] = [];
    const grader = interpreterGrader();
    const recording = {
      health: grader.health,
      grade: (request: GradeRequest) => {
        requests.push(request);
        return grader.grade(request);
      },
    };
    const called = { ...(training[0] as Problem), entryPoint: 'solve' };
    const environment = await environmentOf([header, ...linesOf([called], heldOut)], { grader: recording });
    await environment.verdicts.publicGrade(await environment.problemOf(0), 'print(1)');
    expect(requests).toEqual([expect.objectContaining({ limits, rules: 'mbpp', entryPoint: 'solve' })]);
  });

  const refusals: readonly (readonly [string, readonly object[], RegExp])[] = [
    ['an empty file', [], /it is empty/],
    ['another header', [{ ...header, version: 2 }], /version/],
    ['a problem that is none', [header, { part: 'training', problem: { id: 'a' } }], /problem\.title/],
    ['a problem twice', [header, ...linesOf([...training, training[0] as Problem], [])], /twice/],
    ['nothing to train on', [header, ...linesOf([], heldOut)], /no problem to train on/],
    [
      'a problem that is also evaluated on, under another name',
      [header, ...linesOf(training, [{ ...(training[2] as Problem), id: 'renamed' }, ...heldOut])],
      /1 of its problems are both trained and evaluated on/,
    ],
  ];
  test.each(refusals)('are refused with %s', async (_, lines, message) => {
    const work = environmentOf(lines);
    await expect(work).rejects.toThrow(message);
    await expect(work).rejects.toBeInstanceOf(TrainerError);
  });
});
