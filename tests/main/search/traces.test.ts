import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { createStrategy } from '../../../main/search';
import { strategySchema } from '../../../preload/contract';

type Given = Record<string, unknown> & { readonly kind: string };

/** Parent and agent of every node, asked and told one at a time. */
function traceOf(given: Given, agents: readonly string[], scoreOf: (node: number) => number, nodes: number) {
  const strategy = createStrategy(strategySchema.parse(given), agents, randomStream('trace'));
  return Array.from({ length: nodes }, (_, index) => {
    const ask = strategy.ask();
    if (ask === null) return 'null';
    strategy.tell(ask.trial, { kind: 'node', index, score: scoreOf(index) });
    return `${ask.parent === -1 ? '' : ask.parent}${ask.agentId}`;
  }).join(' ');
}

/**
 * The traces on the right were printed by SakanaAI/treequest at commit e6865b7 itself: ask one, tell it, with node i
 * scored 0, 0.41, 0.82, 0.22 ... = ((7919 i) mod 101) / 100, all different over 101 nodes.
 */
describe('the choices of treequest', () => {
  it.each<[Given, string, string]>([
    [
      { kind: 'mcts' },
      'ab',
      'a a b b 2a 2a 2b 2b 1a 1a 1b 1b 7a 7a 7b 7b 4a 4a 4b 4b 6a 6a 6b 6b 12a 12a 12b 12b 17a 17a 17b 17b 3a 3a 3b 3b 32a 32a 32b 32b 14a 14a 14b 14b 19a 19a 19b 19b 34a 34a 34b 34b 39a 39a 39b 39b 27a 27a 27b 27b',
    ],
    [
      { kind: 'mcts' },
      'a',
      'a a 1a 1a 2a 2a 4a 4a 7a 7a 9a 9a 0a 0a 12a 12a 3a 3a 17a 17a 6a 6a 14a 14a 22a 22a 19a 19a 16a 16a 11a 11a 27a 27a 8a 8a 32a 32a 24a 24a',
    ],
    [
      { kind: 'mcts', samples: 1, exploration: 0.3 },
      'ab',
      'a b 1a 1b 2a 2b 4a 4b 7a 7b 9a 9b 6a 6b 12a 12b 11a 11b 17a 17b 19a 19b 16a 16b 22a 22b 21a 21b 27a 27b 29a 29b 26a 26b 32a 32b 31a 31b 24a 24b',
    ],
    [
      { kind: 'best-first' },
      'ab',
      'a a b b 2a 2a 2b 2b 7a 7a 7b 7b 9a 9a 9b 9b 12a 12a 12b 12b 17a 17a 17b 17b 22a 22a 22b 22b 27a 27a 27b 27b 29a 29a 29b 29b 32a 32a 32b 32b 39a 39a 39b 39b 34a 34a 34b 34b 44a 44a 44b 44b 49a 49a 49b 49b 54a 54a 54b 54b',
    ],
    [{ kind: 'best-first', samples: 1 }, 'a', 'a 0a 1a 2a 3a 4a 5a 6a 7a 8a 9a 10a'],
    [
      { kind: 'tot-bfs' },
      'ab',
      'a 0a 0a 0b 0b 2a 2a 4a 4a 1a 1a 2b 2b 4b 4b 1b 1b 12a 12a 7a 7a 14a 14a 12b 12b 7b 7b 14b 14b 27a 27a 22a 22a 17a 17a 27b 27b 22b 22b 17b 17b 32a 32a 39a 39a 34a 34a 32b 32b 39b 39b 34b 34b 49a 49a 44a 44a 51a 51a 49b',
    ],
    [
      { kind: 'tot-bfs', breadth: 2, size: 3 },
      'a',
      'a 0a 0a 0a 2a 2a 2a 1a 1a 1a 7a 7a 7a 9a 9a 9a 12a 12a 12a 14a 14a 14a 17a 17a 17a 19a 19a 19a 27a 27a',
    ],
    [
      { kind: 'bandit-ucb' },
      'abc',
      'a b c c b a b c c b b c a a c c b a a b b c a a c c a b b a a b c c b b c a c b',
    ],
  ])('%j with agents %s', (given, agents, expected) => {
    const nodes = expected.split(' ').length;
    expect(traceOf(given, agents.split(''), (node) => ((node * 7919) % 101) / 100, nodes)).toBe(expected);
  });
});

