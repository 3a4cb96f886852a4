import { expect, test } from 'vitest';
import { exhibitText } from '../../../main/cli/exhibit-report';
import { sampleExhibit, sampleResult } from '../../support/sample-exhibits';

const textOf = (id: string): string => {
  const exhibit = sampleExhibit(id);
  return exhibitText(exhibit, sampleResult(exhibit, 'pocket', null));
};

test('every number of the paper has its source below the table, and one that was read second-hand its mark', () => {
  const text = textOf('mars2-models');
  const sources = [...text.matchAll(/^ {2}\((\d+)\) (.+)$/gm)].map(([, at, source]) => [Number(at), source]);
  expect(sources.map(([at]) => at)).toEqual(sources.map((_, at) => at + 1));
  const values = [...text.matchAll(/(\d+\.\d)(\*?)\((\d+)\)/g)];
  const all = sampleExhibit('mars2-models').cells.flatMap(({ reference }) => reference);
  expect(values).toHaveLength(all.length);
  for (const [, value, star, number] of values) {
    const source = String(sources[Number(number) - 1]?.[1]);
    expect(all.map((one) => `${one.value.toFixed(1)} ${one.source}`)).toContain(`${value} ${source}`);
    // Read in one of the paper's own figures as well, it is not second-hand.
    expect(star === '*').toBe(source.includes('second-hand') && !source.includes('assert/'));
  }
  expect(text).toContain('* second-hand: read in the text named, not in the paper itself');
});

test('of two values of a cell both are shown, and where nothing is second-hand no mark is explained', () => {
  const text = textOf('homogeneous');
  expect(text).toMatch(/\| 52\.5\(\d\), 53\.9\(\d\)/);
  const whole = sampleExhibit('homogeneous');
  const first = {
    ...whole,
    cells: whole.cells.map((cell) => ({
      ...cell,
      reference: cell.reference.filter(({ source }) => !source.includes('second-hand')),
    })),
  };
  expect(exhibitText(first, sampleResult(first, 'pocket', null))).not.toContain('second-hand:');
});

test('a column whose numbers are percent says so in its head', () => {
  const exhibit = sampleExhibit('mars2-models');
  const [head = ''] = textOf('mars2-models').split('\n');
  for (const { label } of exhibit.columns) expect(head).toContain(`${label} (%)`);
  const [first] = exhibit.columns;
  const cells = exhibit.cells.map((cell) =>
    cell.column === first?.id
      ? { ...cell, measure: { kind: 'diversity' as const, measure: 'nauadc' as const, k: null } }
      : cell,
  );
  const [plain = ''] = exhibitText({ ...exhibit, cells }, sampleResult(exhibit, 'pocket', null)).split('\n');
  expect(plain).not.toContain(`${first?.label} (%)`);
});

test('an interval of no width is left out, and of runs at hand each row has its own scale', () => {
  const exhibit = sampleExhibit('diversity');
  const result = sampleResult(exhibit, 'pocket', null);
  const ours = { value: 1, low: 1, high: 1, problems: 6, seeds: 2 };
  const atHand = { scale: 'desk' as const, seeds: [1], benchmarks: [], models: [] };
  const cells = result.cells.map((cell) => ({ ...cell, ours, atHand }));
  const text = exhibitText(exhibit, { ...result, scale: 'own', cells });
  expect(text).toMatch(/ 1\.00 \| /);
  expect(text).not.toContain('1.00 [');
  expect(text).toContain('Ours at desk scale, [95 % interval]');
  const [first] = exhibit.rows;
  const mixed = cells.map((cell) =>
    cell.row === first?.id ? { ...cell, atHand: { ...atHand, scale: 'pocket' as const } } : cell,
  );
  const lines = exhibitText(exhibit, { ...result, scale: 'own', cells: mixed }).split('\n');
  expect(lines[0]).toMatch(/ scale$/);
  expect(lines[2]).toMatch(/ pocket$/);
  expect(lines[3]).toMatch(/ desk$/);
  expect(lines.join('\n')).toContain("Ours at each row's scale, [95 % interval]");
});
