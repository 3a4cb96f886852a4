import { describe, expect, it } from 'vitest';
import type { Answer, LogPiece } from '../../../preload/contract';
import type { LogItem } from '../../../renderer/logs/log-lines';
import { LogReader, READ_BYTES, SKIP_FROM_BYTES } from '../../../renderer/logs/log-reader';
import { MOST_FOLLOWED, MOST_ITEMS } from '../../../renderer/logs/log-window';

/** A file in memory, read as the workbench reads: whole characters only. Time passes when the test says so. */
class World {
  file: Uint8Array = new Uint8Array();
  failure: string | null = null;
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

  #read(offset: number, maxBytes: number): Answer<LogPiece> {
    this.reads += 1;
    if (this.failure !== null) return { ok: false, error: { code: 'unreachable', message: this.failure } };
    let end = Math.min(this.file.length, offset + Math.max(4, maxBytes));
    while (end > offset && end < this.file.length && ((this.file[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    const bytes = this.file.subarray(Math.min(offset, this.file.length), end);
    this.largestRead = Math.max(this.largestRead, bytes.length);
    const nextOffset = Math.min(offset, this.file.length) + bytes.length;
    return { ok: true, value: { text: new TextDecoder().decode(bytes), nextOffset, size: this.file.length } };
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
function expectTrue(world: World): void {
  for (const [at, item] of world.items.entries()) {
    if (item.kind === 'skipped') continue;
    const end = world.file.indexOf(10, item.offset);
    const bytes = world.file.subarray(item.offset, end === -1 ? world.file.length : end);
    const whole = new TextDecoder().decode(bytes);
    // The last one before a part that is not held may go on in it.
    const next = world.items[at + 1];
    expect(next === undefined || next.kind === 'skipped' ? whole.slice(0, item.text.length) : whole).toBe(
      item.text,
    );
  }
}

describe('a log that is followed', () => {
  it('is whole when it is short, and what is added comes once', async () => {
    const world = new World();
    world.write('one\ntwo\nthr');
    world.reader.start(world.file.length, true);
    await world.settle();
    expect(world.lines).toEqual(['one', 'two', 'thr']);
    world.write('ee\nfour\n');
    await world.pass(5_000);
    expect(world.lines).toEqual(['one', 'two', 'three', 'four']);
  });

  it('opens a file of many megabytes with one read at its end', async () => {
    const world = new World();
    world.write(numbered(0, 1_000_000));
    world.reader.start(world.file.length, false);
    await world.settle();
    expect(world.reads).toBe(1);
    expect(world.lines.at(-1)).toBe('line 000999999');
    expectTrue(world);
  });

  it('jumps ahead of a flood, says what it skipped, and never holds more than a window', async () => {
    const world = new World();
    world.write('start\n');
    world.reader.start(world.file.length, true);
    await world.settle();
    for (let second = 0; second < 8; second++) {
      world.write(numbered(second * 400_000, 400_000));
      await world.pass(1_000);
    }
    await world.pass(1_000);
    expect(world.items.length).toBeLessThanOrEqual(MOST_FOLLOWED);
    expect(world.largestRead).toBeLessThanOrEqual(READ_BYTES);
    const skipped = world.items.find((item) => item.kind === 'skipped');
    expect(skipped?.kind === 'skipped' ? skipped.bytes : 0).toBeGreaterThan(SKIP_FROM_BYTES);
    expect(world.lines.at(-1)).toBe('line 003199999');
    expectTrue(world);
    expect(world.reads).toBeLessThan(8 * 12);
  });

  it('stays where it is read while more comes, and says how much', async () => {
    const world = new World();
    world.write(numbered(0, 100));
    world.reader.start(world.file.length, true);
    await world.settle();
    world.reader.leaveEnd();
    world.write(numbered(100, 100));
    await world.pass(5_000);
    expect(world.items).toHaveLength(100);
    expect(world.reader.view.size).toBe(world.file.length);
    world.reader.toEnd();
    await world.settle();
    expect(world.lines.at(-1)).toBe('line 000000199');
  });

  it('starts over with a file that was replaced', async () => {
    const world = new World();
    world.write('a long first life\n');
    world.reader.start(world.file.length, true);
    await world.settle();
    world.file = new Uint8Array();
    world.write('new\n');
    await world.pass(5_000);
    expect(world.lines).toEqual(['new']);
  });

  it('looks seldom while nothing comes, and never once the job has ended', async () => {
    const world = new World();
    world.write('one\n');
    world.reader.start(world.file.length, true);
    await world.pass(60_000);
    expect(world.reads).toBeLessThan(40);
    world.reader.sizeChanged(world.file.length, false);
    await world.pass(10_000);
    const before = world.reads;
    await world.pass(60_000);
    expect(world.reads).toBe(before);
    expect(world.waiting).toBe(0);
  });

  it('goes on by itself when a machine answers again', async () => {
    const world = new World();
    world.write('one\n');
    world.failure = 'The machine gpu-box does not answer.';
    world.reader.start(4, true);
    await world.settle();
    expect(world.reader.view.failure).toBe('The machine gpu-box does not answer.');
    world.failure = null;
    await world.pass(3_000);
    expect(world.reader.view.failure).toBeNull();
    expect(world.lines).toEqual(['one']);
  });

  it('shows the time of lines that arrived while it was open, and of no others', async () => {
    const world = new World();
    world.write('before\n');
    world.reader.start(world.file.length, true);
    await world.settle();
    world.write('now\n');
    await world.pass(1_000);
    expect(world.items.map((item) => (item.kind === 'line' ? item.arrivedAt !== null : null))).toEqual([
      false,
      true,
    ]);
  });

  it('leaves no timer behind', async () => {
    const world = new World();
    world.write('one\n');
    world.reader.start(4, true);
    await world.settle();
    world.reader.dispose();
    expect(world.waiting).toBe(0);
  });
});

describe('a log that is read elsewhere', () => {
  const opened = async (text: string): Promise<World> => {
    const world = new World();
    world.write(text);
    world.reader.start(world.file.length, false);
    await world.settle();
    return world;
  };

  it('is read back to its first byte, every line once', async () => {
    const world = await opened(numbered(0, 60_000));
    world.reader.leaveEnd();
    for (let round = 0; round < 20 && world.reader.view.from > 0; round++) {
      world.reader.wantOlder();
      await world.settle();
      expectTrue(world);
    }
    expect(world.reader.view.from).toBe(0);
    expect(world.lines[0]).toBe('line 000000000');
    const offsets = world.items.map(({ offset }) => offset);
    expect(new Set(offsets).size).toBe(offsets.length);
    expect(offsets.every((offset, at) => at === 0 || offset - (offsets[at - 1] ?? 0) === 15)).toBe(true);
  });

  it('is read on to its end from anywhere, every line once', async () => {
    const world = await opened(numbered(0, 60_000));
    world.reader.toStart();
    await world.settle();
    for (let round = 0; round < 20 && world.reader.view.to < world.file.length; round++) {
      world.reader.wantNewer();
      await world.settle();
    }
    expectTrue(world);
    expect(world.lines.at(-1)).toBe('line 000059999');
    expect(world.items.length).toBeLessThanOrEqual(MOST_ITEMS);
  });

  it('goes to the line that holds a byte, with company above', async () => {
    const world = await opened(numbered(0, 500_000));
    world.reader.goTo(15 * 250_000);
    await world.settle();
    expect(world.lines).toContain('line 000250000');
    expect(world.lines[0]).not.toBe('line 000250000');
    expect(world.reader.view.target?.offset).toBe(15 * 250_000);
    expect(world.reader.view.follows).toBe(false);
    expectTrue(world);
  });

  it('goes both ways through characters of many bytes without losing or doubling any', async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => `${at} 漢字 ü 🙂\n`).join('');
    const world = await opened(text);
    world.reader.goTo(Math.floor(world.file.length / 2));
    await world.settle();
    for (let round = 0; round < 4; round++) {
      world.reader.wantOlder();
      await world.settle();
      world.reader.wantNewer();
      await world.settle();
    }
    expectTrue(world);
    const numbers = world.lines.map((line) => Number.parseInt(line, 10));
    expect(numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)).toBe(true);
  });

  it('shows a file of one endless line in rows, from anywhere', async () => {
    const world = await opened('abc '.repeat(400_000));
    world.reader.goTo(800_000);
    await world.settle();
    expect(world.items.length).toBeGreaterThan(10);
    expect(world.reader.view.failure).toBeNull();
  });

  it('says why a read failed, keeps what it has, and reads again when asked', async () => {
    const world = await opened(numbered(0, 60_000));
    const held = world.items.length;
    world.reader.leaveEnd();
    world.failure = 'The machine gpu-box does not answer.';
    world.reader.wantOlder();
    await world.settle();
    expect(world.reader.view.failure).toContain('gpu-box');
    expect(world.items).toHaveLength(held);
    world.failure = null;
    world.reader.retry();
    await world.settle();
    expect(world.reader.view.failure).toBeNull();
  });
});
