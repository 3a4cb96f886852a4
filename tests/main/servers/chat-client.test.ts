import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type ChatClient, createChatClient, describeChatFailure } from '../../../main/servers';
import type { Sampling } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-http-server';

const never = new AbortController().signal;

async function serve(
  answer: (response: ServerResponse, body: string, request: IncomingMessage) => void,
): Promise<ScriptedServer> {
  const server = await startScriptedServer(answer);
  onTestFinished(() => server.dispose());
  return server;
}

function clientOf(
  baseUrl: string,
  change: { readonly maxInFlight?: number; readonly timeoutMs?: number; readonly hasOneModel?: boolean } = {},
): ChatClient {
  const client = createChatClient({ baseUrl, model: 'm', maxInFlight: 4, timeoutMs: 30_000, ...change });
  onTestFinished(() => client.dispose());
  return client;
}

const plainSampling = { temperature: 0.5, topP: 0.9, maxTokens: 7 };

function ask(client: ChatClient, ordinal = 0, signal = never, sampling: Sampling = plainSampling) {
  return client.complete(
    {
      messages: [{ role: 'user', content: 'Grüße' }],
      sampling,
      seed: 11,
      metadata: { problemId: 'p', session: 's', ordinal, parent: '', turn: ordinal },
    },
    signal,
  );
}

const ordinalOf = (body: string): number => Number(JSON.parse(body).metadata.ordinal);

function completion(text: string): string {
  return JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  });
}

test('sends what the API asks for and reads text and counts', async () => {
  const server = await serve((response) => response.end(completion('42 €')));
  const client = clientOf(server.baseUrl);
  expect(await ask(client)).toEqual({
    ok: true,
    value: { text: '42 €', promptTokens: 3, completionTokens: 5, end: 'stop' },
  });
  expect(JSON.parse(server.bodies()[0] ?? '')).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Grüße' }],
    seed: 11,
    temperature: 0.5,
    top_p: 0.9,
    // Written out, so that the engine does not fill in its own.
    top_k: -1,
    min_p: 0,
    repetition_penalty: 1,
    max_tokens: 7,
    metadata: { problem_id: 'p', session: 's', ordinal: '0', parent: '', turn: '0' },
  });
  expect([client.inFlight(), client.answered()]).toEqual([0, 1]);
});

test.each([
  ['cut at the limit', '"length"', { end: 'length' }],
  ['ended by a filter', '"content_filter"', {}],
  ['that the server says nothing about', 'null', {}],
])('reports how an answer ended: %s', async (_name, reason, ending) => {
  const body = `{"choices": [{"message": {"content": "x"}, "finish_reason": ${reason}}]}`;
  const server = await serve((response) => response.end(body));
  expect(await ask(clientOf(server.baseUrl))).toEqual({
    ok: true,
    value: { text: 'x', promptTokens: 0, completionTokens: 0, ...ending },
  });
});

test('sends every setting of the agent', async () => {
  const server = await serve((response) => response.end(completion('x')));
  const sampling = {
    ...plainSampling,
    topK: 20,
    minP: 0.05,
    minTokens: 2,
    stop: ['END'],
    thinking: false,
    extra: { repetition_penalty: 1.1, chat_template_kwargs: { style: 'short' } },
  };
  await ask(clientOf(server.baseUrl), 0, never, sampling);
  expect(JSON.parse(server.bodies()[0] ?? '')).toMatchObject({
    top_k: 20,
    min_p: 0.05,
    min_tokens: 2,
    stop: ['END'],
    repetition_penalty: 1.1,
    chat_template_kwargs: { style: 'short', enable_thinking: false },
  });
});

