import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed } from '../../../main/base';
import { type Generate, searchTree, verifyTree } from '../../../main/search';
import {
  DEPTH_GUIDANCE,
  type NodeAdded,
  type RunConfig,
  type RunEvent,
  type SearchOptions,
} from '../../../preload/contract';
import {
  answerOf,
  configWith,
  gradeOf,
  recordingOptions,
  timeless,
  withSamples,
} from '../../support/search-fixture';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

const STRATEGIES: readonly SearchOptions['strategy'][] = [
  { kind: 'repeated' },
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: null },
  { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'stack', depthGuidance: null },
  { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'ucb', depthGuidance: null },
  { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'thompson', depthGuidance: DEPTH_GUIDANCE },
  { kind: 'ab-mcts-m', selection: 'thompson', pruning: true },
  { kind: 'refine' },
  { kind: 'mcts', samples: 2, exploration: Math.SQRT2 },
  { kind: 'best-first', samples: 2 },
  { kind: 'tot-bfs', breadth: 3, size: 5 },
  { kind: 'bandit-ucb', exploration: Math.SQRT2 },
];

/** Any search of up to 24 nodes. */
const anySearch = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  nodes: fc.integer({ min: 1, max: 24 }),
  batch: fc.integer({ min: 1, max: 9 }),
  order: fc.constantFrom('asked', 'arrival'),
});

const nodesOf = (events: readonly RunEvent[]): NodeAdded[] =>
  events.filter((event) => event.kind === 'node-added');

/** Fails every trial whose request says so; the same request always fails in the same way. */
const sometimesFailing: Generate = async (request) =>
  request.seed % 5 === 0 ? failed({ kind: 'server', message: 'Status 500' }) : answerOf(request);

/** Searches with answers and grades in an order that the scheduler chooses. */
async function searchedBy(
  scheduler: fc.Scheduler,
  config: RunConfig,
  more: { readonly generate?: Generate; readonly recorded?: readonly RunEvent[] } = {},
): Promise<RunEvent[]> {
  const { events, options } = recordingOptions({
    config,
    generate: scheduler.scheduleFunction(more.generate ?? answerOf),
    grade: scheduler.scheduleFunction(gradeOf),
    recorded: more.recorded ?? [],
  });
  const end = searchTree(options);
  await scheduler.waitFor(end);
  expect(await end).toEqual({ kind: 'searched' });
  return events;
}

/** A tree that a search with this configuration may have made: it replays to the last draw. */
function expectValid(config: RunConfig, events: readonly RunEvent[]): void {
  const check = verifyTree({ config, problemId: 'world/0', part: 'search', events });
  expect(check.mismatch).toBeNull();
  expect(check.nodes).toBe(nodesOf(events).length);
}

describe('in every order and batch', () => {
  it('the budget of nodes is kept exactly, with any failures and any durations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anySearch, async (scheduler, search) => {
        const config = configWith(search);
        const events = await searchedBy(scheduler, config, { generate: sometimesFailing });
        expect(nodesOf(events).map(({ index }) => index)).toEqual(
          Array.from({ length: search.nodes }, (_, i) => i),
        );
        expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'budget' });
        expectValid(config, events);
      }),
      { numRuns: 60 },
    );
  });

  it('a journal cut anywhere is gone on with: the same tree as asked, a valid one by arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anySearch, fc.nat(), async (scheduler, search, at) => {
        const config = configWith(search);
        const whole = await searchedBy(scheduler, config, { generate: sometimesFailing });
        const recorded = whole.slice(0, at % whole.length);
        const rest = await searchedBy(scheduler, config, { generate: sometimesFailing, recorded });
        const resumed = [...recorded, ...rest];
        if (search.order === 'asked') expect(timeless(resumed)).toEqual(timeless(whole));
        expect(nodesOf(resumed).map(({ index }) => index)).toEqual(
          Array.from({ length: search.nodes }, (_, i) => i),
        );
        expectValid(config, resumed);
      }),
      { numRuns: 60 },
    );
  });
});

describe('by arrival', () => {
  const config = configWith({ order: 'arrival', batch: 4, nodes: 20 });

  it('as many trials as a batch has are under way from the first to the last batch', async () => {
    const waiting: Array<() => void> = [];
    const { events, options } = recordingOptions({
      config,
      generate: async (request) => {
        await new Promise<void>((go) => waiting.push(go));
        return answerOf(request);
      },
    });
    const end = searchTree(options);
    const idle = () => new Promise((done) => setImmediate(done));
    for (let answered = 0; answered < 20; answered++) {
      await idle();
      expect(nodesOf(events)).toHaveLength(answered);
      expect(waiting).toHaveLength(Math.min(4, 20 - answered));
      waiting.splice(answered % waiting.length, 1)[0]?.();
    }
    expect(await end).toEqual({ kind: 'searched' });
  });

  it('a slow answer holds up no other', async () => {
    const { events, options } = recordingOptions({
      config,
      generate: async (request) => {
        for (let i = 0; i < (request.ordinal === 0 && request.agent.id === 'a' ? 2_000 : 1); i++) await null;
        return answerOf(request);
      },
    });
    await searchTree(options);
    const slow = nodesOf(events).find(({ trial, agentId }) => agentId === 'a' && trial < 4);
    expect(slow?.index).toBeGreaterThan(4);
  });

  it('the first batch is asked as in the order of asking', async () => {
    const options = recordingOptions({ config: configWith({ batch: 4, nodes: 4 }) });
    const arrived = recordingOptions({ config: configWith({ order: 'arrival', batch: 4, nodes: 4 }) });
    await searchTree(options.options);
    await searchTree(arrived.options);
    const positions = (events: readonly RunEvent[]) =>
      nodesOf(events)
        .map(({ trial, parent, agentId, generationSeed }) => [trial, parent, agentId, generationSeed])
        .sort();
    expect(positions(arrived.events)).toEqual(positions(options.events));
  });

  it('one trial at a time is the sequential search', async () => {
    const options = recordingOptions({ config: configWith({ nodes: 20 }) });
    const arrived = recordingOptions({ config: configWith({ order: 'arrival', nodes: 20 }) });
    await searchTree(options.options);
    await searchTree(arrived.options);
    expect(timeless(arrived.events)).toEqual(timeless(options.events));
  });

  it('what has come when the search is stopped is recorded', async () => {
    const stop = { aborted: false };
    const { events, options } = recordingOptions({
      config,
      stop,
      generate: async (request) => {
        const slow = request.ordinal === 0;
        for (let i = 0; i < (slow ? 300 : 3); i++) await null;
        if (request.ordinal === 3) stop.aborted = true;
        return stop.aborted && slow ? failed({ kind: 'stopped' }) : answerOf(request);
      },
    });
    expect(await searchTree(options)).toEqual({ kind: 'stopped' });
    expectValid(config, events);
    expect(events.some(({ kind }) => kind === 'tree-searched')).toBe(false);
  });

  it('an agent without samples left is retired, and the tree ends when all are', async () => {
    const { events, options } = recordingOptions({ config, generate: withSamples({ a: 2, b: 3 }) });
    await searchTree(options);
    expect(nodesOf(events)).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'exhausted' });
    expectValid(config, events);
  });
});
