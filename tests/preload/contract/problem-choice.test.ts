import { describe, expect, test } from 'vitest';
import { problemChoiceSchema, trainingSpecSchema } from '../../../preload/contract';
import { canReachRange, PLAIN_PROBLEM_CHOICE, problemsKeptText } from '../../../preload/contract/plans';

const model = {
  kind: 'model',
  method: 'rs2',
  agents: [{ id: 'one', model: '/models/one' }],
  problems: { benchmarkId: 'mbpp' },
};

describe('the choice of problems by Pass@1', () => {
  test('is absent from a training that does not ask for it, so that old ones keep their text', () => {
    const spec = trainingSpecSchema.parse(model);
    expect(JSON.stringify(spec)).not.toContain('choose');
    expect(JSON.stringify(spec)).not.toContain('before');
  });

  test('has the defaults that the documentation names', () => {
    expect(problemChoiceSchema.parse({})).toEqual({ measured: 200, samples: 8, from: 0.1, to: 0.8 });
    expect(PLAIN_PROBLEM_CHOICE).toEqual(problemChoiceSchema.parse({}));
    const spec = { ...model, problems: { benchmarkId: 'mbpp', choose: { measured: 30 } } };
    expect(trainingSpecSchema.parse(spec)).toMatchObject({
      problems: { choose: { measured: 30, samples: 8, from: 0.1, to: 0.8 } },
    });
  });

  test.each([
    ['the least above the greatest', { from: 0.5, to: 0.4 }],
    ['a share above 1', { to: 80 }],
    ['a share below 0', { from: -0.1 }],
    ['one problem', { measured: 1 }],
    ['more problems than one file keeps', { measured: 2_001 }],
    ['no attempt', { samples: 0 }],
    ['a misspelt setting', { sample: 8 }],
  ])('refuses %s', (_, choose) => {
    expect(problemChoiceSchema.safeParse(choose).success).toBe(false);
    const spec = { ...model, problems: { benchmarkId: 'mbpp', choose } };
    expect(trainingSpecSchema.safeParse(spec).success).toBe(false);
  });

  test('knows whether so many attempts can give a rate in the range', () => {
    // Of four attempts: 0, 25, 50, 75 or 100 %.
    expect(canReachRange(4, { from: 0.3, to: 0.45 })).toBe(false);
    expect(canReachRange(4, { from: 0.3, to: 0.5 })).toBe(true);
    expect(canReachRange(1, { from: 0.1, to: 0.8 })).toBe(false);
    expect(canReachRange(1, { from: 0, to: 0.8 })).toBe(true);
    expect(canReachRange(8, { from: 0.1, to: 0.8 })).toBe(true);
    // 0.7 of ten is 7.000000000000001 of them in floating point.
    expect(canReachRange(10, { from: 0.7, to: 0.7 })).toBe(true);
  });

  test('tells its counts in one line, without reasons that left out nothing', () => {
    const all = { from: 0, to: 0.125, measured: 3, kept: 3, neverSolved: 0, below: 0, above: 0 };
    expect(problemsKeptText(all)).toBe('Kept 3 of 3 problems with Pass@1 from 0 to 12.5 %.');
    const some = {
      ...all,
      from: 0.1,
      to: 0.8,
      measured: 200,
      kept: 36,
      neverSolved: 120,
      below: 1,
      above: 43,
    };
    expect(problemsKeptText(some)).toBe(
      'Kept 36 of 200 problems with Pass@1 from 10 to 80 %: 120 never solved, 1 below, 43 above.',
    );
  });
});
