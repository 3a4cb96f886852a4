import { describe, expect, it } from 'vitest';
import {
  analyseStudy,
  graderNoiseSteps,
  measureComparedSteps,
  type Prices,
  runComparisonSteps,
} from '../../../../main/metrics';
import {
  type RunConfig,
  type RunView,
  runComparisonSchema,
  type ServerSpec,
} from '../../../../preload/contract';
import { finished } from '../../../support/finished';
import { launchNamed, type ShortNode, teamWith, treesOf, urlServerNamed } from '../../../support/team-views';

const [a, b] = [launchNamed('a'), urlServerNamed('b')];
const SOLVED: ShortNode[] = [['a', -1, 'p']];
const LOST: ShortNode[] = [['a', -1, 'w']];
/** A later node that looks right is the answer; one before it was. */
const FOUND: ShortNode[] = [
  ['a', -1, 'h'],
  ['a', -1, 'l'],
];

function run(
  configuration: string,
  problems: Parameters<typeof treesOf>[0],
  change: Partial<RunConfig> = {},
): RunView {
  const seed = change.seed ?? 1;
  return treesOf(problems, { id: `${configuration}.${seed}`, configuration, team: teamWith(a), ...change });
}

/** The comparison of these runs, pooled by configuration. */
function compared(
  views: readonly RunView[],
  more: { prices?: Prices; missing?: string[]; regrade?: Parameters<typeof graderNoiseSteps>[1] } = {},
) {
  const names = [...new Set(views.map(({ config }) => config.configuration))];
  const configurations = names.map((name) => {
    const own = views.filter(({ config }) => config.configuration === name);
    const [first, ...others] = own.map((view) => ({ studyId: `study of ${view.config.id}`, view }));
    if (first === undefined) throw new Error('A configuration has a run');
    return finished(
      measureComparedSteps(
        [first, ...others],
        more.prices ?? null,
        finished(graderNoiseSteps(own, more.regrade ?? [])),
      ),
    );
  });
  const ids = [...new Set(views.flatMap(({ config }) => config.problemIds))];
  const problems = ids.map((key) => ({
    key,
    problemId: key,
    benchmarkId: 'bench',
    title: `Problem ${key}`,
    difficulty: null,
  }));
  const { missing = [], prices } = more;
  const comparison = finished(
    runComparisonSteps({ configurations, problems, missing, priced: prices !== undefined, seed: 1 }),
  );
  expect(runComparisonSchema.omit({ hues: true }).parse(comparison)).toEqual(comparison);
  return comparison;
}

describe('who solves what', () => {
  it('is reported by problem, with shares over seeds and the location of a tree', () => {
    const { solves } = compared([
      run('one', { q1: SOLVED, q2: FOUND, q3: LOST }),
      run('one', { q1: SOLVED, q2: SOLVED, q3: LOST }, { seed: 2 }),
      run('two', { q1: SOLVED, q3: LOST }),
    ]);
    expect(solves.configurations).toEqual(['one', 'two']);
    expect(solves.problems.map(({ problemId, cells }) => [problemId, cells])).toEqual([
      [
        'q1',
        [
          { solved01: 1, found01: 1, runRef: { studyId: 'study of one.1', runId: 'one.1' } },
          { solved01: 1, found01: 1, runRef: { studyId: 'study of two.1', runId: 'two.1' } },
        ],
      ],
      ['q2', [{ solved01: 0.5, found01: 1, runRef: { studyId: 'study of one.1', runId: 'one.1' } }, null]],
      [
        'q3',
        [
          { solved01: 0, found01: 0, runRef: { studyId: 'study of one.1', runId: 'one.1' } },
          { solved01: 0, found01: 0, runRef: { studyId: 'study of two.1', runId: 'two.1' } },
        ],
      ],
    ]);
  });

  it('counts what all, none and one alone solve, over what all have finished', () => {
    const { solves } = compared([
      run('one', { all: SOLVED, mine: SOLVED, none: LOST, only: SOLVED }),
      run('two', { all: SOLVED, mine: LOST, none: FOUND }),
    ]);
    expect([solves.byAll, solves.byNone, solves.byOneAlone]).toEqual([1, 1, [1, 0]]);
  });

  it('sums to the table’s Pass@1(MCTS) and Pass@N, without candidates on which the sandbox failed', () => {
    // The last node of q4 looks right, and the sandbox failed on it: the answer is the one before.
    const withFault: ShortNode[] = [...SOLVED, ['a', -1, 'f']];
    const { solves, analysis, contributions } = compared([
      run('one', { q1: SOLVED, q2: FOUND, q3: LOST, q4: withFault }),
    ]);
    expect(contributions[0]?.agents[0]?.solved).toBe(2);
    const sum = (key: 'solved01' | 'found01') =>
      solves.problems.reduce((all, { cells }) => all + (cells[0]?.[key] ?? 0), 0) / solves.problems.length;
    const cell = (metric: string) => analysis.rows[0]?.cells.find((one) => one.metric === metric)?.value;
    expect([sum('solved01'), sum('found01')]).toEqual([0.5, 0.75]);
    expect([cell('pass@1(mcts)'), cell('pass@n')]).toEqual([0.5, 0.75]);
  });
});

