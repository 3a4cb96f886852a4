import { expect, test } from 'vitest';
import type { ReproductionStep } from '../../../preload/contract';
import { reproductionShare } from '../../../renderer/text/exhibits';
import { sampleReproduction } from '../../support/sample-exhibits';

const whole = sampleReproduction({ exhibitId: 'homogeneous', done01: 0 });
const [sample] = whole.steps;
if (sample === undefined) throw new Error('the sample has no steps');
const amount = (seconds: number | null) => ({ seconds, gpuSeconds: null, tokens: null });

function step(change: Partial<ReproductionStep>, estimated: number | null, took: number | null = null) {
  return {
    ...sample,
    reuse: null,
    ...change,
    estimate: amount(estimated),
    took: amount(took),
  } as ReproductionStep;
}

const share = (steps: readonly ReproductionStep[]) =>
  reproductionShare({ ...whole, steps: [...steps], done: 2, total: 4 });

test('the share of a reproduction is one of time: a long search outweighs many short steps', () => {
  const done = { state: { kind: 'done', reused: false } } as const;
  const steps = [
    step({ kind: 'serve', ...done }, 5, 10),
    step({ kind: 'train', ...done }, 80, 90),
    step({ kind: 'search', state: { kind: 'running', share01: 0.5 } }, 800),
    step({ kind: 'search', state: { kind: 'planned' } }, 100),
    // Reused work and cells take no time.
    step(
      { kind: 'train', reuse: 'Reused the training of 09:12.', state: { kind: 'done', reused: true } },
      500,
    ),
    step({ kind: 'cell', state: { kind: 'planned' } }, 500),
  ];
  expect(share(steps)).toBeCloseTo((10 + 90 + 400) / (10 + 90 + 800 + 100));
});

test('where an expectation is missing, every step counts alike', () => {
  expect(share([step({ kind: 'search', state: { kind: 'planned' } }, null)])).toBe(0.5);
  expect(share([])).toBe(0.5);
});

test('one that is done is done', () => {
  expect(reproductionShare({ ...whole, state: { kind: 'done' } })).toBe(1);
});