test("asks a server of one model by that model's own name, but never an address for another model", async () => {
  // As `transformers serve` 5.24 refuses.
  const detail = `Server is pinned to '/models/tiny'; requested 'm'.`;
  const server = await serve((response, body) => {
    const isKnown = JSON.parse(body).model === '/models/tiny';
    if (isKnown) response.end(completion('x'));
    else response.writeHead(400).end(JSON.stringify({ detail }));
  });
  expect((await ask(clientOf(server.baseUrl, { hasOneModel: true }))).ok).toBe(true);
  expect(await ask(clientOf(server.baseUrl))).toEqual({
    ok: false,
    error: { kind: 'refused', status: 400, message: JSON.stringify({ detail }) },
  });
  expect(server.bodies()).toHaveLength(3);
});

test('continues a plain text by its own route, with the same settings, dialects and waits', async () => {
  const paths: (string | undefined)[] = [];
  const server = await serve((response, body, request) => {
    paths.push(request.url);
    if (paths.length === 1) response.writeHead(503, { 'retry-after': '0.1' }).end('{}');
    else if (body.includes('metadata')) {
      response.writeHead(400).end('{"error": {"message": "Unknown parameter: metadata"}}');
    } else {
      const usage = '{"prompt_tokens": 3, "completion_tokens": 5}';
      response.end(`{"choices": [{"text": "  return 1", "finish_reason": "stop"}], "usage": ${usage}}`);
    }
  });
  const answer = await clientOf(server.baseUrl).complete(
    {
      messages: [{ role: 'user', content: 'def f():\n' }],
      isPlainText: true,
      sampling: { ...plainSampling, stop: ['\ndef'] },
      seed: 11,
      metadata: { problemId: 'p', session: 's', ordinal: 0, parent: '', turn: 0 },
    },
    never,
  );
  expect(answer).toEqual({
    ok: true,
    value: { text: '  return 1', promptTokens: 3, completionTokens: 5, end: 'stop' },
  });
  expect(paths).toEqual(Array(3).fill('/v1/completions'));
  expect(JSON.parse(server.bodies()[2] ?? '')).toEqual({
    ...{ model: 'm', prompt: 'def f():\n', seed: 11, temperature: 0.5, top_p: 0.9, top_k: -1, min_p: 0 },
    ...{ repetition_penalty: 1, max_tokens: 7, stop: ['\ndef'] },
  });
});

test('a service that takes no top-k is asked without it, unless the agent sets it', async () => {
  const server = await serve((response, body) => {
    if (!body.includes('top_k')) return response.end(completion('x'));
    response.statusCode = 400;
    response.end('{"error": {"message": "Unrecognized request argument supplied: top_k"}}');
  });
  const client = clientOf(server.baseUrl);
  expect(await ask(client)).toMatchObject({ ok: true });
  expect(server.bodies()).toHaveLength(2);
  expect(await ask(client, 0, never, { ...plainSampling, topK: 20 })).toMatchObject({
    ok: false,
    error: { kind: 'refused' },
  });
});

test('a recording without a refinement has another error than one that is used up', async () => {
  const message = 'The recording has no refinements of the program.';
  const codes = ['no_refinement', 'samples_exhausted', 'problem_not_recorded'];
  const server = await serve((response, body) => {
    response.statusCode = 409;
    response.end(JSON.stringify({ error: { message, code: codes[ordinalOf(body)] } }));
  });
  const client = clientOf(server.baseUrl);
  const answers = [await ask(client, 0), await ask(client, 1), await ask(client, 2)];
  expect(answers.map((answer) => (answer.ok ? 'answered' : answer.error.kind))).toEqual([
    'no-refinement',
    'exhausted',
    'exhausted',
  ]);
  for (const answer of answers) expect(answer.ok ? '' : describeChatFailure(answer.error)).toBe(message);
});

test('keeps its connection between requests', async () => {
  const server = await serve((response) => response.end(completion('x')));
  const client = clientOf(server.baseUrl);
  for (let i = 0; i < 20; i++) await ask(client, i);
  expect(server.connections()).toBe(1);
});

test('a kept connection that the server closes at the moment of asking costs nothing', async () => {
  let calls = 0;
  const server = await serve((response) => {
    calls += 1;
    if (calls % 2 === 0) response.destroy();
    else response.end(completion('x'));
  });
  const client = clientOf(server.baseUrl);
  for (let i = 0; i < 4; i++) expect(await ask(client, i)).toMatchObject({ ok: true });
  expect(calls).toBe(7);
});

