import { describe, expect, it } from 'vitest';
import {
  spansOf,
  withoutControl,
  withoutStyles,
  withoutTabs,
} from '../../../renderer/logs/control-sequences';
import {
  itemAt,
  LONGEST_ROW,
  type LogItem,
  lineSoFar,
  openLineAt,
  splitLines,
} from '../../../renderer/logs/log-lines';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const split = (text: string, bytes = bytesOf(text)) => splitLines(openLineAt(0), text, bytes, null);
const texts = (text: string): readonly string[] => split(text).lines.map((line) => line.text);
const E = '\u001B';

describe('lines of a log', () => {
  it('end in a line feed, with or without a carriage return', () => {
    expect(texts('one\r\ntwo\nthree')).toEqual(['one', 'two']);
  });

  it('know the byte they begin with, also after characters of many bytes', () => {
    expect(split('a\nü\n漢字\nz\n').lines.map(({ offset }) => offset)).toEqual([0, 2, 5, 12]);
  });

  it('know the byte they begin with after bytes that are not UTF-8', () => {
    // Three single bytes that the decoder has replaced: the file is 9 bytes long, the text's own 15.
    expect(split('ab\uFFFD\n\uFFFD\uFFFDc\nz', 9).lines.map(({ offset }) => offset)).toEqual([0, 4]);
  });

  it('that a carriage return overwrote show their last state and how many came before', () => {
    const { lines } = split('10%\r50%\r100%\nnext\n');
    expect(lines.map(({ text, folds }) => [text, folds])).toEqual([
      ['100%', 2],
      ['next', 0],
    ]);
    expect(lines[1]?.offset).toBe(13);
  });

  it('fold over the borders of pieces, and are as many bytes as the file has', () => {
    const first = split('loading\n10%\r20%\r');
    expect(lineSoFar(first.open, null)?.text).toBe('20%');
    const second = splitLines(first.open, '30%\r', 4, null);
    const third = splitLines(second.open, '\nend\n', 5, null);
    expect(third.lines.map(({ text, offset }) => [text, offset])).toEqual([
      ['30%', 8],
      ['end', 21],
    ]);
  });

  it('that have not ended are shown as far as they go', () => {
    const { open } = split('done\n$ ');
    expect(lineSoFar(open, null)?.text).toBe('$ ');
    expect(lineSoFar(openLineAt(5), null)).toBeNull();
  });

  it('of enormous length continue in further rows', () => {
    const { lines, open } = split('x'.repeat(LONGEST_ROW * 2 + 10));
    expect(lines.map(({ offset, continued }) => [offset, continued])).toEqual([
      [0, false],
      [LONGEST_ROW, true],
    ]);
    expect(lineSoFar(open, null)?.text).toHaveLength(10);
  });

  it('are found by any byte that they hold', () => {
    const items: readonly LogItem[] = split('aaaa\nbb\ncccc\n').lines;
    expect([0, 4, 5, 7, 8, 99].map((offset) => itemAt(items, offset))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(itemAt([], 3)).toBe(-1);
  });
});

describe('escape sequences', () => {
  it('that move the cursor or name the window are left out, half ones too', () => {
    expect(withoutControl(`${E}[2K${E}[1AEpoch 1${E}]0;title\u0007${E}[`)).toBe('Epoch 1');
  });

  it('of colours are kept for drawing and left out for reading', () => {
    const styled = withoutControl(`${E}[31mERROR${E}[0m all ${E}[1;38;5;2mgood`);
    expect(withoutStyles(styled)).toBe('ERROR all good');
    expect(spansOf(styled).map(({ text, tone, strong }) => [text, tone, strong])).toEqual([
      ['ERROR', 'red', false],
      [' all ', null, false],
      ['good', 'green', true],
    ]);
  });

  it('of any colour keep the text readable: the colour is left out', () => {
    expect(spansOf(`${E}[38;2;1;2;3mdark`)).toEqual([
      { text: 'dark', tone: null, strong: false, soft: false },
    ]);
  });

  it('tabs stand where a terminal would set them', () => {
    expect(withoutTabs('a\tb')).toBe('a       b');
  });
});
