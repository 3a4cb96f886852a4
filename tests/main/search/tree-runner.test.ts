import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed } from '../../../main/base';
import { type GenerationRequest, scoreOf, searchTree, type TreeRunnerOptions } from '../../../main/search';
import type { Grade, NodeAdded, RunEvent } from '../../../preload/contract';
import {
  answerOf,
  configWith,
  gradeOf,
  problemWith,
  recordingOptions,
  timeless,
  withSamples,
} from '../../support/search-fixture';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

const nodesOf = (events: readonly RunEvent[]): NodeAdded[] =>
  events.filter((event) => event.kind === 'node-added');

async function searched(changes: Partial<TreeRunnerOptions> = {}): Promise<RunEvent[]> {
  const { events, options } = recordingOptions(changes);
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  return events;
}

/** Fails every trial whose request says so; the same request always fails in the same way. */
const sometimesFailing: TreeRunnerOptions['generate'] = async (request) =>
  request.seed % 5 === 0 ? failed({ kind: 'server', message: 'Status 500' }) : answerOf(request);

const fault: Grade = {
  verdict: 'sandbox-fault',
  results: [{ verdict: 'sandbox-fault', actual: null, error: 'No space left', cpuMs: 0, wallMs: 0 }],
};

describe('a searched tree', () => {
  it.each([1, 3, 5, 64])('has exactly the nodes of the budget and then its end (batch %i)', async (batch) => {
    const events = await searched({ config: configWith({ batch }) });
    expect(nodesOf(events).map((node) => node.index)).toEqual(Array.from({ length: 12 }, (_, i) => i));
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'budget' });
    expect(events).toHaveLength(13);
  });

  it('is the same for the same seed and another for another', async () => {
    const first = timeless(await searched());
    expect(timeless(await searched())).toEqual(first);
    expect(timeless(await searched({ config: configWith({}, ['a', 'b'], 8) }))).not.toEqual(first);
  });

  it('is the same for any durations', async () => {
    const config = configWith({ batch: 4, nodes: 20 });
    const expected = timeless(await searched({ config }));
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { events, options } = recordingOptions({
          config,
          generate: scheduler.scheduleFunction(answerOf),
          grade: scheduler.scheduleFunction(gradeOf),
        });
        const end = searchTree(options);
        await scheduler.waitFor(end);
        expect(timeless(events)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('holds all that is needed to ask again: seeds, digests, the answer and its grade', async () => {
    const node = nodesOf(await searched()).find(({ programDigest }) => programDigest !== null);
    expect(node?.programDigest).toMatch(/^[0-9a-f]{16}$/);
    expect(node?.detail?.promptDigest).toMatch(/^[0-9a-f]{16}$/);
    expect(node?.detail?.answer).toContain(node?.detail?.program);
    expect(node?.publicVerdicts).toEqual(node?.detail?.publicGrade.results.map(({ verdict }) => verdict));
  });

  it('an answer without code is a node with score 0', async () => {
    const node = nodesOf(await searched({ config: configWith({ nodes: 40 }) })).find(
      ({ programDigest }) => programDigest === null,
    );
    expect(node).toMatchObject({ score: 0, publicVerdict: 'no-code', publicVerdicts: [] });
  });

  it('continues only after the last event was written', async () => {
    let writing = false;
    await searched({
      record: async () => {
        writing = true;
        await Promise.resolve();
        writing = false;
      },
      generate: (request) => {
        expect(writing).toBe(false);
        return answerOf(request);
      },
    });
  });

  it('a refinement gets its parent', async () => {
    const prompts = new Map<number, string>();
    const events = await searched({
      config: configWith({ nodes: 30 }),
      generate: (request) => {
        prompts.set(request.seed, request.messages.at(-1)?.content ?? '');
        return answerOf(request);
      },
    });
    const nodes = nodesOf(events);
    const refined = nodes.find((node) => node.parent >= 0 && nodes[node.parent]?.detail?.program);
    expect(prompts.get(refined?.generationSeed ?? -1)).toContain(
      nodes[refined?.parent ?? -1]?.detail?.program,
    );
  });
});

describe('the samples of a problem', () => {
  it('are first attempts only, as many as were asked of each agent', async () => {
    const nodes = nodesOf(await searched({ part: 'samples', config: configWith({ samplesPerAgent: 5 }) }));
    expect(nodes.every((node) => node.parent === -1)).toBe(true);
    expect(nodes.map((node) => node.agentId).sort()).toEqual([...'aaaaabbbbb']);
  });

  it('an agent with fewer recorded samples does not make another give more', async () => {
    const events = await searched({ part: 'samples', generate: withSamples({ a: 2 }) });
    expect(
      nodesOf(events)
        .map((node) => node.agentId)
        .sort(),
    ).toEqual([...'aabbbb']);
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'exhausted' });
  });
});

