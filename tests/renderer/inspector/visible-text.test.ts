import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visiblePieces } from '../../../renderer/run/inspector/visible-text';

const marks = (value: string): string =>
  visiblePieces(value)
    .map((piece) => (piece.kind === 'plain' ? piece.text : `[${piece.mark}]`))
    .join('');

describe('whitespace that can decide over a verdict', () => {
  it.each([
    ['single spaces between words stay plain', '1 2 3\n', '1 2 3\n'],
    ['a space at the end of a line is marked', '12 \n7', '12[·]\n7'],
    ['a space at the end of the value is marked', '12 ', '12[·]'],
    ['doubled spaces are marked', 'a  b', 'a[··]b'],
    ['tabs are marked', 'a\tb', 'a[→]b'],
    ['carriage returns are marked', 'a\r\n', 'a[␍]\n'],
    ['no-break spaces are marked', 'a\u00a0b', 'a[⍽]b'],
    ['characters that draw nothing are marked', 'a\u200b\u0007', 'a[�][�]'],
  ])('%s', (_, value, shown) => {
    expect(marks(value)).toBe(shown);
  });

  it('is only shown otherwise: the pieces joined are the value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\n', '\r', '\u00a0', '☃') }),
        (value) => {
          expect(
            visiblePieces(value)
              .map((piece) => piece.text)
              .join(''),
          ).toBe(value);
        },
      ),
    );
  });
});
