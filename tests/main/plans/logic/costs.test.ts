import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costsOfEnds, transitiveNeeds } from '../../../../main/plans/logic/costs';

test('a step that two cells need is shared by halves, one of a single cell is its own, and one that took nothing adds nothing', () => {
  const took = (seconds: number) => ({ seconds, gpuSeconds: 8 * seconds, tokens: 0 });
  const steps = [
    { id: 'train', needs: [], took: took(60) },
    { id: 'reused', needs: [], took: took(0) },
    { id: 'search-1', needs: ['train', 'reused'], took: took(10) },
    { id: 'search-2', needs: ['train'], took: { seconds: 4, gpuSeconds: null, tokens: 7 } },
    { id: 'cell-1', needs: ['search-1'], took: took(0) },
    { id: 'cell-2', needs: ['search-2'], took: took(0) },
  ];
  const costs = costsOfEnds(steps, ['cell-1', 'cell-2']);
  expect(costs.get('cell-1')).toEqual({ seconds: 40, gpuSeconds: 320, tokens: 0 });
  expect(costs.get('cell-2')).toEqual({ seconds: 34, gpuSeconds: null, tokens: 7 });
  expect([...transitiveNeeds('cell-1', new Map(steps.map((step) => [step.id, step])))].sort()).toEqual([
    'cell-1',
    'reused',
    'search-1',
    'train',
  ]);
});

test('for any graph, the costs of cells that use every step sum to the cost of the steps', () => {
  const layer = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(layer, layer, fc.nat(1_000), (trainings, searches, salt) => {
      const steps = [
        ...trainings.map((seconds, at) => ({ id: `t${at}`, needs: [] as string[], seconds })),
        // Each search needs some trainings; together they need all.
        ...searches.map((seconds, at) => ({
          id: `s${at}`,
          needs: trainings.flatMap((_, t) =>
            (t + at + salt) % 2 === 0 || t % searches.length === at ? [`t${t}`] : [],
          ),
          seconds,
        })),
        ...searches.map((_, at) => ({ id: `c${at}`, needs: [`s${at}`], seconds: 0 })),
      ].map(({ seconds, ...step }) => ({
        ...step,
        took: { seconds, gpuSeconds: 2 * seconds, tokens: seconds },
      }));
      const costs = [
        ...costsOfEnds(
          steps,
          searches.map((_, at) => `c${at}`),
        ).values(),
      ];
      const all = [...trainings, ...searches].reduce((sum, seconds) => sum + seconds, 0);
      const sum = (unit: 'seconds' | 'gpuSeconds' | 'tokens') =>
        costs.reduce((whole, cost) => whole + (cost[unit] ?? Number.NaN), 0);
      expect(sum('seconds')).toBeCloseTo(all, 6);
      expect(sum('gpuSeconds')).toBeCloseTo(2 * all, 6);
      expect(sum('tokens')).toBeCloseTo(all, 6);
    }),
  );
});
