import { ok } from '../../main/base';
import type { GradeRequest, Grader } from '../../main/grading';
import { interpret, type Outcome, parseProgram } from '../../main/pocket';
import type { Grade, TestCase, TestResult, Verdict } from '../../preload/contract';

/**
 * A stand-in for the sandbox that grades pocket programs by the interpreter (which other tests hold equal to real
 * Python), thousands a second. Another program is a runtime error.
 */
export function interpreterGrader(): Pick<Grader, 'grade' | 'health'> & { readonly graded: () => number } {
  let graded = 0;
  return {
    health: () => ({ kind: 'good' }),
    grade: async (request) => {
      graded += 1;
      return ok(gradeOf(request));
    },
    graded: () => graded,
  };
}

function gradeOf({ program, tests, stopAtFirstFailure }: GradeRequest): Grade {
  const results: TestResult[] = [];
  for (const test of tests) {
    const verdict = verdictOf(program ?? '', test);
    results.push({ verdict, actual: null, error: null, cpuMs: 1, wallMs: 1 });
    if (verdict !== 'passed' && stopAtFirstFailure) break;
  }
  const failure = results.find(({ verdict }) => verdict !== 'passed');
  return { verdict: failure?.verdict ?? 'passed', results };
}

function verdictOf(text: string, test: TestCase): Verdict {
  const parsed = parseProgram(text);
  if (parsed === null || (test.kind !== 'stdin' && test.kind !== 'call')) return 'runtime-error';
  const input = test.kind === 'call' ? JSON.parse(test.input) : numbersIn(test.input);
  const outcome = interpret(parsed.program, input);
  // Numbers beyond those that a float holds exactly: Python counts on, and comes to something else than is asked for.
  if (outcome === 'too-big') return 'wrong-answer';
  if (outcome === 'error') return 'runtime-error';
  return textOf(outcome, test.kind) === test.expected.trim() ? 'passed' : 'wrong-answer';
}

function numbersIn(line: string): number[] {
  return line
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);
}

function textOf(outcome: Exclude<Outcome, string>, kind: 'stdin' | 'call'): string {
  if (kind === 'call' || typeof outcome === 'number') return JSON.stringify(outcome);
  return outcome.length === 0 ? 'empty' : outcome.join(' ');
}
