import { expect, test } from 'vitest';
import { thumbnailLayout } from '../../../renderer/shared/exhibits/thumbnail-layout';
import { sampleExhibit, sampleReproduction, sampleResult } from '../../support/sample-exhibits';

test('a table that nothing was measured of shows the values of the paper', () => {
  const { rows, figures } = thumbnailLayout(sampleExhibit('homogeneous'), null);
  expect(rows).toHaveLength(25);
  expect(rows[0]?.cells[0]).toEqual({ ours: null, paper: 0.503, state: 'empty' });
  expect(rows.filter(({ beginsGroup }) => beginsGroup)).toHaveLength(4);
  expect(figures).toEqual([]);
});

test('a table that is being filled shows ours beside the paper’s, and what is left', () => {
  const exhibit = sampleExhibit('homogeneous');
  const view = sampleReproduction({ exhibitId: 'homogeneous', done01: 0.62 });
  const cells = thumbnailLayout(exhibit, sampleResult(exhibit, 'pocket', view)).rows.flatMap(
    (row) => row.cells,
  );
  const measured = cells.filter((cell) => cell?.state === 'done');
  expect(measured.length).toBeGreaterThan(0);
  expect(measured.length).toBeLessThan(cells.length);
  for (const cell of measured) expect(cell?.ours).toBeTypeOf('number');
});

test('values that are no rates are drawn against the largest of their column', () => {
  const exhibit = sampleExhibit('diversity');
  const view = sampleReproduction({ exhibitId: 'diversity', done01: 1 });
  const { rows } = thumbnailLayout(exhibit, sampleResult(exhibit, 'pocket', view));
  const shares = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.ours ?? []));
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
});

test('lines of a figure fill its width, and other axes are another figure', () => {
  const exhibit = sampleExhibit('learning-curves');
  const view = sampleReproduction({ exhibitId: 'learning-curves', done01: 1 });
  const result = sampleResult(exhibit, 'pocket', view);
  const { figures } = thumbnailLayout(exhibit, result);
  expect(figures.map((lines) => lines.length)).toEqual([10]);
  expect([figures[0]?.[0]?.ours[0]?.[0], figures[0]?.[0]?.ours.at(-1)?.[0]]).toEqual([0, 1]);
  const [first, ...others] = exhibit.series;
  const moved = { ...first, curve: { ...first?.curve, x: 'samples' } } as typeof first;
  const two = { ...exhibit, series: [moved, ...others].flatMap((line) => line ?? []) };
  expect(thumbnailLayout(two, result).figures.map((lines) => lines.length)).toEqual([1, 9]);
});
