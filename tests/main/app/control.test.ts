import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { connectControl, connectControlSocket, openSocket } from '../../../main/app/control/client';
import { controlSocketOf, serveControlSocket } from '../../../main/app/control/server';
import { Emitter } from '../../../main/base';
import type { Answer, WorkbenchEvent } from '../../../preload/contract';
import { cuttableWay } from '../../support/service-bench';
import { unwrap } from '../../support/unwrap';

let folder = '';
let path = '';
let about: Parameters<typeof serveControlSocket>[2];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'control-'));
  path = join(folder, 'socket');
  about = { kind: 'service', version: '1.2.3', dataDir: join(folder, 'data') };
  await mkdir(about.dataDir);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const notice = (message: string): WorkbenchEvent => ({ kind: 'notice', level: 'info', message });

/** Answers with what it was asked; "slow" only once `release` is called. Counts what it ran. */
function echoing() {
  const events = new Emitter<WorkbenchEvent>();
  const ran: string[] = [];
  const held: (() => void)[] = [];
  const call = (name: string, payload: unknown, host: string): Promise<Answer<unknown>> => {
    ran.push(name);
    const answer: Answer<unknown> = { ok: true, value: { name, payload, host } };
    if (name.startsWith('slow')) return new Promise((resolve) => held.push(() => resolve(answer)));
    return Promise.resolve(answer);
  };
  return { events, call, ran, release: () => held.splice(0).forEach((answer) => void answer()) };
}

async function connected() {
  const client = await connectControlSocket(path);
  if (client === null) throw new Error('nobody answers');
  return unwrap(Promise.resolve(client));
}

/** A lasting connection, as a window has it. */
async function kept(to: string) {
  const answer = await connectControl(() => openSocket(to), { isKept: true });
  if (answer === null) throw new Error('nobody answers');
  return unwrap(Promise.resolve(answer));
}

function noted(events: Emitter<WorkbenchEvent>): string[] {
  const received: string[] = [];
  events.on((event) => received.push(event.kind === 'notice' ? event.message : event.kind));
  return received;
}

test('answers find their questions in any order, and say which host asks', async () => {
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench, about);
  const client = await connected();
  const slow = client.call('slow', {}, 'terminal');
  const payload = { text: 'line\nbreak \u{1f600}', many: 'x'.repeat(300_000) };
  const quick = client.call('job.list', payload, 'window');
  expect(await quick).toEqual({ ok: true, value: { name: 'job.list', payload, host: 'window' } });
  workbench.release();
  expect(await slow).toMatchObject({ ok: true, value: { name: 'slow', host: 'terminal' } });
  expect(client.about()).toMatchObject({ ...about, pid: process.pid });
  await client.close();
  await close();
});

test('every client gets events, until it leaves', async () => {
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench, about);
  expect(workbench.events.listenerCount).toBe(0);
  const [one, two] = [await connected(), await connected()];
  const [first, second] = [noted(one.events), noted(two.events)];
  workbench.events.emit(notice('a'));
  await expect.poll(() => [first, second]).toEqual([['a'], ['a']]);
  await one.close();
  workbench.events.emit(notice('b'));
  await expect.poll(() => second).toEqual(['a', 'b']);
  expect(first).toEqual(['a']);
  expect(workbench.events.listenerCount).toBe(1);
  await two.close();
  await expect.poll(() => workbench.events.listenerCount).toBe(0);
  await close();
});

test('a workbench that closes answers what is still asked', async () => {
  const close = await serveControlSocket(path, echoing(), about);
  const client = await connected();
  const waiting = client.call('slow', {}, 'terminal');
  await client.call('job.list', {}, 'terminal');
  await close();
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  expect(await client.call('job.list', {}, 'terminal')).toMatchObject({ ok: false });
});

test('without a workbench, or with only the socket of a killed one: null, and the next one replaces the socket', async () => {
  expect(await connectControlSocket(path)).toBeNull();
  await serveControlSocket(path, echoing(), about); // as a killed process leaves it: never closed, the name taken over
  const close = await serveControlSocket(path, echoing(), about);
  expect(await (await connected()).call('job.list', {}, 'terminal')).toMatchObject({ ok: true });
  await close();
});

