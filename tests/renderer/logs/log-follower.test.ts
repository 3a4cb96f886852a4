import { describe, expect, it } from 'vitest';
import type { Answer, LogPiece } from '../../../preload/contract';
import { byteWords } from '../../../renderer/logs/byte-words';
import { FIRST_LOOK_BYTES, LogFollower, READ_BYTES } from '../../../renderer/logs/log-follower';

/** A growing ASCII file, and a sink that takes text in only when it is told to. */
class World {
  file = '';
  shown = '';
  failure: string | null = null;
  readonly reads: Array<{ offset: number; maxBytes: number }> = [];
  readonly waiting: Array<() => void> = [];
  readonly follower = new LogFollower(
    (offset, maxBytes) => this.#read(offset, maxBytes),
    {
      write: (text, taken) => {
        this.shown += text;
        this.waiting.push(taken);
      },
      clear: () => {
        this.shown = '';
      },
    },
    () => {},
  );

  async #read(offset: number, maxBytes: number): Promise<Answer<LogPiece>> {
    this.reads.push({ offset, maxBytes });
    if (this.failure !== null) return { ok: false, error: { code: 'not-found', message: this.failure } };
    const text = this.file.slice(offset, offset + maxBytes);
    return { ok: true, value: { text, nextOffset: offset + text.length, size: this.file.length } };
  }

  /** Lets answers arrive and the sink take everything in, until nothing is under way. */
  async settle(): Promise<void> {
    for (let round = 0; round < 50; round++) {
      await Promise.resolve();
      await Promise.resolve();
      this.waiting.shift()?.();
    }
  }
}

describe('following a log', () => {
  it('shows a short file whole and then what is added, once', async () => {
    const world = new World();
    world.file = 'one\ntwo\n';
    world.follower.start(world.file.length);
    await world.settle();
    world.file += 'three\n';
    world.follower.grow(world.file.length);
    await world.settle();
    expect(world.shown).toBe('one\ntwo\nthree\n');
  });

  it('starts near the end of a long file, at a whole line', async () => {
    const world = new World();
    world.file = `${'x'.repeat(99)}\n`.repeat(10_000);
    world.follower.start(world.file.length);
    await world.settle();
    expect(world.follower.state.from).toBe(world.file.length - FIRST_LOOK_BYTES);
    expect(world.shown.length).toBeLessThanOrEqual(FIRST_LOOK_BYTES);
    expect(world.shown.startsWith('xxx')).toBe(true);
    expect(world.shown.length % 100).toBe(0);
  });

  it('loads the whole file from the start when asked', async () => {
    const world = new World();
    world.file = 'line\n'.repeat(600_000);
    world.follower.start(world.file.length);
    await world.settle();
    world.follower.loadFromStart();
    await world.settle();
    expect(world.shown).toBe(world.file);
    expect(world.reads.every((read) => read.maxBytes <= READ_BYTES)).toBe(true);
  });

  it('reads the next piece only when the last one was taken in', async () => {
    const world = new World();
    world.file = 'line\n'.repeat(600_000);
    world.follower.start(0);
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(world.reads).toHaveLength(1);
    world.waiting.shift()?.();
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(world.reads).toHaveLength(2);
  });

  it('does not ask again and again for a file that gives nothing', async () => {
    const world = new World();
    world.follower.start(0);
    world.follower.grow(50);
    await world.settle();
    expect(world.reads.length).toBeLessThanOrEqual(2);
  });

  it('says why a read failed and goes on when asked', async () => {
    const world = new World();
    world.file = 'hello\n';
    world.failure = 'The log of reader is gone.';
    world.follower.start(6);
    await world.settle();
    expect(world.follower.state.failure).toBe('The log of reader is gone.');
    world.failure = null;
    world.follower.retry();
    await world.settle();
    expect(world.follower.state.failure).toBeNull();
    expect(world.shown).toBe('hello\n');
  });

  it('begins again with a file that was begun anew', async () => {
    const world = new World();
    world.file = 'a long first life\n';
    world.follower.start(world.file.length);
    await world.settle();
    world.file = 'new\n';
    world.follower.grow(4);
    await world.settle();
    expect(world.shown).toBe('new\n');
  });

  it('drops an answer that comes after another part was asked for', async () => {
    const world = new World();
    world.file = 'abc\n';
    world.follower.start(4);
    world.follower.loadFromStart();
    await world.settle();
    expect(world.shown).toBe('abc\n');
  });

  it('writes nothing once it is disposed', async () => {
    const world = new World();
    world.file = 'abc\n';
    world.follower.start(4);
    world.follower.dispose();
    await world.settle();
    expect(world.shown).toBe('');
  });
});

describe('bytes in words', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [262_144, '262 kB'],
    [999_999, '1.0 MB'],
    [5_300_000_000, '5.3 GB'],
  ])('%i', (bytes, words) => {
    expect(byteWords(bytes)).toBe(words);
  });
});
