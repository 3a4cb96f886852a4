import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunningServer, ServerService } from '../../../main/servers';
import type { ServerSpec } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { connectedMachine } from '../../support/fleet-bench';
import { openJobBench } from '../../support/job-bench';
import { startScriptedServer } from '../../support/scripted-http-server';
import { openServers } from '../../support/server-bench';
import { hasSshd, startSshd } from '../../support/sshd';
import { unwrap } from '../../support/unwrap';

const KEY = 'sk-very-secret-4711';

async function open(
  outsideTimeoutMs = 60_000,
  machines: Parameters<typeof openServers>[0]['machines'] | null = null,
): Promise<ServerService> {
  const bench = await openJobBench();
  const servers = openServers({
    jobs: bench.jobs,
    machines: machines ?? [bench.machine],
    modelServerScript: '/nowhere',
    secretOf: async (name) => (name === 'lab-key' ? KEY : null),
    supervision: { outsideCheckMs: 30, outsideTimeoutMs },
  });
  onTestFinished(async () => {
    servers.dispose();
    await bench.dispose();
  });
  return servers;
}

/** An API that lists "gpt" (or `model`) and answers "yes", to others 404; one that wants a key repeats the one it was given when it is wrong. */
function api(key: string | null = null, model = 'gpt') {
  return (response: ServerResponse, body: string, request: IncomingMessage) => {
    const header = request.headers.authorization;
    if (key !== null && header !== `Bearer ${key}`) {
      response.statusCode = 401;
      response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${header}` } }));
    } else if (request.url === '/v1/models') response.end(`{"data": [{"id": "${model}"}]}`);
    else if (request.url === '/metrics') response.end('vllm:num_requests_running{engine="0"} 3\n');
    else if (JSON.parse(body).model !== model) {
      response.statusCode = 404;
      response.end(JSON.stringify({ error: { message: 'No such model' } }));
    } else {
      const choices = [{ message: { content: 'yes' }, finish_reason: 'stop' }];
      response.end(JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1 } }));
    }
  };
}

async function serve(answer = api(), port = 0, host = '127.0.0.1') {
  const server = await startScriptedServer(answer, port, host);
  onTestFinished(() => server.dispose());
  return server;
}

function specOf(baseUrl: string, secret?: string): ServerSpec {
  const spec = { kind: 'url', id: 'u', model: 'gpt', baseUrl, maxInFlight: 4 } as const;
  return secret === undefined ? spec : { ...spec, secret };
}

const refusalOf = async (servers: ServerService, spec: ServerSpec): Promise<string> => {
  const ensured = await servers.ensure(spec, null, 'study');
  return ensured.ok ? '' : ensured.error.message;
};

function ask(server: RunningServer) {
  return server.client.complete(
    {
      messages: [{ role: 'user', content: 'Go.' }],
      sampling: { temperature: 1, topP: 1, maxTokens: 8 },
      seed: 1,
      metadata: { problemId: 'p', session: 's', ordinal: 0, parent: '', turn: 0 },
    },
    new AbortController().signal,
  );
}

test('the study names an address that stops answering, and continues when it answers again', async () => {
  const servers = await open();
  const first = await serve();
  const spec = specOf(first.baseUrl);
  const server = await unwrap(servers.ensure(spec, null, 'study'));
  await first.dispose();
  expect(await ask(server)).toMatchObject({ ok: false, error: { kind: 'transport' } });
  expect(servers.views()[0]?.state).toMatchObject({
    kind: 'starting',
    stage: expect.stringMatching(/has not answered since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(.* waiting for it/),
  });
  const again = servers.ensure(spec, null, 'study');
  await serve(api(), Number(new URL(first.baseUrl).port));
  expect(await ask(await unwrap(again))).toMatchObject({ ok: true });
  expect(servers.views()[0]?.state.kind).toBe('ready');
});

test.each([
  ['without a break', false],
  ['after it did not answer', true],
])('one that has another model now, %s, fails at once and says which', async (_, breaks) => {
  const servers = await open();
  let answer = api();
  const first = await serve((...call) => answer(...call));
  const spec = specOf(first.baseUrl);
  const server = await unwrap(servers.ensure(spec, null, 'study'));
  answer = api(null, 'llama');
  if (breaks) {
    await first.dispose();
    expect(await ask(server)).toMatchObject({ ok: false, error: { kind: 'transport' } });
    const again = servers.ensure(spec, null, 'study');
    // This one answers whatever model it is asked for.
    await serve(
      (response, body, request) => answer(response, body.replace('gpt', 'llama'), request),
      Number(new URL(first.baseUrl).port),
    );
    expect(await again).toMatchObject({ ok: false });
  }
  const message = `The server does not serve "gpt" but "llama". Asked at ${first.baseUrl}.`;
  expect(await ask(server)).toEqual({ ok: false, error: { kind: 'other-model', message } });
  expect(servers.views()[0]?.state).toMatchObject({ kind: 'failed', message });
});

test('one request that is refused does not end the use of an address that has the model', async () => {
  const servers = await open();
  let refuses = false;
  const { baseUrl } = await serve((response, body, request) => {
    if (refuses && request.url !== '/v1/models') response.statusCode = 400;
    return api()(response, body, request);
  });
  const server = await unwrap(servers.ensure(specOf(baseUrl), null, 'study'));
  refuses = true;
  expect(await ask(server)).toMatchObject({ ok: false, error: { kind: 'refused', status: 400 } });
  expect(servers.views()[0]?.state.kind).toBe('ready');
});

describe.skipIf(!hasSshd)('through a machine (needs sshd)', () => {
  test('an address that the machine sees is used over its connection, also after a cut', async () => {
    const lab = await startSshd();
    onTestFinished(() => lab.stop());
    const { machine } = await connectedMachine(lab);
    const servers = await open(60_000, [machine]);
    // Its loopback of another number: this computer would not guess it.
    const server = await serve(api(), 0, '127.0.0.7');
    const spec = { ...specOf(server.baseUrl), machineId: 'lab' } as ServerSpec;
    const running = await unwrap(servers.ensure(spec, null, 'study'));
    expect(new URL(running.baseUrl).hostname).toBe('127.0.0.1');
    expect(new URL(running.baseUrl).pathname).toBe('/v1');
    expect(await ask(running)).toMatchObject({ ok: true });
    expect(servers.views()).toMatchObject([{ machineId: 'lab', state: { kind: 'ready' } }]);
    await lab.killSessions();
    await eventually('the connection to be back', async () => (await ask(running)).ok);
    const [view] = servers.views();
    await servers.stop(view?.id ?? '');
    await expect(fetch(`${running.baseUrl}/models`)).rejects.toThrow();
  });

  test('https, and a machine that does not exist, are refused', async () => {
    const lab = await startSshd();
    onTestFinished(() => lab.stop());
    const { machine } = await connectedMachine(lab);
    const servers = await open(60_000, [machine]);
    const through = (baseUrl: string, machineId: string) =>
      refusalOf(servers, { ...specOf(baseUrl), machineId } as ServerSpec);
    expect(await through('https://api.example/v1', 'lab')).toContain('must begin with http://');
    expect(await through('http://127.0.0.1:1/v1', 'gone')).toContain('There is no machine "gone"');
    expect(await through('http://127.0.0.1:1/v1', 'lab')).toContain('(seen from Machine lab)');
  });
});

test('one that stays silent is given up with what to do', async () => {
  const servers = await open(100);
  const first = await serve();
  const spec = specOf(first.baseUrl);
  const server = await unwrap(servers.ensure(spec, null, 'study'));
  await first.dispose();
  await ask(server);
  expect(await servers.ensure(spec, null, 'study')).toMatchObject({
    ok: false,
    error: { hint: expect.stringContaining('Start it again where it runs') },
  });
});

test('a key goes with every request, and is seen nowhere else', async () => {
  const servers = await open();
  const { baseUrl } = await serve(api(KEY));
  const server = await unwrap(servers.ensure(specOf(baseUrl, 'lab-key'), null, 'study'));
  expect(await ask(server)).toMatchObject({ ok: true });
  expect(JSON.stringify([servers.views(), server])).not.toContain(KEY);
});

test('a key that is refused is not repeated, though the server does', async () => {
  const servers = await open();
  const { baseUrl } = await serve(api('another'));
  const message = await refusalOf(servers, specOf(baseUrl, 'lab-key'));
  expect(message).toMatch(/401.*Incorrect API key provided: Bearer \(key\)/);
  expect(message).not.toContain(KEY);
});

test('a speed test asks with the key, and does not show it either', async () => {
  const servers = await open();
  let expectedKey = KEY;
  const { baseUrl } = await serve((response, body, request) => api(expectedKey)(response, body, request));
  const { id } = await unwrap(servers.ensure(specOf(baseUrl, 'lab-key'), null, 'study'));
  const order = { concurrencies: [2], tokens: 5 };
  const never = new AbortController().signal;
  expect(await unwrap(servers.speedTest(id, order, () => undefined, never))).toMatchObject([
    { concurrency: 2, requests: 4, failures: 0, firstTokenMs: null },
  ]);
  expectedKey = 'another';
  const refused = await servers.speedTest(id, order, () => undefined, never);
  expect(refused).toMatchObject({ error: { message: expect.stringContaining('Bearer (key)') } });
});

test('the message for a key that is not saved names it', async () => {
  const { baseUrl } = await serve();
  expect(await refusalOf(await open(), specOf(baseUrl, 'other-key'))).toContain(
    '"other-key" is not in the key store',
  );
});

test('a key never goes to another computer in the clear', async () => {
  const spec = specOf('http://gpu.example:8000/v1', 'lab-key');
  expect(await refusalOf(await open(), spec)).toMatch(/unencrypted.*https/);
});

test('an address that runs one of the engines shows its numbers', async () => {
  const servers = await open();
  const { baseUrl } = await serve();
  await unwrap(servers.ensure(specOf(baseUrl), null, 'study'));
  expect(await eventually('metrics', () => servers.views()[0]?.metrics)).toMatchObject({ running: 3 });
});

test('a stopped address can be probed again, or removed from the list', async () => {
  const servers = await open();
  const { baseUrl } = await serve();
  const { id } = await unwrap(servers.ensure(specOf(baseUrl), null, 'study'));
  await servers.stopOwnedBy('study');
  expect(servers.views()[0]?.state.kind).toBe('stopped');
  await unwrap(servers.restart(id));
  expect(servers.views()[0]?.state.kind).toBe('ready');
  await servers.stop(id);
  await unwrap(servers.remove(id));
  expect(servers.views()).toEqual([]);
});
