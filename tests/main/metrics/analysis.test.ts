import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { analyseStudy, analyseStudyInSteps, curvePositions, type ProblemFacts } from '../../../main/metrics';
import {
  analysisSchema,
  type MetricName,
  type NodeView,
  type RunConfig,
  type RunView,
  treeKey,
} from '../../../preload/contract';
import { candidates, type ProblemTrees, runViewOf } from '../../support/run-views';
import { configWith } from '../../support/search-fixture';

const four = configWith({ nodes: 4, samplesPerAgent: 2 }, ['a', 'b']);

function run(problems: Record<string, ProblemTrees>, changes: Partial<RunConfig> = {}): RunView {
  return runViewOf(problems, { team: four.team, search: four.search, ...changes });
}

/** Two problems, ties to the latest node: chosen 1 of 2 (q: the later lw looks best), found 2 of 2. */
const small = run({
  p: { search: candidates('wwpw'), samples: [...candidates('pw', 'a'), ...candidates('ww', 'b')] },
  q: { search: candidates('wplw'), samples: [...candidates('pp', 'a'), ...candidates('pw', 'b')] },
});

function analyse(runs: readonly RunView[], complete = true) {
  const analysis = analyseStudy({ studyId: 's', runs, complete, seed: 1 });
  expect(analysisSchema.parse(analysis)).toEqual(analysis);
  return analysis;
}

function cell(runs: readonly RunView[], metric: MetricName, row = 0) {
  return analyse(runs).rows[row]?.cells.find((one) => one.metric === metric);
}