test('one that hangs up without a word, as it does while it closes, is as good as none', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  expect(await connectControlSocket(path)).toBeNull();
});

test('who asks finds it wherever it is: its folder for sockets may be another than that of who asks', async () => {
  const usual = await controlSocketOf(about.dataDir);
  const close = await serveControlSocket(path, echoing(), about);
  expect(await controlSocketOf(about.dataDir)).toEqual({ ok: true, value: path });
  await close();
  expect(await controlSocketOf(about.dataDir)).toEqual(usual);
  expect(usual).not.toEqual({ ok: true, value: path });
});

test('only this user can reach it; who sends no JSON, or another protocol, is refused', async () => {
  const close = await serveControlSocket(path, echoing(), about);
  expect((await stat(path)).mode & 0o077).toBe(0);
  const spoken = (text: string) =>
    new Promise<string>((resolve) => {
      let said = '';
      const socket = createConnection(path);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        said += String(data);
      });
      socket.once('close', () => resolve(said));
      socket.write(text);
    });
  expect(await spoken('GET / HTTP/1.1\r\n\r\n')).toBe('');
  expect(await spoken('[1]\n')).toBe('');
  // A request of the protocol before this one, which had no hello.
  expect(await spoken('{"id":1,"name":"job.list","payload":{}}\n')).toContain('"refused"');
  expect(
    await spoken('{"hello":{"protocol":99,"session":"12345678","isKept":true,"last":null,"waiting":[]}}\n'),
  ).toContain('1.2.3');
  // The hello of the first services. Who speaks otherwise learns whom to end.
  const refused = await spoken('{"hello":{"protocol":1,"session":"12345678","last":null,"waiting":[]}}\n');
  expect(JSON.parse(refused)).toEqual({
    refused: { protocol: 2, kind: 'service', version: '1.2.3', pid: process.pid },
  });
  await close();
});

test.each([
  [
    'a newer service',
    { protocol: 7, kind: 'service' },
    /service .* newer version \(9\.9\)/,
    /workbench of version 9\.9/,
  ],
  ['an older service', { protocol: 0, kind: 'service' }, /service .* older version/, /mars2 service restart/],
  ['an older window', { protocol: 0, kind: 'window' }, /window .* older version/, /^Close it/],
  ['one of the first', { protocol: 7 }, /newer version \(9\.9\)/, /workbench of version 9\.9/],
])(
  'a client beside %s of another protocol learns the version, and what to do',
  async (_, by, message, hint) => {
    const refused = JSON.stringify({ refused: { version: '9.9', ...by } });
    const server = createServer((socket) => socket.end(`${refused}\n`));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    const client = await connectControlSocket(path);
    expect(client).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(message), hint: expect.stringMatching(hint) },
    });
  },
);

test('a window whose service is started again as one that speaks otherwise says so, and does not try for ever', async () => {
  const close = await serveControlSocket(path, echoing(), about);
  const client = await kept(path);
  const received = noted(client.events);
  await close();
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    socket.end('{"refused":{"protocol":7,"version":"9.9","kind":"service","pid":5}}\n');
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  await expect.poll(() => received).toEqual([expect.stringContaining('a newer version (9.9)')]);
  expect(await client.call('job.list', {}, 'terminal')).toMatchObject({ ok: false });
  expect(asked).toBe(1);
});

test('over cuts of the connection no event is lost or doubled, and every request runs once', async () => {
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench, about);
  const between = await cuttableWay(async () => path);
  const client = await kept(between.path);
  const received = noted(client.events);
  const states: boolean[] = [];
  client.onConnection.on(({ isConnected, isBehind }) => {
    expect(isBehind).toBe(false);
    states.push(isConnected);
  });
  const sent: string[] = [];
  const answers: Promise<Answer<unknown>>[] = [];
  for (let round = 0; round < 20; round++) {
    answers.push(client.call(`slow ${round}`, {}, 'terminal'), client.call(`quick ${round}`, {}, 'terminal'));
    if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, round));
    between.cut();
    for (let at = 0; at < 50; at++) {
      const message = `${round}.${at}`;
      sent.push(message);
      workbench.events.emit(notice(message));
    }
    if (round % 3 === 0) await expect.poll(() => client.isConnected()).toBe(true);
    workbench.release();
  }
  const release = setInterval(workbench.release, 20);
  expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
  clearInterval(release);
  await expect.poll(() => received.length, { timeout: 120_000 }).toBe(sent.length);
  expect(received).toEqual(sent);
  expect([...workbench.ran].sort()).toEqual(
    Array.from({ length: 20 }, (_, round) => [`slow ${round}`, `quick ${round}`])
      .flat()
      .sort(),
  );
  expect(states.filter((state) => !state).length).toBeGreaterThan(3);
  await client.close();
  await close();
});

