import { expect, test } from 'vitest';
import { withMissingPackage } from '../../../../main/grading/logic/missing-package';
import type { Grade, Verdict } from '../../../../preload/contract';

const LACKING = ['numpy', 'pandas'];
const gradeWith = (error: string | null, verdict: Verdict = 'runtime-error'): Grade => ({
  verdict,
  results: [{ verdict, actual: null, error, cpuMs: 1, wallMs: 1 }],
});
const of = (grade: Grade) => withMissingPackage(grade, LACKING, '/usr/bin/python3');

test('a failure for the lack of a package keeps its verdict and says what to install where', () => {
  const grade = of(gradeWith("Traceback ...\nModuleNotFoundError: No module named 'numpy'\n"));
  expect(grade).toMatchObject({ verdict: 'runtime-error', missingPackage: 'numpy' });
  expect(grade.results[0]?.error).toContain(
    'The Python that grades, /usr/bin/python3, has no numpy, so this says nothing about the program. Install numpy',
  );
});

test.each([
  ['a package that no grading Python has', "ModuleNotFoundError: No module named 'boto3'"],
  ['a part of a package', "ModuleNotFoundError: No module named 'numpy.nothing'"],
  ['the words in another error', "ValueError: x\nNo module named 'numpy'"],
  ['no error', null],
])('%s leaves the grade as it is', (_, error) => {
  const grade = gradeWith(error);
  expect(of(grade)).toBe(grade);
});

test('a program that fails otherwise after it wrote such a line is no such failure', () => {
  const grade = gradeWith("ModuleNotFoundError: No module named 'numpy'", 'wrong-answer');
  expect(of(grade)).toBe(grade);
});
