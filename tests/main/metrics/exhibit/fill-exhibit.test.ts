import { describe, expect, test } from 'vitest';
import { exhibitTemplate } from '../../../../main/exhibits/logic/template';
import { analyseStudy, type ExhibitInput, fillExhibit, fillExhibitInSteps } from '../../../../main/metrics';
import {
  type CellState,
  type Exhibit,
  type ExhibitResult,
  exhibitResultSchema,
  exhibitSchema,
  type RunConfig,
  type RunView,
  type TrainingCurve,
} from '../../../../preload/contract';
import { COMPLEMENT_SHORT } from '../../../../preload/contract/plans';
import { byPython } from '../../../support/by-python';
import { candidates, type ProblemTrees, runViewOf } from '../../../support/run-views';

/** Two configurations, Pass@1(MCTS) and Pass@1 of each, one cell of diversity, one line of each kind. */
const exhibit: Exhibit = exhibitSchema.parse({
  ...JSON.parse(exhibitTemplate()),
  id: 'sample',
  configurations: [
    { id: 'one', label: 'One', models: ['first'], method: 'base' },
    { id: 'two', label: 'Two', models: ['first'], method: 'homo-mars2', roles: 2 },
  ],
  rows: [
    { id: 'one', label: 'One' },
    { id: 'two', label: 'Two' },
  ],
  columns: [
    { id: 'tree', label: 'Pass@1(MCTS)' },
    { id: 'samples', label: 'Pass@1' },
    { id: 'ea', label: 'EA' },
  ],
  cells: ['one', 'two'].flatMap((row) => [
    {
      row,
      column: 'tree',
      configuration: row,
      measure: { kind: 'metric', metric: 'pass@1(mcts)' },
      reference: [
        { value: 50, source: 'first source' },
        { value: 60, source: 'second source' },
      ],
    },
    { row, column: 'samples', configuration: row, measure: { kind: 'metric', metric: 'pass@1' } },
    {
      row,
      column: 'ea',
      configuration: row,
      measure: { kind: 'diversity', measure: 'ea' },
      reference: [{ value: 1.5, unit: 'number', source: 'first source' }],
    },
  ]),
  series: [
    { id: 'nodes', label: 'Two', configuration: 'two', curve: { kind: 'nodes', measure: 'pass@n' } },
    {
      id: 'learning',
      label: 'Two',
      configuration: 'two',
      curve: { kind: 'learning', model: 'first', x: 'updates' },
    },
  ],
});

const { pocket, paper } = exhibit.scales;
if (pocket === null || paper === null) throw new Error('The template has both scales');

/** `problems`: letters of the tree and of the samples (tests/support/run-views.ts). */
function run(
  configuration: string,
  seed: number,
  problems: readonly (readonly [tree: string, samples: string])[],
  changes: Partial<RunConfig> = {},
): ExhibitInput['runs'][number] {
  const trees = Object.fromEntries(
    problems.map(([tree, samples], at): [string, ProblemTrees] => [
      `p${at}`,
      { search: candidates(tree), samples: candidates(samples) },
    ]),
  );
  const view: RunView = runViewOf(trees, {
    id: `${configuration}-${seed}`,
    configuration: configuration === 'one' ? 'One' : 'Two',
    seed,
    scale: 'pocket',
    search: { ...(pocket as NonNullable<typeof pocket>).search, nodes: 3, samplesPerAgent: 2 },
    ...changes,
  });
  return { configurationId: configuration, studyId: `study-${seed}`, view };
}

function fill(change: Partial<ExhibitInput> = {}): ExhibitResult {
  return fillExhibit(inputWith(change));
}

function inputWith(change: Partial<ExhibitInput>): ExhibitInput {
  const none = new Map();
  return {
    exhibit,
    scale: 'pocket',
    reproductionId: null,
    runs: [],
    diversity: [],
    learning: [],
    states: none,
    notComparable: none,
    costs: none,
    trainingIds: none,
    ...change,
  };
}

