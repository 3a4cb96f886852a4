import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { MachineView, PortForward, WorkbenchEvent } from '../../../preload/contract';
import { typeCommand } from '../../support/typed-command';

const gpu1: MachineView = {
  spec: { kind: 'ssh', id: 'gpu1', name: 'gpu1', host: 'gpu1' },
  connection: { kind: 'connected', since: '2026-01-05T09:30:00.000Z' },
  facts: null,
  gpus: null,
  reservations: [],
};

/** A workbench that forwards what it is asked to. */
function host(outlivesCommand: boolean) {
  let forwards: PortForward[] = [];
  const call = dispatcher(
    {
      'machine.connect': async () => ({ ok: true, value: null }),
      'machine.list': async () => ({ ok: true, value: [gpu1] }),
      'machine.forwards': async () => ({ ok: true, value: forwards }),
      'machine.forward': async ({ machineId, port, jobId, localPort }) => {
        const since = '2026-01-05T09:30:00.000Z';
        const id = `${machineId}:${port}`;
        const at = { node: null, port, localPort: localPort ?? port };
        const forward = { id, machineId, jobId, ...at, since, brokenBy: null };
        forwards = [...forwards, forward];
        return { ok: true, value: forward };
      },
      'machine.closeForward': async ({ forwardId }) => {
        forwards = forwards.filter(({ id }) => id !== forwardId);
        return { ok: true, value: null };
      },
    },
    (error) => {
      throw error;
    },
  );
  return { call, events: new Emitter<WorkbenchEvent>(), outlivesCommand };
}

test('a port is forwarded by a window, listed and closed by commands', async () => {
  const window = host(true);
  const forwarded = await typeCommand(window, 'machines', 'forward', 'gpu1', '6006');
  expect(forwarded).toEqual({ code: 0, out: 'http://127.0.0.1:6006\n', err: '' });
  await typeCommand(window, 'machines', 'forward', 'gpu1', '8888', '--local-port', '9000');
  const { out } = await typeCommand(window, 'machines', 'forwards');
  expect(out).toMatch(/gpu1\s+6006\s+http:\/\/127\.0\.0\.1:6006\s+-\s+open/);
  expect(out).toMatch(/gpu1\s+8888\s+http:\/\/127\.0\.0\.1:9000\s+-\s+open/);
  expect(await typeCommand(window, 'machines', 'forward', 'gpu1', '6006', '--close')).toMatchObject({
    code: 0,
  });
  expect((await typeCommand(window, 'machines', 'forwards')).out).not.toContain('6006');
  expect(await typeCommand(window, 'machines', 'forward', 'gpu1', '6006', '--close')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not forwarded'),
  });
});

test('without a window the command holds the port until it is closed elsewhere', async () => {
  const own = host(false);
  const typed = typeCommand(own, 'machines', 'forward', 'gpu1', '6006');
  await expect
    .poll(async () => await own.call('machine.forwards', {}, 'terminal'))
    .toMatchObject({ value: [{ port: 6006 }] });
  await own.call('machine.closeForward', { forwardId: 'gpu1:6006' }, 'terminal');
  const { code, err } = await typed;
  expect(code).toBe(0);
  expect(err).toContain('Forwarded until Ctrl+C');
  expect(err).toContain('no longer forwarded');
});

test('what is no port is wrong usage', async () => {
  for (const port of ['0', '65536', '60o6', '-1x', '6006 '])
    expect((await typeCommand(host(true), 'machines', 'forward', 'gpu1', port)).code).toBe(2);
});
