import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TrainingCurve } from '../../../preload/contract';
import {
  compareKeys,
  curveKey,
  formatCurveTick,
  formatCurveValue,
  shortNumber,
} from '../../../renderer/text/training-curves';
import { axesOf, axisLabel, formatX, timeUnit, xsOf } from '../../../renderer/training/curve-axis';
import { lineNames, linesOf, panelsOf, withoutSinglePoints } from '../../../renderer/training/curve-panels';
import { groupOf, type Member, membersOf } from '../../../renderer/training/members';
import { outline } from '../../../renderer/widgets/chart-scale';
import { meanOf, valueAt } from '../../../renderer/widgets/curve-mean';
import { smoothed, smoothingText } from '../../../renderer/widgets/smoothing';
import { sampleCurves, samplePocketTraining } from '../../support/sample-trainings';

const seededRuns = { seed: 1 };
const GRPO = { kind: 'recipe', recipeId: 'trl-grpo', values: {}, extraArguments: '' } as const;

function curve(part: Partial<TrainingCurve>): TrainingCurve {
  return {
    agentId: 'reader',
    key: 'reward',
    part: 'train',
    steps: [1, 2, 3],
    values: [0.1, 0.2, 0.3],
    samples: [128, 256, 384],
    seconds: [0, 1_800, 3_600],
    ...part,
  };
}

function member(part: Partial<Member>): Member {
  return {
    trainingId: 't1',
    group: 'g1',
    label: 'RS²',
    seed: 1,
    heldOut: 100,
    agents: [
      { id: 'reader', name: 'reader' },
      { id: 'tracer', name: 'tracer' },
    ],
    gpus: 0,
    curves: [],
    ...part,
  };
}

const LOOK = { axis: 'steps', unit: timeUnit(60), smoothing: 0, agents: 'mean' } as const;

describe('smoothing', () => {
  test('is of what is learned from alone: evaluations are drawn as the head has them', () => {
    const measured = { key: 'pass@1', steps: [15, 30, 45], values: [0.1, 0.2, 0.6] };
    const one = member({ curves: [curve({ ...measured, part: 'evaluation' }), curve(measured)] });
    const lastOf = (part: 'evaluation' | 'train') => {
      const [panel] = panelsOf([one], part);
      if (panel === undefined) throw new Error(`no chart of ${part}`);
      return linesOf(panel, lineNames([one], 'mean'), { ...LOOK, smoothing: 100 })[0]?.points.ys.at(-1);
    };
    expect(lastOf('evaluation')).toBe(0.6);
    expect(lastOf('train')).toBeCloseTo(0.3);
  });

  test('is the mean of the values of the last so many steps, by hand', () => {
    expect(smoothed([1, 2, 3, 4, 5, 6], [6, 0, 3, 9, 0, 12], 5)).toEqual([6, 3, 3, 4.5, 3.6, 4.8]);
  });

  test('counts steps, not points: a value that is alone in its window stays as it is', () => {
    expect(smoothed([25, 50, 75], [0.2, 0.5, 0.3], 20)).toEqual([0.2, 0.5, 0.3]);
  });

  test('of 0 steps changes nothing', () => {
    const values = [3, 1, 2];
    expect(smoothed([1, 2, 3], values, 0)).toBe(values);
  });

  test('says of how many steps a line is the mean, and what is behind it where there is something', () => {
    expect(smoothingText(0, 'updates')).toBe('Values as logged.');
    expect(smoothingText(20, 'updates')).toMatch(/mean of the last 20 updates; faint: the logged values/);
    expect(smoothingText(20, 'steps', true)).toBe('Smoothed: mean of the last 20 steps.');
  });

  test('forgets a spike as soon as it has left the window', () => {
    const values = [1, 1e20, 1, 1, 1, 1, 1];
    expect(smoothed([1, 2, 3, 4, 5, 6, 7], values, 5).at(-1)).toBe(1);
  });

  test('agrees with the mean computed afresh at every point', () => {
    const values = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(values, (ys) => {
        const steps = ys.map((_, at) => at * 2);
        const fast = smoothed(steps, ys, 20);
        ys.forEach((_, at) => {
          const own = ys.slice(Math.max(0, at - 9), at + 1);
          const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
          expect(fast[at]).toBeCloseTo(mean, 9);
        });
      }),
      seededRuns,
    );
  });
});