describe('the table', () => {
  it('is that of a study of the same runs', () => {
    const views = [
      run('one', { q1: SOLVED, q2: LOST, q3: LOST }),
      run('two', { q1: SOLVED, q2: SOLVED, q3: FOUND }, { team: teamWith(a, b) }),
    ];
    const { analysis } = compared(views);
    expect(analysis).toEqual(analyseStudy({ studyId: 'comparison', runs: views, complete: true, seed: 1 }));
  });
});

describe('many configurations', () => {
  const names = Array.from({ length: 32 }, (_, i) => `team ${i}`);
  const { analysis } = compared(
    names.map((name, i) => run(name, { q1: i === 0 ? LOST : SOLVED, q2: i % 2 === 0 ? SOLVED : LOST })),
    { prices: { gpusOf: () => 1, currency: 'EUR', perGpuHour: 1, perMillionTokens: null } },
  );

  it('are tested against the first alone, corrected for so many', () => {
    const ofMetric = analysis.pairs.filter(({ metric }) => metric === 'pass@n');
    expect(ofMetric.map(({ first, second }) => [first, second])).toEqual(
      names.slice(1).map((name) => [name, 'team 0']),
    );
    // Of two problems one differs: p = 1 for each, and stays so.
    expect(ofMetric.every(({ test }) => test.pHolm === 1)).toBe(true);
    expect(analysis.groupings).toEqual([]);
    expect(analysis.method).toContain("Holm's correction for 31 pairs");
    expect(analysis.sentences[0]).toMatch(
      /^In Pass@1\(MCTS\) 0 of 31 configurations differ significantly from team 0 after Holm's correction/,
    );
  });

  it('have curves over nodes alone, and costs and rows as ever', () => {
    expect(new Set(analysis.curves.map(({ axis }) => axis))).toEqual(new Set(['nodes']));
    expect(analysis.rows).toHaveLength(32);
    expect(analysis.costs.every(({ money }) => money !== null && money !== undefined)).toBe(true);
  });
});

describe('what is used', () => {
  const prices: Prices = {
    gpusOf: (server: ServerSpec) => (server.kind === 'launch' ? 8 : 0),
    currency: 'EUR',
    perGpuHour: 2.5,
    perMillionTokens: 40,
  };
  // Each node takes one second; the launch answers four at once on eight GPUs: two GPU-seconds a node.
  const mixed: ShortNode[] = [
    ['a', -1, 'w'],
    ['b', -1, 'p'],
    ['a', -1, 'p'],
  ];
  const views = [run('mixed', { q: mixed }, { team: teamWith(a, b) })];

  it('is GPU-hours where a server has GPUs, and money for them or for tokens', () => {
    const { analysis } = compared(views, { prices });
    const [cost] = analysis.costs;
    expect(cost?.gpuHours).toBeCloseTo((2 * 2) / 3_600, 15);
    // The second node has 20 prompt tokens and one more.
    expect(cost?.money).toEqual({
      amount: expect.closeTo((2.5 * 4) / 3_600 + (40 * 21) / 1e6, 15),
      currency: 'EUR',
    });
  });

  it('is no money for tokens of pocket policies, of recordings and of launches without GPUs', () => {
    const launch = launchNamed('own');
    const { analysis } = compared([run('own', { q: [['own', -1, 'p']] }, { team: teamWith(launch) })], {
      prices: { ...prices, gpusOf: () => 0 },
    });
    expect(analysis.costs[0]?.money).toEqual({ amount: 0, currency: 'EUR' });
  });

  it('is an axis of curves: a node counts once its price is spent', () => {
    const { analysis } = compared(views, { prices });
    const curve = (axis: string) =>
      analysis.curves.find((one) => one.axis === axis && one.measure === 'pass@n')?.points ?? [];
    const firstOne = (axis: string) => curve(axis).find(({ value }) => value === 1)?.n ?? Number.NaN;
    // The passing node comes second: after one node of the launch in GPU-hours, and at both prices in money.
    const [gpu, money] = [2 / 3_600, (2.5 * 2) / 3_600 + (40 * 21) / 1e6];
    expect(firstOne('gpu-hours')).toBeGreaterThanOrEqual(gpu * (1 - 1e-9));
    expect(firstOne('money')).toBeGreaterThanOrEqual(money);
    for (const axis of ['gpu-hours', 'money']) {
      const before = curve(axis).filter(({ n }) => n < firstOne(axis));
      expect(before.length).toBeGreaterThan(0);
      expect(before.every(({ value }) => value === 0)).toBe(true);
      expect(firstOne(axis) - (before.at(-1)?.n ?? 0)).toBeLessThan(0.1 * firstOne(axis));
    }
  });

  it('is left out where a price or the GPUs are not known', () => {
    const unknown = compared(views, { prices: { ...prices, gpusOf: () => null } }).analysis;
    expect(unknown.costs[0]).toMatchObject({ gpuHours: null, money: null });
    expect(unknown.curves.filter(({ axis }) => axis === 'gpu-hours' || axis === 'money')).toEqual([]);
    const free = compared(views, { prices: { ...prices, perMillionTokens: null } }).analysis;
    expect(free.costs[0]?.money).toBeNull();
    expect(free.costs[0]?.gpuHours).toBeCloseTo(4 / 3_600, 15);
    expect('gpuHours' in (compared(views).analysis.costs[0] ?? {})).toBe(false);
  });
});

