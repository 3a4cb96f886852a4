import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutputBuffer, STORED_UNITS } from '../../../main/terminals/logic/output-buffer';

function filled(...pieces: readonly string[]): OutputBuffer {
  const record = new OutputBuffer();
  for (const piece of pieces) record.append(piece);
  return record;
}

test('what fits is kept whole, from its first unit', () => {
  expect(filled('ab', 'c\n', '').snapshot()).toEqual({ offset: 0, text: 'abc\n' });
});

test('the text always ends where the next output begins', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 30 }), (lines) => {
      const record = new OutputBuffer();
      let length = 0;
      for (const line of lines) {
        const piece = `${line}\n`.repeat(4_000);
        record.append(piece);
        length += piece.length;
        const { offset, text } = record.snapshot();
        if (offset + text.length !== record.end || record.end !== length) return false;
      }
      return true;
    }),
    { numRuns: 30, seed: 1 },
  );
});

test('a flood leaves about a megabyte, which begins with a whole line', () => {
  const record = new OutputBuffer();
  for (let line = 0; line < 400_000; line++) record.append(`line ${line}\r\n`);
  const { text } = record.snapshot();
  expect(text.length).toBeGreaterThanOrEqual(STORED_UNITS - 20);
  expect(text.length).toBeLessThan(STORED_UNITS * 1.3);
  expect(text).toMatch(/^line \d+\r\n/);
  expect(text.endsWith('line 399999\r\n')).toBe(true);
});

test('modes that were set before what is kept are set again', () => {
  const esc = '\u001b';
  const record = filled(`${esc}[?1049h${esc}[?2004h${esc}[?1000;1006h${esc}[?2004l\n`);
  for (let line = 0; line < 100_000; line++) record.append('a long enough line\r\n');
  const { offset, text } = record.snapshot();
  expect(text.slice(0, 32)).toBe(`${esc}[?1049h${esc}[?2004l${esc}[?1000h${esc}[?1006h`.slice(0, 34));
  expect(offset + text.length).toBe(record.end);
});

test('a line without an end is cut between characters, never within one', () => {
  const record = filled('x', '🙂'.repeat(STORED_UNITS));
  const { text } = record.snapshot();
  expect(text.codePointAt(0)).toBe('🙂'.codePointAt(0));
});

test('a restart keeps the place and forgets the rest', () => {
  const record = filled('before');
  record.restart();
  expect(record.snapshot()).toEqual({ offset: 6, text: '' });
  record.append('after');
  expect(record.snapshot()).toEqual({ offset: 6, text: 'after' });
});