describe('failures', () => {
  it('a failed trial makes no node and uses no budget', async () => {
    const events = await searched({ generate: sometimesFailing, config: configWith({ nodes: 30 }) });
    const failures = events.filter((event) => event.kind === 'trial-failed');
    expect(failures.length).toBeGreaterThan(0);
    expect(failures[0]).toMatchObject({ reason: 'server', message: 'Status 500' });
    expect(nodesOf(events)).toHaveLength(30);
  });

  it('a server is asked four times with growing pauses', async () => {
    const pauses: number[] = [];
    let calls = 0;
    await searched({
      config: configWith({ nodes: 1 }),
      generate: async (request) =>
        ++calls < 4 ? failed({ kind: 'server', message: 'Refused' }) : answerOf(request),
      sleep: async (ms) => {
        pauses.push(ms);
      },
    });
    expect(pauses).toEqual([500, 1000, 2000]);
  });

  it('ten failed trials in a row end the tree with the reason', async () => {
    const { events, options } = recordingOptions({
      generate: async () => failed({ kind: 'server', message: 'Status 500' }),
    });
    const end = await searchTree(options);
    expect(end.kind === 'failed' && end.refusal.message).toMatch(
      /^10 generations in a row failed on problem world\/0, the last one of agent [ab]: Status 500$/,
    );
    expect(events).toHaveLength(10);
  });

  it('a tree that ended so continues when the server is back', async () => {
    const broken = recordingOptions({
      generate: async () => failed({ kind: 'server', message: 'Status 500' }),
    });
    await searchTree(broken.options);
    const events = await searched({ recorded: broken.events });
    expect(nodesOf(events)).toHaveLength(12);
  });

  it('a fault of the sandbox is a failed trial, never a wrong answer', async () => {
    let calls = 0;
    const events = await searched({
      grade: async (program) => (++calls % 3 === 0 ? fault : gradeOf(program)),
    });
    expect(events.find((event) => event.kind === 'trial-failed')).toMatchObject({
      reason: 'sandbox-fault',
      message: 'No space left',
    });
    expect(nodesOf(events)).toHaveLength(12);
  });

  it('an agent without samples left is retired, and the others continue', async () => {
    const events = await searched({ generate: withSamples({ a: 2 }) });
    expect(nodesOf(events).filter((node) => node.agentId === 'a')).toHaveLength(2);
    expect(events.filter((event) => event.kind === 'trial-failed')).toHaveLength(1);
    expect(nodesOf(events)).toHaveLength(12);
  });

  it('a tree whose agents are all retired ends as exhausted', async () => {
    const events = await searched({
      generate: withSamples({ a: 2, b: 3 }),
      config: configWith({ batch: 4 }),
    });
    expect(nodesOf(events)).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({ kind: 'tree-searched', reason: 'exhausted' });
  });

  it('every sample of a recorded agent is used once, although some requests fail', async () => {
    const used: string[] = [];
    const failing = new Set(['a3', 'b0', 'b1']);
    const events = await searched({
      config: configWith({ nodes: 20, batch: 4, strategy: { kind: 'repeated' } }),
      generate: async (request: GenerationRequest) => {
        const name = `${request.agent.id}${request.ordinal}`;
        if (failing.has(name) && request.seed % 2 === 0)
          return failed({ kind: 'server', message: 'Status 500' });
        used.push(name);
        return answerOf(request);
      },
    });
    expect(events.some((event) => event.kind === 'trial-failed')).toBe(true);
    expect([...used].sort()).toEqual([...new Set(used)].sort());
    expect(used).toHaveLength(20);
    expect(used).toEqual(expect.arrayContaining(['a3', 'b0', 'b1', 'a9', 'b9']));
  });
});

