import { describe, expect, it } from 'vitest';
import { failed } from '../../../main/base';
import { searchTree, verifyTree } from '../../../main/search';
import type { NodeAdded, RunConfig, RunEvent, SearchOptions } from '../../../preload/contract';
import { answerOf, configWith, recordingOptions } from '../../support/search-fixture';

async function journalOf(config: RunConfig): Promise<RunEvent[]> {
  const { events, options } = recordingOptions({
    config,
    generate: async (request) =>
      request.seed % 6 === 0 ? failed({ kind: 'server', message: 'Status 500' }) : answerOf(request),
  });
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  // As it comes from the disk.
  return JSON.parse(JSON.stringify(events));
}

const check = (config: RunConfig, events: readonly RunEvent[]) =>
  verifyTree({ config, problemId: 'world/0', part: 'search', events });

/** The events with this node changed. */
function changed(
  events: readonly RunEvent[],
  index: number,
  change: (node: NodeAdded) => NodeAdded,
): RunEvent[] {
  return events.map((event) =>
    event.kind === 'node-added' && event.index === index ? change(event) : event,
  );
}

const SEARCHES: ReadonlyArray<[string, Partial<SearchOptions>]> = [
  ['sequential', { nodes: 30 }],
  ['in batches', { nodes: 30, batch: 4 }],
  ['by arrival', { nodes: 30, batch: 4, order: 'arrival' }],
  [
    'with gaussian beliefs, agent first',
    {
      nodes: 30,
      strategy: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'stack', depthGuidance: null },
    },
  ],
  [
    'with bounds',
    {
      nodes: 30,
      strategy: { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'ucb', depthGuidance: null },
    },
  ],
];

describe('a journal', () => {
  it.each(SEARCHES)('replays from its seed to the last bit: %s', async (_, search) => {
    const config = configWith(search);
    const { nodes, values, withoutDraws, mismatch } = check(config, await journalOf(config));
    expect({ nodes, withoutDraws, mismatch }).toEqual({ nodes: 30, withoutDraws: 0, mismatch: null });
    expect(values).toBeGreaterThan(60);
  });

  it('of version 1, which records no draws, is checked by position alone', async () => {
    const config = configWith({ nodes: 10 });
    const events = (await journalOf(config)).map((event) => {
      if (event.kind === 'trial-failed') {
        const { parent: _, ...rest } = event;
        return rest;
      }
      if (event.kind !== 'node-added' || event.detail === undefined) return event;
      const { why: _, ...detail } = event.detail;
      return { ...event, detail };
    });
    expect(check(config, events)).toEqual({ nodes: 10, values: 0, withoutDraws: 10, mismatch: null });
  });

  it('whose draw was changed in its last bit is detected, with its position', async () => {
    const config = configWith({ nodes: 10 });
    const events = changed(await journalOf(config), 6, (node) => {
      if (node.detail?.why === undefined) throw new Error('A node without draws');
      const why = node.detail.why.map((decision, at) =>
        at > 0
          ? decision
          : {
              ...decision,
              values: decision.values.map((value, i) =>
                i === 1 && value !== null ? value * (1 + 2 ** -52) : value,
              ),
            },
      );
      return { ...node, detail: { ...node.detail, why } };
    });
    const { nodes, mismatch } = check(config, events);
    expect(nodes).toBe(6);
    expect(mismatch?.index).toBe(6);
    expect(mismatch?.difference).toMatch(
      /^trial \d+: the draw of proceed, "widen" at the root, is 0\.\d+ in the journal but 0\.\d+ in the replay$/,
    );
  });

  it.each<[string, (node: NodeAdded) => NodeAdded, string]>([
    ['agent', (node) => ({ ...node, agentId: node.agentId === 'a' ? 'b' : 'a' }), 'has the agent'],
    ['parent', (node) => ({ ...node, parent: node.parent + 1 }), 'has the parent'],
    [
      'generation seed',
      (node) => ({ ...node, generationSeed: node.generationSeed + 1 }),
      'has the generation seed',
    ],
    ['score before', (node) => ({ ...node, score: node.score > 0.5 ? 0 : 1 }), ''],
    ['trial', (node) => ({ ...node, trial: node.trial + 20 }), 'the journal has trial'],
  ])('with another %s is detected', async (_, change, what) => {
    const config = configWith({ nodes: 10 });
    const { mismatch } = check(config, changed(await journalOf(config), 4, change));
    expect(mismatch).not.toBeNull();
    expect(mismatch?.difference).toContain(what);
  });

  it('with a node too many, or an end that the search would not reach, is detected', async () => {
    const config = configWith({ nodes: 10 });
    const events = await journalOf(config);
    expect(check(configWith({ nodes: 9 }), events).mismatch?.difference).toContain(
      'after the search has ended',
    );
    const early = events.filter((event) => event.kind !== 'node-added' || event.index < 9);
    expect(check(config, early).mismatch?.difference).toBe(
      'the journal ends the tree as "budget", but the search continues',
    );
  });

  it('that is not at its end yet is checked as far as it goes', async () => {
    const config = configWith({ nodes: 10, batch: 3 });
    expect(check(config, (await journalOf(config)).slice(0, 5)).mismatch).toBeNull();
  });
});
