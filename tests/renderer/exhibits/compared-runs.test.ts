import { expect, test } from 'vitest';
import { comparedRunsOf } from '../../../renderer/exhibits/exhibit-views';
import { sampleExhibit, sampleReproduction } from '../../support/sample-exhibits';

test('the runs of a reproduction are compared once each, under the names of the exhibit', () => {
  const exhibit = sampleExhibit('homogeneous');
  const reproduction = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });
  const runs = comparedRunsOf(exhibit, reproduction);
  const searched = reproduction.steps.flatMap(({ kind, runId }) =>
    kind === 'search' && runId !== null ? [runId] : [],
  );
  expect(runs.map(({ runId }) => runId)).toEqual([...new Set(searched)]);
  expect(runs.length).toBeGreaterThan(0);
  const labels = new Set(exhibit.configurations.map(({ label }) => label));
  expect(runs.every(({ label }) => label !== undefined && labels.has(label))).toBe(true);
});

test('a reproduction that has searched nothing has nothing to compare', () => {
  const exhibit = sampleExhibit('homogeneous');
  expect(comparedRunsOf(exhibit, { steps: [] })).toEqual([]);
});
