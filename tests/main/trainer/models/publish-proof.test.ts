import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../../main/base';
import { type PublishProof, publishProof } from '../../../../main/trainer/models/engines/publish-proof';
import { gpuShare } from '../../../../main/trainer/models/gpu-share';

const TOKENS = 2_000;

/**
 * What engine and learner say of the same tokens: the learner's moved by `change` nats a token, the engine's by `slope`
 * of it, by `other` of another change, and both by the noise of rounding.
 */
function proven(options: {
  readonly change: number;
  readonly slope: number;
  readonly other?: number;
  readonly noise: number;
  readonly shift?: number;
}): PublishProof {
  const { change, slope, other = 0, noise, shift = 0 } = options;
  const random = randomStream('publish-proof');
  const [engine, learner] = [0, 0].map(() => ({ before: [] as number[], after: [] as number[] }));
  if (engine === undefined || learner === undefined) throw new Error('Unreachable');
  for (let t = 0; t < TOKENS; t++) {
    const [log, moved, foreign] = [-3 * random.uniform(), random.normal() * change, random.normal() * change];
    const rounded = () => random.normal() * noise;
    learner.before.push(log);
    learner.after.push(log + moved);
    engine.before.push(log + rounded());
    engine.after.push(log + slope * moved + other * foreign + rounded() - shift);
  }
  return publishProof({ engine, learner });
}

describe('the proof that an engine answers by the published weights', () => {
  // An update at a rate of 1e-6 moves log-probabilities by some 1e-5; an engine in float32 rounds at 1e-7.
  test.each([
    ['proven', { change: 0.05, slope: 1, noise: 0.01 }],
    ['proven', { change: 1e-5, slope: 1, noise: 1e-7 }],
    // In bfloat16 the rounding of weights is many times the change; the sum over all tokens still shows it.
    ['proven', { change: 1e-3, slope: 1, noise: 2e-3 }],
    ['lost', { change: 0.05, slope: 0, noise: 0.01 }],
    ['lost', { change: 1e-5, slope: 0, noise: 1e-7 }],
    ['lost', { change: 1e-5, slope: 0, noise: 0 }],
    // The adapter of another agent: it moved as much, elsewhere.
    ['lost', { change: 1e-5, slope: 0, other: 1, noise: 1e-7 }],
    // An update twice, or the wrong way round.
    ['lost', { change: 0.05, slope: 2, noise: 0.001 }],
    ['lost', { change: 0.05, slope: -1, noise: 0.001 }],
    ['not provable', { change: 1e-5, slope: 1, noise: 0.01 }],
    ['not provable', { change: 1e-5, slope: 0, noise: 0.01 }],
    ['other weights', { change: 1e-5, slope: 0, noise: 1e-7, shift: 4 }],
  ] as const)('%s: %o', (outcome, options) => {
    expect(proven(options).outcome).toBe(outcome);
  });

  test('the slope and its error are those of a regression through the origin', () => {
    const engine = { before: [-1, -2, -3], after: [-0.9, -2.1, -2.7] };
    const learner = { before: [-1, -2, -3], after: [-0.9, -2.2, -2.7] };
    // e = 0.1, -0.1, 0.3 and l = 0.1, -0.2, 0.3: sum(e l) = 0.12, sum(l^2) = 0.14; residuals 1/70, 1/14, 3/70.
    const { slope, error, gap } = publishProof({ engine, learner });
    expect(slope).toBeCloseTo(0.12 / 0.14, 12);
    expect(error).toBeCloseTo(Math.sqrt((1 / 4900 + 25 / 4900 + 9 / 4900) / 2 / 0.14), 12);
    expect(gap).toBeCloseTo(0.1 / 3, 12);
  });

  test('says nothing where the learner did not change', () => {
    const same = { before: [-1, -2], after: [-1, -2] };
    expect(publishProof({ engine: same, learner: same })).toEqual({
      outcome: 'not provable',
      slope: null,
      error: 0,
      gap: 0,
    });
  });
});

describe('GPUs of an agent', () => {
  const share = (visible: string | undefined, agent: number, change: object = {}) =>
    gpuShare({ visible, device: 'cuda', agents: 2, agent, gpus: 2, ...change });
  test('are its own, of those that the job may use', () => {
    expect([share('4,5,6,7', 0), share('4,5,6,7', 1)]).toEqual(['4,5', '6,7']);
    expect(share('GPU-a,GPU-b', 1, { gpus: 1 })).toBe('GPU-b');
    expect(share(undefined, 1)).toBe('2,3');
  });
  test('are shared where there are too few, and left alone where none are used', () => {
    expect([share('3', 0), share('3', 1)]).toEqual(['3', '3']);
    expect(share('0,1,2', 1)).toBe('2,0');
    expect(share('0,1', 0, { device: 'cpu' })).toBeNull();
    expect(share('', 0, { device: 'auto' })).toBeNull();
    expect(share('-1', 0, { device: 'auto' })).toBeNull();
    expect(share(undefined, 0, { device: 'auto' })).toBeNull();
    expect(share('0,1', 0, { agents: 1 })).toBeNull();
  });
});