describe('stopping', () => {
  it.each([1, 3])('leaves a prefix of the whole tree (batch %i)', async (batch) => {
    const config = configWith({ batch });
    const whole = timeless(await searched({ config }));
    for (let calls = 0; calls < 14; calls++) {
      const stop = { aborted: false };
      let left = calls;
      const { events, options } = recordingOptions({
        config,
        stop,
        generate: async (request) => {
          if (left-- <= 0) stop.aborted = true;
          return stop.aborted ? failed({ kind: 'server', message: 'Cut off' }) : answerOf(request);
        },
      });
      const end = await searchTree(options);
      expect(end.kind).toBe(calls < 12 ? 'stopped' : 'searched');
      expect(timeless(events)).toEqual(whole.slice(0, events.length));
    }
  });

  it('waits for what is under way', async () => {
    const stop = { aborted: false };
    let underWay = 0;
    const { options } = recordingOptions({
      stop,
      config: configWith({ batch: 4 }),
      generate: async (request) => {
        underWay += 1;
        const slow = request.ordinal % 2 === 1 || request.agent.id === 'b';
        if (!slow) stop.aborted = true;
        for (let i = 0; i < (slow ? 50 : 1); i++) await Promise.resolve();
        underWay -= 1;
        return answerOf(request);
      },
    });
    await searchTree(options);
    expect(underWay).toBe(0);
  });

  it('a bug in the grader reaches the caller, after what was under way has ended', async () => {
    const { options } = recordingOptions({
      config: configWith({ batch: 3 }),
      grade: () => Promise.reject(new Error('bug')),
    });
    await expect(searchTree(options)).rejects.toThrow('bug');
  });
});

describe('resuming', () => {
  const strategies = [
    { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson', depthGuidance: null },
    { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'ucb', depthGuidance: null },
    { kind: 'ab-mcts-a', beliefs: 'beta', selection: 'stack', depthGuidance: null },
    { kind: 'repeated' },
  ] as const;
  const cases = strategies.flatMap((strategy) => [1, 3].map((batch) => ({ strategy, batch })));

  it.each(cases)('at any event gives the events of a tree never stopped: %j', async ({ strategy, batch }) => {
    const config = configWith({ strategy, batch, nodes: 20 });
    const world = { config, generate: withSamples({ a: 7 }, sometimesFailing) };
    const whole = await searched(world);
    for (let prefix = 0; prefix <= whole.length; prefix++) {
      const recorded = whole.slice(0, prefix);
      expect(timeless([...recorded, ...(await searched({ ...world, recorded }))])).toEqual(timeless(whole));
    }
  });

  it('generates nothing that the journal has', async () => {
    const whole = await searched();
    let calls = 0;
    await searched({
      recorded: whole.slice(0, 9),
      generate: (request) => {
        calls += 1;
        return answerOf(request);
      },
    });
    expect(calls).toBe(3);
  });

  it.each([
    ['another seed', { config: configWith({}, ['a', 'b'], 8) }, 'trial 0'],
    ['another statement', { problem: problemWith({ statement: 'Print nothing.' }) }, 'prompt'],
    ['other agents', { config: configWith({}, ['x', 'y']) }, 'agent'],
    ['a smaller budget', { config: configWith({ nodes: 3 }) }, 'more outcomes'],
  ])('with %s fails and says where', async (_, changes, what) => {
    const recorded = (await searched()).slice(0, -1);
    const { events, options } = recordingOptions({ ...changes, recorded });
    const end = await searchTree(options);
    expect(end.kind).toBe('failed');
    const message = end.kind === 'failed' ? end.refusal.message : '';
    expect(message).toContain('This journal does not replay: in the search tree of problem world/0, ');
    expect(message).toContain(what);
    expect(events).toEqual([]);
  });

  it('passes over the events of other trees and grades', async () => {
    const other = await searched({ part: 'samples' });
    const whole = await searched();
    const grade: RunEvent = {
      kind: 'node-graded',
      at: 0,
      problemId: 'world/0',
      part: 'search',
      index: 0,
      privateVerdict: 'passed',
      privateVerdicts: ['passed'],
    };
    const recorded = [...other, ...whole.slice(0, 5), grade];
    const rest = await searched({ recorded });
    expect(timeless(rest)).toEqual(timeless(whole.slice(5)));
  });
});

describe('the score of a node', () => {
  const grade = (...verdicts: Array<'passed' | 'wrong-answer'>): Grade => ({
    verdict: verdicts.find((verdict) => verdict !== 'passed') ?? 'passed',
    results: verdicts.map((verdict) => ({ verdict, actual: null, error: null, cpuMs: 0, wallMs: 0 })),
  });
  it.each([
    ['fraction', grade('passed', 'wrong-answer'), 2, 0.5],
    ['fraction, tests not run counting as not passed', grade('passed', 'wrong-answer'), 4, 0.25],
    ['all', grade('passed', 'wrong-answer'), 2, 0],
    ['all', grade('passed', 'passed'), 2, 1],
    ['all, without public tests', grade(), 0, 0],
    ['fraction, without public tests', grade(), 0, 0],
  ] as const)('by %s', (rule, graded, tests, score) => {
    expect(scoreOf(graded, tests, rule.startsWith('all') ? 'all' : 'fraction')).toBe(score);
  });
});