describe('the mean of seeds', () => {
  test('interpolates between points, has the lowest and highest value, and counts the members that reached the point', () => {
    const mean = meanOf([
      { xs: [0, 10, 20], ys: [0, 10, 20] },
      { xs: [0, 20], ys: [10, 30] },
      { xs: [0, 10], ys: [20, 0] },
    ]);
    expect(mean).toEqual({
      xs: [0, 10, 20],
      ys: [10, 10, 25],
      low: [0, 0, 20],
      high: [20, 20, 30],
      counts: [3, 3, 2],
    });
  });

  test('of one curve is the curve', () => {
    const one = { xs: [1, 2, 5], ys: [0.3, 0.1, 0.2] };
    expect(meanOf([one])).toMatchObject({ ...one, low: one.ys, high: one.ys });
  });

  test('is nowhere outside of a curve', () => {
    expect(valueAt({ xs: [5, 6], ys: [1, 2] }, 4)).toBeNull();
    expect(valueAt({ xs: [5, 6], ys: [1, 2] }, 7)).toBeNull();
    expect(valueAt({ xs: [5, 6], ys: [1, 2] }, 5.25)).toBe(1.25);
  });
});

describe('the axis', () => {
  test('of samples or time is offered where every curve knows it, of GPU time where all have GPUs', () => {
    expect(axesOf([curve({})], [0])).toEqual(['steps', 'samples', 'time']);
    expect(axesOf([curve({}), curve({ samples: null })], [0])).toEqual(['steps', 'time']);
    expect(axesOf([curve({ seconds: null })], [8])).toEqual(['steps', 'samples']);
    expect(axesOf([curve({})], [8])).toEqual(['steps', 'samples', 'time', 'gpu-time']);
    expect(axesOf([curve({})], [8, 0])).toEqual(['steps', 'samples', 'time']);
    expect(axesOf([], [])).toEqual(['steps']);
  });

  test('shows times below two hours in minutes, and GPU-hours as hours times GPUs', () => {
    expect(xsOf(curve({}), 'time', timeUnit(3_600), 8)).toEqual([0, 30, 60]);
    expect(xsOf(curve({}), 'gpu-time', timeUnit(7_200), 8)).toEqual([0, 4, 8]);
    expect(axisLabel('gpu-time', timeUnit(7_200), 'steps')).toBe('GPU-hours');
    expect(axisLabel('steps', timeUnit(0), 'updates')).toBe('updates');
  });

  test.each([
    [0, '0'],
    [42, '42'],
    [3.25, '3.3'],
    [1_250, '1,250'],
    [38_400, '38.4k'],
    [1_280_000, '1,280k'],
  ])('%s stands as %s', (x, text) => expect(formatX(x)).toBe(text));
});

describe('values', () => {
  test.each([
    [0, '0'],
    [0.4231, '0.423'],
    [-0.0784, '−0.078'],
    [31.23, '31.2'],
    [12_345, '12,345'],
    [0.00003, '3.0e−5'],
    // One line has one precision.
    [0.9996, '1.00'],
    [9.996, '10.0'],
    [99.97, '100'],
    // Rounding noise.
    [-3.47e-18, '0'],
    [2.5e9, '2.5e9'],
  ])('%s stands as %s', (value, text) => expect(shortNumber(value)).toBe(text));

  test('that are shares stand in percent', () => {
    expect(formatCurveValue(curveKey('pass@1').unit, 0.6125)).toBe('61.3');
    expect(formatCurveTick('share', 0.25, 0.05)).toBe('25');
    expect(formatCurveTick('number', 0.25, 0.05)).toBe('0.25');
    expect(formatCurveTick('number', 1_500, 500)).toBe('1,500');
    const small = [5e-6, 1e-5, 1.5e-5].map((tick) => formatCurveTick('number', tick, 5e-6));
    expect(small).toEqual(['5e−6', '1.0e−5', '1.5e−5']);
  });

  test('are in the order in which they are read; unknown keys come last, by name', () => {
    expect(['zeta', 'entropy', 'alpha', 'reward'].sort(compareKeys)).toEqual([
      'reward',
      'entropy',
      'alpha',
      'zeta',
    ]);
    expect(curveKey('critic/score')).toMatchObject({ label: 'critic/score', unit: 'number' });
    expect(['pass@10', 'loss', 'shaped-reward', 'pass@1/lcb', 'pass@1'].sort(compareKeys)).toEqual([
      'pass@1',
      'pass@1/lcb',
      'pass@10',
      'shaped-reward',
      'loss',
    ]);
  });

  test('of an evaluation of several data sets name them', () => {
    expect(curveKey('pass@1/lcb')).toMatchObject({ label: 'Pass@1, lcb', unit: 'share' });
    expect(curveKey('pass@10/lcb')).toMatchObject({ label: 'Pass@10, lcb', unit: 'share' });
    expect(curveKey('pass@10')).toMatchObject({ label: 'Pass@10', unit: 'share' });
  });
});

