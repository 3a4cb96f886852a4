import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectControlSocket, serveControlSocket } from '../../../main/app/control-socket';
import { Emitter } from '../../../main/base';
import type { Answer, WorkbenchEvent } from '../../../preload/contract';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'door-'));
  path = join(folder, 'door');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const notice = (message: string): WorkbenchEvent => ({ kind: 'notice', level: 'info', message });

/** Answers with what it was asked, the first question last. */
function echoing() {
  const events = new Emitter<WorkbenchEvent>();
  let first: ((answer: Answer<unknown>) => void) | null = null;
  const call = (name: string, payload: unknown, host: string): Promise<Answer<unknown>> => {
    const answer: Answer<unknown> = { ok: true, value: { name, payload, host } };
    if (name === 'slow') return new Promise((resolve) => (first = resolve));
    first?.({ ok: true, value: 'slow' });
    return Promise.resolve(answer);
  };
  return { events, call };
}

async function entered() {
  const client = await connectControlSocket(path);
  if (client === null) throw new Error('nobody answers');
  return client;
}

test('a guest gives commands as a terminal, and answers find their questions in any order', async () => {
  const close = await serveControlSocket(path, echoing());
  const client = await entered();
  const slow = client.call('slow', {}, 'terminal');
  const payload = { text: 'line\nbreak \u{1f600}', many: 'x'.repeat(300_000) };
  const quick = client.call('job.list', payload, 'terminal');
  expect(await quick).toEqual({ ok: true, value: { name: 'job.list', payload, host: 'terminal' } });
  expect(await slow).toEqual({ ok: true, value: 'slow' });
  await client.close();
  await close();
});

test('every guest hears events, until it leaves', async () => {
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench);
  const [one, two] = [await entered(), await entered()];
  const received: string[] = [];
  for (const client of [one, two]) {
    client.events.on((event) => received.push(event.kind === 'notice' ? event.message : ''));
    await client.call('job.list', {}, 'terminal');
  }
  workbench.events.emit(notice('first'));
  await expect.poll(() => received).toEqual(['first', 'first']);
  await one.close();
  await expect.poll(() => workbench.events.listenerCount).toBe(1);
  await close();
});

test('a workbench that closes answers what is still asked', async () => {
  const close = await serveControlSocket(path, echoing());
  const client = await entered();
  const waiting = client.call('slow', {}, 'terminal');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await close();
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(await client.call('job.list', {}, 'terminal')).toMatchObject({ ok: false });
});

test('without a workbench, or with only the socket of a killed one: null, and the next one replaces the socket', async () => {
  expect(await connectControlSocket(path)).toBeNull();
  await serveControlSocket(path, echoing()); // left as a killed process leaves it: never closed, the name taken over
  const close = await serveControlSocket(path, echoing());
  expect(await (await entered()).call('job.list', {}, 'terminal')).toMatchObject({ ok: true });
  await close();
});

test('only this user can reach it, and who sends no JSON is shown out', async () => {
  const close = await serveControlSocket(path, echoing());
  expect((await stat(path)).mode & 0o077).toBe(0);
  const rawSocket = createConnection(path);
  const ended = new Promise((resolve) => rawSocket.once('close', resolve));
  rawSocket.on('error', () => undefined);
  rawSocket.write('GET / HTTP/1.1\r\n\r\n');
  await ended;
  await close();
});
