import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendToWebhook } from '../../../main/app/webhook';
import { Emitter } from '../../../main/base';
import { defaultSettings, type WorkbenchEvent } from '../../../preload/contract';

const notification = (about: 'done' | 'failed'): WorkbenchEvent => ({
  kind: 'notification',
  about,
  title: 'training has failed',
  body: 'It ended with exit code 1.',
  path: '/jobs/1',
});

/** A server that answers with these codes in turn, and what it was sent. */
async function listener(codes: number[]) {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += piece));
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      response.writeHead(codes.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=hidden`;
  return { url, bodies, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('a notice is posted, again after a failure, and only of the kinds that the user wants', async () => {
  const hook = await listener([500, 200]);
  const events = new Emitter<WorkbenchEvent>();
  const waits: number[] = [];
  const settings = {
    ...defaultSettings,
    webhookUrl: hook.url,
    notify: { done: false, failed: true, stalled: true },
  };
  const sleep = async (ms: number) => void waits.push(ms);
  const sending = sendToWebhook({ events, settings: () => settings, now: () => 0, sleep });
  events.emit(notification('done'));
  events.emit(notification('failed'));
  await expect.poll(() => hook.bodies.length).toBe(2);
  expect(hook.bodies[1]).toEqual({
    about: 'failed',
    title: 'training has failed',
    body: 'It ended with exit code 1.',
    at: '1970-01-01T00:00:00.000Z',
    text: 'training has failed: It ended with exit code 1.',
  });
  expect(waits).toEqual([2_000]);
  sending.dispose();
  await hook.close();
});

test('a webhook address that refuses the message is reported, without its key', async () => {
  const events = new Emitter<WorkbenchEvent>();
  const messages: string[] = [];
  events.on((event) => event.kind === 'notice' && messages.push(event.message));
  const settings = { ...defaultSettings, webhookUrl: 'http://127.0.0.1:1/hook?key=hidden' };
  sendToWebhook({ events, settings: () => settings, now: () => 0, sleep: async () => undefined });
  events.emit(notification('failed'));
  await expect.poll(() => messages).toHaveLength(1);
  expect(messages[0]).toContain('could not be delivered');
  expect(messages[0]).not.toContain('hidden');
});
