import { expect, test } from 'vitest';
import { partText } from '../../../renderer/exhibits/exhibit-head';
import { comparedRunsOf, notComparedOf } from '../../../renderer/exhibits/exhibit-views';
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

test('a row that is cut to the tokens of another is not compared, and named where it was searched', () => {
  const { configurations } = sampleExhibit('homogeneous');
  const cut = configurations.filter(({ tokensOf }) => tokensOf !== undefined);
  expect(cut.length).toBeGreaterThan(1);
  const { steps } = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });
  expect(notComparedOf({ configurations }, { steps })).toEqual(cut.map(({ label }) => label));
  const ofOne = steps.filter((step) => step.configurations[0] === cut[0]?.id);
  expect(notComparedOf({ configurations }, { steps: ofOne })).toEqual([cut[0]?.label]);
  expect(notComparedOf({ configurations }, { steps: [] })).toEqual([]);
});

test('a reproduction of a part says which, from its start on', () => {
  const exhibit = sampleExhibit('homogeneous');
  const { order, scale } = sampleReproduction({ exhibitId: 'homogeneous', done01: 0 });
  expect(partText(exhibit, { order, scale })).toBeNull();
  expect(partText(exhibit, { order: { ...order, seeds: [11], problems: 10 }, scale })).toBe(
    '10 of 100 problems, 1 of 5 seeds',
  );
  const all = exhibit.cells.length + exhibit.series.length;
  expect(partText(exhibit, { order: { ...order, only: ['a.b'] }, scale })).toBe(
    `1 of ${all} values asked for`,
  );
  // It is none of the exhibit's.
  expect(partText(exhibit, { order: { ...order, seeds: [1] }, scale })).toBe('1 seed instead of 5');
});