test('a server that refuses a field is asked again without it, and then at once', async () => {
  const server = await serve((response, body) => {
    if (JSON.parse(body).metadata === undefined) response.end(completion('x'));
    else {
      response.statusCode = 400;
      response.end('{"error": {"message": "Unknown parameter: metadata"}}');
    }
  });
  const client = clientOf(server.baseUrl);
  for (let i = 0; i < 3; i++) expect(await ask(client, i)).toMatchObject({ ok: true });
  expect(server.bodies()).toHaveLength(4);
});

test('never has more in flight than its limit, and serves in the order of asking', async () => {
  const held: (() => void)[] = [];
  const server = await serve((response) => held.push(() => response.end(completion('x'))));
  const client = clientOf(server.baseUrl, { maxInFlight: 2 });
  const answers = Array.from({ length: 6 }, (_, ordinal) => ask(client, ordinal));
  for (let done = 0; done < 6; done++) {
    await eventually('the next requests', () => server.bodies().length >= Math.min(6, done + 2));
    expect(server.bodies().length).toBe(Math.min(6, done + 2));
    expect(client.inFlight()).toBe(Math.min(2, 6 - done));
    held[done]?.();
    await answers[done];
  }
  // The two that have a slot travel on two connections, so only neighbours may change places.
  const order = server.bodies().map(ordinalOf);
  expect(order.every((ordinal, index) => Math.abs(ordinal - index) <= 1)).toBe(true);
  expect(client.answered()).toBe(6);
});

test('a request that waits for its turn can be cancelled and leaves the queue', async () => {
  const held: (() => void)[] = [];
  const server = await serve((response) => held.push(() => response.end(completion('x'))));
  const client = clientOf(server.baseUrl, { maxInFlight: 1 });
  const first = ask(client, 0);
  const giveUp = new AbortController();
  const second = ask(client, 1, giveUp.signal);
  const third = ask(client, 2);
  giveUp.abort();
  expect(await second).toEqual({ ok: false, error: { kind: 'cancelled' } });
  await eventually('the first request', () => held.length === 1);
  held[0]?.();
  await first;
  await eventually('the third request', () => held.length === 2);
  held[1]?.();
  expect(await third).toMatchObject({ ok: true });
  expect(server.bodies().map(ordinalOf)).toEqual([0, 2]);
});

test('a request in flight can be cancelled and frees its place', async () => {
  const server = await serve((response, body) => {
    if (ordinalOf(body) === 1) response.end(completion('x'));
  });
  const client = clientOf(server.baseUrl, { maxInFlight: 1 });
  const giveUp = new AbortController();
  const first = ask(client, 0, giveUp.signal);
  await eventually('the request', () => server.bodies().length === 1);
  giveUp.abort();
  expect(await first).toEqual({ ok: false, error: { kind: 'cancelled' } });
  expect(await ask(client, 1)).toMatchObject({ ok: true });
});

