import { expect, test } from 'vitest';
import { breakdownsCsv, curvesCsv, pairsCsv, partPairsCsv, tableCsv } from '../../../main/studies/logic/csv';
import { martiCsv, nodesCsv } from '../../../main/studies/logic/nodes-csv';
import { COMPLEMENT_SENTENCE, pocketServer, singleTeam } from '../../../preload/contract/plans';
import { sampleAnalysis } from '../../support/sample-records';
import { sampleConfig, sampleGrade, sampleNode, sampleView } from '../../support/sample-run';

const analysis = sampleAnalysis({
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
  curves: [
    {
      configuration: 'a',
      measure: 'pass@n',
      axis: 'nodes',
      points: [{ n: 1, value: 0.25, low: 0, high: 1 }],
    },
  ],
});

test('the table has a row per configuration and metric, in full precision, safe for spreadsheets', () => {
  const { text, rows } = tableCsv(analysis);
  expect(rows).toBe(1);
  const [header, row] = text.split('\n');
  expect(header).toMatch(/^configuration,metric,value,low,high,problems,seeds,seed_numbers,scale,/);
  expect(row).toBe(
    `"'=HYPERLINK(""x""), quoted",pass@1,0.3333333333333333,0.1,0.5,60,2,1 2,pocket,single,24,480,0,yes,,,,,`,
  );
});

test('curves have a row per point over nodes and tokens, none over seconds', () => {
  const points = [{ n: 1, value: 0.25, low: 0, high: 1 }];
  const curves = (['nodes', 'tokens', 'seconds'] as const).map((axis) => ({
    configuration: 'a',
    measure: 'pass@n' as const,
    axis,
    points,
  }));
  expect(curvesCsv({ ...analysis, curves }).text).toBe(
    'configuration,measure,n,value,low,high,scale,axis,seeds,seed_numbers,about_table\na,pass@n,1,0.25,0,1,,nodes,0,,\na,pass@n,1,0.25,0,1,,tokens,0,,\n',
  );
});

const aPair = {
  metric: 'pass@n',
  first: 'b',
  second: 'a',
  difference: -0.25,
  low: -0.5,
  high: 0,
  problems: 8,
  separable: false,
  test: { kind: 'mcnemar', onlyFirst: 0, onlySecond: 2, p: 0.5, pHolm: 1 },
  oddsRatio: { value: 0, low: 0, high: 5.25 },
  detectable: null,
  problemsNeeded: 29,
} as const;

test('pairs have a row with their test', () => {
  const seedSpread = { sd: 0.125, min: -0.5, max: -0.25 };
  const { text } = pairsCsv({ ...analysis, pairs: [aPair, { ...aPair, seedSpread }] });
  expect(text.split('\n').slice(1, 3)).toEqual([
    'pass@n,b,a,-0.25,-0.5,0,8,mcnemar,0,2,0.5,1,no,,29,,,yes,0,0,5.25,,,,0,,',
    'pass@n,b,a,-0.25,-0.5,0,8,mcnemar,0,2,0.5,1,no,,29,,,yes,0,0,5.25,0.125,-0.5,-0.25,0,,',
  ]);
});

test('an odds ratio is inf where the second wins no problem, and empty where the two differ on none', () => {
  const pair = { ...aPair, oddsRatio: { value: null, low: 0.19, high: null } };
  const rows = pairsCsv({ ...analysis, pairs: [pair, { ...pair, oddsRatio: null }] }).text.split('\n');
  expect(rows[0]).toMatch(
    /,complete,odds_ratio,odds_ratio_low,odds_ratio_high,seed_sd,seed_min,seed_max,seeds,seed_numbers,about_table$/,
  );
  expect(rows[1]).toMatch(/,yes,inf,0\.19,inf,,,,0,,$/);
  expect(rows[2]).toMatch(/,yes,,,,,,,0,,$/);
});

test('breakdowns have a row per part, configuration and metric', () => {
  const part = { by: 'month', part: '2025-01', configuration: 'a', metric: 'pass@1' } as const;
  const breakdowns = [{ ...part, value: 0.5, low: 0.25, high: 0.75, problems: 4 }];
  expect(breakdownsCsv({ ...analysis, breakdowns }).text).toBe(
    'by,part,configuration,metric,value,low,high,problems,scale,complete,seed_sd,seed_min,seed_max,seeds,seed_numbers,about_table\nmonth,2025-01,a,pass@1,0.5,0.25,0.75,4,,yes,,,,0,,\n',
  );
});

