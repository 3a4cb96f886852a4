import { describe, expect, it } from 'vitest';
import { RowMotion, SETTLE_MS } from '../../../renderer/run/tree/row-motion';

const target = Int32Array.of(0, 4, 2, 3);

describe('rows on their way', () => {
  it('start where they were shown and end where they belong', () => {
    const motion = RowMotion.from(Float32Array.of(0, 2, 1), target, 1_000);
    expect(Array.from(motion.rows)).toEqual([0, 2, 1, 3]);
    motion.advance(1_000 + SETTLE_MS);
    expect(Array.from(motion.rows)).toEqual([0, 4, 2, 3]);
    expect(motion.settled).toBe(true);
  });

  it('never leave the span between both', () => {
    const motion = RowMotion.from(Float32Array.of(0, 2, 1), target, 0);
    for (let now = 0; now <= SETTLE_MS; now += 10) {
      motion.advance(now);
      expect(motion.rows[1]).toBeGreaterThanOrEqual(2);
      expect(motion.rows[1]).toBeLessThanOrEqual(4);
      expect(motion.slack).toBeLessThanOrEqual(2);
    }
  });

  it('know which slots are new', () => {
    expect(RowMotion.from(Float32Array.of(0, 2, 1), target, 0).newFrom).toBe(3);
    expect(RowMotion.resting(target).newFrom).toBe(4);
  });
});