test('a signal that is already aborted sends nothing', async () => {
  const server = await serve((response) => response.end(completion('x')));
  expect(await ask(clientOf(server.baseUrl), 0, AbortSignal.abort())).toMatchObject({
    error: { kind: 'cancelled' },
  });
  expect(server.bodies()).toEqual([]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['says nothing', () => undefined],
  ['stops in the middle', (response) => response.write('{"choices": [')],
])('a server that %s is timed out', async (_name, answer) => {
  const server = await serve(answer);
  const client = clientOf(server.baseUrl, { timeoutMs: 150 });
  expect(await ask(client)).toEqual({ ok: false, error: { kind: 'timeout', timeoutMs: 150 } });
  expect(client.inFlight()).toBe(0);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['hangs up', (response) => response.destroy()],
  [
    'hangs up in the middle',
    (response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"choices"', () => response.destroy());
    },
  ],
  [
    'speaks no HTTP',
    (response) => {
      response.socket?.end('hello, this is no HTTP at all\r\n\r\n');
    },
  ],
])('a server that %s is a failure of transport', async (_name, answer) => {
  const server = await serve(answer);
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({ ok: false, error: { kind: 'transport' } });
});

test('an address without a listener is a transport failure', async () => {
  const server = await startScriptedServer(() => undefined);
  await server.dispose();
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({
    error: { kind: 'transport', message: expect.stringContaining('ECONNREFUSED') },
  });
});

test.each([
  ['no JSON', '<html>gateway</html>', '<html>gateway</html>'],
  ['another object', '{"object":"list"}', 'choices'],
  ['no choice', '{"choices":[]}', 'choices'],
  ['a text that is none', '{"choices":[{"message":{"content":5}}]}', 'choices.0.message.content'],
  ['nothing', '', 'an empty body'],
])('an answer with %s is malformed', async (_name, body, word) => {
  const server = await serve((response) => response.end(body));
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({
    error: { kind: 'malformed', message: expect.stringContaining(word) },
  });
});

test('an error status is refused with the server’s own words', async () => {
  const server = await serve((response) => {
    response.writeHead(403).end('{"error":{"message":"Not you.","code":null}}');
  });
  const answer = await ask(clientOf(server.baseUrl));
  expect(answer).toEqual({ ok: false, error: { kind: 'refused', status: 403, message: 'Not you.' } });
  expect(answer.ok || describeChatFailure(answer.error)).toBe(
    'The model server refused the request with status 403: Not you.',
  );
});

test('a server that asks for patience is asked again, as late as it says', async () => {
  let times = 0;
  const server = await serve((response) => {
    times += 1;
    if (times <= 2)
      response.writeHead(429, { 'retry-after': '0.2' }).end('{"error":{"message":"Slow down."}}');
    else response.end(JSON.stringify({ choices: [{ message: { content: 'here' } }] }));
  });
  const before = performance.now();
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({ ok: true, value: { text: 'here' } });
  expect(times).toBe(3);
  expect(performance.now() - before).toBeGreaterThan(390);
});

test('a longer quota than our patience is refused at once', async () => {
  const server = await serve((response) => {
    response.writeHead(429, { 'retry-after': '86400' }).end('{"error":{"message":"Tomorrow."}}');
  });
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({ error: { kind: 'refused', status: 429 } });
});

test('no content is an empty answer', async () => {
  const server = await serve((response) =>
    response.end(JSON.stringify({ choices: [{ message: { content: null }, finish_reason: 'length' }] })),
  );
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({ ok: true, value: { text: '', end: 'length' } });
});

test('an error without OpenAI’s shape is quoted', async () => {
  const server = await serve((response) => response.writeHead(502).end('Bad\n gateway'));
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({
    error: { status: 502, message: 'Bad gateway' },
  });
});

test('an exhausted recording has another error than other refusals', async () => {
  const server = await serve((response) => {
    response.writeHead(409).end('{"error":{"message":"All are used.","code":"samples_exhausted"}}');
  });
  expect(await ask(clientOf(server.baseUrl))).toEqual({
    ok: false,
    error: { kind: 'exhausted', message: 'All are used.' },
  });
});

test('a problem that a recording does not have is exhausted too', async () => {
  const server = await serve((response) => {
    response.writeHead(404).end('{"error":{"message":"Not recorded.","code":"problem_not_recorded"}}');
  });
  expect(await ask(clientOf(server.baseUrl))).toEqual({
    ok: false,
    error: { kind: 'exhausted', message: 'Not recorded.' },
  });
});

test('a server that leaves out the counts counts 0', async () => {
  const server = await serve((response) => response.end('{"choices":[{"message":{"content":"x"}}]}'));
  expect(await ask(clientOf(server.baseUrl))).toMatchObject({
    value: { promptTokens: 0, completionTokens: 0 },
  });
});