test('who was away for too many events is behind, and gets those from then on', async () => {
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench, about);
  const between = await cuttableWay(async () => path);
  const client = await kept(between.path);
  const received = noted(client.events);
  const behind: boolean[] = [];
  client.onConnection.on(({ isConnected, isBehind }) => isConnected && behind.push(isBehind));
  between.hold();
  await expect.poll(() => client.isConnected()).toBe(false);
  for (let at = 0; at < 20_001; at++) workbench.events.emit(notice('missed'));
  between.mend();
  await expect.poll(() => behind).toEqual([true]);
  workbench.events.emit(notice('after'));
  await expect.poll(() => received).toEqual(['after']);
  await client.close();
  await close();
});

test('a computer that slept for a day comes back: what it asked before is unknown, and what it shows is asked for anew', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench, about);
  const between = await cuttableWay(async () => path);
  const client = await kept(between.path);
  const states: unknown[] = [];
  client.onConnection.on((state) => states.push(state));
  const asked = client.call('slow', {}, 'terminal');
  await expect.poll(() => workbench.ran).toEqual(['slow']);
  between.hold();
  await expect.poll(() => client.isConnected()).toBe(false);
  for (let hour = 0; hour < 24; hour++) {
    workbench.events.emit(notice(`hour ${hour}`));
    await vi.advanceTimersByTimeAsync(3_600_000);
  }
  expect(await asked).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  workbench.release();
  // The session is over there: nobody listens to the events any more.
  expect(workbench.events.listenerCount).toBe(0);
  between.mend();
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(5_000);
      return states;
    })
    .toEqual([
      { isConnected: false, isBehind: false },
      { isConnected: true, isBehind: true },
    ]);
  const received = noted(client.events);
  expect(await client.call('quick', {}, 'terminal')).toMatchObject({ ok: true });
  workbench.events.emit(notice('new'));
  await expect.poll(() => received).toEqual(['new']);
  await client.close();
  await close();
});

test('a week of events reaches two clients in order and once, over cuts of one of them', async () => {
  const workbench = echoing();
  const close = await serveControlSocket(path, workbench, about);
  const between = await cuttableWay(async () => path);
  const [cut, steady] = [await kept(between.path), await kept(path)];
  const received = [noted(cut.events), noted(steady.events)];
  const sent: string[] = [];
  for (let day = 0; day < 7; day++) {
    // As many as come at most between a cut and its end, if nothing may be lost.
    for (let at = 0; at < 9_000; at++) {
      if (at === 3_000) between.hold();
      sent.push(`${day} ${at}`);
      workbench.events.emit(notice(`${day} ${at}`));
    }
    between.mend();
    await expect
      .poll(() => received.map((all) => all.length), { timeout: 120_000 })
      .toEqual([sent.length, sent.length]);
  }
  expect(received).toEqual([sent, sent]);
  await cut.close();
  await steady.close();
  await close();
});

test('a workbench that was started again is not asked what the one before may have done', async () => {
  const first = echoing();
  const second = echoing();
  let close = await serveControlSocket(path, first, about);
  const client = await kept(path);
  const behind: boolean[] = [];
  client.onConnection.on(({ isConnected, isBehind }) => isConnected && behind.push(isBehind));
  const sent = client.call('slow', {}, 'terminal');
  await expect.poll(() => first.ran).toEqual(['slow']);
  await close();
  await expect.poll(() => client.isConnected()).toBe(false);
  const held = client.call('quick', {}, 'terminal');
  close = await serveControlSocket(path, second, about);
  expect(await held).toMatchObject({ ok: true });
  expect(await sent).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  expect(second.ran).toEqual(['quick']);
  expect(behind).toEqual([true]);
  await client.close();
  await close();
});
