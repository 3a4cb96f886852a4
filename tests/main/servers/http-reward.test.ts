import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  encodeRewardModel,
  loadRewardModel,
  type PocketPolicy,
  type PocketRewardModel,
  pocketProblems,
  rewardOf,
  trainRewardModel,
} from '../../../main/pocket';
import { weightCount } from '../../../main/pocket/policy';
import { httpReward } from '../../../main/servers';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { type ModelServerProcess, startModelServer } from '../../support/model-server-process';
import { startScriptedServer } from '../../support/scripted-http-server';
import { makeTemporaryFolder } from '../../support/temporary-folder';

const never = new AbortController().signal;
// As a study's: every request under way listens to it.
setMaxListeners(0, never);
const [problem] = pocketProblems({ split: 'test', seed: 1, count: 1 });
if (problem === undefined) throw new Error('no problem');

async function serve(answer: (response: ServerResponse, body: string) => void) {
  const server = await startScriptedServer(answer);
  onTestFinished(() => server.dispose());
  return server;
}

describe('a reward over HTTP', () => {
  test('is requested with problem and program, and read as a number', async () => {
    const server = await serve((response) => response.end('{"score": -1.5, "model": "x"}'));
    expect(await httpReward(server.baseUrl)(problem, 'print(1)', never)).toEqual({ ok: true, value: -1.5 });
    expect(JSON.parse(server.bodies()[0] ?? '')).toEqual({
      problem: { id: problem.id, statement: problem.statement },
      program: 'print(1)',
    });
  });

  const respond = (status: number, body: string) => (response: ServerResponse) => {
    response.statusCode = status;
    response.end(body);
  };
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      'refuses in the form of OpenAI',
      respond(400, '{"error": {"message": "No such problem."}}'),
      /400: No such problem/,
    ],
    ['refuses in a plain form', respond(503, '{"error": "loading"}'), /status 503: loading/],
    ['refuses in HTML', respond(502, '<h1>Bad gateway</h1>'), /status 502: <h1>Bad gateway/],
    ['gives no number', respond(200, '{"score": "high"}'), /cannot be used: it is not \{"score": number\}/],
    ['gives no JSON', respond(200, 'NaN'), /cannot be used: .* but NaN/],
    ['gives two megabytes', respond(200, `{"score": ${'1'.repeat(2_000_000)}}`), /longer than 1000000 bytes/],
    ['breaks off', (response) => response.destroy(), /could not be reached: /],
  ])('whose server %s fails with a message', async (_name, answer, message) => {
    const server = await serve(answer);
    const reward = await httpReward(server.baseUrl)(problem, 'p', never);
    expect(reward.ok ? '' : reward.error.message).toMatch(message);
    expect(reward.ok ? '' : reward.error.message).toContain(server.baseUrl);
  });

  test('whose server says nothing fails with a message', async () => {
    const server = await serve(() => undefined);
    const reward = await httpReward(server.baseUrl, { timeoutMs: 200 })(problem, 'p', never);
    expect(reward.ok ? '' : reward.error.message).toMatch(/did not answer within 0.2 s/);
  });

  test('of an address without a listener, or of another kind, fails with a message', async () => {
    const closed = await startScriptedServer(() => undefined);
    await closed.dispose();
    const none = await httpReward(closed.baseUrl)(problem, 'p', never);
    expect(none.ok ? '' : none.error.message).toContain('could not be reached');
    const other = await httpReward('ftp://example.org/score')(problem, 'p', never);
    expect(other.ok ? '' : other.error.message).toContain('neither http nor https');
  });

  test('is cancelled when its search is stopped, before and during the request', async () => {
    const server = await serve(() => undefined);
    const stop = new AbortController();
    const pending = httpReward(server.baseUrl)(problem, 'p', stop.signal);
    await eventually('the request', () => server.bodies().length === 1);
    stop.abort();
    const cancelled = { ok: false, error: { message: expect.stringContaining('was cancelled') } };
    expect(await pending).toEqual(cancelled);
    expect(await httpReward(server.baseUrl)(problem, 'p', stop.signal)).toEqual(cancelled);
    expect(server.bodies()).toHaveLength(1);
  });

  test('has at most 16 concurrent requests', async () => {
    const held: ServerResponse[] = [];
    const server = await serve((response) => held.push(response));
    const reward = httpReward(server.baseUrl);
    const all = Promise.all(Array.from({ length: 20 }, (_, i) => reward(problem, String(i), never)));
    await eventually('16 requests', () => held.length === 16);
    for (const response of held) response.end('{"score": 1}');
    await eventually('the rest', () => held.length === 20);
    for (const response of held.slice(16)) response.end('{"score": 2}');
    expect((await all).map((one) => one.ok && one.value)).toEqual([
      ...Array(16).fill(1),
      ...Array(4).fill(2),
    ]);
  });
});

describe('the server of pocket rewards', () => {
  let model: PocketRewardModel;
  let server: ModelServerProcess;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let script: string;
  let url: string;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    script = await bundleScript(resolve('main/servers/model-server.ts'), folder.path);
    const weights = new Float64Array(weightCount('reader'));
    const unlearned: PocketPolicy = { family: 'reader', seed: 1, weights };
    const record = trainRewardModel({ seed: 1, policies: [unlearned], problems: 30 });
    const loaded = loadRewardModel(record);
    if (!loaded.ok) throw new Error(loaded.error.message);
    model = loaded.value;
    const path = join(folder.path, 'reward.json');
    await writeFile(path, encodeRewardModel(record));
    server = await startModelServer(script, ['--kind', 'reward', '--model', 'r', '--checkpoint', path]);
    url = `${server.baseUrl}/score`;
  });
  afterAll(async () => {
    await server.dispose();
    await folder.dispose();
  });

  test('gives what the model gives', async () => {
    const score = httpReward(url);
    for (const program of [problem.canonicalProgram ?? '', 'print("other")']) {
      expect(await score(problem, program, never)).toEqual(rewardOf(model, problem, program));
    }
  });

  test('refuses another subject with a message', async () => {
    const reward = await httpReward(url)({ id: 'X/1', statement: 'Sort.' }, 'p', never);
    expect(reward.ok ? '' : reward.error.message).toMatch(/status 400: .*"X\/1": it is no pocket problem/);
  });

  test.each([
    ['{', 'The body is no JSON object'],
    ['{"problem": {"id": "x"}, "program": "p"}', 'The field "problem.statement" is missing or no text'],
    ['{"problem": {"id": "x", "statement": "s"}, "program": 1}', 'The field "program" is missing or no text'],
  ])('refuses %s with 400 and what is wrong', async (body, message) => {
    const response = await fetch(url, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain(message);
  });

  test('lives, and has nothing at other addresses', async () => {
    expect((await fetch(server.baseUrl.replace('/v1', '/health'))).status).toBe(200);
    expect((await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(url)).status).toBe(405);
  });
});