describe('rules worked out by hand', () => {
  /*
   * Two programs of one agent, w = sqrt 2. Root: n0 0.2, n1 0.8; priors 0.354 and 0.646, ln 2 = 0.693:
   * bounds 0.617 and 1.560. n1 gets n2 0 and n3 0.1: it has 3 visits with mean 0.3, ln 4 = 1.386: 0.790 and 0.921; below
   * it 0.704 and 0.878. n3 gets n4 and n5, 0 both: n1 has mean 0.18 over 5, ln 6 = 1.792: 0.871 and 0.727, so n0.
   */
  it('mcts weighs the mean of a subtree against its visits', () => {
    const scores = [0.2, 0.8, 0, 0.1, 0, 0, 0, 0];
    expect(traceOf({ kind: 'mcts' }, ['a'], (node) => scores[node] ?? 0, 8)).toBe('a a 1a 1a 3a 3a 0a 0a');
    const strategy = createStrategy(strategySchema.parse({ kind: 'mcts' }), ['a'], randomStream('why'));
    for (let index = 0; index < 6; index++) {
      const ask = strategy.ask();
      strategy.tell(ask?.trial ?? -1, { kind: 'node', index, score: scores[index] ?? 0 });
    }
    const [decision] = strategy.ask()?.why ?? [];
    expect(decision).toMatchObject({ node: -1, question: 'child', measure: 'bound', chosen: 0 });
    expect(decision?.options).toEqual(['child:0', 'child:1']);
    expect(decision?.values[0]).toBeCloseTo(0.8708, 4);
    expect(decision?.values[1]).toBeCloseTo(0.7266, 4);
  });

  it('best-first takes the shallower of equal leaves, then the earlier', () => {
    const scores = [0.5, 0.5, 0.9, 0.5, 0.1];
    expect(traceOf({ kind: 'best-first', samples: 1 }, ['a', 'b'], (node) => scores[node] ?? 0, 8)).toBe(
      'a b 0a 0b 2a 2b 1a 1b',
    );
  });

  it('tot-bfs gives every agent at least one program, and the earlier of equals goes first', () => {
    expect(traceOf({ kind: 'tot-bfs', breadth: 1, size: 1 }, ['a', 'b'], () => 0.5, 7)).toBe(
      'a 0a 0b 1a 1b 3a 3b',
    );
  });

  /* Agents a, b score 1 and 0 each time: after a and b, bounds 1 + w x and w x with x = sqrt(ln t / n). */
  it('bandit-ucb with weight 0 stays with the best mean', () => {
    const scores = [0.2, 1, 1, 1];
    expect(traceOf({ kind: 'bandit-ucb', exploration: 0 }, ['a', 'b'], (i) => scores[i] ?? 0, 4)).toBe(
      'a b b b',
    );
  });

  it('refine continues from the newest program, agents in turn', () => {
    expect(traceOf({ kind: 'refine' }, ['a', 'b', 'c'], () => 0, 5)).toBe('a 0b 1c 2a 3b');
  });
});

describe('refine', () => {
  const begin = () => createStrategy({ kind: 'refine' }, ['a', 'b'], randomStream('refine'));

  it('lets the next agent follow where one is closed, and starts over where all are', () => {
    const strategy = begin();
    strategy.tell(strategy.ask()?.trial ?? -1, { kind: 'node', index: 0, score: 1 });
    expect(strategy.ask()).toMatchObject({ trial: 1, parent: 0, agentId: 'b' });
    strategy.tell(1, { kind: 'closed' });
    expect(strategy.ask()).toMatchObject({ trial: 2, parent: 0, agentId: 'a' });
    strategy.tell(2, { kind: 'closed' });
    expect(strategy.ask()).toMatchObject({ trial: 3, parent: -1, agentId: 'b' });
  });

  it('gives a failed trial to the same agent', () => {
    const strategy = begin();
    strategy.tell(strategy.ask()?.trial ?? -1, { kind: 'failed' });
    expect(strategy.ask()).toMatchObject({ parent: -1, agentId: 'a' });
  });

  it('keeps as many chains as there are trials under way, begun by agents in turn', () => {
    const strategy = begin();
    const first = Array.from({ length: 3 }, () => strategy.ask());
    expect(first.map((ask) => `${ask?.parent}${ask?.agentId}`)).toEqual(['-1a', '-1b', '-1a']);
    for (const [index, trial] of [2, 0, 1].entries()) strategy.tell(trial, { kind: 'node', index, score: 0 });
    const second = Array.from({ length: 3 }, () => strategy.ask());
    expect(new Set(second.map((ask) => ask?.parent))).toEqual(new Set([0, 1, 2]));
  });

  it('refines the newest program that is left when no first attempt is', () => {
    const strategy = begin();
    for (let index = 0; index < 2; index++) {
      strategy.tell(strategy.ask()?.trial ?? -1, { kind: 'node', index, score: 0 });
    }
    for (const trial of [2, 3]) {
      expect(strategy.ask()?.parent).toBe(1);
      strategy.tell(trial, { kind: 'closed' });
    }
    for (const trial of [4, 5]) {
      expect(strategy.ask()?.parent).toBe(-1);
      strategy.tell(trial, { kind: 'closed' });
    }
    expect(strategy.ask()?.parent).toBe(0);
  });
});

describe('several at once', () => {
  const asksOf = (kind: 'mcts' | 'best-first' | 'tot-bfs', count: number) => {
    const strategy = createStrategy(strategySchema.parse({ kind }), ['a'], randomStream('batch'));
    return Array.from({ length: count }, () => strategy.ask());
  };

  it.each(['mcts', 'best-first', 'tot-bfs'] as const)('%s plans the root again rather than wait', (kind) => {
    for (const ask of asksOf(kind, 7)) expect(ask?.parent).toBe(-1);
  });

  it.each(['mcts', 'best-first', 'tot-bfs'] as const)(
    '%s makes a node of everything that was asked',
    (kind) => {
      const strategy = createStrategy(strategySchema.parse({ kind }), ['a'], randomStream('batch'));
      const trials = Array.from({ length: 7 }, () => strategy.ask()?.trial ?? -1);
      for (const [index, trial] of trials.reverse().entries()) {
        strategy.tell(trial, { kind: 'node', index, score: 0.5 });
      }
      // A node that had not been counted would make this tell throw.
      strategy.tell(strategy.ask()?.trial ?? -1, { kind: 'node', index: 7, score: 0.5 });
      expect(strategy.ask()).not.toBeNull();
    },
  );

  it('best-first expands different leaves side by side', () => {
    const options = strategySchema.parse({ kind: 'best-first', samples: 1 });
    const strategy = createStrategy(options, ['a'], randomStream('batch'));
    const first = Array.from({ length: 3 }, () => strategy.ask());
    for (const [index, ask] of first.entries()) {
      strategy.tell(ask?.trial ?? -1, { kind: 'node', index, score: index / 4 });
    }
    expect(Array.from({ length: 4 }, () => strategy.ask()?.parent)).toEqual([2, 1, 0, -1]);
  });
});
