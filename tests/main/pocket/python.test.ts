import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../main/base';
import { interpret, OPERATIONS, type Program, parseProgram, renderProgram } from '../../../main/pocket';
import type { Phrasing } from '../../../main/pocket/python';
import { randomProgram } from '../../../main/pocket/random-program';
import { outputText } from '../../../main/pocket/statement';
import { runInPython } from './python-batch';

const first: Phrasing = () => 0;
const second: Phrasing = () => 1;
const mixed: Phrasing = (operation) => (operation % 2 === 0 ? 0 : 1);
const styles = ['stdin', 'call'] as const;

describe('a program of ours', () => {
  test.each(OPERATIONS.map(({ name }, index) => [name, index] as const))(
    'with the step %s reads back as itself in both styles and phrasings',
    (_, index) => {
      const before = OPERATIONS.findIndex(({ name }) => name === 'add-original');
      for (const program of [[index], [before, index], [2, 0, index]]) {
        for (const style of styles) {
          for (const phrasing of [first, second, mixed]) {
            expect(parseProgram(renderProgram(program, style, phrasing))).toEqual({ program, style });
          }
        }
      }
    },
  );

  test('gives in real Python what the interpreter gives', () => {
    const random = randomStream('python-test');
    const batch = Array.from({ length: 1_200 }, (_, i) => {
      const program = randomProgram(1 + random.integer(5), random);
      const style = styles[i % 2] ?? 'stdin';
      const inputs = Array.from({ length: 6 }, (__, j) =>
        Array.from({ length: j === 0 ? 0 : random.integer(9) }, () => random.integer(41) - 20),
      ).filter((input) => interpret(program, input) !== 'too-big');
      const tests = inputs.map((input) =>
        style === 'stdin'
          ? { kind: 'stdin' as const, input: `${input.join(' ')}\n`, expected: '' }
          : { kind: 'call' as const, input: JSON.stringify(input), expected: '' },
      );
      return {
        program,
        style,
        inputs,
        tests,
        source: renderProgram(program, style, [first, second, mixed][i % 3]),
      };
    });
    const expected = batch.map(({ program, style, inputs }) =>
      inputs.map((input) => {
        const outcome = interpret(program, input);
        if (typeof outcome === 'string') return 'error';
        return style === 'call' ? JSON.stringify(outcome) : `${outputText(style, outcome)}\n`;
      }),
    );
    expect(expected.flat().filter((one) => one === 'error').length).toBeGreaterThan(20);
    expect(runInPython(batch)).toEqual(expected);
  });
});

describe('any other text', () => {
  const sample = renderProgram([0, 3], 'stdin');
  test.each([
    ['nothing', ''],
    ['prose', 'I would sort the list.'],
    ['an unknown line', sample.replace('xs = sorted(xs)', 'xs = quick(xs)')],
    ['a program without its last line', sample.split('\n').slice(0, -2).join('\n')],
    ['a step after the answer', renderProgram([27], 'call').replace('return', 'xs = sorted(xs)\n    return')],
    ['a huge text', 'xs = sorted(xs)\n'.repeat(1_000_000)],
  ])('is outside the pocket grammar: %s', (_, text) => {
    expect(parseProgram(text)).toBeNull();
  });

  test('is read leniently in blank lines and trailing blanks', () => {
    const program: Program = [0, 3];
    expect(parseProgram(sample.replaceAll('\n', '  \n\n'))?.program).toEqual(program);
  });
});
