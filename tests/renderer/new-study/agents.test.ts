import { describe, expect, it } from 'vitest';
import { serverLaunchSchema } from '../../../preload/contract';
import type { AgentChoice } from '../../../renderer/shared/agents/agents';
import { composed, library } from './samples';

const launch = serverLaunchSchema.parse({
  id: 'qwen3-8b',
  name: 'Qwen3-8B on gpu1',
  engine: 'vllm',
  machineId: 'gpu1',
  weights: 'Qwen/Qwen3-8B',
  model: 'Qwen3-8B',
});
const within = { ...library, launches: [launch] };
const team = (...agents: readonly AgentChoice[]) =>
  composed({ benchmarkId: 'pocket', configurations: [{ key: 0, name: '', agents, preset: null }] }, within);
const servers = (...agents: readonly AgentChoice[]) =>
  team(...agents).request?.configurations[0]?.team.servers;

describe('where an agent’s model answers', () => {
  it('may be a saved launch, by its name', () => {
    const agent = { kind: 'launch', launchId: 'qwen3-8b', model: 'Qwen3-8B' } as const;
    expect(servers(agent)).toMatchObject([{ kind: 'launch', launchId: 'qwen3-8b', model: 'Qwen3-8B' }]);
    expect(team(agent).rows[0]?.name).toBe('Qwen3-8B on gpu1');
  });

  it('is not a removed launch', () => {
    const { errors, request } = team({ kind: 'launch', launchId: 'gone', model: 'x' });
    expect(errors.map(({ at }) => at)).toEqual(['0 agent 0']);
    expect(request).toBeNull();
  });

  it('may be an address that wants a key, of which the study holds the name alone', () => {
    const url = { kind: 'url', baseUrl: 'http://a/v1', model: 'm' } as const;
    expect(servers({ ...url, secret: 'lab-gateway' })).toMatchObject([
      { kind: 'url', secret: 'lab-gateway' },
    ]);
    expect(servers(url)?.[0]).not.toHaveProperty('secret');
  });

  it('may be a pocket server on another machine, which is another server than the one here', () => {
    const here = { kind: 'pocket', family: 'reader' } as const;
    expect(servers(here, { ...here, machineId: 'gpu1' })).toMatchObject([
      { kind: 'pocket', family: 'reader' },
      { kind: 'pocket', family: 'reader', machineId: 'gpu1' },
    ]);
    expect(servers(here, here)).toHaveLength(1);
  });
});
