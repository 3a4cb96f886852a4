import { describe, expect, it } from 'vitest';
import { failed, ok } from '../../../main/base';
import { type Generate, searchTree, type TreeRunnerOptions, verifyTree } from '../../../main/search';
import type { Agent, NodeAdded, RunConfig, RunEvent, SearchOptions } from '../../../preload/contract';
import { answerOf, configWith, problemWith, recordingOptions } from '../../support/search-fixture';

const nodesOf = (events: readonly RunEvent[]): NodeAdded[] =>
  events.filter((event) => event.kind === 'node-added');
const tokensOf = (nodes: readonly NodeAdded[]): number =>
  nodes.reduce((sum, node) => sum + node.promptTokens + node.completionTokens, 0);

async function searched(changes: Partial<TreeRunnerOptions>): Promise<RunEvent[]> {
  const { events, options } = recordingOptions(changes);
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  const { config, part } = options;
  const all = [...options.recorded, ...events];
  expect(verifyTree({ config, problemId: 'world/0', part, events: all }).mismatch).toBeNull();
  return events;
}

function withBudgets(search: Partial<SearchOptions>, budgets: Record<string, Agent['budget']>): RunConfig {
  const config = configWith({ nodes: 30, ...search });
  const agents = config.team.agents.map((agent) => ({ ...agent, budget: budgets[agent.id] }));
  return { ...config, team: { ...config.team, agents } };
}

describe('a budget of tokens', () => {
  it.each([
    ['asked', 1],
    ['asked', 4],
    ['arrival', 4],
  ] as const)('ends the tree with the node that reaches it (%s, batch %i)', async (order, batch) => {
    const search = { order, batch, nodes: 60, treeBudget: { tokens: 300, seconds: null } };
    const events = await searched({ config: configWith(search) });
    const nodes = nodesOf(events);
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'tokens' });
    expect(tokensOf(nodes)).toBeGreaterThanOrEqual(300);
    // What was under way then is recorded: it was paid for.
    expect(tokensOf(nodes.slice(0, -batch))).toBeLessThan(300);
  });

  it('does not apply to independent samples', async () => {
    const search = { treeBudget: { tokens: 1, seconds: null }, stopWhenSolved: true, samplesPerAgent: 5 };
    expect(nodesOf(await searched({ part: 'samples', config: configWith(search) }))).toHaveLength(10);
  });
});

describe('a budget of seconds', () => {
  it('counts what is recorded of writing and grading, so that a resumed tree ends alike', async () => {
    const config = configWith({ nodes: 60, treeBudget: { tokens: null, seconds: 1 } });
    let clock = 0;
    const slowClock = { now: () => (clock += 40) };
    const events = await searched({ config, ...slowClock });
    const spent = nodesOf(events).map(({ generateMs, gradeMs }) => generateMs + gradeMs);
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'seconds' });
    expect(spent.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(1_000);
    expect(spent.slice(0, -1).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1_000);
    clock = 0;
    const rest = await searched({ config, ...slowClock, recorded: events.slice(0, 6) });
    expect(nodesOf(rest)).toHaveLength(nodesOf(events).length - 6);
  });
});

describe('a tree that may stop when it is solved', () => {
  const solving: Generate = async (request) =>
    request.seed % 4 === 0
      ? ok({ answer: '```python\nprint(3)\n```', promptTokens: 1, completionTokens: 1 })
      : ok({ answer: '```python\nprint(0)\n```', promptTokens: 1, completionTokens: 1 });

  it.each([
    ['asked', 1],
    ['asked', 5],
    ['arrival', 5],
  ] as const)(
    'ends with the first node that passes all public tests (%s, batch %i)',
    async (order, batch) => {
      let givenUp = 0;
      const events = await searched({
        config: configWith({ order, batch, nodes: 60, stopWhenSolved: true }),
        generate: solving,
        abandonRunning: () => {
          givenUp += 1;
        },
      });
      const nodes = nodesOf(events);
      expect(nodes.at(-1)?.publicVerdict).toBe('passed');
      expect(nodes.slice(0, -1).every(({ publicVerdict }) => publicVerdict !== 'passed')).toBe(true);
      expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'solved' });
      if (batch === 1) expect(givenUp).toBe(0);
    },
  );

  it('continues where there are no public tests to pass', async () => {
    const events = await searched({
      config: configWith({ stopWhenSolved: true }),
      problem: problemWith({ publicTests: [] }),
      grade: async () => ({ verdict: 'passed', results: [] }),
    });
    expect(nodesOf(events)).toHaveLength(12);
  });

  it('continues after a pass when the option is off', async () => {
    const events = await searched({ config: configWith({ nodes: 60 }), generate: solving });
    expect(nodesOf(events)).toHaveLength(60);
  });
});

