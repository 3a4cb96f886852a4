import { describe, expect, it } from 'vitest';
import { wholeProgram } from '../../../main/base';

const starterCode =
  'import math\nfrom typing import (\n    List,\n)\n\ndef helper(x):\n    return x\n\ndef area(r: float):\n    """Of a circle."""\n';
const head = starterCode.slice(0, starterCode.indexOf('def area'));
const frame = { starterCode, entryPoint: 'area' };

describe('the whole program', () => {
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
  ])('of a solution that is %s', (_, solution, prefix) => {
    expect(wholeProgram(solution, frame)).toBe(prefix + solution);
  });

  it('of a solution to a problem without an entry point is the solution', () => {
    expect(wholeProgram('print(1)', { starterCode: '', entryPoint: null })).toBe('print(1)');
  });
});