describe('a row', () => {
  it.each([
    // p: (1/2 + 0/2) / 2 = 1/4; q: (2/2 + 1/2) / 2 = 3/4
    ['pass@1', { value: 0.5, problems: 2, candidates: 8, faults: 0 }],
    ['pass@1(mcts)', { value: 0.5, problems: 2, candidates: 8, faults: 0 }],
    // Both problems are solved: the exact interval of 2 of 2.
    ['pass@n', { value: 1, low: 0.025 ** (1 / 2), high: 1, problems: 2 }],
    ['pass@n(public)', { value: 1, problems: 2 }],
  ] as const)('has %s as computed by hand', (metric, expected) => {
    expect(cell([small], metric)).toMatchObject(expected);
  });

  it('pools seeds: the mean per problem first', () => {
    const again = run(
      {
        p: { search: candidates('wwww'), samples: candidates('wwww') },
        q: { search: candidates('wwww'), samples: candidates('wwww') },
      },
      { seed: 8 },
    );
    expect(cell([small, again], 'pass@n')).toMatchObject({ value: 0.5, problems: 2, candidates: 16 });
    expect(analyse([again, small]).rows[0]?.seeds).toEqual([7, 8]);
  });

  it('of small models names them, with their quantisation, each once', () => {
    const launch = { kind: 'launch' as const, id: 's', model: 'm', launchId: 'l', maxInFlight: 1 };
    const url = {
      kind: 'url' as const,
      id: 'u',
      model: 'Qwen/Qwen3-0.6B',
      baseUrl: 'http://h',
      maxInFlight: 1,
    };
    const named = { ...launch, deskModel: 'SmolLM2-135M Q4_1' };
    const team = { ...four.team, servers: [named, url, { ...named, id: 't' }] };
    const desk = run({ p: { search: candidates('wwpw') } }, { team, scale: 'desk' });
    expect(analyse([desk]).sentences).toContain(
      "Desk scale: small language models (SmolLM2-135M Q4_1 and Qwen3-0.6B); the results say nothing about the papers' models.",
    );
  });

  it('counts only finished problems', () => {
    const half = run({
      p: { search: candidates('wwpw'), samples: candidates('pw') },
      q: { search: candidates('wplw'), samples: candidates('pw'), graded: 3 },
    });
    expect(cell([half], 'pass@n')).toMatchObject({ value: 1, problems: 1 });
  });

  it('keeps the seeds that are done until another one is, too', () => {
    const done = { ...small, finished: true };
    const begun = run({ p: { search: candidates('wwww'), samples: candidates('wwww') } }, { seed: 8 });
    expect(analyse([done, begun], false).rows[0]).toEqual(analyse([done], false).rows[0]);
    expect(analyse([small, begun], false).rows[0]?.seeds).toEqual([7, 8]);
    expect(analyse([done, { ...begun, finished: true }], false).rows[0]?.seeds).toEqual([7, 8]);
  });

  it('leaves out candidates on which the sandbox failed, and says so', () => {
    const faulty = run({ p: { search: candidates('fpff'), samples: candidates('pwff') } });
    expect(cell([faulty], 'pass@1')).toMatchObject({ value: 0.5, candidates: 2, faults: 2 });
    expect(cell([faulty], 'pass@n')).toMatchObject({ value: 1, candidates: 1, faults: 3 });
    expect(analyse([faulty]).sentences.join('\n')).toContain(
      'The sandbox or the grader failed on some candidates of duo. They are excluded',
    );
  });

  it('has no value for a problem of which the sandbox left nothing', () => {
    const lost = run({ p: { search: candidates('ffff'), samples: candidates('pp') } });
    expect(cell([lost], 'pass@n')).toBeUndefined();
    expect(cell([lost], 'pass@1')).toMatchObject({ value: 1 });
  });

  it('leaves out problems to which a recording has no answer, and says how many', () => {
    const answered = { search: candidates('wwpw'), samples: candidates('pw') };
    const view = run({ p: answered, q: { search: [], samples: [] } });
    const key = treeKey('q', 'search');
    const tree = view.trees.get(key);
    if (tree === undefined) throw new Error('q has a tree');
    const exhausted = new Map([...view.trees, [key, { ...tree, searched: 'exhausted' as const }]]);
    const analysis = analyse([{ ...view, trees: exhausted }]);
    const found = analysis.rows[0]?.cells.find(({ metric }) => metric === 'pass@n');
    expect(found).toMatchObject({ value: 1, problems: 1 });
    expect(analysis.sentences.join(' ')).toContain('1 of 2 problems is excluded');
  });

  it('of repeated sampling without extra samples takes Pass@1 from the tree itself', () => {
    const search = configWith({ strategy: { kind: 'repeated' }, nodes: 4, samplesPerAgent: 0 }).search;
    const repeated = run({ p: { search: candidates('wpww') } }, { search });
    expect(cell([repeated], 'pass@1')).toMatchObject({ value: 0.25, candidates: 4 });
  });

  it('has Pass@10 from the same samples, where every problem has ten', () => {
    const search = configWith({ strategy: { kind: 'repeated' }, nodes: 12, samplesPerAgent: 0 }).search;
    const twelve = { search: candidates('wwwpwwpwwwwp') };
    // 1 - C(9, 10) / C(12, 10) is 1: nine wrong ones cannot fill ten.
    expect(cell([run({ p: twelve }, { search })], 'pass@10')).toMatchObject({ value: 1, candidates: 12 });
    const rare = { search: candidates('wwwpwwwwwwww') };
    expect(cell([run({ p: rare }, { search })], 'pass@10')?.value).toBeCloseTo(1 - 11 / 66, 12);
    const few = { search: candidates('wwwpwwwwf') };
    expect(cell([run({ p: twelve, q: few }, { search })], 'pass@10')).toBeUndefined();
  });

  it('of a tree search without extra samples has no Pass@1', () => {
    const search = configWith({ nodes: 4, samplesPerAgent: 0 }).search;
    expect(cell([run({ p: { search: candidates('wpww') } }, { search })], 'pass@1')).toBeUndefined();
  });

  it('reports how many programs differ, problem by problem', () => {
    const same = candidates('wpww').map((node, i) => ({ ...node, digest: i === 3 ? null : `${i % 2}` }));
    const view = run(
      { p: { search: same }, q: { search: same } },
      { search: configWith({ nodes: 4, samplesPerAgent: 0 }).search },
    );
    expect(analyse([view]).rows[0]?.distinctShare).toBeCloseTo(2 / 3, 12);
  });
});

