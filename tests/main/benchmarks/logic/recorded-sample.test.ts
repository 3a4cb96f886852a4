import { describe, expect, it } from 'vitest';
import { programOfSolution, recordedSample } from '../../../../main/benchmarks/logic/recorded-sample';

const starterCode =
  'import math\nfrom typing import (\n    List,\n)\n\ndef helper(x):\n    return x\n\ndef area(r: float):\n    """Of a circle."""\n';
const head = starterCode.slice(0, starterCode.indexOf('def area'));
const context = { starterCode, entryPoint: 'area' };

describe('the program of a recorded sample', () => {
  it('is the prompt and the completion', () => {
    const sample = recordedSample('{"task_id": "T/1", "completion": "    return 1\\n"}', () => context);
    expect(sample).toEqual({
      ok: true,
      value: { problemId: 'T/1', program: `${starterCode}    return 1\n` },
    });
  });

  it.each([
    ['a whole function: behind the imports and helpers', 'def area(r):\n    return 1\n', head],
    ['a function after other code', 'import os\n\nasync def area (r):\n    return 1\n', head],
    ['a body: behind the whole prompt', '    return 1\n', starterCode],
    [
      'a body with a function of the same name in it',
      '    def area(r):\n        return 1\n    return area(r)\n',
      starterCode,
    ],
    ['a function with a longer name', 'def area_of(r):\n    return 1\n', starterCode],
  ])('of a solution that is %s', (_, solution, front) => {
    expect(programOfSolution(solution, context)).toBe(front + solution);
  });

  it('of a solution to a problem without an entry point is the solution', () => {
    expect(programOfSolution('print(1)', { starterCode: '', entryPoint: null })).toBe('print(1)');
  });

  it.each([
    ['{"completion": "x"}', 'has no "task_id".'],
    ['{"task_id": 5, "completion": "x"}', 'has a "task_id" that is not a string.'],
    ['{"task_id": "", "completion": "x"}', 'has a "task_id" that is empty.'],
    ['{"task_id": "T/1"}', 'has neither "completion" nor "solution".'],
    ['{"task_id": "T/1", "completion": null}', 'has a "completion" that is not a string.'],
    ['{"task_id": "T/9", "completion": "x"}', 'names the problem "T/9", which the benchmark does not have.'],
    ['[1]', 'is JSON, but not an object; one JSON object a line is needed.'],
    ['{"task_id"', 'is not JSON; one JSON object a line is needed.'],
  ])('%s %s', (line, message) => {
    expect(recordedSample(line, (id) => (id === 'T/9' ? undefined : context))).toEqual({
      ok: false,
      error: message,
    });
  });
});
