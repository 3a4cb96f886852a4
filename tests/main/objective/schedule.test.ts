import { describe, expect, it } from 'vitest';
import { learningRate } from '../../../main/objective';
import { byPython } from './python-reference';
import { expectClose } from './random-trees';

/** The factor of a linear warm-up and a cosine with a least rate, written from its definition. */
const PYTHON = `
def work(case):
    step, steps, peak = case
    warm = math.ceil(0.03 * steps)
    if step < warm:
        return peak * step / max(1, warm)
    progress = (step - warm) / max(1, steps - warm)
    return peak * (0.5 * (1 + math.cos(math.pi * progress)) * 0.9 + 0.1)
`;

describe('the learning rate', () => {
  it.each([1, 2, 10, 33, 34, 300, 1_500])('of %i updates agrees with a Python program', (steps) => {
    const cases = Array.from({ length: steps }, (_, i) => [i + 1, steps, 0.03] as const);
    const rates = cases.map(([step, all, peak]) => learningRate(step, all, peak));
    expectClose(rates, byPython<number>(PYTHON, cases), 1e-12);
  });

  it('rises to its peak in 3 % of the updates and falls to a tenth at the last', () => {
    const rates = Array.from({ length: 300 }, (_, i) => learningRate(i + 1, 300, 1));
    expect(rates[0]).toBeCloseTo(1 / 9, 12);
    expect(rates[8]).toBe(1);
    expect(rates.indexOf(Math.max(...rates))).toBe(8);
    expect(rates[299]).toBeCloseTo(0.1, 12);
    expect(learningRate(500, 300, 1)).toBeCloseTo(0.1, 12);
    expect(rates.every((rate) => rate > 0)).toBe(true);
  });

  it('is the peak where there is one update', () => {
    expect(learningRate(1, 1, 0.03)).toBe(0.03);
  });

  it('refuses an update 0: updates count from 1', () => {
    expect(() => learningRate(0, 300, 1)).toThrow(RangeError);
  });
});
