import { describe, expect, it } from 'vitest';
import { failed } from '../../../main/base';
import { type Generate, posteriorsAtNode, searchTree, verifyTree } from '../../../main/search';
import { foldRun, type RunConfig, type RunEvent, type TreeLimits, treeKey } from '../../../preload/contract';
import { answerOf, configWith, recordingOptions, timeless } from '../../support/search-fixture';
import { EVERY_STRATEGY } from '../../support/strategies';

const withNodes = (config: RunConfig, nodes: number): RunConfig => ({
  ...config,
  search: { ...config.search, nodes },
});
const extension = (earlierNodes: number, nodes: number): RunEvent => ({
  kind: 'run-extended',
  at: 0,
  earlierNodes,
  nodes,
  addedProblemIds: [],
});

async function searched(
  config: RunConfig,
  recorded: readonly RunEvent[] = [],
  generate: Generate = answerOf,
): Promise<RunEvent[]> {
  const { events, options } = recordingOptions({ config, recorded, generate });
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  return [...recorded, ...events];
}

/** Searched with so many nodes, then extended to more. */
async function extended(
  config: RunConfig,
  [first, ...more]: readonly [number, ...number[]],
  generate?: Generate,
): Promise<RunEvent[]> {
  let events = await searched(withNodes(config, first), [], generate);
  let before = first;
  for (const nodes of more) {
    events = await searched(withNodes(config, nodes), [...events, extension(before, nodes)], generate);
    before = nodes;
  }
  return events;
}

/** What a tree is, without its ends and extensions. */
const tree = (events: readonly RunEvent[]) =>
  timeless(
    events.filter(
      ({ kind }) => kind !== 'tree-searched' && kind !== 'run-extended' && kind !== 'limits-changed',
    ),
  );

const SEQUENTIAL = EVERY_STRATEGY.map((strategy) => [JSON.stringify(strategy), strategy] as const);

describe('a tree that is extended', () => {
  it.each(SEQUENTIAL)('is the one with so many nodes from the start: %s', async (_, strategy) => {
    const config = configWith({ strategy });
    const events = await extended(config, [5, 9, 14]);
    expect(tree(events)).toEqual(tree(await searched(withNodes(config, 14))));
  });

  it('is so in batches too, where the earlier budget is whole batches', async () => {
    const config = configWith({ batch: 4 });
    expect(tree(await extended(config, [8, 20]))).toEqual(tree(await searched(withNodes(config, 20))));
  });

  it('replays from its journal with the budgets that it had, also with failures in a batch that the budget cut', async () => {
    const config = configWith({ batch: 4, strategy: { kind: 'mcts', samples: 2, exploration: 1.4 } });
    const flaky: Generate = async (request) =>
      request.seed % 3 === 0 ? failed({ kind: 'server', message: 'Status 500' }) : answerOf(request);
    const events = await extended(config, [6, 11, 21], flaky);
    const first = withNodes(config, 6);
    const check = verifyTree({ config: first, problemId: 'world/0', part: 'search', events });
    expect(check).toMatchObject({ nodes: 21, mismatch: null });
    // Read as a tree that had its last budget from the start, the journal is another search.
    const without = events.filter(({ kind }) => kind !== 'run-extended');
    const wrong = verifyTree({
      config: withNodes(config, 21),
      problemId: 'world/0',
      part: 'search',
      events: without,
    });
    expect(wrong.mismatch).not.toBeNull();
  });

  it('goes on wherever its journal ends after the extension', async () => {
    const config = configWith({ batch: 3 });
    const whole = await extended(config, [7, 15]);
    const from = whole.findIndex(({ kind }) => kind === 'run-extended') + 1;
    for (let end = from; end < whole.length; end++) {
      const resumed = await searched(withNodes(config, 15), whole.slice(0, end));
      expect(timeless(resumed)).toEqual(timeless(whole));
    }
  });

  it('stays ended where something else than its budget has ended it', async () => {
    const config = configWith({ stopWhenSolved: true, nodes: 12 });
    const events = await searched(config);
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'solved' });
    const more = await searched(withNodes(config, 30), [...events, extension(12, 30)]);
    expect(more.at(-1)).toEqual(extension(12, 30));
  });

  it('shows the posteriors behind a node that the extension added', async () => {
    const config = configWith();
    const events = await extended(config, [6, 12]);
    const at = (all: readonly RunEvent[], nodes: number) =>
      posteriorsAtNode({
        ...{ config: withNodes(config, nodes), events: all, problemId: 'world/0', part: 'search' },
        ...{ index: 10, yieldToEventLoop: async () => {} },
      });
    expect(await at(events, 6)).not.toBeNull();
    expect(await at(events, 6)).toEqual(await at(await searched(withNodes(config, 12)), 12));
  });
});

