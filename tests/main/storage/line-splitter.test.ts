import { describe, expect, it } from 'vitest';
import { LineSplitter, LineTooLongError } from '../../../main/storage';

function linesOf(chunks: readonly Buffer[], maxLineBytes = 1_000) {
  const splitter = new LineSplitter(maxLineBytes);
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.rest();
  const plain = (line: { bytes: Buffer; offset: number }) => [line.offset, line.bytes.toString('utf8')];
  return { lines: lines.map(plain), rest: rest === null ? null : plain(rest) };
}

describe('a splitter of lines', () => {
  it('gives the same lines and offsets however the stream is cut', () => {
    const bytes = Buffer.from('one\n\ntwö \u{1f600}\r\nrest');
    const whole = linesOf([bytes]);
    expect(whole).toEqual({
      lines: [
        [0, 'one'],
        [4, ''],
        [5, 'twö \u{1f600}\r'],
      ],
      rest: [16, 'rest'],
    });
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect(linesOf(chunks)).toEqual(whole);
      }
    }
  });

  it('has no rest after a last newline', () => {
    expect(linesOf([Buffer.from('a\n')]).rest).toBeNull();
  });

  it.each([
    ['that ends', ['ok\n', '12345\n']],
    ['that does not end', ['ok\n123', '45']],
  ])('names a line that is too long, also one %s', (_, chunks) => {
    const splitting = () =>
      linesOf(
        chunks.map((chunk) => Buffer.from(chunk)),
        4,
      );
    expect(splitting).toThrow(LineTooLongError);
    expect(splitting).toThrow('Line 2');
  });
});
