import { describe, expect, it } from 'vitest';
import type { Answer, LeftOutPart, LogPiece } from '../../../preload/contract';
import type { LogItem } from '../../../renderer/logs/log-lines';
import { LogReader, READ_BYTES, SKIP_FROM_BYTES } from '../../../renderer/logs/log-reader';
import { MAX_FOLLOWED, MAX_ITEMS } from '../../../renderer/logs/log-window';

/** A file in memory, read as the workbench reads: whole characters only. Time passes when the test says so. */
class LogFixture {
  file: Uint8Array = new Uint8Array();
  failure: string | null = null;
  /** What a limit left out, as the workbench tells it with every piece. */
  leftOut: LeftOutPart | null = null;
  now = 1_000_000;
  largestRead = 0;
  reads = 0;
  readonly #waiting = new Set<{ at: number; call: () => void }>();
  readonly reader = new LogReader({
    read: async (offset, maxBytes) => this.#read(offset, maxBytes),
    onChange: () => {},
    now: () => this.now,
    later: (call, ms) => {
      const one = { at: this.now + ms, call };
      this.#waiting.add(one);
      return () => this.#waiting.delete(one);
    },
  });

  #read(asked: number, maxBytes: number): Answer<LogPiece> {
    this.reads += 1;
    const { leftOut } = this;
    const isInside = leftOut !== null && asked >= leftOut.from && asked < leftOut.to;
    const offset = isInside ? leftOut.to : asked;
    if (this.failure !== null) return { ok: false, error: { code: 'unreachable', message: this.failure } };
    let end = Math.min(this.file.length, offset + Math.max(4, maxBytes));
    if (leftOut !== null && offset < leftOut.from) end = Math.min(end, leftOut.from);
    while (end > offset && end < this.file.length && ((this.file[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    const bytes = this.file.subarray(Math.min(offset, this.file.length), end);
    this.largestRead = Math.max(this.largestRead, bytes.length);
    const nextOffset = Math.min(offset, this.file.length) + bytes.length;
    const piece = { text: new TextDecoder().decode(bytes), nextOffset, size: this.file.length };
    const start = isInside ? { start: offset } : {};
    return { ok: true, value: { ...piece, ...start, ...(leftOut === null ? {} : { leftOut }) } };
  }

  write(text: string): void {
    const more = new TextEncoder().encode(text);
    const all = new Uint8Array(this.file.length + more.length);
    all.set(this.file);
    all.set(more, this.file.length);
    this.file = all;
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 40; round++) await Promise.resolve();
  }

  /** Lets this much time pass, and all that is due in it happen. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await this.settle();
      const [next] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#waiting.delete(next);
      this.now = next.at;
      next.call();
    }
    this.now = end;
  }

  get items(): readonly LogItem[] {
    return this.reader.view.items;
  }
  get lines(): readonly string[] {
    return this.items.map((item) => (item.kind === 'line' ? item.text : `[${item.bytes} skipped]`));
  }
  get waiting(): number {
    return this.#waiting.size;
  }
}

const numbered = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${String(from + at).padStart(9, '0')}\n`).join('');

/** Every line that is held must be the one that the file has at its offset. */
function expectTrue(fixture: LogFixture): void {
  const wrong = fixture.items.flatMap((item, at) => {
    if (item.kind === 'skipped') return [];
    const end = fixture.file.indexOf(10, item.offset);
    const bytes = fixture.file.subarray(item.offset, end === -1 ? fixture.file.length : end);
    const whole = new TextDecoder().decode(bytes);
    // The last one before a part that is not held may go on in it.
    const next = fixture.items[at + 1];
    const held = next === undefined || next.kind === 'skipped' ? whole.slice(0, item.text.length) : whole;
    return held === item.text ? [] : [{ at, held, shown: item.text }];
  });
  // Once, as a hundred thousand lines are compared.
  expect(wrong).toEqual([]);
}

describe('a log whose middle was left out', () => {
  /** 15 bytes a line, of which the lines 20,000 to 59,999 were left out. */
  const limited = (): LogFixture => {
    const fixture = new LogFixture();
    fixture.write(numbered(0, 80_000));
    fixture.leftOut = { from: 300_000, to: 900_000, lines: 40_000, limitBytes: 600_000, isCut: false };
    return fixture;
  };

  it('is read from its end to its start over one row for the part, and every line stays in its place', async () => {
    const fixture = limited();
    fixture.reader.start(fixture.file.length, false);
    await fixture.settle();
    expect(fixture.reader.view.leftOut).toBe(fixture.leftOut);
    for (let reads = 0; reads < 20 && fixture.reader.view.from > 0; reads++) {
      fixture.reader.leaveEnd();
      fixture.reader.wantOlder();
      await fixture.settle();
    }
    expect(fixture.lines.filter((text) => text.includes('skipped'))).toEqual(['[600000 skipped]']);
    expect([fixture.lines[0], fixture.lines.at(-1)]).toEqual(['line 000000000', 'line 000079999']);
    expect(fixture.lines).toHaveLength(40_001);
    expectTrue(fixture);
  });

  it('is read from its start to its end, and a jump into the part shows what follows it', async () => {
    const fixture = limited();
    fixture.reader.start(fixture.file.length, false);
    fixture.reader.toStart();
    await fixture.settle();
    for (let reads = 0; reads < 20 && fixture.reader.view.to < fixture.file.length; reads++) {
      fixture.reader.wantNewer();
      await fixture.settle();
    }
    expect(fixture.lines.filter((text) => text.includes('skipped'))).toEqual(['[600000 skipped]']);
    expect(fixture.lines).toHaveLength(40_001);
    expectTrue(fixture);
    const jumping = limited();
    jumping.reader.start(jumping.file.length, false);
    jumping.reader.goTo(500_000);
    await jumping.settle();
    expect(jumping.lines[1]).toBe('line 000060000');
    expectTrue(jumping);
  });

  it('keeps what is shown when more of it is left out, and reads on over the larger part', async () => {
    const fixture = limited();
    fixture.leftOut = null;
    fixture.reader.start(fixture.file.length, false);
    await fixture.settle();
    const shown = fixture.lines;
    fixture.leftOut = { from: 300_000, to: 1_170_000, lines: 58_000, limitBytes: 600_000, isCut: false };
    fixture.reader.leaveEnd();
    fixture.reader.wantOlder();
    await fixture.settle();
    expect(fixture.lines.slice(-shown.length)).toEqual(shown);
    expect(fixture.lines.filter((text) => text.includes('skipped'))).toHaveLength(1);
    expectTrue(fixture);
  });
});

describe('a log that is followed', () => {
  it('is whole when it is short, and what is added comes once', async () => {
    const fixture = new LogFixture();
    fixture.write('one\ntwo\nthr');
    fixture.reader.start(fixture.file.length, true);
    await fixture.settle();
    expect(fixture.lines).toEqual(['one', 'two', 'thr']);
    fixture.write('ee\nfour\n');
    await fixture.pass(5_000);
    expect(fixture.lines).toEqual(['one', 'two', 'three', 'four']);
  });

  it('opens a file of many megabytes with one read at its end', async () => {
    const fixture = new LogFixture();
    fixture.write(numbered(0, 1_000_000));
    fixture.reader.start(fixture.file.length, false);
    await fixture.settle();
    expect(fixture.reads).toBe(1);
    expect(fixture.lines.at(-1)).toBe('line 000999999');
    expectTrue(fixture);
  });

  it('jumps ahead of a flood, says what it skipped, and never holds more than a window', async () => {
    const fixture = new LogFixture();
    fixture.write('start\n');
    fixture.reader.start(fixture.file.length, true);
    await fixture.settle();
    for (let second = 0; second < 8; second++) {
      fixture.write(numbered(second * 400_000, 400_000));
      await fixture.pass(1_000);
    }
    await fixture.pass(1_000);
    expect(fixture.items.length).toBeLessThanOrEqual(MAX_FOLLOWED);
    expect(fixture.largestRead).toBeLessThanOrEqual(READ_BYTES);
    const skipped = fixture.items.find((item) => item.kind === 'skipped');
    expect(skipped?.kind === 'skipped' ? skipped.bytes : 0).toBeGreaterThan(SKIP_FROM_BYTES);
    expect(fixture.lines.at(-1)).toBe('line 003199999');
    expectTrue(fixture);
    expect(fixture.reads).toBeLessThan(8 * 12);
  });

  it('stays where it is read while more comes, and says how much', async () => {
    const fixture = new LogFixture();
    fixture.write(numbered(0, 100));
    fixture.reader.start(fixture.file.length, true);
    await fixture.settle();
    fixture.reader.leaveEnd();
    fixture.write(numbered(100, 100));
    await fixture.pass(5_000);
    expect(fixture.items).toHaveLength(100);
    expect(fixture.reader.view.size).toBe(fixture.file.length);
    fixture.reader.toEnd();
    await fixture.settle();
    expect(fixture.lines.at(-1)).toBe('line 000000199');
  });

  it('starts over with a file that was replaced', async () => {
    const fixture = new LogFixture();
    fixture.write('a long first life\n');
    fixture.reader.start(fixture.file.length, true);
    await fixture.settle();
    fixture.file = new Uint8Array();
    fixture.write('new\n');
    await fixture.pass(5_000);
    expect(fixture.lines).toEqual(['new']);
  });

  it('polls less often while nothing arrives, and stops once the job has ended', async () => {
    const fixture = new LogFixture();
    fixture.write('one\n');
    fixture.reader.start(fixture.file.length, true);
    await fixture.pass(60_000);
    expect(fixture.reads).toBeLessThan(40);
    fixture.reader.sizeChanged(fixture.file.length, false);
    await fixture.pass(10_000);
    const before = fixture.reads;
    await fixture.pass(60_000);
    expect(fixture.reads).toBe(before);
    expect(fixture.waiting).toBe(0);
  });

  it('continues automatically when a machine answers again', async () => {
    const fixture = new LogFixture();
    fixture.write('one\n');
    fixture.failure = 'The machine gpu-box does not answer.';
    fixture.reader.start(4, true);
    await fixture.settle();
    expect(fixture.reader.view.failure).toBe('The machine gpu-box does not answer.');
    fixture.failure = null;
    await fixture.pass(3_000);
    expect(fixture.reader.view.failure).toBeNull();
    expect(fixture.lines).toEqual(['one']);
  });

  it('shows the time of lines that arrived while it was open, and of no others', async () => {
    const fixture = new LogFixture();
    fixture.write('before\n');
    fixture.reader.start(fixture.file.length, true);
    await fixture.settle();
    fixture.write('now\n');
    await fixture.pass(1_000);
    expect(fixture.items.map((item) => (item.kind === 'line' ? item.arrivedAt !== null : null))).toEqual([
      false,
      true,
    ]);
  });

  it('leaves no timer behind', async () => {
    const fixture = new LogFixture();
    fixture.write('one\n');
    fixture.reader.start(4, true);
    await fixture.settle();
    fixture.reader.dispose();
    expect(fixture.waiting).toBe(0);
  });
});

describe('a log that is read elsewhere', () => {
  const opened = async (text: string): Promise<LogFixture> => {
    const fixture = new LogFixture();
    fixture.write(text);
    fixture.reader.start(fixture.file.length, false);
    await fixture.settle();
    return fixture;
  };

  it('is read back to its first byte, every line once', async () => {
    const fixture = await opened(numbered(0, 60_000));
    fixture.reader.leaveEnd();
    for (let round = 0; round < 20 && fixture.reader.view.from > 0; round++) {
      fixture.reader.wantOlder();
      await fixture.settle();
      expectTrue(fixture);
    }
    expect(fixture.reader.view.from).toBe(0);
    expect(fixture.lines[0]).toBe('line 000000000');
    const offsets = fixture.items.map(({ offset }) => offset);
    expect(new Set(offsets).size).toBe(offsets.length);
    expect(offsets.every((offset, at) => at === 0 || offset - (offsets[at - 1] ?? 0) === 15)).toBe(true);
  });

  it('is read on to its end from anywhere, every line once', async () => {
    const fixture = await opened(numbered(0, 60_000));
    fixture.reader.toStart();
    await fixture.settle();
    for (let round = 0; round < 20 && fixture.reader.view.to < fixture.file.length; round++) {
      fixture.reader.wantNewer();
      await fixture.settle();
    }
    expectTrue(fixture);
    expect(fixture.lines.at(-1)).toBe('line 000059999');
    expect(fixture.items.length).toBeLessThanOrEqual(MAX_ITEMS);
  });

  it('goes to the line that holds a byte, with company above', async () => {
    const fixture = await opened(numbered(0, 500_000));
    fixture.reader.goTo(15 * 250_000);
    await fixture.settle();
    expect(fixture.lines).toContain('line 000250000');
    expect(fixture.lines[0]).not.toBe('line 000250000');
    expect(fixture.reader.view.target?.offset).toBe(15 * 250_000);
    expect(fixture.reader.view.follows).toBe(false);
    expectTrue(fixture);
  });

  it('goes both ways through characters of many bytes without losing or doubling any', async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => `${at} 漢字 ü 🙂\n`).join('');
    const fixture = await opened(text);
    fixture.reader.goTo(Math.floor(fixture.file.length / 2));
    await fixture.settle();
    for (let round = 0; round < 4; round++) {
      fixture.reader.wantOlder();
      await fixture.settle();
      fixture.reader.wantNewer();
      await fixture.settle();
    }
    expectTrue(fixture);
    const numbers = fixture.lines.map((line) => Number.parseInt(line, 10));
    expect(numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)).toBe(true);
  });

  it('shows a file of one endless line in rows, from anywhere', async () => {
    const fixture = await opened('abc '.repeat(400_000));
    fixture.reader.goTo(800_000);
    await fixture.settle();
    expect(fixture.items.length).toBeGreaterThan(10);
    expect(fixture.reader.view.failure).toBeNull();
  });

  it('says why a read failed, keeps what it has, and reads again when asked', async () => {
    const fixture = await opened(numbered(0, 60_000));
    const held = fixture.items.length;
    fixture.reader.leaveEnd();
    fixture.failure = 'The machine gpu-box does not answer.';
    fixture.reader.wantOlder();
    await fixture.settle();
    expect(fixture.reader.view.failure).toContain('gpu-box');
    expect(fixture.items).toHaveLength(held);
    fixture.failure = null;
    fixture.reader.retry();
    await fixture.settle();
    expect(fixture.reader.view.failure).toBeNull();
  });
});