function cell(result: ExhibitResult, row: string, column: string): ExhibitResult['cells'][number] {
  const found = result.cells.find((one) => one.row === row && one.column === column);
  if (found === undefined) throw new Error(`no cell ${row}.${column}`);
  return found;
}

const FOUR = [
  ['wwp', 'pw'],
  ['lww', 'ww'],
  ['pww', 'pp'],
  ['www', 'wp'],
] as const;

describe('an exhibit without a run', () => {
  test('has an empty cell and line for every one of its own, in its order', () => {
    const result = fill();
    expect(exhibitResultSchema.parse(result)).toEqual(result);
    expect(result.cells.map(({ row, column }) => `${row}.${column}`)).toEqual(
      exhibit.cells.map(({ row, column }) => `${row}.${column}`),
    );
    expect(result.cells.every(({ ours, difference }) => ours === null && difference === null)).toBe(true);
    expect(result.series.map(({ id, points }) => [id, points.length])).toEqual([
      ['nodes', 0],
      ['learning', 0],
    ]);
    expect(result.complete).toBe(false);
  });
});

describe('a cell', () => {
  test.each([
    [1, [1]],
    [3, [1, 2, 3]],
  ])('of %i seeds has the value and interval of the comparison of its runs', (seeds, each) => {
    const runs = each.flatMap((seed) => [
      run('one', seed, [...FOUR.slice(seed), ...FOUR.slice(0, seed)]),
      run('two', seed, [...FOUR].reverse()),
    ]);
    const analysis = analyseStudy({
      studyId: 's',
      runs: runs.map(({ view }) => view),
      complete: true,
      seed: 20_260_101,
    });
    const result = fill({ runs });
    for (const [id, label] of [
      ['one', 'One'],
      ['two', 'Two'],
    ] as const) {
      const row = analysis.rows.find(({ configuration }) => configuration === label);
      for (const [column, metric] of [
        ['tree', 'pass@1(mcts)'],
        ['samples', 'pass@1'],
      ] as const) {
        const there = row?.cells.find((one) => one.metric === metric);
        const { value, low, high, problems, seedSpread } = there ?? {
          value: 0,
          low: 0,
          high: 0,
          problems: 0,
        };
        const { seedValues = {}, ...ours } = cell(result, id, column).ours ?? {};
        expect(ours).toEqual({ value, low, high, problems, seeds, seedSpread });
        const own = Object.values(seedValues);
        expect([own.length, Math.min(...own), Math.max(...own)]).toEqual(
          seedSpread === undefined ? [0, Infinity, -Infinity] : [seeds, seedSpread.min, seedSpread.max],
        );
      }
    }
    expect(cell(result, 'one', 'tree').ours?.value).toBeCloseTo(0.5, 12);
    expect(cell(result, 'one', 'samples').ours?.value).toBeCloseTo(0.5, 12);
  });

  test('differs from the first of the values of the paper, in its unit', () => {
    const cells = [
      { configuration: 'One', measure: 'ea' as const, k: null, value: 2, low: 1, high: 3, problems: 2 },
    ];
    const result = fill({ runs: [run('one', 1, [FOUR[0], FOUR[1], FOUR[2]])], diversity: cells });
    expect(cell(result, 'one', 'tree').difference).toBeCloseTo((100 * 2) / 3 - 50, 10);
    expect(cell(result, 'one', 'samples').difference).toBeNull();
    expect(cell(result, 'one', 'ea')).toMatchObject({
      difference: 0.5,
      ours: { value: 2, low: 1, high: 3, problems: 2, seeds: 1 },
    });
    expect(cell(result, 'two', 'ea').ours).toBeNull();
  });

  test('of several seeds is their mean, with an interval over seeds and problems', ({ skip }) => {
    const outcomes = [1, 2, 3].map((seed) =>
      Array.from({ length: 30 }, (_, at) => ((at * 7 + seed * 5) % 11 < 4 + seed ? 'p' : 'w')),
    );
    const runs = outcomes.map((own, at) =>
      run(
        'one',
        at + 1,
        own.map((letter) => [`ww${letter}`, `${letter}w`] as const),
      ),
    );
    const { ours } = cell(fill({ runs }), 'one', 'tree');
    // The same pigeonhole bootstrap, drawn by another generator.
    const theirs = byPython<{ value: number; low: number; high: number }>(
      [
        'import json, random, sys',
        'rows = json.load(sys.stdin)',
        'random.seed(4)',
        'n, m = len(rows), len(rows[0])',
        'means = []',
        'for _ in range(4000):',
        '    s = [random.randrange(n) for _ in range(n)]',
        '    p = [random.randrange(m) for _ in range(m)]',
        '    means.append(sum(rows[i][j] for i in s for j in p) / (n * m))',
        'means.sort()',
        'value = sum(map(sum, rows)) / (n * m)',
        "print(json.dumps({'value': value, 'low': means[100], 'high': means[3899]}))",
      ],
      outcomes.map((own) => own.map((letter) => (letter === 'p' ? 1 : 0))),
    );
    if (theirs === null) return skip('there is no Python');
    expect(ours).toMatchObject({ problems: 30, seeds: 3 });
    expect(ours?.value).toBeCloseTo(theirs.value, 12);
    expect(Math.abs((ours?.low ?? 9) - theirs.low)).toBeLessThan(0.03);
    expect(Math.abs((ours?.high ?? 9) - theirs.high)).toBeLessThan(0.03);
  });

  test('counts the problems alone that all its seeds have finished', () => {
    const open = run('one', 2, FOUR);
    const trees = new Map(open.view.trees);
    trees.delete('search:p0');
    const half = { ...open, view: { ...open.view, trees, finished: false } };
    expect(cell(fill({ runs: [run('one', 1, FOUR), half] }), 'one', 'tree').ours).toMatchObject({
      value: 1 / 3,
      problems: 3,
      seeds: 2,
    });
  });

  test('names its runs and trainings, its state and its cost', () => {
    const state: CellState = { kind: 'running', share01: 0.5 };
    const cost = { seconds: 3, gpuSeconds: null, tokens: 40 };
    const result = fill({
      runs: [run('one', 2, FOUR), run('two', 1, FOUR)],
      states: new Map([['one.tree', state]]),
      costs: new Map([['one.tree', cost]]),
      trainingIds: new Map([['two', ['t-1']]]),
    });
    expect(cell(result, 'one', 'tree')).toMatchObject({
      state,
      cost,
      runs: [{ studyId: 'study-2', runId: 'one-2' }],
      trainingIds: [],
    });
    expect(cell(result, 'two', 'ea')).toMatchObject({
      state: { kind: 'empty' },
      cost: { seconds: 0, gpuSeconds: 0, tokens: 0 },
      trainingIds: ['t-1'],
    });
  });
});

