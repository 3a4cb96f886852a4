import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, ModelTraining, Problem } from '../../preload/contract';
import { failed, ok } from '../base';
import type { AsyncResult } from '../machines';
import { reasonOf } from '../storage';
import { type ChosenProblems, chooseProblems, type ProblemIds } from './logic/choose-problems';

/** Benchmarks of the library, as far as a training needs them. */
export type ProblemSource = {
  readonly list: () => readonly Benchmark[];
  readonly outline: (benchmarkId: string) => AsyncResult<readonly { readonly id: string }[]>;
  /** With all its tests. */
  readonly problem: (benchmarkId: string, problemId: string) => AsyncResult<Problem>;
};

/** Beside the training's spec. */
export const PROBLEMS_FILE = 'problems.jsonl';

type Chosen = ChosenProblems & { readonly from: Benchmark; readonly evaluatedOn: Benchmark };

/** Which problems the training would use; refused if a benchmark is not in the library or cannot be read. */
export async function problemsOfTraining(spec: ModelTraining, source: ProblemSource): AsyncResult<Chosen> {
  const from = await idsOf(spec.problems.benchmarkId, source);
  if (!from.ok) return from;
  const evaluated = spec.evaluation.on?.benchmarkId ?? spec.problems.benchmarkId;
  const evaluatedOn = await idsOf(evaluated, source);
  if (!evaluatedOn.ok) return evaluatedOn;
  const chosen = chooseProblems(spec, from.value, evaluatedOn.value);
  return ok({ ...chosen, from: from.value.benchmark, evaluatedOn: evaluatedOn.value.benchmark });
}

/**
 * Writes the problems beside the training's spec, so that later changes of the library change nothing; the form is that
 * of main/trainer/problem-file.ts. Problems without tests are left out. Gives what belongs to the spec's file.
 */
export async function writeProblems(
  folder: string,
  spec: ModelTraining,
  source: ProblemSource,
): AsyncResult<{ readonly problemsDigest: string }> {
  const chosen = await problemsOfTraining(spec, source);
  if (!chosen.ok) return chosen;
  const { training, heldOut, from, evaluatedOn, problems } = chosen.value;
  if (problems.length > 0) return failed({ code: 'bad-input', message: problems.join(' ') });
  const isOther = evaluatedOn.id !== from.id;
  const rulesOf = ({ limits, rules }: Benchmark) => ({ limits, rules });
  const header = {
    kind: 'training-problems',
    version: 1,
    benchmarkId: from.id,
    split: isOther ? evaluatedOn.id : 'held out',
    ...rulesOf(from),
    ...(isOther ? { heldOut: rulesOf(evaluatedOn) } : {}),
  };
  const hash = createHash('sha256');
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(join(folder, PROBLEMS_FILE), 'w', 0o600);
    try {
      const write = async (line: object): Promise<void> => {
        const text = `${JSON.stringify(line)}\n`;
        hash.update(text);
        await file.write(text);
      };
      await write(header);
      for (const [part, ids, { id }] of [
        ['training', training, from],
        ['held-out', heldOut, evaluatedOn],
      ] as const) {
        const written = await writePart(part, ids, (problemId) => source.problem(id, problemId), write);
        if (!written.ok) return written;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    return failed({ code: 'unavailable', message: `Cannot write to ${folder}: ${reasonOf(error)}.` });
  }
  return ok({ problemsDigest: hash.digest('hex') });
}

async function writePart(
  part: 'training' | 'held-out',
  ids: readonly string[],
  read: (problemId: string) => AsyncResult<Problem>,
  write: (line: object) => Promise<void>,
): AsyncResult<null> {
  let written = 0;
  for (const id of ids) {
    const problem = await read(id);
    if (!problem.ok) return problem;
    if (problem.value.publicTests.length + problem.value.privateTests.length === 0) continue;
    await write({ part, problem: problem.value });
    written += 1;
  }
  if (written > 0 || ids.length === 0) return ok(null);
  return failed({ code: 'bad-input', message: 'None of the chosen problems has a test.' });
}

async function idsOf(benchmarkId: string, source: ProblemSource): AsyncResult<ProblemIds> {
  const benchmark = source.list().find(({ id }) => id === benchmarkId);
  if (benchmark === undefined) {
    return failed({
      code: 'not-found',
      message: `There is no benchmark "${benchmarkId}" in the library.`,
      hint: 'Import it first, or choose another one.',
    });
  }
  const outline = await source.outline(benchmarkId);
  return outline.ok ? ok({ benchmark, ids: outline.value.map(({ id }) => id) }) : outline;
}
