import { describe, expect, it } from 'vitest';
import { posteriorsAtNode, searchTree } from '../../../main/search';
import type { NodeAdded, RunConfig, RunEvent, SearchOptions } from '../../../preload/contract';
import { configWith, recordingOptions } from '../../support/search-fixture';

async function journalOf(config: RunConfig): Promise<RunEvent[]> {
  const { events, options } = recordingOptions({ config });
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  return events;
}

const nodesOf = (events: readonly RunEvent[]): NodeAdded[] =>
  events.flatMap((event) => (event.kind === 'node-added' ? [event] : []));

const ask = (config: RunConfig, events: readonly RunEvent[], index: number) =>
  posteriorsAtNode({
    config,
    problemId: 'world/0',
    part: 'search',
    events,
    index,
    yieldToEventLoop: async () => {},
  });

/** Is this node, or is it below, the other? */
function isUnder(nodes: readonly NodeAdded[], node: NodeAdded, other: number): boolean {
  for (let at = node.index; at !== -1; at = (nodes[at] as NodeAdded).parent) if (at === other) return true;
  return other === -1;
}

/** Beta(1/2, 1/2) and these scores, by the rule of the prior. */
function betaOf(scores: readonly number[]) {
  const sum = scores.reduce((total, score) => total + score, 0);
  return { observations: scores.length, alpha: 0.5 + sum, beta: 0.5 + scores.length - sum };
}

describe('what the search believed', () => {
  it('is, of Beta beliefs, the prior and the scores that were told before the node was asked for', async () => {
    const config = configWith({ nodes: 40 });
    const events = await journalOf(config);
    const nodes = nodesOf(events);
    let compared = 0;
    for (const node of nodes) {
      const before = nodes.slice(0, node.index);
      const why = node.detail?.why ?? [];
      const shapes = await ask(config, events, node.index);
      expect(shapes?.map((options) => options.length)).toEqual(why.map(({ options }) => options.length));
      for (const [at, decision] of why.entries()) {
        for (const [i, option] of decision.options.entries()) {
          const scores = before
            .filter((other) => {
              if (option === 'generate') return other.parent === decision.node;
              if (option === 'proceed') {
                return (
                  other.parent !== decision.node &&
                  isUnder(nodes, other, decision.node) &&
                  other.index !== decision.node
                );
              }
              if (option.startsWith('child:')) return isUnder(nodes, other, Number(option.slice(6)));
              return option === `agent:${other.agentId}`;
            })
            .map(({ score }) => score);
          const { observations, alpha, beta } = betaOf(scores);
          const shape = shapes?.[at]?.[i];
          expect(shape).toMatchObject({ kind: 'beta', observations });
          if (shape?.kind !== 'beta') continue;
          expect(shape.alpha).toBeCloseTo(alpha, 9);
          expect(shape.beta).toBeCloseTo(beta, 9);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(150);
  });

  const SEARCHES: ReadonlyArray<[string, Partial<SearchOptions>]> = [
    ['in batches', { nodes: 24, batch: 4 }],
    ['by arrival', { nodes: 24, batch: 4, order: 'arrival' }],
    [
      'gaussian, agent first',
      {
        nodes: 24,
        strategy: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'stack', depthGuidance: null },
      },
    ],
    [
      'of the mixed model',
      { nodes: 24, strategy: { kind: 'ab-mcts-m', selection: 'thompson', pruning: true } },
    ],
    ['by bounds', { nodes: 24, strategy: { kind: 'mcts', samples: 2, exploration: 1 } }],
    ['of a bandit', { nodes: 24, strategy: { kind: 'bandit-ucb', exploration: 1 } }],
    ['of the best leaf', { nodes: 24, strategy: { kind: 'best-first', samples: 2 } }],
  ];

  it.each(SEARCHES)('knows nothing that came later: %s', async (_, search) => {
    const config = configWith(search);
    const events = await journalOf(config);
    for (const index of [0, 7, 15, 23]) {
      const whole = await ask(config, events, index);
      const end = events.findIndex((event) => event.kind === 'node-added' && event.index === index);
      expect(whole).not.toBeNull();
      expect(await ask(config, events.slice(0, end + 1), index)).toEqual(whole);
    }
  });

  it('is not available for an absent node, nor where the journal does not replay', async () => {
    const config = configWith({ nodes: 12 });
    const events = await journalOf(config);
    expect(await ask(config, events, 12)).toBeNull();
    expect(await ask({ ...config, search: { ...config.search, nodes: 4 } }, events, 11)).toBeNull();
  });
});