describe("an agent's own budget", () => {
  it.each([
    ['asked', 1],
    ['asked', 7],
    ['arrival', 7],
  ] as const)('of nodes is never passed, and the others go on (%s, batch %i)', async (order, batch) => {
    const config = withBudgets({ order, batch }, { a: { nodes: 5, tokens: null } });
    const nodes = nodesOf(await searched({ config }));
    expect(nodes.filter(({ agentId }) => agentId === 'a')).toHaveLength(5);
    expect(nodes).toHaveLength(30);
  });

  it('is free again for a trial that failed', async () => {
    let first: number | null = null;
    const config = withBudgets(
      { strategy: { kind: 'repeated' }, batch: 3 },
      { a: { nodes: 4, tokens: null }, b: { nodes: 2, tokens: null } },
    );
    const events = await searched({
      config,
      generate: async (request) => {
        if (request.agent.id === 'a') first ??= request.seed;
        return request.seed === first ? failed({ kind: 'server', message: 'Status 500' }) : answerOf(request);
      },
    });
    expect(events.filter(({ kind }) => kind === 'trial-failed')).toHaveLength(1);
    expect(
      nodesOf(events)
        .map(({ agentId }) => agentId)
        .sort()
        .join(''),
    ).toBe('aaaabb');
    expect(events.at(-1)).toMatchObject({ reason: 'exhausted' });
  });

  it('of tokens ends its part with the node that reaches it', async () => {
    const config = withBudgets({}, { b: { nodes: null, tokens: 100 } });
    const own = nodesOf(await searched({ config })).filter(({ agentId }) => agentId === 'b');
    expect(tokensOf(own)).toBeGreaterThanOrEqual(100);
    expect(tokensOf(own.slice(0, -1))).toBeLessThan(100);
  });
});

describe('requests', () => {
  it('hold the program to refine and how often it was requested before', async () => {
    const seen: Array<[agent: string, parent: string | null, turn: number]> = [];
    const events = await searched({
      config: configWith({ nodes: 40 }),
      generate: async (request) => {
        seen.push([request.agent.id, request.parent, request.turn]);
        return answerOf(request);
      },
    });
    const nodes = nodesOf(events);
    expect(seen.map(([, parent]) => parent)).toEqual(
      nodes.map(({ parent }) => (parent === -1 ? null : (nodes[parent]?.programDigest ?? null))),
    );
    const before = new Map<string, number>();
    for (const [agent, parent, turn] of seen) {
      const key = `${agent} ${parent}`;
      expect(turn).toBe(before.get(key) ?? 0);
      before.set(key, turn + 1);
    }
    expect(Math.max(...seen.map(([, parent, turn]) => (parent === null ? 0 : turn)))).toBeGreaterThan(0);
  });

  it('that no recorded refinement answers close the slot, are not a failure, and are recorded as such', async () => {
    const events = await searched({
      config: configWith({ nodes: 25 }),
      generate: async (request) =>
        request.parent !== null && request.agent.id === 'a'
          ? failed({ kind: 'no-refinement', message: 'This program was never refined.' })
          : answerOf(request),
    });
    const nodes = nodesOf(events);
    const closed = events.filter((event) => event.kind === 'trial-failed');
    expect(nodes).toHaveLength(25);
    expect(closed.length).toBeGreaterThan(0);
    expect(closed.every(({ reason, parent }) => reason === 'no-refinement' && (parent ?? -1) >= 0)).toBe(
      true,
    );
    // Once below each node at most: the strategy does not come back.
    expect(new Set(closed.map(({ agentId, parent }) => `${agentId} ${parent}`)).size).toBe(closed.length);
  });
});

describe('a node', () => {
  it.each([
    ['stop', 'print(1)', 'stop', 'stop'],
    ['cut', 'print(1)', 'length', 'length'],
    ['blank', ' \n', 'length', 'empty'],
    ['silent', 'print(1)', undefined, undefined],
  ] as const)('records how its answer ended: %s', async (_, answer, end, stored) => {
    const events = await searched({
      config: configWith({ nodes: 1 }),
      generate: async () =>
        ok({ answer, promptTokens: 1, completionTokens: 1, ...(end === undefined ? {} : { end }) }),
    });
    expect(nodesOf(events)[0]?.answerEnd).toBe(stored);
  });
});
