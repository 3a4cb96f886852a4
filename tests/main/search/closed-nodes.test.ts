import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { AbMctsA, type AbMctsOptions, createStrategy, ROOT } from '../../../main/search';
import { type Strategy, strategySchema } from '../../../preload/contract';
import { EVERY_STRATEGY } from '../../support/strategies';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

const TREES = EVERY_STRATEGY.filter(({ kind }) => kind !== 'repeated' && kind !== 'bandit-ucb');

describe.each(TREES)('strategy %j', (options) => {
  it('goes wherever something is open, and ends when every agent is closed below every node', () => {
    const strategy = createStrategy(options, ['a', 'b'], randomStream('closing', 2));
    for (let index = 0; index < 6; index++) {
      strategy.tell(strategy.ask()?.trial ?? -1, { kind: 'node', index, score: index / 6 });
    }
    const closed = new Set<string>();
    for (let ask = strategy.ask(); ask !== null; ask = strategy.ask()) {
      const slot = `${ask.parent} ${ask.agentId}`;
      expect(closed.has(slot)).toBe(false);
      closed.add(slot);
      strategy.tell(ask.trial, { kind: 'closed' });
    }
    expect(closed.size).toBe(14); // 7 places, 2 agents
  });

  it('does not choose an agent where it is closed, though others may write there', () => {
    const strategy = createStrategy(options, ['a', 'b'], randomStream('closing', 3));
    const first = strategy.ask();
    strategy.tell(first?.trial ?? -1, { kind: 'closed' });
    for (let index = 0; index < 40; index++) {
      const ask = strategy.ask();
      if (ask?.parent === ROOT) expect(ask.agentId).not.toBe(first?.agentId);
      strategy.tell(ask?.trial ?? -1, { kind: 'node', index, score: (index % 4) / 3 });
    }
  });
});

const A: AbMctsOptions = { beliefs: 'gaussian', selection: 'thompson' };

describe('depth guidance', () => {
  const shape = (options: AbMctsOptions, seed: number): number[] => {
    const search = new AbMctsA(options, 2, randomStream('guided', seed));
    for (let i = 0; i < 120; i++) {
      const { parent, agent } = search.select();
      search.record(parent, agent, (i % 4) / 3);
    }
    return Array.from({ length: 120 }, (_, node) => search.tree.parentOf(node));
  };
  const guided = (raw: object): AbMctsOptions => {
    const strategy: Strategy = strategySchema.parse({
      kind: 'ab-mcts-a',
      beliefs: 'gaussian',
      selection: 'thompson',
      depthGuidance: raw,
    });
    return strategy.kind === 'ab-mcts-a' ? strategy : A;
  };

  it('with a weight of one it is plain AB-MCTS-A, draw for draw', () => {
    for (const counter of ['depth', 'node'] as const) {
      expect(shape(guided({ start: 1, slope: 0, counter }), 1)).toEqual(shape(A, 1));
    }
  });

  it('makes trees deeper', () => {
    const rootChildren = (options: AbMctsOptions): number => {
      const trees = Array.from({ length: 30 }, (_, seed) => shape(options, seed));
      return trees.flat().filter((parent) => parent === ROOT).length;
    };
    expect(rootChildren(guided({}))).toBeLessThan(0.8 * rootChildren(A));
  });

  /** The specification's own figures: 0.98^10 = 0.8171, 0.98^40 = 0.4457. */
  it.each([
    [10, 'depth', 0.8171],
    [40, 'depth', 0.4457],
    [40, 'node', 0.4457],
  ] as const)(
    'after %i children of the root (counter %s, the same there) the draw counts %f',
    (children, counter, weight) => {
      const freshDraw = (options: AbMctsOptions): number => {
        const search = new AbMctsA(options, 1, randomStream('weight'));
        for (let i = 0; i < children; i++) search.record(ROOT, 0, 0.75);
        return search.select().why[0]?.values[0] ?? Number.NaN;
      };
      expect(freshDraw(guided({ counter })) / freshDraw(A)).toBeCloseTo(weight, 4);
    },
  );

  it('counts a whole level, or the children of one node', () => {
    const valueBelow = (options: AbMctsOptions): number => {
      const search = new AbMctsA(options, 1, randomStream('level'));
      for (const parent of [ROOT, ROOT, 0, 0, 1, 1, 1]) search.record(parent, 0, 0.75);
      const why: NonNullable<Parameters<AbMctsA['decide']>[1]> = [];
      search.decide(0, why);
      return why[0]?.values[0] ?? Number.NaN;
    };
    expect(valueBelow(guided({ counter: 'depth' })) / valueBelow(A)).toBeCloseTo(0.96 ** 5, 12);
    expect(valueBelow(guided({ counter: 'node' })) / valueBelow(A)).toBeCloseTo(0.96 ** 2, 12);
  });

  it('leaves a negative draw alone', () => {
    const falling = { ...randomStream('negative'), gamma: () => 1, normal: () => -3 };
    const freshDraw = (options: AbMctsOptions): number => {
      const search = new AbMctsA(options, 1, falling);
      for (let i = 0; i < 5; i++) search.record(ROOT, 0, 0);
      return search.select().why[0]?.values[0] ?? Number.NaN;
    };
    expect(freshDraw(A)).toBeLessThan(0);
    expect(freshDraw(guided({}))).toBe(freshDraw(A));
  });
});
