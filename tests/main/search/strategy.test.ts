import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { createSampling, createStrategy, type TreeStrategy } from '../../../main/search';
import type { Strategy } from '../../../preload/contract';

const AB: Strategy = { kind: 'ab-mcts-a', beliefs: 'gaussian', selection: 'thompson', depthGuidance: null };

function askedNodes(strategy: TreeStrategy, trials: number, repeat = 1): string[] {
  const asked: string[] = [];
  for (let index = 0; index < trials; index++) {
    const ask = strategy.ask();
    if (ask === null) break;
    asked.push(`${ask.trial}:${ask.parent}:${ask.agentId}`);
    for (let i = 0; i < repeat; i++) {
      strategy.tell(ask.trial, { kind: 'node', index, score: (index % 4) / 3 });
    }
  }
  return asked;
}

describe.each([AB, { kind: 'repeated' }] as Strategy[])('strategy %j', (options) => {
  const create = (): TreeStrategy => createStrategy(options, ['a', 'b'], randomStream('strategy'));

  it('the same stream asks the same', () => {
    expect(askedNodes(create(), 40)).toEqual(askedNodes(create(), 40));
  });

  it('telling a trial twice changes nothing', () => {
    expect(askedNodes(create(), 40, 2)).toEqual(askedNodes(create(), 40));
  });

  it('telling an unknown trial changes nothing', () => {
    const strategy = create();
    strategy.tell(99, { kind: 'node', index: 0, score: 1 });
    expect(askedNodes(strategy, 40)).toEqual(askedNodes(create(), 40));
  });

  it('trials under way change no belief: a first batch expands the root alone', () => {
    const strategy = create();
    for (let i = 0; i < 8; i++) expect(strategy.ask()?.parent).toBe(-1);
  });

  it('is done when every agent is retired', () => {
    const strategy = create();
    strategy.retire('a');
    expect(strategy.ask()?.agentId).toBe('b');
    strategy.retire('b');
    expect(strategy.ask()).toBeNull();
  });
});

describe('repeated sampling', () => {
  it('takes the agents in turn', () => {
    const strategy = createStrategy({ kind: 'repeated' }, ['a', 'b', 'c'], randomStream(1));
    expect(askedNodes(strategy, 5)).toEqual(['0:-1:a', '1:-1:b', '2:-1:c', '3:-1:a', '4:-1:b']);
  });

  it('lets the agent whose trial failed make up for it', () => {
    const strategy = createSampling(['a', 'b'], 2);
    const asks = Array.from({ length: 4 }, () => strategy.ask());
    expect(strategy.ask()).toBeNull();
    strategy.tell(asks[1]?.trial ?? -1, { kind: 'failed' });
    expect(strategy.ask()?.agentId).toBe('b');
  });

  it('does not fill up with one agent what another lacks', () => {
    const strategy = createSampling(['a', 'b'], 2);
    strategy.retire('a');
    expect(askedNodes(strategy, 9)).toEqual(['0:-1:b', '1:-1:b']);
  });
});
