import { expect, test } from 'vitest';
import { Emitter, ok } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { typeCommand } from '../../support/typed-command';

test.each([
  ['0c0cda5d', { kind: 'reproduction', reproductionId: '0c0cda5d-dd85' }],
  ['158a2571', { kind: 'experiment', experimentId: '158a2571-a6bc' }],
])('export takes the first letters of an id that a list shows: %s', async (word, source) => {
  const payloads: unknown[] = [];
  const lists: Readonly<Record<string, unknown>> = {
    'study.list': [],
    'reproduction.list': [{ id: '0c0cda5d-dd85' }, { id: '2355ef23-4f45' }],
    'experiment.list': [{ id: '158a2571-a6bc' }],
  };
  const call = async (command: string, payload: unknown) => {
    if (command === 'report.parts') payloads.push(payload);
    return ok(lists[command] ?? { parts: [] }) as never;
  };
  await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'export', word, '--list', '--json');
  expect(payloads).toEqual([{ source }]);
});