describe('a tree whose limits change', () => {
  const ALL = { nodes: 14, tokens: null, seconds: null };
  const changed = (before: TreeLimits, since: TreeLimits): RunEvent => ({
    kind: 'limits-changed',
    at: 0,
    before,
    since,
  });
  const limitedTo = (config: RunConfig, { nodes, ...treeBudget }: TreeLimits): RunConfig => ({
    ...config,
    search: { ...config.search, nodes, treeBudget },
  });
  const viewOf = (config: RunConfig, events: readonly RunEvent[]) => {
    const started = {
      kind: 'run-started',
      at: 0,
      journalVersion: 2,
      appVersion: '',
      randomVersion: '',
      config,
    } as const;
    return foldRun(null, [started, ...events])?.trees.get(treeKey('world/0', 'search'));
  };

  it.each(SEQUENTIAL)(
    'is the one that had them from the start, and nothing is lost: %s',
    async (_, strategy) => {
      const config = configWith({ strategy, nodes: 14 });
      const whole = await searched(config);
      // More than five answers can have, fewer than fourteen have in most strategies.
      const few = { ...ALL, tokens: 300 };
      const fromStart = await searched(limitedTo(config, few));
      // Of a tree in the middle of its search: it goes on with other limits.
      for (const end of [2, 5]) {
        const begun = [...whole.slice(0, end), changed(ALL, few)];
        const events = await searched(limitedTo(config, few), begun);
        expect(tree(events)).toEqual(tree(fromStart));
        expect(verifyTree({ config, problemId: 'world/0', part: 'search', events }).mismatch).toBeNull();
      }
      // Of one that has ended: its first nodes count until the limit is raised again.
      const cut = [...whole, changed(ALL, few)];
      expect(viewOf(config, cut)).toMatchObject({
        nodes: viewOf(config, fromStart)?.nodes.map((node) => ({
          ...node,
          generateMs: expect.anything(),
          gradeMs: expect.anything(),
        })),
        searched: viewOf(config, fromStart)?.searched,
      });
      const { cut: _cut, limit: _limit, ...raised } = viewOf(config, [...cut, changed(few, ALL)]) ?? {};
      expect(raised).toEqual(viewOf(config, whole));
    },
  );

  it('replays where a batch was under way, whose last nodes then do not count', async () => {
    const config = configWith({ batch: 4, nodes: 14 });
    const whole = await searched(config);
    const narrow = { ...ALL, nodes: 7 };
    const events = await searched(limitedTo(config, narrow), [...whole.slice(0, 6), changed(ALL, narrow)]);
    expect(verifyTree({ config, problemId: 'world/0', part: 'search', events })).toMatchObject({
      nodes: 8,
      mismatch: null,
    });
    expect(viewOf(config, events)).toMatchObject({
      nodes: { length: 7 },
      searched: 'budget',
      cut: { nodes: { length: 1 } },
    });
    const again = await searched(config, [...events, changed(narrow, ALL)]);
    expect(verifyTree({ config, problemId: 'world/0', part: 'search', events: again })).toMatchObject({
      nodes: 14,
      mismatch: null,
    });
  });
});

it('a view opens the trees again that had ended with the smaller budget, and has the added problems', () => {
  const config = withNodes(configWith(), 1);
  const end = (problemId: string, reason: 'budget' | 'solved'): RunEvent => ({
    kind: 'tree-searched',
    at: 0,
    problemId,
    part: 'search',
    reason,
  });
  const started = {
    kind: 'run-started',
    at: 0,
    journalVersion: 2,
    appVersion: '',
    randomVersion: '',
    config,
  } as const;
  const events: RunEvent[] = [
    started,
    end('p', 'budget'),
    end('q', 'solved'),
    { kind: 'run-finished', at: 0 },
  ];
  const more: RunEvent = { ...extension(1, 3), kind: 'run-extended', addedProblemIds: ['r'] } as RunEvent;
  const view = foldRun(foldRun(null, events), [more]);
  expect(view).toMatchObject({
    finished: false,
    config: { problemIds: ['world/0', 'r'], search: { nodes: 3 } },
  });
  expect(view?.trees.get(treeKey('p', 'search'))?.searched).toBeNull();
  expect(view?.trees.get(treeKey('q', 'search'))?.searched).toBe('solved');
  expect(foldRun(null, [...events, more])).toEqual(view);
});
