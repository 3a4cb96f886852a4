import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { timedStream } from '../../../main/servers/http-stream';

const ANSWER = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n';

/** Breaks a connection whenever a further request comes over it, as a server does that has just closed it. */
async function startForgetfulServer(): Promise<{ readonly url: string; readonly requests: () => number }> {
  let requests = 0;
  const seen = new WeakSet<object>();
  const server = createServer((request, response) => {
    requests += 1;
    if (seen.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    seen.add(request.socket);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests };
}

test('a request over a kept-alive connection that the server had closed is sent again over a new one', async () => {
  const { url, requests } = await startForgetfulServer();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const { signal } = new AbortController();
  for (let sent = 0; sent < 3; sent++) {
    const answer = await timedStream({ url, body: '{}', key: null, agent, timeoutMs: 10_000, signal });
    expect(answer).toEqual({ ok: true, value: { firstTokenMs: expect.any(Number), tokens: 1 } });
  }
  expect(requests()).toBeGreaterThan(3);
});

test('a connection that breaks on its first request is a failure', async () => {
  const server = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const agent = new Agent({ keepAlive: true });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  expect(await timedStream({ url, body: '{}', key: null, agent, timeoutMs: 10_000, signal })).toMatchObject({
    ok: false,
    error: { kind: 'transport' },
  });
});

test('bytes that are no UTF-8, as a token of llama.cpp may be half a character, are not a failure', async () => {
  const half = Buffer.concat([
    Buffer.from('data: {"choices":[{"delta":{"content":"'),
    Buffer.from([0xf0, 0x9f]),
    Buffer.from('"}}]}\n\ndata: [DONE]\n\n'),
  ]);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(half);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const agent = new Agent();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { signal } = new AbortController();
  expect(await timedStream({ url, body: '{}', key: null, agent, timeoutMs: 10_000, signal })).toMatchObject({
    ok: true,
    value: { tokens: 1 },
  });
});