describe('curves', () => {
  it('follow the first n nodes', () => {
    const curve = analyse([small]).curves.find(({ measure }) => measure === 'pass@n');
    expect(curve?.points.map(({ n, value }) => [n, value])).toEqual([
      [1, 0],
      [2, 0.5],
      [3, 1],
      [4, 1],
    ]);
  });

  it('of pass@k are unbiased and end at the fewest samples of a problem', () => {
    const curve = analyse([small]).curves.find(({ measure }) => measure === 'pass@k');
    // p: 1 of 4 passes, q: 3 of 4. k = 2: 1/2 and 1.
    const expected = [0.5, 0.75, 0.875, 1];
    expect(curve?.points).toHaveLength(4);
    for (const [i, point] of (curve?.points ?? []).entries())
      expect(point.value).toBeCloseTo(expected[i] ?? -1, 12);
  });

  it.each([1, 3])('of %i seeds end with the value and the interval of the table, on every axis', (seeds) => {
    const letters = randomStream(3, 'letters');
    const drawn = (many: number): string =>
      Array.from({ length: many }, () => (letters.uniform() < 0.3 ? 'p' : 'w')).join('');
    const runs = Array.from({ length: seeds }, (_, seed) =>
      run(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `p${at}`,
            {
              search: candidates(drawn(4)),
              samples: [...candidates(drawn(6), 'a'), ...candidates(drawn(6), 'b')],
            },
          ]),
        ),
        { seed, id: `r${seed}` },
      ),
    );
    const used = runs.map((one) => withNodes(one, () => ({ promptTokens: 10, generateMs: 50 })));
    const { rows, curves } = analyse(used);
    const inTable = (name: string) => rows[0]?.cells.find(({ metric }) => metric === name);
    const axes = new Set(curves.map(({ axis }) => axis));
    expect(axes.size).toBeGreaterThan(2);
    for (const { measure, points, axis } of curves) {
      const last = measure === 'pass@k' ? points.find(({ n }) => n === 10) : points.at(-1);
      const { n: _, ...estimate } = last ?? { n: 0 };
      expect(inTable(measure === 'pass@k' ? 'pass@10' : measure), `${measure} over ${axis}`).toMatchObject(
        estimate,
      );
    }
  });

  it.each([1, 59, 60, 61, 100, 1_000, 100_000])(
    'of %i nodes have at most 60 points, both ends among them',
    (n) => {
      const positions = curvePositions(n);
      expect(positions.length).toBeLessThanOrEqual(60);
      expect(positions[0]).toBe(1);
      expect(positions.at(-1)).toBe(n);
      expect(new Set(positions).size).toBe(positions.length);
      for (const round of [10, 100, 1_000]) expect(positions.includes(round)).toBe(round <= n);
    },
  );
});

it('no difference between untrained teams of several seeds is significant whose interval has 0 in it', () => {
  const letters = randomStream(5, 'differences');
  const drawn = (share: number): string =>
    Array.from({ length: 4 }, () => (letters.uniform() < share ? 'p' : 'w')).join('');
  const kinds = new Set<string>();
  for (let round = 0; round < 25; round++) {
    const runs = ['one', 'two'].flatMap((configuration, side) =>
      [1, 2, 3].map((seed) =>
        run(
          Object.fromEntries(
            Array.from({ length: 14 }, (_, at) => [
              `p${at}`,
              // A seed of its own luck, as where one search is unlike the next.
              { search: candidates(drawn(0.05 + 0.1 * side * seed)), samples: candidates('ww') },
            ]),
          ),
          { configuration, seed, id: `${configuration}${seed}` },
        ),
      ),
    );
    for (const { test: found, low, high, metric } of analyse(runs).pairs) {
      kinds.add(found.kind);
      if (low < 0 && high > 0) expect(found.p, `${metric} [${low}, ${high}]`).toBeGreaterThanOrEqual(0.049);
    }
  }
  expect(kinds).toContain('two-level');
});

/** 60 problems; in `solved` of them, from the first on, the first node passes. */
function team(configuration: string, solved: number, changes: Partial<RunConfig> = {}, length = 60): RunView {
  const problems = Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `q${i}`,
      { search: candidates(i < solved ? 'pwww' : 'lwww'), samples: candidates('wwww') },
    ]),
  );
  return run(problems, { configuration, ...changes });
}

