import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  analyseStudy,
  measureComparedSteps,
  type Prices,
  runComparisonSteps,
} from '../../../../main/metrics';
import { type RunView, runComparisonSchema, treeKey } from '../../../../preload/contract';
import { finished } from '../../../support/finished';
import { launchNamed, type ShortNode, teamWith, treesOf } from '../../../support/team-views';

const [a, b] = [launchNamed('a'), launchNamed('b')];

/** A letter a node: p passes, w does not; "" is a tree without nodes. Node i has 10 (i + 1) + 1 tokens. */
function run(configuration: string, server: typeof a, trees: readonly string[], seed = 1): RunView {
  const problems = trees.map((letters, at): [string, ShortNode[]] => [
    `q${at}`,
    [...letters].map((letter) => [server.id, -1, letter as 'p' | 'w']),
  ]);
  return treesOf(Object.fromEntries(problems), {
    ...{ id: `${configuration}.${seed}`, configuration, team: teamWith(server), seed },
  });
}

function compared(views: readonly RunView[], prices: Prices | null = null) {
  const names = [...new Set(views.map(({ config }) => config.configuration))];
  const configurations = names.map((name) => {
    const own = views.filter(({ config }) => config.configuration === name);
    const [first, ...others] = own.map((view) => ({ studyId: 's', view }));
    if (first === undefined) throw new Error('A configuration has a run');
    return finished(measureComparedSteps([first, ...others], prices));
  });
  const comparison = finished(
    runComparisonSteps({ configurations, problems: [], missing: [], priced: prices !== null, seed: 1 }),
  );
  expect(runComparisonSchema.omit({ hues: true }).parse(comparison)).toEqual(comparison);
  return comparison;
}

/** Tokens of the first so many nodes, by the sum formula. */
const tokensOf = (nodes: number): number => 5 * nodes * (nodes + 1) + nodes;

/** The same run with only the nodes of each tree that end within the tokens. */
function cutTo(view: RunView, limit: number): RunView {
  const trees = new Map(
    view.config.problemIds.map((id) => {
      const key = treeKey(id, 'search');
      const tree = view.trees.get(key);
      if (tree === undefined) throw new Error(`no tree of ${id}`);
      const nodes = tree.nodes.filter((_, at) => tokensOf(at + 1) <= limit);
      return [key, { ...tree, nodes, graded: nodes.length }] as const;
    }),
  );
  return { ...view, trees };
}

describe('a difference at equal tokens', () => {
  // The second uses 63 and 11 tokens, 37 a tree; the first 104 in each of both.
  const dear = run('dear', a, ['wwwp', 'wpww', 'pwww', 'wwpw']);
  const cheap = run('cheap', b, ['wwp', 'w', 'wwp', 'w']);

  it('cuts all trees of the one that uses more at one limit, so that it uses no more than the other', () => {
    const [pair] = compared([cheap, dear]).matched.filter(({ metric }) => metric === 'pass@n');
    // Two nodes a tree use 32, three would use 63.
    expect(pair).toMatchObject({
      ...{ axis: 'tokens', first: 'dear', second: 'cheap', cut: { configuration: 'dear', limit: 32 } },
      ...{ firstUse: 32, secondUse: 37, problems: 4 },
      // Within two nodes it solves q1 and q2, the other q0 and q2.
      ...{ difference: 0, test: { kind: 'mcnemar', onlyFirst: 1, onlySecond: 1, p: 1 } },
    });
  });

  it('is the plain difference where both use the same', () => {
    const { matched, analysis } = compared([cheap, run('same', a, ['wwp', 'w', 'wwp', 'p'])]);
    for (const pair of matched) {
      const plain = analysis.pairs.find(({ metric }) => metric === pair.metric);
      expect(pair).toMatchObject({ cut: null, difference: plain?.difference, low: plain?.low });
    }
  });

  it('does not exist where one of both uses nothing, or a price is asked that nobody knows', () => {
    const nothing = run('nothing', b, ['', '', '', '']);
    expect(compared([nothing, dear]).matched).toEqual([]);
    const unknown: Prices = { gpusOf: () => null, currency: 'EUR', perGpuHour: 1, perMillionTokens: 1 };
    expect(compared([cheap, dear], unknown).matched.map(({ axis }) => axis)).not.toContain('gpu-hours');
  });

  it('is also at equal GPU-hours where these are known: here each node takes as long', () => {
    const prices: Prices = { gpusOf: () => 1, currency: 'EUR', perGpuHour: 1, perMillionTokens: 1 };
    const [pair] = compared([cheap, dear], prices).matched.filter(
      ({ axis, metric }) => axis === 'gpu-hours' && metric === 'pass@n',
    );
    // Two nodes a tree on both sides, on average.
    expect(pair?.firstUse).toBeCloseTo(pair?.secondUse ?? 0, 12);
    expect(pair?.cut?.configuration).toBe('dear');
  });

  it('of a configuration without any node within the limit counts as not solved', () => {
    // The second uses (11 + 0 + 0 + 0) / 4 tokens a tree; no node of the first fits.
    const tiny = run('tiny', b, ['p', '', '', '']);
    const [pair] = compared([tiny, run('early', a, ['p', 'p', 'p', 'p'])]).matched;
    expect(pair).toMatchObject({ cut: { limit: 0 }, firstUse: 0, difference: -1 / 4 });
  });
});

const trees = fc.array(fc.string({ unit: fc.constantFrom('p', 'w'), minLength: 1, maxLength: 8 }), {
  minLength: 5,
  maxLength: 5,
});

test('any trees: the limit is the largest that is allowed, and values are those of runs that were cut there', () => {
  fc.assert(
    fc.property(trees, trees, trees, trees, (a1, a2, b1, b2) => {
      const ofA = [run('A', a, a1, 1), run('A', a, a2, 2)];
      const ofB = [run('B', b, b1, 1), run('B', b, b2, 2)];
      const use = (all: readonly (readonly string[])[], limit = Number.POSITIVE_INFINITY): number =>
        all.flat().reduce((sum, letters) => {
          const ends = [...letters].map((_, at) => tokensOf(at + 1)).filter((end) => end <= limit);
          return sum + Math.max(0, ...ends);
        }, 0) / 10;
      const [useA, useB] = [use([a1, a2]), use([b1, b2])];
      const [dearer, most] = useA > useB ? [[a1, a2], useB] : [[b1, b2], useA];
      // Every limit one by one, from the largest down.
      const limit =
        useA === useB
          ? null
          : [8, 7, 6, 5, 4, 3, 2, 1, 0].map(tokensOf).find((end) => use(dearer, end) <= most + 1e-9);
      const cut = (views: readonly RunView[]) => views.map((view) => cutTo(view, limit ?? 1e9));
      const views = [...(useA > useB ? cut(ofA) : ofA), ...(useB > useA ? cut(ofB) : ofB)];
      const expected = analyseStudy({ studyId: 's', runs: views, complete: true, seed: 1 }).pairs;
      for (const pair of compared([...ofA, ...ofB]).matched) {
        if (limit !== null) {
          // Limits between two ends of nodes are the same limit.
          expect(use(dearer, pair.cut?.limit)).toBeCloseTo(use(dearer, limit), 9);
        }
        const plain = expected.find(({ metric }) => metric === pair.metric);
        expect(pair.difference).toBeCloseTo(plain?.difference ?? Number.NaN, 12);
        expect(pair.low).toBeCloseTo(plain?.low ?? Number.NaN, 12);
        expect(pair.test.p).toBeCloseTo(plain?.test.p ?? Number.NaN, 12);
      }
    }),
    { numRuns: 40 },
  );
});
