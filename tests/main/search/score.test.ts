import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed, ok } from '../../../main/base';
import {
  guidedScore,
  type RewardFunction,
  searchTree,
  squashed,
  type TreeRunnerOptions,
} from '../../../main/search';
import type { NodeAdded, RewardModel, RunEvent } from '../../../preload/contract';
import { configWith, recordingOptions, timeless } from '../../support/search-fixture';

fc.configureGlobal({ seed: 1 });

const MODEL: RewardModel = {
  source: { kind: 'http', url: 'http://127.0.0.1:1/score' },
  use: 'choice',
  weight: 0.2,
};
/** The longer the program, the better. */
const byLength: RewardFunction = async (_, program) => ok(program.length - 10);

const nodesOf = (events: readonly RunEvent[]): NodeAdded[] =>
  events.filter((event) => event.kind === 'node-added');

async function searched(changes: Partial<TreeRunnerOptions>): Promise<RunEvent[]> {
  const { events, options } = recordingOptions(changes);
  expect(await searchTree(options)).toEqual({ kind: 'searched' });
  return events;
}

describe('the squashed reward', () => {
  it('is the logistic function', () => {
    expect(squashed(0)).toBe(0.5);
    expect(squashed(2)).toBeCloseTo(0.880797, 6);
    expect(squashed(-2)).toBeCloseTo(0.119203, 6);
  });

  it('never leaves [0, 1], and neither does a score mixed of it', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (reward, score, weight) => {
          const mixed = guidedScore(score, reward, { ...MODEL, use: 'score', weight });
          for (const value of [squashed(reward), mixed]) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('a reward model', () => {
  it('for the choice is stored with every program and changes nothing of the search', async () => {
    const plain = await searched({ config: configWith({ nodes: 20 }) });
    const guided = await searched({
      config: configWith({ nodes: 20, rewardModel: MODEL }),
      reward: byLength,
    });
    const without = guided.map((event) => {
      if (event.kind !== 'node-added') return event;
      const { reward: _, ...rest } = event;
      return rest;
    });
    expect(timeless(without)).toEqual(timeless(plain));
    for (const node of nodesOf(guided)) {
      const program = node.detail?.program ?? null;
      expect(node.reward).toBe(program === null ? undefined : program.length - 10);
    }
  });

  it('in the score is mixed with the public score by its weight', async () => {
    const model: RewardModel = { ...MODEL, use: 'score', weight: 0.25 };
    const events = await searched({
      config: configWith({ nodes: 20, rewardModel: model }),
      reward: byLength,
    });
    for (const node of nodesOf(events)) {
      const passed = node.publicVerdicts.filter((verdict) => verdict === 'passed').length;
      const extra = node.reward === undefined ? 0 : squashed(node.reward);
      expect(node.score).toBeCloseTo(0.75 * (passed / 3) + 0.25 * extra, 12);
    }
  });

  it('that fails is retried like a server; then the trial fails, and its sample is requested again', async () => {
    let broken = 0;
    const pauses: number[] = [];
    const ordinals: number[] = [];
    const events = await searched({
      config: configWith({ nodes: 3, rewardModel: MODEL, strategy: { kind: 'repeated' } }, ['a']),
      generate: async (request) => {
        ordinals.push(request.ordinal);
        return ok({ answer: '```python\nprint(1)\n```', promptTokens: 1, completionTokens: 1 });
      },
      reward: async (...args) => (++broken <= 4 ? failed({ message: 'Status 503' }) : byLength(...args)),
      sleep: async (ms) => {
        pauses.push(ms);
      },
    });
    expect(pauses).toEqual([500, 1000, 2000]);
    expect(events[0]).toMatchObject({
      kind: 'trial-failed',
      reason: 'reward',
      message: 'Status 503',
      parent: -1,
    });
    expect(ordinals).toEqual([0, 0, 1, 2]);
    expect(nodesOf(events)).toHaveLength(3);
  });

  it('that gives no finite number has failed', async () => {
    const { events, options } = recordingOptions({
      config: configWith({ rewardModel: MODEL }),
      reward: async () => ok(Number.NaN),
    });
    const end = await searchTree(options);
    expect(end.kind).toBe('failed');
    expect(events.find(({ kind }) => kind === 'trial-failed')).toMatchObject({
      message: expect.stringContaining('NaN'),
    });
  });
});
