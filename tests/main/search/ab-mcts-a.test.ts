import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, randomStream } from '../../../main/base';
import { AbMctsA, type AbMctsOptions, ROOT } from '../../../main/search';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

const optionsArbitrary: fc.Arbitrary<AbMctsOptions> = fc.record({
  beliefs: fc.constantFrom('gaussian', 'beta'),
  selection: fc.constantFrom('thompson', 'ucb', 'stack'),
});

/** A searched tree with any scores. */
const searchArbitrary = fc
  .record({
    options: optionsArbitrary,
    agents: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(),
    scores: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 80 }),
  })
  .map(({ options, agents, seed, scores }) => {
    const search = new AbMctsA(options, agents, randomStream('property', seed));
    for (const score of scores) {
      const { parent, agent } = search.select();
      search.record(parent, agent, score);
    }
    return search;
  });

/** Nodes of each subtree, the top included; a child is always younger than its parent. */
function subtreeSizes(search: AbMctsA): number[] {
  const sizes = Array.from({ length: search.tree.size }, () => 1);
  for (let node = search.tree.size - 1; node >= 0; node--) {
    const parent = search.tree.parentOf(node);
    if (parent !== ROOT) sizes[parent] = (sizes[parent] ?? 0) + (sizes[node] ?? 0);
  }
  return sizes;
}

function forEveryParent(check: (search: AbMctsA, node: number, sizes: readonly number[]) => void): void {
  fc.assert(
    fc.property(searchArbitrary, (search) => {
      const sizes = subtreeSizes(search);
      for (let node = ROOT; node < search.tree.size; node++) {
        if (search.tree.childrenOf(node).length > 0) check(search, node, sizes);
      }
    }),
  );
}

describe('what a recorded score teaches', () => {
  it("a child's belief has seen the whole subtree of the child", () => {
    forEveryParent((search, node, sizes) => {
      for (const [child, count] of search.observationsAt(node).children) expect(count).toBe(sizes[child]);
    });
  });

  it('the belief about fresh attempts has seen the direct children', () => {
    forEveryParent((search, node) => {
      expect(search.observationsAt(node).generate).toBe(search.tree.childrenOf(node).length);
    });
  });

  it('the belief about going on has seen the descendants below the direct children', () => {
    forEveryParent((search, node, sizes) => {
      const descendants = node === ROOT ? search.tree.size : (sizes[node] ?? 0) - 1;
      expect(search.observationsAt(node).proceed).toBe(descendants - search.tree.childrenOf(node).length);
    });
  });
});

describe('the choice', () => {
  it('the root without children is always expanded', () => {
    fc.assert(
      fc.property(optionsArbitrary, fc.nat(), (options, seed) => {
        const search = new AbMctsA(options, 3, randomStream(seed));
        expect(search.decide(ROOT).kind).toBe('generate');
      }),
    );
  });

  it('ucb asks untried agents first, in their order', () => {
    const search = new AbMctsA({ beliefs: 'gaussian', selection: 'ucb' }, 3, randomStream('ucb'));
    const agents = [1, 0.2, 0.1].map((score) => {
      const { parent, agent } = search.select();
      search.record(parent, agent, score);
      return agent;
    });
    expect(agents).toEqual([0, 1, 2]);
  });

  it('a single agent costs no draw', () => {
    let draws = 0;
    const counted = randomStream('single');
    const random: Random = { ...counted, beta: (a, b) => ++draws && counted.beta(a, b) };
    const search = new AbMctsA({ beliefs: 'beta', selection: 'thompson' }, 1, random);
    search.select();
    expect(draws).toBe(2); // fresh attempt, going on
  });

  it('stack goes on only below what the drawn agent wrote', () => {
    const search = new AbMctsA({ beliefs: 'beta', selection: 'stack' }, 2, randomStream('stack'));
    search.record(ROOT, 0, 1);
    search.record(0, 0, 1);
    search.record(0, 0, 1);
    // Agent 1 has written nothing here: whenever it is drawn it must write.
    for (let i = 0; i < 500; i++) {
      const decision = search.decide(ROOT);
      if (decision.kind === 'descend') expect(decision.child).toBe(0);
    }
  });

  it('a retired agent is never chosen again', () => {
    fc.assert(
      fc.property(optionsArbitrary, fc.nat(), (options, seed) => {
        const search = new AbMctsA(options, 3, randomStream('retire', seed));
        for (let i = 0; i < 30; i++) {
          if (i === 10) search.retire(1);
          if (i === 20) search.retire(0);
          const { parent, agent } = search.select();
          if (i >= 10) expect(agent).not.toBe(1);
          if (i >= 20) expect(agent).toBe(2);
          search.record(parent, agent, (i % 3) / 2);
        }
      }),
    );
  });
});

it('a chain of 100,000 nodes is updated and walked without overflow', () => {
  // Every draw is larger than the one before, so going on always wins.
  let draw = 0;
  const rising: Random = { ...randomStream('deep'), beta: () => ++draw };
  const search = new AbMctsA({ beliefs: 'beta', selection: 'thompson' }, 1, rising);
  for (let node = 0; node < 99_999; node++) search.tree.add(node - 1, 0);
  const deepest = search.record(99_998, 0, 1);
  expect(search.observationsAt(ROOT).proceed).toBe(1);
  expect(search.select()).toMatchObject({ parent: deepest, agent: 0 });
});
