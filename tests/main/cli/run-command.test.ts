import { expect, test } from 'vitest';
import { Emitter, failed, ok } from '../../../main/base/index';
import type { Host } from '../../../main/cli/host';
import type { WorkbenchEvent } from '../../../preload/contract/index';
import { launchServer, pocketServer } from '../../../preload/contract/plans/index';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

test('a search is swept over values: each configuration with each of them', async () => {
  const asked: Array<readonly [string, unknown]> = [];
  const host = {
    call: async (name: string, payload: unknown) => {
      asked.push([name, payload]);
      return name === 'settings.change'
        ? ({ ok: true, value: {} } as never)
        : ({ ok: false, error: { code: 'conflict', message: 'Not today.' } } as never);
    },
    events: new Emitter<WorkbenchEvent>(),
  };
  const path = await temporaryFolder();
  const words = ['run', '--benchmark', 'b', '--strategy', 'mcts', '--out', path];
  const configurations = ['--configuration', 'a=pocket:reader', '--configuration', 'b=pocket:tracer'];
  const sweep = ['--sweep', 'exploration=0.5,1.4', '--seeds', '1-3'];
  await typeCommand(host, ...words, ...configurations, ...sweep);
  expect(asked.at(-1)).toMatchObject([
    'study.create',
    {
      seeds: [1, 2, 3],
      configurations: [
        { configuration: 'a, exploration 0.5', search: { strategy: { exploration: 0.5 } } },
        { configuration: 'a, exploration 1.4', search: { strategy: { exploration: 1.4 } } },
        { configuration: 'b, exploration 0.5' },
        { configuration: 'b, exploration 1.4' },
      ],
    },
  ]);
  const wrong = await typeCommand(host, ...words, ...configurations, '--sweep', 'weight=1');
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.err).toContain(
    '--sweep: "weight" cannot take several values. These can: samples, exploration',
  );
});

test('agents may be checkpoints of trainings, and servers that run', async () => {
  const trained = { ...pocketServer('reader'), trained: { trainingId: 'training-1', checkpointId: 'c' } };
  const state = { kind: 'ready', baseUrl: 'http://127.0.0.1:1/v1' };
  const answers: Record<string, unknown> = {
    'training.list': [{ id: 'training-1' }],
    'training.member': { server: trained, extraction: 'whole' },
    'server.list': [
      { id: 'abc', model: 'Qwen', state, spec: launchServer('qwen', 'Qwen') },
      { id: 'old', model: 'Qwen', state: { kind: 'stopped' }, spec: launchServer('qwen', 'Qwen') },
    ],
    'study.create': undefined,
  };
  const asked: Array<readonly [string, unknown]> = [];
  const call = async (name: string, payload: unknown) => {
    asked.push([name, payload]);
    const value = name in answers ? answers[name] : {};
    return value === undefined ? failed({ code: 'conflict', message: 'Not today.' }) : ok(value as never);
  };
  const host = { call, events: new Emitter<WorkbenchEvent>() } as Host;
  const words = ['run', '--benchmark', 'b', '--out', await temporaryFolder(), '--configuration'];
  await typeCommand(host, ...words, 'a=checkpoint:training:c{temperature=0.5},server:ab');
  const team = {
    servers: [
      { kind: 'pocket', trained: { checkpointId: 'c' } },
      { kind: 'launch', launchId: 'qwen' },
    ],
    agents: [{ extraction: 'whole', sampling: { temperature: 0.5 } }, { extraction: 'last-fence' }],
  };
  expect(asked.at(-1)).toMatchObject(['study.create', { configurations: [{ configuration: 'a', team }] }]);
  const stopped = await typeCommand(host, ...words, 'a=server:old');
  expect(stopped.err).toContain('The server "old" of Qwen does not run.');
  expect(asked.filter(([name]) => name === 'study.create')).toHaveLength(1);
});