describe('charts', () => {
  const one = member({
    curves: [
      curve({}),
      curve({ agentId: 'tracer', values: [0.3, 0.4, 0.5] }),
      curve({ key: 'pass@1', part: 'evaluation', steps: [2, 3], values: [0.5, 0.6] }),
      curve({ agentId: null, key: 'tokens' }),
    ],
  });

  test('of one training: one a quantity and part, a line an agent in its own colour and shape', () => {
    const panels = panelsOf([one], null);
    expect(panels.map(({ title }) => title)).toEqual(['Reward', 'Pass@1, n = 100, %', 'Response length']);
    const names = lineNames([one], 'mean');
    expect(names.map(({ label }) => label)).toEqual(['reader', 'tracer', 'all agents']);
    expect(new Set(names.map(({ color, shape }) => `${color} ${shape}`)).size).toBe(3);
    const [reward] = panels;
    if (reward === undefined) throw new Error('no chart');
    expect(linesOf(reward, names, LOOK).map(({ label, points }) => [label, points.ys])).toEqual([
      ['reader', [0.1, 0.2, 0.3]],
      ['tracer', [0.3, 0.4, 0.5]],
    ]);
    expect(panelsOf([one], 'evaluation')).toHaveLength(1);
  });

  test('leave out what was measured once, but not the first step of a training', () => {
    const once = curve({ agentId: null, key: 'pass@n', part: 'evaluation', steps: [300], values: [0.8] });
    const drawn = withoutSinglePoints([member({ curves: [curve({}), once] })]);
    expect(panelsOf(drawn, null).map(({ id }) => id)).toEqual(['train reward']);
    expect(lineNames(drawn, 'mean').map(({ label }) => label)).toEqual(['reader', 'tracer']);
    expect(panelsOf(withoutSinglePoints([member({ curves: [once] })]), null)).toHaveLength(1);
  });

  test('keep what was logged behind a smoothed line, and nothing behind one that is not', () => {
    const [reward] = panelsOf([one], 'train');
    if (reward === undefined) throw new Error('no chart');
    const lines = linesOf(reward, lineNames([one], 'mean'), { ...LOOK, smoothing: 5 });
    expect(lines[0]?.raw?.ys).toEqual([0.1, 0.2, 0.3]);
    expect(lines[0]?.points.ys).toEqual([0.1, expect.closeTo(0.15), expect.closeTo(0.2)]);
    expect(linesOf(reward, lineNames([one], 'mean'), LOOK)[0]?.raw).toBeNull();
  });

  test('of several: a line a method, its seeds as mean with band, a seed that is behind counted', () => {
    const other = member({ trainingId: 't3', group: 'g2', label: 'Vanilla GRPO', curves: [curve({})] });
    const behind = member({
      trainingId: 't2',
      seed: 2,
      curves: [curve({ steps: [1, 2], values: [0.3, 0.6], samples: null, seconds: null })],
    });
    const members = [member({ curves: [curve({})] }), behind, other];
    const [reward] = panelsOf(members, null);
    if (reward === undefined) throw new Error('no chart');
    const lines = linesOf(reward, lineNames(members, 'mean'), LOOK);
    expect(lines.map(({ label }) => label)).toEqual(['RS², 2 seeds', 'Vanilla GRPO']);
    expect(lines[0]?.points.ys).toEqual([expect.closeTo(0.2), expect.closeTo(0.4), 0.3]);
    expect(lines[0]?.band?.low).toEqual([0.1, 0.2, 0.3]);
    expect(lines[0]?.counts).toEqual([2, 2, 1]);
    expect(lines[1]).toMatchObject({ band: null, counts: null });
  });

  test('of several, each agent: a line an agent, the method its colour, the agent its shape', () => {
    const members = [one, member({ ...one, trainingId: 't2', group: 'g2', label: 'Vanilla GRPO' })];
    const names = lineNames(members, 'each');
    expect(names.map(({ label }) => label)).toEqual([
      'RS²: reader',
      'RS²: tracer',
      'RS²: all agents',
      'Vanilla GRPO: reader',
      'Vanilla GRPO: tracer',
      'Vanilla GRPO: all agents',
    ]);
    expect(new Set(names.map(({ color }) => color)).size).toBe(2);
    expect(new Set(names.map(({ id }) => id)).size).toBe(6);
  });
});

