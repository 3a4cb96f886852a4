import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectMachineService } from '../../../main/app';
import { type Answer, defaultSettings } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const WELCOME = {
  ...{ protocol: 2, kind: 'service', version: '9.9.9', pid: 1, startedAt: 'now', dataDir: '/data' },
  ...{ epoch: 'one', sequence: 0, isBehind: false, known: [] },
};

/**
 * A hostile service behind the connection to a machine, on a real socket: it welcomes like one of ours, and answers the
 * request of a name with the line of that name.
 */
async function hostile(lines: Readonly<Record<string, (id: number) => string>>) {
  const path = join(await temporaryFolder(), 'socket');
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const line = JSON.parse(part) as { id?: number; name?: string; hello?: unknown };
        if (line.hello !== undefined)
          socket.write(`${lines.hello?.(0) ?? JSON.stringify({ welcome: WELCOME })}\n`);
        else if (line.name !== undefined) socket.write(`${lines[line.name]?.(line.id ?? 0) ?? ''}\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  const here = async (): Promise<Answer<unknown>> => ({ ok: true, value: { socket: path, name: 'Lab' } });
  return { connect: () => connectMachineService(here, 'lab'), connections: () => connections };
}

async function connected(lines: Parameters<typeof hostile>[0]) {
  const service = await hostile(lines);
  const { connection } = await unwrap(service.connect());
  onTestFinished(connection.close);
  const told: string[] = [];
  connection.events.on((event) => told.push(event.kind === 'notice' ? event.message : event.kind));
  const ask = (name: string) => connection.call(name, {}, 'terminal');
  return { ...service, connection, told, ask };
}

const answer = (value: unknown) => (id: number) => JSON.stringify({ id, answer: { ok: true, value } });
const INFO = {
  ...{ kind: 'service', version: '9.9.9', pid: 1, startedAt: 'now', host: 'lab', memoryBytes: 1 },
  ...{ damage: null, unfinished: [], through: null, otherWindow: null },
};

test.each([
  ['a value of another form', answer([{ id: 7 }]), 'at 0.'],
  ['no answer', (id: number) => JSON.stringify({ id, answer: 'yes' }), 'it is no answer'],
  [
    'a refusal without end',
    (id: number) =>
      JSON.stringify({ id, answer: { ok: false, error: { code: 'internal', message: 'x'.repeat(50_000) } } }),
    'it is no answer',
  ],
])('%s is refused by name, and the next answer counts', async (_what, line, why) => {
  const { ask } = await connected({
    'job.list': line,
    'service.info': answer({ ...INFO, more: 'is left out' }),
  });
  const refused = await ask('job.list');
  expect(refused).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  const message = refused.ok ? '' : refused.error.message;
  expect(message).toContain('The background service on Lab (version 9.9.9) answered "job.list"');
  expect(message).toContain(why);
  expect(message.length).toBeLessThan(600);
  expect(await ask('service.info')).toEqual({ ok: true, value: INFO });
});

test('of an older service what it did not know has its default, and a screen that needs it works', async () => {
  const { through: _, otherWindow: __, ...info } = INFO;
  const { modelCutoffs: ___, onClose: ____, ...settings } = defaultSettings;
  const { ask } = await connected({ 'service.info': answer(info), 'settings.read': answer(settings) });
  expect(await ask('service.info')).toEqual({ ok: true, value: INFO });
  expect(await ask('settings.read')).toEqual({ ok: true, value: defaultSettings });
});

test('events of a journal are checked too, where this computer would trust its own reader', async () => {
  const { ask } = await connected({ 'run.events': answer([{ kind: 'node-added', id: '../../x' }]) });
  expect(await ask('run.events')).toMatchObject({ ok: false });
});

const deep = (id: number) =>
  `{"id":${id},"answer":{"ok":true,"value":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`;

test.each([
  ['no JSON', () => 'Segmentation fault (core dumped)'],
  ['a list', () => '[1,2]'],
  ['a value that is too deep', deep],
])('%s ends the connection for good, with an error that says so', async (_what, line) => {
  const { ask, told, connection, connections } = await connected({ 'job.list': line });
  const cut: boolean[] = [];
  connection.onConnection.on(({ isConnected }) => cut.push(isConnected));
  expect(await ask('job.list')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is not a workbench') },
  });
  expect(told).toEqual([expect.stringContaining('is not a workbench')]);
  expect(cut).toEqual([false]);
  expect(await ask('job.list')).toMatchObject({ ok: false });
  expect(connections()).toBe(1);
});

test('what is no workbench from the start is refused at once', async () => {
  const { connect } = await hostile({ hello: () => 'Last login: Sat Nov 28' });
  expect(await connect()).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is not a workbench') },
  });
  const escaping = JSON.stringify({ welcome: { ...WELCOME, version: '1\u001b[2J' } });
  expect(await (await hostile({ hello: () => escaping })).connect()).toMatchObject({ ok: false });
});

test('events that are not understood are left out and told once; those of the window are not a machine’s to send', async () => {
  const notice = { kind: 'notice', level: 'info', message: 'understood' };
  const events = [
    { kind: 'go-to', path: '/settings' },
    { kind: 'report-problem' },
    { kind: 'service-connection', isConnected: false },
    { kind: 'of a later version' },
    { kind: 'job-changed', job: { id: 1 } },
    notice,
  ];
  const { ask, told } = await connected({
    'service.info': (id) =>
      [...events.map((event, at) => JSON.stringify({ sequence: at + 1, event })), answer(INFO)(id)].join(
        '\n',
      ),
  });
  expect(await ask('service.info')).toMatchObject({ ok: true });
  await eventually('the events', () => told.length >= 2);
  expect(told).toEqual([
    expect.stringContaining('sends events that this version does not understand'),
    'understood',
  ]);
});