describe('what is not comparable with the paper', () => {
  const twenty = (search: Partial<RunConfig['search']>, problems = 175) =>
    run('one', 1, Array(problems).fill(FOUR[0]), {
      scale: 'paper',
      search: { ...paper.search, nodes: 3, ...search },
    });
  /** The exhibit with trees of three nodes, which are soon made. */
  const small: Exhibit = {
    ...exhibit,
    scales: { ...exhibit.scales, paper: { ...paper, search: { ...paper.search, nodes: 3 } } },
  };
  const cautionsOf = (one: ExhibitInput['runs'][number], column = 'tree', more: Partial<ExhibitInput> = {}) =>
    cell(fill({ exhibit: small, scale: 'paper', runs: [one], ...more }), 'one', column).notComparable;

  test('is nothing where all is as the exhibit asks', () => {
    expect(cautionsOf(twenty({}))).toEqual([]);
    expect(cautionsOf(twenty({}), 'samples')).toEqual([]);
  });

  test('is a value of other problems than the exhibit has', () => {
    expect(cautionsOf(twenty({}, 174))).toEqual(['It covers 174 problems; the exhibit has 175.']);
  });

  test('is a tree of another N, but not the first attempts next to it', () => {
    expect(cautionsOf(twenty({ nodes: 2 }))).toEqual(["Its trees have 2 nodes; the exhibit's have 3."]);
    expect(cautionsOf(twenty({ nodes: 2 }), 'samples')).toEqual([]);
  });

  test('is a search with another strategy, with its fields in any order', () => {
    expect(cautionsOf(twenty({ tie: 'earliest', score: 'fraction' }))).toEqual([
      "Its search settings differ from the exhibit's: node score, tie-breaking.",
    ]);
    const { strategy } = paper.search;
    const reordered = Object.fromEntries(Object.entries(strategy).reverse()) as typeof strategy;
    expect(cautionsOf(twenty({ strategy: reordered }))).toEqual([]);
  });

  test('is what the plan says, even before there is a value', () => {
    const notComparable = new Map([['one.tree', ['The window is another one.']]]);
    expect(cautionsOf(twenty({}), 'tree', { notComparable })).toEqual(['The window is another one.']);
    expect(cautionsOf(twenty({}), 'tree', { notComparable, runs: [] })).toEqual([
      'The window is another one.',
    ]);
  });

  test('is every pocket value', () => {
    expect(cell(fill({ runs: [run('one', 1, FOUR)] }), 'one', 'tree').notComparable[0]).toMatch(
      /^Pocket scale/,
    );
    expect(cautionsOf(run('one', 1, FOUR))).toContain('One of its runs has the scale "pocket".');
  });

  test('is not a diversity for the problems that nobody solved', () => {
    const diversity = [
      { configuration: 'One', measure: 'ea' as const, k: null, value: 2, low: 1, high: 3, problems: 9 },
    ];
    expect(cautionsOf(twenty({}), 'ea', { diversity })).toEqual([]);
    expect(cautionsOf(twenty({}, 9), 'ea', { diversity })).toHaveLength(1);
  });
});

