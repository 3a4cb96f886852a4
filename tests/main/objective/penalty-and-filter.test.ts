import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepsTree, overlongPenalty } from '../../../main/objective';

describe('the penalty on long answers', () => {
  const scripts = { maximumTokens: 32_768, bufferTokens: 2_048, factor: 1 };

  it.each([
    [0, 0],
    [30_720, 0],
    [30_721, -1 / 2_048],
    [31_744, -0.5],
    [32_768, -1],
    [50_000, -1],
  ])('of %i tokens with the limits of the scripts is %f', (tokens, expected) => {
    expect(overlongPenalty(tokens, scripts)).toBeCloseTo(expected, 12);
  });

  it('grows with the factor and never with fewer tokens', () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.nat(40_000), (one, other) => {
        const [few, many] = [Math.min(one, other), Math.max(one, other)];
        expect(overlongPenalty(many, scripts)).toBeLessThanOrEqual(overlongPenalty(few, scripts));
        expect(overlongPenalty(many, { ...scripts, factor: 3 })).toBeCloseTo(
          3 * overlongPenalty(many, scripts),
          12,
        );
      }),
    );
  });

  it('starts with the first token where the buffer is the whole answer', () => {
    expect(overlongPenalty(1, { maximumTokens: 4, bufferTokens: 4, factor: 1 })).toBe(-0.25);
  });

  it('is none without options, and refuses a buffer that is longer than the answer', () => {
    expect(overlongPenalty(1e9, null)).toBe(0);
    expect(() => overlongPenalty(1, { ...scripts, bufferTokens: 32_769 })).toThrow(RangeError);
  });
});

describe('the dynamic filter', () => {
  const open = { low: 0, high: 1 };

  it.each([
    ['all wrong', [0, 0, 0], false],
    ['all right', [1, 1, 1], false],
    ['mixed', [0, 1, 0], true],
    ['of one node that fails', [0], false],
    ['without nodes', [], false],
  ])('on (0, 1) of a tree %s', (_, raw, expected) => {
    expect(keepsTree(raw, open)).toBe(expected);
  });

  it('leaves out a mean on a bound, however it was rounded', () => {
    // 0.1 ten times sums to 0.9999999999999999.
    const raw = Array.from({ length: 10 }, () => 0.1);
    expect(keepsTree(raw, { low: 0.1, high: 0.9 })).toBe(false);
    expect(keepsTree(raw, { low: 0, high: 0.1 })).toBe(false);
    expect(keepsTree([0, 1], { low: 0.5, high: 0.9 })).toBe(false);
    expect(keepsTree([0, 1], { low: 0.49, high: 0.51 })).toBe(true);
  });

  it('keeps every tree while it is off', () => {
    expect(keepsTree([0, 0], null)).toBe(true);
    expect(keepsTree([], null)).toBe(true);
  });
});
