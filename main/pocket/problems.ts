import type { Problem, TestCase } from '../../preload/contract';
import { randomStream, runSteps } from '../base';
import { type Example, privateExamples } from './examples';
import type { Value } from './operation-kinds';
import { operationAt } from './operations';
import { renderProgram } from './python';
import { pick } from './random-program';
import { ENTRY_POINT, outputText, STARTER_CODE, type Style, statementOf } from './statement';
import { nextTask, type Task } from './tasks';

/** Raise when the same seed would give other problems: it is part of the benchmark's identity. */
export const POCKET_GENERATOR_VERSION = 'pocket-1';

/**
 * A length is drawn as often as it is listed here. There are some 540 different problems of two steps and 7 800 of
 * three. Four steps would require a comparison with all programs of three.
 */
export const PROBLEM_LENGTHS: readonly number[] = [2, 2, 3];

function testCase(style: Style, { input, output }: Example): TestCase {
  if (style === 'stdin') {
    return { kind: 'stdin', input: `${input.join(' ')}\n`, expected: `${outputText(style, output)}\n` };
  }
  const json = (value: Value): string => JSON.stringify(value);
  return { kind: 'call', input: json(input), expected: json(output) };
}

function difficultyOf({ program, wording }: Task): 'easy' | 'medium' | 'hard' {
  const points = program.length + wording.vague + (wording.omitted ? 2 : 0) + (wording.reordered ? 1 : 0);
  if (points <= 2) return 'easy';
  return points === 3 ? 'medium' : 'hard';
}

function problemOf(task: Task, id: string, seed: number, number: number): Problem {
  const random = randomStream('pocket-problem', id, seed);
  const style: Style = random.uniform() < 0.5 ? 'stdin' : 'call';
  const skills = task.program.map((index) => operationAt(index).skill);
  const hidden = privateExamples(task.program, task.examples, random);
  return {
    id,
    title: `${number + 1}: ${skills.join(', then ')}`,
    statement: statementOf(style, task.wording, task.examples),
    entryPoint: style === 'call' ? ENTRY_POINT : null,
    starterCode: style === 'call' ? STARTER_CODE : '',
    difficulty: difficultyOf(task),
    date: null,
    skills: [...new Set(skills)],
    publicTests: task.examples.map((example) => testCase(style, example)),
    privateTests: hidden.map((example) => testCase(style, example)),
    canonicalProgram: renderProgram(task.program, style),
  };
}

export type ProblemOptions = {
  readonly split: 'train' | 'validation' | 'test';
  readonly seed: number;
  /** Positive integer: the splits hold some 4 500 (train), 1 200 (validation) and 2 400 (test) different problems. */
  readonly count: number;
};

/**
 * Problems of one split, no two of which ask for the same function, from a seed. The same seed gives the same problems,
 * and a longer list begins with a shorter one. No semantics of one split is ever in another, whatever the seeds. When
 * the problems of two steps run out (after some 240 of the test split), the others have three. Throws RangeError if the
 * language does not have that many different problems.
 */
export function pocketProblems(options: ProblemOptions): readonly Problem[] {
  return runSteps(pocketProblemSteps(options));
}

/** The same, yielding after every problem: a hundred take a second. */
export function* pocketProblemSteps({
  split,
  seed,
  count,
}: ProblemOptions): Generator<void, readonly Problem[]> {
  const random = randomStream('pocket-problems', split, seed);
  const seen = new Set<string>();
  let lengths = PROBLEM_LENGTHS;
  const isNew = (signature: string): boolean => !seen.has(signature);
  const problems: Problem[] = [];
  while (problems.length < count) {
    if (lengths.length === 0) {
      throw new RangeError(
        `The pocket ${split} split has only ${problems.length} different problems, not ${count}`,
      );
    }
    const length = pick(lengths, random);
    const task = nextTask({ split, length }, random, isNew);
    if (task === null) {
      lengths = lengths.filter((other) => other !== length);
      continue;
    }
    seen.add(task.signature);
    const id = `pocket/${split}/${String(problems.length).padStart(3, '0')}`;
    problems.push(problemOf(task, id, seed, problems.length));
    yield;
  }
  return problems;
}
