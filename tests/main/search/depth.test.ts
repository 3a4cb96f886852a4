import { expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { createStrategy, Mcts, ROOT } from '../../../main/search';
import { type Strategy, strategySchema } from '../../../preload/contract';

const NODES = 100_000;

/** Every one of these makes a chain with one agent. AB-MCTS-A and AB-MCTS-M have their own tests. */
it.each(
  [{ kind: 'refine' }, { kind: 'best-first', samples: 1 }, { kind: 'tot-bfs', breadth: 1, size: 1 }].map(
    (options): Strategy => strategySchema.parse(options),
  ),
)('%j goes 100,000 deep without overflow', (options) => {
  const strategy = createStrategy(options, ['a'], randomStream('deep'));
  for (let index = 0; index < NODES; index++) {
    const ask = strategy.ask();
    if (ask?.parent !== index - 1) throw new Error(`Node ${index} below ${ask?.parent}`);
    strategy.tell(ask.trial, { kind: 'node', index, score: index / NODES });
  }
  expect(strategy.ask()?.parent).toBe(NODES - 1);
});

it('mcts goes 100,000 deep without overflow', () => {
  const search = new Mcts({ samples: 1, exploration: 1 }, 1);
  for (let node = 0; node < NODES - 1; node++) search.tree.add(node - 1, 0);
  expect(search.record(NODES - 2, 0, 0.5)).toBe(NODES - 1);
  expect(search.selectExpansion()?.parent).toBe(NODES - 1);
});

it('a chain of 100,000 closed nodes closes its root, and a new node opens it', () => {
  const search = new Mcts({ samples: 1, exploration: 1 }, 1);
  for (let node = 0; node < NODES; node++) search.tree.add(node - 1, 0);
  for (let parent = NODES - 1; parent >= ROOT; parent--) search.close({ parent, agent: 0, why: [] });
  expect(search.selectExpansion()).toBeNull();
  const revived = search.record(NODES - 1, 0, 0.5);
  expect(search.selectExpansion()?.parent).toBe(revived);
});
