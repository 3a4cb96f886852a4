import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { typeCommand } from '../../support/typed-command';

test('where servers of studies are gone since the program was closed, the list says where their logs are', async () => {
  const job = (id: string, purpose: string, kind: string) => ({ id, purpose, state: { kind, code: 0 } });
  const jobs = [
    job('gone', 'model-server', 'exited'),
    job('listed', 'model-server', 'exited'),
    job('runs', 'model-server', 'running'),
    job('mine', 'command', 'exited'),
  ];
  const servers = [
    { id: 'server', jobId: 'listed', kind: 'vllm', machineId: null, model: 'm', state: { kind: 'stopped' } },
  ];
  const type = (list: unknown[]) => {
    const call = async (command: string) => ok(command === 'job.list' ? list : servers) as never;
    return typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'servers', 'list');
  };
  expect((await type(jobs)).err).toBe(
    'Servers of earlier starts that are no longer listed: 1. Their logs: mars2 jobs list --all\n',
  );
  expect((await type(jobs.slice(1))).err).toBe('');
});
