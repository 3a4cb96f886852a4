import { describe, expect, it } from 'vitest';
import { barsOf, barText, drawnParts, memoryScale } from '../../../renderer/new-training/memory-bars';

describe('bars of the memory in a plan', () => {
  it('end at the device, or beyond it where it is too small', () => {
    expect(memoryScale(9e9, 25e9)).toEqual({ end: 25e9, limit: 25e9 });
    expect(memoryScale(30e9, 25e9)).toEqual({ end: 30e9, limit: 25e9 });
    expect(memoryScale(9e9, null)).toEqual({ end: 9e9, limit: null });
  });

  it('stay readable on a device that is much larger: its line is left out', () => {
    const { end, limit } = memoryScale(3e9, 80e9);
    expect(limit).toBeNull();
    expect(3e9 / end).toBeGreaterThan(0.8);
  });

  it('do not draw a part of unknown size, and say that it is there', () => {
    const stack = [
      { part: 'weights' as const, bytes: 2e9 },
      { part: 'engine' as const, bytes: null },
    ];
    const [bar] = barsOf({ id: 'a', total: 2e9, writing: stack, learning: stack });
    if (bar === undefined) throw new Error('No bar');
    expect(drawnParts(bar).map(({ value }) => value)).toEqual([2e9]);
    expect(bar.isSumKnown).toBe(false);
    expect(barText(bar, null)).toBe(
      'a while writing, in GB: weights 2.00, engine that writes unknown; more than 2.0 GB',
    );
  });
});