describe('a line', () => {
  test('over nodes is Pass@n of the first n nodes, mean over the seeds', () => {
    const runs = [
      run('two', 1, [
        ['wwp', 'ww'],
        ['pww', 'ww'],
      ]),
      run('two', 2, [
        ['wpw', 'ww'],
        ['www', 'ww'],
      ]),
    ];
    const [nodes] = fill({ runs }).series;
    expect(nodes?.points.map(({ x, y }) => [x, y])).toEqual([
      [1, 0.25],
      [2, 0.5],
      [3, 0.75],
    ]);
    for (const { y, low, high } of nodes?.points ?? []) {
      expect(low).toBeLessThanOrEqual(y);
      expect(high).toBeGreaterThanOrEqual(y);
    }
    expect(nodes?.runs).toHaveLength(2);
  });

  const curve = (steps: number[], values: number[], samples: number[] | null = null): TrainingCurve => ({
    agentId: 'reader',
    key: 'pass@1',
    part: 'evaluation',
    steps,
    values,
    samples,
    seconds: null,
  });
  const learned = (curves: TrainingCurve[], of: Exhibit = exhibit) =>
    fill({ exhibit: of, learning: [{ seriesId: 'learning', curves }] }).series[1];

  test('of learning is the mean over the seeds at steps that all have, between lowest and highest', () => {
    const one = learned([curve([0, 10, 20], [0.1, 0.2, 0.3]), curve([0, 10], [0.3, 0.2])]);
    expect(one?.points).toEqual([
      { x: 0, y: 0.2, low: 0.1, high: 0.3 },
      { x: 10, y: 0.2, low: 0.2, high: 0.2 },
    ]);
    expect(one?.notComparable).toHaveLength(1);
  });

  test('of learning counts a seed that was evaluated elsewhere with the line between its evaluations', () => {
    const one = learned([
      curve([0, 23, 40], [0.1, 0.3, 0.4]),
      curve([0, 20, 30, 40], [0.1, 0.2, 0.4, 0.5]),
      // This one has not come so far yet.
      curve([0, 25], [0.2, 0.7]),
    ]);
    expect(one?.points.map(({ x }) => x)).toEqual([0, 23]);
    const [, between] = one?.points ?? [];
    expect(between?.low).toBeCloseTo(0.26, 12);
    expect(between?.high).toBeCloseTo(0.66, 12);
    expect(between?.y).toBeCloseTo((0.3 + 0.26 + 0.66) / 3, 12);
  });

  test('of learning takes the last of a step that was logged twice, and leaves out what is no number', () => {
    const one = learned([curve([0, 10, 10, 20], [0.1, 0.5, 0.2, Number.NaN])]);
    expect(one?.points.map(({ x, y }) => [x, y])).toEqual([
      [0, 0.1],
      [10, 0.2],
    ]);
  });

  test('of learning is over samples where the exhibit asks for them and the training has them', () => {
    const bySamples: Exhibit = structuredClone(exhibit);
    Object.assign(bySamples.series[1]?.curve ?? {}, { x: 'samples' });
    expect(learned([curve([0, 10], [0.1, 0.2], [0, 640])], bySamples)?.points[1]?.x).toBe(640);
    expect(learned([curve([0, 10], [0.1, 0.2])], bySamples)?.points).toEqual([]);
  });
});

