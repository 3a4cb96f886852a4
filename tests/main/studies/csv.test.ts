import { expect, test } from 'vitest';
import { curvesCsv, nodesCsv, tableCsv } from '../../../main/studies/logic/csv';
import type { Analysis } from '../../../preload/contract/index';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from '../../support/sample-run';

const analysis: Analysis = {
  studyId: 's',
  rows: [
    {
      configuration: '=HYPERLINK("x"), quoted',
      team: 'single',
      scale: 'pocket',
      seeds: [1, 2],
      nodesPerTree: 24,
      distinctShare: 0.5,
      cells: [
        { metric: 'pass@1', value: 1 / 3, low: 0.1, high: 0.5, problems: 60, candidates: 480, faults: 0 },
      ],
    },
  ],
  curves: [{ configuration: 'a', measure: 'pass@n', points: [{ n: 1, value: 0.25, low: 0, high: 1 }] }],
  pairs: [],
  sentences: [],
  method: 'm',
  complete: true,
};

test('the table has a row per configuration and metric, in full precision, safe for spreadsheets', () => {
  const { text, rows } = tableCsv(analysis);
  expect(rows).toBe(1);
  const [header, row] = text.split('\n');
  expect(header).toMatch(/^configuration,metric,value,low,high,problems,seeds,scale,/);
  expect(row).toBe(
    `"'=HYPERLINK(""x""), quoted",pass@1,0.3333333333333333,0.1,0.5,60,1 2,pocket,single,24,480,0,yes,m`,
  );
});

test('curves have a row per point', () => {
  expect(curvesCsv(analysis).text).toBe(
    'configuration,measure,n,value,low,high,scale\na,pass@n,1,0.25,0,1,\n',
  );
});

test('nodes come in the order of problems and indices, whatever the order of events', () => {
  const config = sampleConfig();
  const first = [sampleNode('p0', 0, { score: 1, publicVerdict: 'passed' }), sampleGrade('p0', 0, true)];
  const second = [sampleNode('p1', 0), sampleNode('p1', 1, { parent: 0 }), sampleGrade('p1', 0, false)];
  const one = nodesCsv([sampleView(config, [...first, ...second])]);
  const other = nodesCsv([sampleView(config, [...second, ...first])]);
  expect(one.text).toBe(other.text);
  expect(one.rows).toBe(3);
  const cells = one.text.split('\n').map((line) => line.split(','));
  expect(cells.slice(1, 4).map((row) => [row[2], row[4], row[8]])).toEqual([
    ['p0', '0', 'new'],
    ['p1', '0', 'new'],
    ['p1', '1', 'refine'],
  ]);
});