describe('trainings side by side', () => {
  const training = (seed: number, name: string, rate = 0.03) => {
    const view = samplePocketTraining({}, 10, seed);
    const spec = view.spec.kind === 'pocket' ? { ...view.spec, rate } : view.spec;
    return { training: { ...view, name, spec }, gpus: 0, row: null, curves: [] };
  };

  test('that differ by their seed alone are one row; their title names it', () => {
    const members = membersOf([training(1, 'a'), training(2, 'b')]);
    expect(new Set(members.map(({ group }) => group)).size).toBe(1);
    expect(members.map(({ label }) => label)).toEqual(Array(2).fill('Heter-MARS², reader + tracer'));
  });

  test('that differ otherwise but have one title are distinguished by their names', () => {
    const members = membersOf([training(1, 'usual'), training(2, 'usual again'), training(1, 'slow', 0.001)]);
    expect(members.map(({ label }) => label)).toEqual(['usual', 'usual', 'slow']);
  });

  test('of different methods, each alone, are called as the user named them', () => {
    const grpo = samplePocketTraining({ method: 'grpo' }, 10, 1);
    const other = { training: { ...grpo, name: 'My grpo' }, gpus: 0, row: null, curves: [] };
    expect(membersOf([training(1, 'My heter'), other]).map(({ label }) => label)).toEqual([
      'My heter',
      'My grpo',
    ]);
  });

  test('are called as their row of the experiment is', () => {
    const half = { ...training(1, 'slow', 0.001), row: 'Heter-MARS², half the updates' };
    expect(membersOf([training(1, 'usual'), half]).map(({ label }) => label)).toEqual([
      'usual',
      'Heter-MARS², half the updates',
    ]);
  });

  test('of other trainers are drawn as one where they differ in the seed and its folder alone', () => {
    const recipe = (values: Readonly<Record<string, string>>) =>
      groupOf({ id: JSON.stringify(values), spec: { ...GRPO, values } });
    const first = recipe({ seed: '1', output: '/out/seed-1', lr: '1e-5' });
    expect(recipe({ seed: '2', output: '/out/seed-2', lr: '1e-5' })).toBe(first);
    expect(recipe({ seed: '2', output: '/out/seed-2', lr: '3e-5' })).not.toBe(first);
    expect(recipe({ lr: '1e-5' })).not.toBe(recipe({ lr: '3e-5' }));
    const ofSeed = (seed: number) => {
      const plain = training(seed, `TRL, seed ${seed}`);
      return { ...plain, training: { ...plain.training, spec: { ...GRPO, values: { seed: `${seed}` } } } };
    };
    const [one, two] = membersOf([ofSeed(1), ofSeed(2)]);
    expect([one?.seed, two?.seed]).toEqual([1, 2]);
    expect(two?.group).toBe(one?.group);
  });

  test('of other trainers without a seed are each a row of their own', () => {
    expect(groupOf({ id: 'a', spec: GRPO })).not.toBe(groupOf({ id: 'b', spec: GRPO }));
  });
});

describe('ten curves of ten thousand points', () => {
  test('are drawn by no more points than a panel has room for, the raw lines too', () => {
    const training = samplePocketTraining({ families: ['reader'] }, 10);
    const curves = sampleCurves(training, 10_000).slice(0, 10);
    expect(curves.every(({ steps }) => steps.length === 10_000)).toBe(true);
    const members = membersOf([{ training, gpus: 0, row: null, curves }]);
    const names = lineNames(members, 'mean');
    const lines = panelsOf(members, null).flatMap((panel) =>
      linesOf(panel, names, { ...LOOK, smoothing: 20 }),
    );
    expect(lines.length).toBeGreaterThanOrEqual(10);
    // Four points for each of 320 stretches, and the last one.
    const drawn = lines.flatMap(({ points, raw }) => [points, ...(raw === null ? [] : [raw])]);
    for (const points of drawn) {
      expect(outline(points, 320).xs.length).toBeGreaterThan(320);
      expect(outline(points, 320).xs.length).toBeLessThanOrEqual(4 * 321);
    }
  });
});
