import type { Problem, TestCase } from '../../preload/contract';
import { randomStream } from '../base';
import { type Example, privateExamples } from './examples';
import { operationAt, type Value } from './operations';
import { renderProgram } from './python';
import { ENTRY_POINT, outputText, STARTER_CODE, type Style, statementOf } from './statement';
import { nextTask, type Task } from './tasks';

/** Raise when the same seed would give other problems: it is part of the benchmark's identity. */
export const POCKET_GENERATOR_VERSION = 'pocket-1';

/** Two and three steps; steps that name four would need semantics compared with all programs of three. */
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
  /** Positive integer. The test split holds some thousands of different problems, the training split more. */
  readonly count: number;
};

/**
 * Problems of one split, no two of which ask for the same function, from a seed. The same seed gives the same
 * problems, and a longer list begins with a shorter one. No semantics of one split is ever in another, whatever
 * the seeds. Throws RangeError when the language has not so many different problems.
 */
export function pocketProblems({ split, seed, count }: ProblemOptions): readonly Problem[] {
  const random = randomStream('pocket-problems', split, seed);
  const seen = new Set<string>();
  return Array.from({ length: count }, (_, number) => {
    const task = nextTask({ split, lengths: PROBLEM_LENGTHS }, random, (signature) => !seen.has(signature));
    if (task === null) {
      throw new RangeError(`The pocket ${split} split has only ${number} different problems, not ${count}`);
    }
    seen.add(task.signature);
    return problemOf(task, `pocket/${split}/${String(number).padStart(3, '0')}`, seed, number);
  });
}