describe('comparisons', () => {
  it('compare every two configurations over the problems that all have finished', () => {
    const early = run(
      { q0: { search: candidates('pwww'), samples: candidates('wwww') }, q1: {} },
      { configuration: 'early' },
    );
    const { pairs } = analyse([team('one', 30), team('two', 40), early]);
    expect(
      pairs.filter(({ metric }) => metric === 'pass@n').map(({ first, second }) => [first, second]),
    ).toEqual([
      ['two', 'one'],
      ['early', 'one'],
      ['early', 'two'],
    ]);
    expect(pairs.every(({ problems }) => problems === 1)).toBe(true);
  });

  it('are paired, so that what both solve adds no width', () => {
    const [pair] = analyse([team('one', 30), team('two', 45)]).pairs;
    expect(pair).toMatchObject({ metric: 'pass@1(mcts)', difference: 0.25, separable: true });
    expect(pair?.low).toBeGreaterThan(0.1);
  });

  it('are not claimed on a handful of problems that happen to agree', () => {
    const three = (letters: string, configuration: string): RunView =>
      run(
        Object.fromEntries(
          ['x', 'y', 'z'].map((id) => [id, { search: candidates(letters), samples: candidates('w') }]),
        ),
        { configuration },
      );
    const [pair] = analyse([three('wwww', 'one'), three('pppp', 'two')]).pairs;
    expect(pair).toMatchObject({ difference: 1, low: 2 * 0.025 ** (1 / 3) - 1, high: 1, separable: false });
  });

  it('are claimed after the correction for all pairs of the metric', () => {
    const names = ['one', 'two', 'three'].map((name, i) => team(name, 30 + 3 * i));
    const main = analyse(names).pairs.filter(({ metric }) => metric === 'pass@1(mcts)');
    // 3, 6 and 3 problems differ, all one way: p = 0.25, 0.03125, 0.25; three pairs.
    expect(main.map(({ test }) => [test.kind, test.onlyFirst, test.onlySecond, test.p, test.pHolm])).toEqual([
      ['mcnemar', 3, 0, 0.25, 0.5],
      ['mcnemar', 6, 0, 0.03125, 0.09375],
      ['mcnemar', 3, 0, 0.25, 0.5],
    ]);
    expect(main.some(({ separable }) => separable)).toBe(false);
    const alone = analyse([team('one', 30), team('three', 36)]).pairs[0];
    expect(alone).toMatchObject({ separable: true, test: { p: 0.03125, pHolm: 0.03125 } });
  });

  it('test rates by the bootstrap, never below what a sign test could reach', () => {
    const again = (name: string, seed: number) => team(name, 30, { seed });
    const pairOf = (seed: number) =>
      analyse([team('one', 30), again('one', 8), team('two', 34), again('two', seed)]).pairs[0];
    const difference = 2 / 60;
    expect(pairOf(9)).toMatchObject({ difference, test: { kind: 'bootstrap', onlyFirst: 4, p: 0.125 } });
    // With the same seeds it is seen that only one of the two differs.
    expect(pairOf(8)).toMatchObject({ difference, test: { kind: 'two-level', onlyFirst: 4 } });
    expect(pairOf(8)?.test.p).toBeGreaterThan(0.125);
  });

  it('put configurations that do not differ significantly under one letter, the best first', () => {
    const { groupings } = analyse([team('one', 20), team('two', 40), team('three', 42)]);
    expect(groupings.find(({ metric }) => metric === 'pass@n')?.letters).toEqual([
      { configuration: 'one', letters: 'b' },
      { configuration: 'two', letters: 'a' },
      { configuration: 'three', letters: 'a' },
    ]);
  });

  it('report how many problems the measured difference would need', () => {
    const [pair] = analyse([team('one', 30), team('two', 32)]).pairs;
    // Connor: ((1.96 * sqrt(1/30) + 0.84 * sqrt(1/30 - 1/900)) * 30)^2 = 233.1
    expect(pair?.problemsNeeded).toBe(234);
    expect(pair?.detectable).toBeGreaterThan(2 / 60);
    expect(analyse([team('one', 30), team('two', 30)]).pairs[0]).toMatchObject({
      detectable: null,
      problemsNeeded: null,
    });
  });

  it.each([
    ['trainings', 2],
    ['searches of one policy', 0],
    ['searches of one policy, in journals and records that write its fields in another order', -1],
  ])('over seeds that are %s have the power that their test and their interval allow', (_, trained) => {
    const seedsOf = (configuration: string, solved: readonly number[], own: number) =>
      solved.map((count, seed) => {
        const servers = four.team.servers.map((server) => {
          const named = { ...server, model: `m${Math.max(seed * own, 0)}` };
          const turned = own < 0 && seed > 0 ? Object.entries(named).slice(seed) : [];
          return Object.assign(Object.fromEntries(turned), named);
        });
        return team(configuration, count, { seed, team: { ...four.team, servers } });
      });
    const runs = [...seedsOf('base', [30, 30, 30], 0), ...seedsOf('method', [36, 34, 40], trained)];
    const [pair] = analyse(runs).pairs;
    if (pair === undefined) throw new Error('They are compared');
    // Student's t of 6, 4 and 10 problems; with two degrees of freedom P(|T| > t) = 1 - t / sqrt(2 + t^2).
    const t = 20 / 3 / Math.sqrt(28 / 3 / 3);
    const overSeeds = 1 - t / Math.sqrt(2 + t * t);
    if (trained > 0) expect(pair.test.p).toBeCloseTo(overSeeds, 10);
    else expect(pair.test.p).toBeLessThan(overSeeds / 10);
    const standardError = (pair.high - pair.low) / (2 * 1.959964);
    // Of two degrees of freedom the quantile of p is (2 p - 1) / sqrt(2 p (1 - p)).
    const student = (p: number) => (2 * p - 1) / Math.sqrt(2 * p * (1 - p));
    const claimedOverSeeds = student(0.975) * Math.sqrt(28 / 3 / 3 / 60 ** 2);
    expect(claimedOverSeeds).toBeGreaterThan(1.959964 * standardError);
    const detectable =
      trained > 0 ? claimedOverSeeds + student(0.8) * standardError : (1.959964 + 0.841621) * standardError;
    expect(pair.detectable).toBeCloseTo(detectable, 4);
    expect(pair.problemsNeeded).toBeNull();
  });
});