describe('noise of the grader', () => {
  const views = [run('one', { q1: SOLVED, q2: LOST, q3: LOST, q4: LOST }), run('two', { q1: SOLVED })];
  const stream = { part: 'search' as const, index: 0 };

  it('is by how much a cell moves when the verdicts of the regrade are taken', () => {
    const regrade = {
      graded: 7,
      faults: 0,
      runs: [{ runId: 'one.1', graded: 4 }],
      changed: [
        {
          runId: 'one.1',
          problemId: 'q2',
          ...stream,
          before: 'time-limit' as const,
          after: 'passed' as const,
        },
        {
          runId: 'other',
          problemId: 'q3',
          ...stream,
          before: 'time-limit' as const,
          after: 'passed' as const,
        },
      ],
    };
    const { analysis } = compared(views, { regrade: [regrade] });
    const noise = (row: number, metric: string) =>
      analysis.rows[row]?.cells.find((cell) => cell.metric === metric)?.graderNoise;
    expect(noise(0, 'pass@n')).toEqual({ graded: 4, changed: 1, shift: 0.25 });
    expect(noise(0, 'pass@n(public)')).toEqual({ graded: 4, changed: 1, shift: 0 });
    expect(noise(1, 'pass@n')).toBeUndefined();
  });
});

describe('differences and cautions', () => {
  it('list settings in which configurations differ, but no seeds or server names', () => {
    const elsewhere = teamWith({ ...a, id: 'elsewhere' } as ServerSpec);
    const [agent] = elsewhere.agents;
    if (agent === undefined) throw new Error('A team has an agent');
    const team = { ...elsewhere, agents: [{ ...agent, sampling: { ...agent.sampling, temperature: 0.6 } }] };
    const views = [
      run('one', { q1: SOLVED }),
      run('two', { q1: [['elsewhere', -1, 'p']] }, { team, seed: 5 }),
    ];
    expect(compared(views).differences).toEqual([
      { path: 'agents[0].sampling.temperature', values: ['1', '0.6'] },
    ]);
  });

  it('name an agent that smaller teams lack, and list only what the others do not share', () => {
    const views = [
      run('alone', { q1: SOLVED }),
      run('duo', { q1: SOLVED }, { team: teamWith(a, b) }),
      run('trio', { q1: SOLVED }, { team: teamWith(a, b, launchNamed('c')) }),
    ];
    expect(compared(views).differences.map(({ path, values }) => [path, ...values])).toEqual([
      ['team', 'single', 'heterogeneous', 'heterogeneous'],
      ['agents[1].server.model', null, 'b', 'b'],
      ['agents[2].server.model', null, null, 'c'],
    ]);
  });

  it('find nothing to warn of in runs that differ in their teams alone', () => {
    expect(
      compared([run('one', { q1: SOLVED }), run('two', { q1: LOST }, { team: teamWith(b) })]).cautions,
    ).toEqual([]);
  });

  const search = run('one', { q1: SOLVED }).config.search;
  it.each([
    [
      'another benchmark',
      { benchmarkId: 'other' },
      /^The runs use different benchmarks: pocket \(one\) and other \(two\)\.$/,
    ],
    ['other problems in it', { benchmarkDigest: 'e' }, /^The benchmark changed between the runs/],
    ['another N', { search: { ...search, nodes: 9 } }, /^Trees have 8 nodes \(one\) and 9 nodes \(two\)/],
    [
      'another reading of verdicts',
      { search: { ...search, grading: 'as-published' as const } },
      /^The runs use different grading rules: as-program \(one\) and as-published \(two\)\.$/,
    ],
    [
      'another scale',
      { scale: 'paper' as const },
      /^The runs have different scales: pocket scale \(one\) and paper scale \(two\)\.$/,
    ],
  ])('warn of %s', (_, change, message) => {
    const { cautions } = compared([run('one', { q1: SOLVED }), run('two', { q1: SOLVED }, change)]);
    expect(cautions).toEqual([expect.stringMatching(message)]);
  });

  it('warn of other problems, of pooled runs that are not alike, and of what is missing', () => {
    const views = [
      run('one', { q1: SOLVED, q2: SOLVED }),
      run('one', { q1: SOLVED, q2: SOLVED }, { id: 'again', search: { ...search, tie: 'earliest' } }),
      run('two', { q1: SOLVED }),
    ];
    const { cautions, analysis } = compared(views, { missing: ['three, seed 4'] });
    expect(cautions).toEqual([
      'The run three, seed 4 has not searched anything yet, so it is left out.',
      '1 of 2 problems is in all configurations. Each row is over its own problems; differences are over the shared ones.',
      'The runs pooled as one differ in search.tie.',
      'one has several runs of seed 1; runs of one seed are not independent replicates.',
    ]);
    expect(analysis.complete).toBe(false);
  });
});