/** Rows without commas in their texts, as cells by the names of their columns. */
function cellsOf({ text }: { readonly text: string }): Record<string, string | undefined>[] {
  const [header = '', ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.replace(/"[^"]*"/g, (quoted) => quoted.replaceAll(',', ';').slice(1, -1)));
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
}

test('every file says in its first row alone that complementarity is built in, and which seeds it has', () => {
  const rowOf = (configuration: string, seeds: number[]) => ({
    ...(analysis.rows[0] as (typeof analysis.rows)[number]),
    configuration,
    seeds,
  });
  const part = { by: 'month', part: '2025-01', metric: 'pass@1' } as const;
  const ofPart = { ...part, configuration: 'a', value: 0.5, low: 0.25, high: 0.75, problems: 4 };
  const { detectable: _, problemsNeeded: __, ...difference } = aPair;
  const partPair = { ...difference, ...part };
  const all = {
    ...analysis,
    rows: [rowOf('a', [1, 2]), rowOf('b', [2, 3])],
    pairs: [aPair, aPair],
    partPairs: [partPair, partPair],
    breakdowns: [ofPart, ofPart],
    curves: analysis.curves.flatMap((curve) => [curve, curve]),
    sentences: [COMPLEMENT_SENTENCE, 'A finding.'],
  };
  const said = COMPLEMENT_SENTENCE.replaceAll(',', ';');
  for (const write of [tableCsv, curvesCsv, pairsCsv, partPairsCsv, breakdownsCsv]) {
    const rows = cellsOf(write(all));
    expect(
      rows.map((row) => row.about_table),
      write.name,
    ).toEqual([said, '']);
    const isOfTwo = write === pairsCsv || write === partPairsCsv;
    expect([rows[0]?.seeds, rows[0]?.seed_numbers], write.name).toEqual(
      isOfTwo ? ['3', '1 2 3'] : ['2', '1 2'],
    );
  }
  const node = [sampleNode('p0', 0), sampleNode('p0', 1)];
  const other = { team: singleTeam(pocketServer('tracer', { checkpointSeed: 1, latencyMs: 0 })) };
  const views = [sampleView(sampleConfig(), node), sampleView(sampleConfig(other), node)];
  expect(cellsOf(nodesCsv(views)).map((row) => row.about_table)).toEqual([said, '', '', '']);
  expect(cellsOf(nodesCsv(views.slice(0, 1))).map((row) => row.about_table)).toEqual(['', '']);
});

test('nodes have reward, end of the answer and the other verdict in their last columns', () => {
  const node = sampleNode('p0', 0, { reward: 1.5, answerEnd: 'length' });
  const graded = { ...sampleGrade('p0', 0, true), otherVerdict: 'wrong-answer' as const };
  const [header, row] = nodesCsv([sampleView(sampleConfig(), [node, graded])]).text.split('\n');
  expect(header).toMatch(/,scale,reward,answer_end,other_verdict,about_table$/);
  expect(row).toMatch(/,pocket,1\.5,length,wrong-answer,$/);
});

test("MARTI's two files have the global id of the problem, with configuration and seed where there are several", () => {
  const view = sampleView(sampleConfig(), [
    sampleNode('p1', 0, { score: 1 }),
    sampleNode('p1', 1, { score: 0.5 }),
    sampleGrade('p1', 0, true),
  ]);
  expect(martiCsv([view])).toEqual({
    publicScores: { text: 'prompt_id,node_idx,public_score\np1,0,1\np1,1,0.5\n', rows: 2 },
    privateScores: { text: 'prompt_id,node_idx,private_score\np1,0,1\n', rows: 1 },
  });
  const other = sampleView(sampleConfig({ seed: 2 }), [sampleNode('p0', 0)]);
  expect(martiCsv([view, other]).publicScores.text).toBe(
    'prompt_id,node_idx,public_score\nsingle/1/p1,0,1\nsingle/1/p1,1,0.5\nsingle/2/p0,0,0\n',
  );
});

test('nodes come in the order of problems and indices, for any order of events', () => {
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

test('a program of a problem without public tests has passed none, whether it runs or not', () => {
  const none = { publicVerdict: 'passed' as const, publicVerdicts: [] };
  const config = sampleConfig({ problemIds: ['p0'] });
  const view = sampleView(config, [
    sampleNode('p0', 0, none),
    sampleGrade('p0', 0, false),
    sampleNode('p0', 1, { ...none, publicVerdict: 'no-code' }),
    sampleGrade('p0', 1, false),
    { kind: 'tree-searched', at: 9, problemId: 'p0', part: 'search', reason: 'budget' },
  ]);
  const [header = '', ...lines] = nodesCsv([view]).text.trim().split('\n');
  const columnOf = (name: string) => lines.map((line) => line.split(',')[header.split(',').indexOf(name)]);
  expect(columnOf('public_verdict')).toEqual(['', 'no-code']);
  expect(columnOf('problem_outcome')).toEqual(['unsolved', 'unsolved']);
});