describe('the exhibit as a whole', () => {
  const all = (kind: 'done' | 'missing' | 'failed') =>
    new Map(
      [...exhibit.cells.map(({ row, column }) => `${row}.${column}`), 'nodes', 'learning'].map(
        (key): [string, CellState] => [
          key,
          kind === 'done' ? { kind, reused: false } : { kind, message: 'because' },
        ],
      ),
    );

  test('is complete when everything is measured that can be', () => {
    const states = all('done');
    expect(fill({ states }).complete).toBe(true);
    states.set('one.ea', { kind: 'missing', message: 'no gradients' });
    expect(fill({ states }).complete).toBe(true);
    states.set('nodes', { kind: 'planned' });
    expect(fill({ states }).complete).toBe(false);
    expect(fill({ states: all('missing') }).complete).toBe(false);
  });

  test('says which values are of a part of the seeds while the others are still to come', () => {
    const states = all('done');
    states.set('one.tree', { kind: 'running', share01: 0.5 });
    const { sentences } = fill({ states, runs: [run('one', 1, FOUR)] });
    expect(sentences.join(' ')).toContain(
      '7 of 8 values and lines are measured, 1 value so far from the finished seeds alone.',
    );
  });

  test('says of a part that others come with it, and on how many problems and seeds it is', () => {
    const { pocket } = exhibit.scales;
    const whole = { ...(pocket as NonNullable<typeof pocket>), seeds: [11, 12, 13] };
    const scales = {
      ...exhibit.scales,
      pocket: { ...whole, benchmark: { ...whole.benchmark, problems: 10 } },
    };
    const { sentences } = fill({
      states: new Map([['one.tree', { kind: 'done', reused: false }]]),
      exhibit: { ...exhibit, scales },
      runs: [run('one', 1, FOUR)],
    });
    expect(sentences).toContain(
      '1 of 8 values and lines are measured, 1 other value comes from the same runs.',
    );
    expect(sentences).toContain('Measured with 4 problems instead of 10 and 1 seed instead of 3.');
    expect(sentences.join(' ')).not.toContain('in full');
  });

  test('says what failed, what is missing and what one seed leaves open', () => {
    const states = all('done');
    states.set('one.ea', { kind: 'missing', message: 'no gradients' });
    states.set('nodes', { kind: 'failed', message: 'a crash' });
    const sentences = fill({ states, runs: [run('one', 1, FOUR)] }).sentences.join('\n');
    expect(sentences).toMatch(/6 of 8 values and lines are measured/);
    expect(sentences).toMatch(/1 could not be measured/);
    expect(sentences).toMatch(/1 value not measured: no gradients/);
    expect(sentences).toMatch(/nothing about large models/);
    expect(sentences).toMatch(/One seed per configuration/);
  });

  test('says each in one line, too', () => {
    const { sentences, chips = [] } = fill({ states: all('done'), runs: [run('one', 1, FOUR)] });
    expect(chips).toHaveLength(sentences.length);
    expect(chips[0]).toEqual({ kind: 'limit', text: COMPLEMENT_SHORT });
    expect(chips.map(({ text }) => text)).toContain('One seed per configuration');
  });

  test('is the same bytes for the same input, at once or in steps', async () => {
    const input = inputWith({ runs: [run('two', 2, FOUR), run('one', 1, FOUR), run('two', 1, FOUR)] });
    let pauses = 0;
    const yielding = await fillExhibitInSteps(input, async () => {
      pauses += 1;
    });
    expect(JSON.stringify(yielding)).toBe(JSON.stringify(fillExhibit(input)));
    expect(pauses).toBeGreaterThanOrEqual(exhibit.cells.length);
  });
});

