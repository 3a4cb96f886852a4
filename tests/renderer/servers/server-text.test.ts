import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../preload/contract';
import {
  answeredText,
  replicaText,
  sortServers,
  stageLines,
  stageShare,
  upCount,
} from '../../../renderer/servers/server-text';
import { concurrenciesOf, tokensOf } from '../../../renderer/servers/speed-numbers';
import { sampleLaunchedServers } from '../../support/sample-jobs';

const servers = sampleLaunchedServers();
function server(id: string): ServerView {
  const found = servers.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}
const states = (of: ServerView) => stageLines(of).map(({ name, state }) => `${name}: ${state}`);

it('an earlier opening’s requests are said not to be counted', () => {
  const qwen = { ...server('server-qwen'), answered: 1_234 };
  expect(answeredText(qwen)).toBe('1,234');
  expect(answeredText({ ...qwen, isAdopted: true })).toBe('1,234 since the workbench opened');
});

describe('the stages of a server’s start', () => {
  it('are all reached once it is ready, each with its time', () => {
    const lines = stageLines(server('server-qwen'));
    expect(lines.every(({ state }) => state === 'reached')).toBe(true);
    expect(lines.map(({ afterMs }) => Math.round((afterMs ?? 0) / 1_000))).toEqual([1, 6, 44, 79, 79, 81]);
  });

  it('have one under way while it starts', () => {
    expect(states(server('server-boba')).slice(0, 3)).toEqual([
      'process up: reached',
      'weights loading: under way',
      'warming up: to come',
    ]);
  });

  it('that its log does not show are left out, not missing', () => {
    const ready = server('server-qwen');
    const stages = ready.stages.filter(({ name }) => name !== 'warming up');
    expect(states({ ...ready, stages })[2]).toBe('warming up: left out');
  });

  it('show the share that the log reports', () => {
    expect(stageShare('weights loading: 3 of 6 shards, 50 %')).toBe(0.5);
    expect(stageShare('port open')).toBeNull();
  });
});

it('servers at work stand first, then what failed, then what was stopped', () => {
  const stopped: ServerView = { ...server('server-qwen'), id: 'stopped', state: { kind: 'stopped' } };
  const ranks = sortServers([stopped, ...servers]).map(({ state }) => state.kind);
  expect(ranks).toEqual(['starting', 'ready', 'ready', 'failed', 'stopped']);
});

it('a server that still waits or starts is not counted as up', () => {
  expect(upCount(['starting', 'failed'])).toEqual({ number: 1, unit: 'starting' });
  expect(upCount(['ready', 'starting', 'ready', 'stopped'])).toEqual({ number: 2, unit: 'up, 1 starting' });
  expect(upCount(['ready'])).toEqual({ number: 1, unit: 'up' });
});

it('replicas are counted among those of their launch that are up', () => {
  expect(replicaText(server('server-qwen'), servers)).toBe('1 of 2');
  expect(replicaText(server('server-boba'), servers)).toBeNull();
});

describe('the numbers of a speed test', () => {
  it('are read in any order, once each', () => {
    expect(concurrenciesOf('16, 4 4;1')).toEqual([1, 4, 16]);
  });

  it.each(['', '0', '1025', 'many', '1 2 3 4 5 6 7 8 9 10 11'])('“%s” is refused', (text) => {
    expect(concurrenciesOf(text)).toBeNull();
  });

  it('know the bounds of an answer', () => {
    expect(tokensOf('128')).toBe(128);
    expect(tokensOf('9000')).toBeNull();
  });
});