describe('sentences', () => {
  it('of a significant difference', () => {
    const { sentences } = analyse([team('single', 30), team('heterogeneous', 45)]);
    expect(sentences[0]).toMatch(
      /^heterogeneous solves significantly more problems than single at N = 4: 25\.0 percentage points \(Pass@1\(MCTS\), n = 60 problems, 95 % CI 15\.0 to 36\.7, p < 0\.0001\)\.$/,
    );
  });

  it('name the better one first, also when it is the baseline', () => {
    const { sentences } = analyse([team('single', 45), team('heterogeneous', 30)]);
    expect(sentences[0]).toMatch(
      /^single solves significantly more problems than heterogeneous .* 25\.0 percentage points .* CI 1\d\.\d to 3/,
    );
  });

  it('of no significant difference, with the power', () => {
    const { sentences } = analyse([team('single', 30), team('homogeneous', 32), team('three', 31)]);
    expect(sentences[0]).toMatch(
      /^homogeneous and single do not differ significantly in Pass@1\(MCTS\): difference 3\.3 percentage points \(n = 60 problems, 95 % CI 0\.0 to 8\.3, p = 1\.00 after Holm's correction for 3 comparisons\)\. With these problems a true difference of about 16\.7 percentage points would be found 4 times in 5; the observed difference would need about \d+ problems\.$/,
    );
  });

  it('of configurations that agree on every problem', () => {
    const { sentences } = analyse([team('single', 30), team('homogeneous', 30)]);
    expect(sentences[0]).toContain(
      'difference 0.0 percentage points (n = 60 problems, 95 % CI −6.0 to 6.0, p = 1.00). Without any spread the smallest detectable difference is unknown.',
    );
  });

  it('of a running study', () => {
    const { sentences } = analyse([team('single', 30)].slice(0, 1), false);
    expect(sentences[0]).toBe(
      'Not all runs are finished: all 60 problems count so far, over the seeds that have them.',
    );
  });

  it('begin with the largest significant difference, and what limits it follows all findings', () => {
    const { sentences, secondMain = 0 } = analyse([
      team('single', 30),
      team('homogeneous', 31),
      team('heterogeneous', 45),
    ]);
    expect(sentences[0]).toMatch(/^heterogeneous solves significantly more problems than single/);
    expect(sentences[secondMain - 1]).toContain('significant');
    expect(sentences[secondMain]).not.toContain('significant');
  });

  it('name an agent that was not run alone', () => {
    const { sentences } = analyse([team('duo', 30)]);
    expect(sentences).toContain(
      'Not measured: a and b of duo were not run alone, so whether the team beats its best member is unknown.',
    );
  });

  it('do not when each agent has its own run', () => {
    const single = configWith({}, ['a']);
    const alone = team('single', 30, { team: { ...single.team, kind: 'single' } });
    expect(analyse([alone, team('duo', 30)]).sentences.join('\n')).not.toContain('Not measured');
  });

  it('say it once for teams that differ only in the search, and in which settings', () => {
    const search = { ...small.config.search, strategy: { kind: 'repeated' } as const, nodes: 3 };
    const { sentences } = analyse([team('tree', 30), team('sampling', 45, { search })]);
    expect(sentences).toContain(
      'Not measured: a and b of tree and sampling were not run alone, so whether these teams beat their best member is unknown.',
    );
    expect(sentences).toContain(
      'All configurations have the same team and differ only in the search: strategy and nodes per tree.',
    );
    expect(sentences[0]).toMatch(
      /^sampling solves significantly more problems than tree \(N = 3 against 4\): 25\.0 percentage points \(Pass@1\(MCTS\), /,
    );
  });

  it('summarise many configurations instead of every pair', () => {
    const { sentences } = analyse(
      ['v', 'w', 'x', 'y', 'z'].map((name, i) => team(name, 20 + (i > 2 ? 30 : 0))),
    );
    expect(sentences[0]).toMatch(
      /^In Pass@1\(MCTS\) 6 of 10 pairs of configurations differ significantly after Holm's correction; the others may still differ; with these problems a true difference of about \d+\.\d percentage points would be found 4 times in 5 in each pair\.$/,
    );
    expect(sentences.filter((sentence) => sentence.includes(': 50.0 percentage points ('))).toHaveLength(6);
    expect(sentences).toContain('No significant differences among v, w and x.');
    expect(sentences).toContain('No significant differences among y and z.');
  });

  it('have a chip of one line each, without the grounds', () => {
    const { sentences, chips = [] } = analyse([
      team('single', 30),
      team('homogeneous', 32),
      team('hetero', 45),
    ]);
    expect(chips).toHaveLength(sentences.length);
    expect(chips.slice(0, 3)).toEqual([
      { kind: 'difference', text: 'Pass@1(MCTS): hetero > single, +25.0 percentage points, p = 0.0002' },
      { kind: 'difference', text: 'Pass@1(MCTS): hetero > homogeneous, +21.7 percentage points, p = 0.0005' },
      {
        kind: 'no-difference',
        text: 'Pass@1(MCTS): homogeneous and single do not differ significantly, +3.3 percentage points, p = 0.50',
      },
    ]);
    expect(chips.at(-1)).toEqual({
      kind: 'limit',
      text: 'Pocket scale: small policies on generated problems',
    });
    for (const { text } of chips) expect(text.length).toBeLessThan(100);
  });

  it('have chips without p-values while the study runs, and none of a difference over few problems', () => {
    const { chips = [] } = analyse([team('single', 30), team('hetero', 45)], false);
    expect(chips[0]?.text).toBe(
      'Not all runs are finished: all 60 problems count so far, over the seeds that have them',
    );
    expect(chips[1]).toEqual({
      kind: 'interim',
      text: 'So far, 60 of 60 problems: Pass@1(MCTS), hetero against single +25.0 percentage points',
    });
    const few = analyse([team('single', 4, {}, 9), team('hetero', 9, {}, 9)], false);
    expect(few.chips?.map(({ kind }) => kind)).not.toContain('interim');
    const many = analyse(
      ['v', 'w', 'x', 'y', 'z'].map((name, i) => team(name, 20 + (i > 2 ? 30 : 0))),
      false,
    );
    expect(many.chips?.filter(({ text }) => /p [=<]|significant/.test(text))).toEqual([]);
  });

  it('say of a recording with few answers that its trees end early', () => {
    const server = {
      kind: 'recorded' as const,
      id: 's',
      model: 'm',
      recordingId: 'r',
      latencyMs: 0,
      maxInFlight: 1,
    };
    const servers = [server];
    const view = run(
      { p: { search: candidates('w') }, q: { search: candidates('wp') } },
      {
        team: { ...four.team, servers },
        search: { ...four.search, samplesPerAgent: 0 },
        scale: 'recorded',
      },
    );
    const { rows, sentences } = analyse([view]);
    expect(rows[0]).toMatchObject({ nodesPerTree: 4, longestTree: 2 });
    expect(sentences.join(' ')).toContain('Trees of duo end after 2 of 4 nodes: its recording');
    expect(analyse([small]).sentences.join(' ')).not.toContain('end after');
  });

  it('put names in quotes that would read as several', () => {
    const { sentences } = analyse(['v, 1', 'w', 'x and y', 'y', 'z'].map((name) => team(name, 30)));
    expect(sentences.join(' ')).toContain('Not measured: a and b of "v, 1", "w", "x and y", "y" and "z"');
  });

  it('state the limits of one seed and of the scale', () => {
    const { sentences } = analyse([team('duo', 30)]);
    expect(sentences).toContain(
      'One seed per configuration: the intervals cover the choice of problems, and with each problem the chance of its search. The chance of training is not in them: where policies were trained, they hold for these policies, not for the method.',
    );
    expect(sentences).toContain(
      'Pocket scale: small policies on generated problems; the results say nothing about large models.',
    );
  });

  it('claim of the scale own no more than is known of an address', () => {
    expect(analyse([team('url', 30, { scale: 'own' })]).sentences).toContain(
      "Own scale: other models, or other problems, than those of the papers; the results say nothing about the papers' models.",
    );
  });

  it('say of seeds that share their policies that they vary the search alone', () => {
    const servers = four.team.servers.map((server) => ({ ...server, model: 'another' }));
    const trained = team('trained', 30, { seed: 8, team: { ...four.team, servers } });
    const duo = [team('duo', 30), team('duo', 32, { seed: 8 })];
    const saidOf = (runs: readonly RunView[]) =>
      analyse(runs).sentences.filter((sentence) => sentence.startsWith('All seeds'));
    expect(saidOf(duo)).toEqual([
      'All seeds have the same policies: they vary the search alone, so the chance of training is neither in the spread (SD) over the seeds nor in the intervals.',
    ]);
    expect(saidOf([team('trained', 28), trained])).toEqual([]);
    expect(saidOf([...duo, team('trained', 28), trained])).toEqual([
      'All seeds of duo have the same policies: they vary the search alone, so the chance of training is not in the spread.',
    ]);
    expect(saidOf([team('duo', 30)])).toEqual([]);
  });
});

/** The same view with these changes of every node. */
function withNodes(view: RunView, change: (node: NodeView) => Partial<NodeView>): RunView {
  const trees = new Map(
    [...view.trees].map(([key, tree]) => [
      key,
      { ...tree, nodes: tree.nodes.map((node) => ({ ...node, ...change(node) })) },
    ]),
  );
  return { ...view, trees };
}

describe('budgets', () => {
  const used = withNodes(small, ({ index }) => ({
    promptTokens: 10,
    completionTokens: index === 2 ? 90 : 0,
    generateMs: 100,
    gradeMs: 25,
  }));

  it('give curves over tokens: the value of the nodes that end within them', () => {
    const curve = analyse([used]).curves.find(
      ({ measure, axis }) => measure === 'pass@n' && axis === 'tokens',
    );
    const at = (tokens: number) => curve?.points.find(({ n }) => n === tokens)?.value;
    // Nodes end at 10, 20, 120, 130 tokens; q passes with its second node, p with its third.
    expect([2.5, 10, 17.5, 20, 117.5, 120, 130].map(at)).toEqual([0, 0, 0, 0.5, 0.5, 1, 1]);
    expect(curve?.points.at(-1)?.n).toBe(130);
  });

  it('give curves over seconds of writing and grading', () => {
    const curve = analyse([used]).curves.find(
      ({ measure, axis }) => measure === 'pass@1(mcts)' && axis === 'seconds',
    );
    expect(curve?.points.map(({ n }) => n).slice(0, 3)).toEqual([0.01, 0.02, 0.03]);
    expect(curve?.points.at(-1)).toMatchObject({ n: 0.5, value: 0.5 });
  });

  it('have a grid common to all configurations, of at most 60 points', () => {
    const more = withNodes(team('more', 30), () => ({ promptTokens: 777 }));
    const less = withNodes(team('less', 30), () => ({ promptTokens: 10 }));
    const grids = analyse([less, more]).curves.filter(({ axis }) => axis === 'tokens');
    expect(grids).toHaveLength(6);
    for (const { points } of grids) {
      expect(points.length).toBeLessThanOrEqual(60);
      expect(points.map(({ n }) => n)).toEqual(grids[0]?.points.map(({ n }) => n));
      expect(points.at(-1)?.n).toBeGreaterThanOrEqual(4 * 777);
    }
  });

  it('are added up over trees and samples', () => {
    expect(analyse([used]).costs).toEqual([
      {
        configuration: 'duo',
        candidates: 16,
        promptTokens: 160,
        completionTokens: 4 * 90,
        generateSeconds: 1.6,
        gradeSeconds: 0.4,
        // Two trees of 130 tokens, one of both solved.
        tokensPerSolved: 260,
      },
    ]);
    expect(
      analyse([run({ p: { search: candidates('wwww'), samples: candidates('w') } })]).costs[0],
    ).toMatchObject({ tokensPerSolved: null });
  });
});

describe('breakdowns', () => {
  const facts = new Map<string, ProblemFacts>([
    ['p', { difficulty: 'hard', platform: 'atcoder', date: '2025-01-04T00:00:00' }],
    ['q', { difficulty: 'easy', platform: 'leetcode', date: '2025-01-25T10:00:00' }],
  ]);
  const breakdowns = (known: ReadonlyMap<string, ProblemFacts>) =>
    analyseStudy({ studyId: 's', runs: [small], complete: true, seed: 1, facts: known }).breakdowns;

  it('have a metric over each difficulty, platform and month', () => {
    const parts = breakdowns(facts)
      .filter(({ metric }) => metric === 'pass@1(mcts)')
      .map(({ by, part, value, problems }) => [by, part, value, problems]);
    expect(parts).toEqual([
      ['difficulty', 'easy', 0, 1],
      ['difficulty', 'hard', 1, 1],
      ['platform', 'atcoder', 1, 1],
      ['platform', 'leetcode', 0, 1],
      ['month', '2025-01', 0.5, 2],
    ]);
  });

  it('are empty where the benchmark has no data', () => {
    expect(breakdowns(new Map([['p', { difficulty: null, date: null }]]))).toEqual([]);
    expect(analyse([small]).breakdowns).toEqual([]);
  });
});

it('stability is G-Pass@k where every problem has k samples', () => {
  // p: 1 of 4 passes, q: 3 of 4.
  expect(analyse([small]).stability.map(({ k, tau, value }) => [k, tau, value])).toEqual([
    [4, 0.5, 0.5],
    [4, 0.75, 0.5],
    [4, 1, 0],
  ]);
});

it('verdicts that depend on the reading are counted', () => {
  const other = withNodes(small, ({ index }) => ({ otherVerdict: index === 1 ? 'passed' : null }));
  expect(analyse([other]).differingVerdicts).toBe(4);
});

it('Pass@1(MCTS) has its mean over ties', () => {
  // p: pwlw would tie; here p is unique in "wwpw", and q: p and l of "wplw" tie.
  expect(cell([small], 'pass@1(mcts)')?.overTies).toBe(0.75);
});

describe('an analysis', () => {
  it('of nothing is empty', () => {
    expect(analyse([], false)).toMatchObject({ rows: [], curves: [], pairs: [], sentences: [] });
  });

  it('of a run before its first node has rows without cells', () => {
    expect(analyse([run({ p: {} })], false).rows[0]?.cells).toEqual([]);
  });

  it('is the same for the same input, in steps or at once, and names its seed and resamples', async () => {
    const random = randomStream('study');
    const letters = () => Array.from({ length: 4 }, () => 'plww'[random.integer(4)]).join('');
    const problems = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `q${i}`,
        { search: candidates(letters()), samples: candidates(letters()) },
      ]),
    );
    const input = { studyId: 's', runs: [run(problems)], complete: true, seed: 3, resamples: 300 };
    expect(analyseStudy(input)).toEqual(analyseStudy(input));
    let breaths = 0;
    const yielding = await analyseStudyInSteps(input, async () => {
      breaths += 1;
    });
    expect(yielding).toEqual(analyseStudy(input));
    expect(breaths).toBeGreaterThan(5);
    expect(analyseStudy(input).method).toContain('300 resamples, seed 3,');
  });
});