describe('the differences between rows', () => {
  const many = (share: number, seed: number) =>
    Array.from({ length: 40 }, (_, at) => {
      const passes = (at * 17 + seed * 7) % 40 < share * 40 + (seed % 3);
      return [passes ? 'wwp' : 'www', 'ww'] as const;
    });
  const filledOf = (seeds: readonly number[]) =>
    fill({
      runs: seeds.flatMap((seed) => [
        run('one', seed, many(0.3, seed)),
        run('two', seed, many(0.7, seed * 3 + 1)),
      ]),
    });
  const sentencesOf = (seeds: readonly number[]): string[] => filledOf(seeds).sentences;
  const basis = (seeds: readonly number[]): string =>
    sentencesOf(seeds).find((sentence) => sentence.startsWith('These differences')) ?? '';

  test('are told with their interval, from the method of the paper', () => {
    expect(sentencesOf([1, 2, 3, 4, 5]).join('\n')).toMatch(
      /^Pass@1\(MCTS\): "Two" minus "One" \+\d+\.\d points \[\d+\.\d, \d+\.\d\], odds ratio ∞ \[\d+\.\d, ∞\], p [=<] 0\.\d+ \((t test|bootstrap) (< )?0\.\d+\)\.$/m,
    );
  });

  test('name their metric as everywhere', () => {
    const cells = exhibit.cells
      .filter(({ column }) => column === 'tree')
      .map((cell) => ({ ...cell, measure: { kind: 'metric', metric: 'pass@n' } as const }));
    const { sentences } = fill({
      exhibit: { ...exhibit, cells },
      runs: [1, 2, 3].flatMap((seed) => [
        run('one', seed, many(0.3, seed)),
        run('two', seed, many(0.7, seed * 3 + 1)),
      ]),
    });
    expect(sentences.join('\n')).toMatch(/^Pass@N: "Two" minus "One"/m);
  });

  test('name the problems and seeds that both have, where a value of the table is over more', () => {
    const texts = fill({
      runs: [
        ...[1, 2, 3].map((seed) => run('one', seed, many(0.3, seed))),
        ...[1, 2].map((seed) => run('two', seed, many(0.7, seed * 3 + 1).slice(0, 20))),
      ],
    }).sentences.join('\n');
    expect(texts).toMatch(
      /"Two" minus "One" [+\u2212-]\d+\.\d points \(over the 20 problems and 2 seeds of both\) \[/,
    );
    expect(sentencesOf([1, 2]).join('\n')).not.toContain('seeds of both');
  });

  test('are told in one line with what their test found', () => {
    const chipOf = (seeds: readonly number[]) => {
      const { sentences, chips = [] } = filledOf(seeds);
      return chips[sentences.findIndex((sentence) => sentence.startsWith('Pass@1(MCTS): "Two"'))];
    };
    expect(chipOf([1, 2, 3, 4, 5])).toEqual({
      kind: 'difference',
      text: expect.stringMatching(/^Pass@1\(MCTS\): "Two" \+\d+\.\d against "One" \(percentage points\)$/),
    });
    expect(chipOf([1])).toEqual({
      kind: 'limit',
      text: 'Pass@1(MCTS): "Two" against "One": not tested',
    });
  });

  test('are tested over the seeds, with what so many can show', () => {
    expect(basis([1, 2, 3, 4, 5])).toMatch(
      /over 5 seeds .* two-level bootstrap .* the larger of two tests, over the problems .* over the seeds \(paired t test\), .* (none|\d) of them (is|are) significant .* cannot go below p = 0\.063\./,
    );
  });

  test('are not tested where all seeds have the same, and then no p or correction is named', () => {
    const same = [['wwp', 'ww'] as const, ['www', 'ww'] as const];
    const better = [['wwp', 'ww'] as const, ['wwp', 'ww'] as const];
    const runs = [1, 2, 3].flatMap((seed) => [run('one', seed, same), run('two', seed, better)]);
    const said = fill({ runs }).sentences.find((sentence) => sentence.startsWith('These differences'));
    expect(said).toMatch(/over 3 seeds .* None varies over the seeds, so nothing is tested\.$/);
    expect(said).not.toContain('Holm');
  });

  test('give each compared cell what its test found, and the highest of each column its place', () => {
    const filled = (seeds: readonly number[]) =>
      fill({
        runs: seeds.flatMap((seed) => [
          run('one', seed, many(0.1, seed)),
          run('two', seed, many(0.9, seed * 3 + 1)),
        ]),
      });
    const [five, one] = [filled([1, 2, 3, 4, 5]), filled([1])];
    const found = cell(five, 'one', 'tree').test;
    expect(found).toMatchObject({ against: 'Two', isSignificant: true, kind: 'seeds', p: found?.pHolm });
    const ofSeeds = cell(five, 'two', 'tree').ours?.value ?? 0;
    expect(found?.difference).toBeCloseTo(ofSeeds - (cell(five, 'one', 'tree').ours?.value ?? 0), 9);
    expect(found?.low).toBeLessThan(found?.difference ?? 0);
    const untested = cell(one, 'one', 'tree').test;
    expect(untested).toMatchObject({ against: 'Two', isSignificant: null, difference: expect.any(Number) });
    expect(untested).not.toHaveProperty('p');
    // The method itself, and what is of another metric than the differences listed.
    expect(cell(five, 'two', 'tree').test).toBeUndefined();
    expect(cell(five, 'one', 'samples').test).toBeUndefined();
    expect(cell(five, 'two', 'tree').highestOf).toBe('column');
    expect(cell(five, 'one', 'tree').highestOf).toBeUndefined();
  });

  test('name every value that is level with the highest, and no other', () => {
    const runs = [1, 2, 3].flatMap((seed) => [
      run('one', seed, many(0.5, seed)),
      run('two', seed, many(0.5, seed)),
    ]);
    const level = fill({ runs });
    expect(['one', 'two'].map((row) => cell(level, row, 'tree').highestOf)).toEqual(['column', 'column']);
    const ahead = fill({ runs: [...runs.slice(0, 5), run('two', 3, many(0.9, 3))] });
    expect(['one', 'two'].map((row) => cell(ahead, row, 'tree').highestOf)).toEqual([undefined, 'column']);
  });

  test('are between the columns of a row where these are methods, and so is the highest', () => {
    const columns = [
      { id: 'tree', label: 'One' },
      { id: 'second', label: 'Two' },
    ];
    const cells = ['tree', 'second'].map((column, at) => ({
      row: 'one',
      column,
      configuration: at === 0 ? 'one' : 'two',
      measure: { kind: 'metric', metric: 'pass@1(mcts)' },
    }));
    const byColumns = exhibitSchema.parse({
      ...exhibit,
      columns,
      rows: [{ id: 'one', label: 'One' }],
      cells,
      series: [],
    });
    const runs = [1, 2, 3].flatMap((seed) => [
      run('one', seed, many(0.1, seed)),
      run('two', seed, many(0.9, seed * 3 + 1)),
    ]);
    const result = fill({ exhibit: byColumns, runs });
    expect(cell(result, 'one', 'tree').test?.against).toBe('Two');
    expect(cell(result, 'one', 'second').highestOf).toBe('row');
    // Columns that are benchmarks are not compared.
    const other = runs.map((one) => {
      if (one.configurationId === 'one') return one;
      const config = { ...one.view.config, benchmarkId: 'another', benchmarkDigest: 'f'.repeat(64) };
      return { ...one, view: { ...one.view, config } };
    });
    const apart = fill({ exhibit: byColumns, runs: other });
    expect(apart.cells.map(({ highestOf, test: own }) => [highestOf, own])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('are not tested over one seed or two', () => {
    expect(basis([1])).toMatch(/not the chance of training.* nothing is tested/);
    expect(basis([1, 2])).toMatch(/2 seeds are too few to test the chance of training/);
    expect(sentencesOf([1, 2]).join('\n')).not.toMatch(/\], p /);
  });
});

describe('rows that were graded by different tests', () => {
  const fixed = { id: 'fixed', digest: '01234567ab' };
  const withTests = (one: ExhibitInput['runs'][number]) => ({
    ...one,
    view: { ...one.view, config: { ...one.view.config, tests: fixed } },
  });
  const runs = [1, 2, 3].flatMap((seed) => [run('one', seed, FOUR), run('two', seed, FOUR)]);
  const named =
    /^The rows were graded by different tests: world .*\(One\); fixed 01234567 \(Two\)\. A program can/;
  const marks = (result: ExhibitResult) =>
    ['one', 'two'].map((row) => [cell(result, row, 'tree').test, cell(result, row, 'tree').highestOf]);

  test('are named, and neither tested nor called the highest', () => {
    const result = fill({
      runs: runs.map((one) => (one.configurationId === 'two' ? withTests(one) : one)).toReversed(),
    });
    expect(result.cautions).toMatchObject([{ kind: 'tests', text: expect.stringMatching(named) }]);
    expect(result.sentences.filter((sentence) => named.test(sentence))).toHaveLength(1);
    expect(marks(result)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(cell(result, 'two', 'tree').notComparable.join(' ')).toContain('other tests (fixed 01234567)');
    expect(cell(result, 'one', 'tree').notComparable.join(' ')).not.toContain('other tests');
  });

  test('of one seed alone are so, too, and where the benchmark itself has changed', () => {
    const last = runs.map((one, at) => (at === runs.length - 1 ? withTests(one) : one));
    const changed = runs.map((one) => {
      const config = { ...one.view.config, benchmarkDigest: '01234567ab' };
      return one.configurationId === 'two' ? { ...one, view: { ...one.view, config } } : one;
    });
    for (const some of [last, changed]) {
      const result = fill({ runs: some });
      expect(result.cautions).toMatchObject([{ kind: 'tests' }]);
      expect(marks(result).flat()).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  test('are not where all have the same', () => {
    for (const some of [runs, runs.map(withTests)]) {
      const result = fill({ runs: some });
      expect(result.cautions).toBeUndefined();
      expect(marks(result)[0]?.[0]).toBeDefined();
    }
  });
});

test('a row with the tokens of another is measured up to these, and says where it had too few programs', () => {
  const configurations = exhibit.configurations.map((one) =>
    one.id === 'two' ? { ...one, tokensOf: 'one' } : one,
  );
  const runs = [run('one', 1, FOUR), run('two', 1, FOUR), run('two', 2, FOUR)];
  const costing = runs.map((each) => ({
    ...each,
    view: {
      ...each.view,
      trees: new Map(
        [...each.view.trees].map(([key, tree]) => {
          const promptTokens = each.configurationId === 'one' ? 1 : 2;
          return [key, { ...tree, nodes: tree.nodes.map((node) => ({ ...node, promptTokens })) }];
        }),
      ),
    },
  }));
  const result = fill({ exhibit: { ...exhibit, configurations }, runs: costing });
  // One of its three programs costs as much as two of the others; of seed 2 nothing is known of these.
  expect(cell(result, 'two', 'tree').ours).toMatchObject({ value: 0.25, seeds: 1 });
  expect(result.series[0]?.points.map(({ y }) => y)).toEqual([0.25, 0.25, 0.25]);
  const cheap = costing.map((each, at) => (at === 0 ? each : { ...each, view: runs[at]?.view ?? each.view }));
  expect(fill({ exhibit: { ...exhibit, configurations }, runs: cheap }).sentences.join('\n')).toMatch(
    /"Two" had no programs left .* in 4 of 4 trees/,
  );
});
