import { describe, expect, it } from 'vitest';
import { docstringExamples } from '../../../../main/benchmarks/logic/docstring-examples';

function examplesOf(lines: readonly string[], check = ''): readonly string[] {
  const prompt = [
    'def double(x):',
    '    """Twice x.',
    ...lines.map((line) => `    ${line}`),
    '    """',
    '',
  ].join('\n');
  return docstringExamples(prompt, 'double', check).examples.map(
    ({ call, expected }) => `${call} == ${expected}`,
  );
}

describe('an example of a docstring', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['with its result below', ['>>> double(2)', '4'], ['double(2) == 4']],
    [
      'with its result behind ==',
      ['>>> double(2) == 4', '>>> double(3) == 6'],
      ['double(2) == 4', 'double(3) == 6'],
    ],
    [
      'with a comment',
      ['>>> double([1, "#"])  # twice', '[1, "#", 1, "#"]'],
      ['double([1, "#"]) == [1, "#", 1, "#"]'],
    ],
    ['inside another call', ['>>> round(double(1.25), 1)', '2.5', ''], ['round(double(1.25), 1) == 2.5']],
    [
      'with a keyword and words',
      ['>>> double(x=not True or 1 in [1])', '2'],
      ['double(x=not True or 1 in[1]) == 2'],
    ],
    ['before a blank line', ['>>> double(2)', '4', '', 'And so on.'], ['double(2) == 4']],
  ])('%s is a test', (_, lines, expected) => expect(examplesOf(lines)).toEqual(expected));

  it.each<readonly [string, readonly string[]]>([
    ['without a result', ['>>> double(None)', '']],
    ['whose result goes on', ['>>> double("a")', '["a",', '"a"]']],
    ['that a text follows at once', ['>>> double(2)', '4', 'because that is twice.']],
    ['whose result is no literal', ['>>> double(2)', 'four']],
    ['that is a statement', ['>>> x = double(2)', '4']],
    ['that compares', ['>>> double(2) > 3', 'True']],
    ['that calls something else', ['>>> len("double(1)")', '9']],
    ['with prose behind the call', ['>>> double(2) [4]', '']],
    ['that is cut', ['>>> double((2)', '4']],
    ['with an operator behind the call', ['>>> double(2) + 1 == 5']],
  ])('%s is left out', (_, lines) => expect(examplesOf(lines)).toEqual([]));

  it('that the private test contradicts is left out and counted', () => {
    const check =
      'def check(candidate):\n    assert candidate([1,2]) == [2, 4], "no"\n    assert candidate(3) == 6.0\n';
    const prompt =
      'def double(x):\n    """\n    >>> double([1, 2])\n    [1, 2, 1, 2]\n    >>> double(3)\n    6\n    >>> double(4)\n    9\n    """\n';
    expect(docstringExamples(prompt, 'double', check)).toEqual({
      examples: [
        { call: 'double(3)', expected: '6' },
        { call: 'double(4)', expected: '9' },
      ],
      contradicted: 1,
    });
  });
});
