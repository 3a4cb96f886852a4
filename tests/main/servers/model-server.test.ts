import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkpointOf, encodeCheckpoint, pocketProblems } from '../../../main/pocket';
import { weightCount } from '../../../main/pocket/policy';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import {
  type ModelServerProcess,
  startModelServer,
  writeRecording,
} from '../../support/model-server-process';
import { makeTemporaryFolder } from '../../support/temporary-folder';

/** What JSON.parse gives: each test says what it expects of it. */
type Json = ReturnType<JSON['parse']>;

let script: string;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let recording: string;
let server: ModelServerProcess;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  script = await bundleScript(resolve('main/servers/model-server.ts'), folder.path);
  recording = join(folder.path, 'recording.jsonl');
  await writeRecording(recording, 164, 100);
  server = await start();
});

afterAll(async () => {
  await server.dispose();
  await folder.dispose();
});

function start(...more: string[]): Promise<ModelServerProcess> {
  return startModelServer(script, [
    '--kind',
    'recorded',
    '--model',
    'rec',
    '--recording',
    recording,
    ...more,
  ]);
}

function run(...args: string[]) {
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
}

function body(change: object = {}, metadata: object = {}): Record<string, unknown> {
  return {
    model: 'rec',
    messages: [{ role: 'user', content: 'Write a program.' }],
    metadata: { problem_id: 'p/7', session: 'a', ...metadata },
    ...change,
  };
}

async function post(value: unknown, to = server): Promise<{ status: number; json: Json; headers: Headers }> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const response = await fetch(`${to.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  return { status: response.status, json: await response.json(), headers: response.headers };
}

async function textOf(metadata: object, to = server): Promise<string> {
  const { json } = await post(body({}, metadata), to);
  return json.choices?.[0].message.content ?? json.error.code;
}

async function events(value: unknown): Promise<string[]> {
  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(value),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^data: /, ''));
}

describe('the protocol', () => {
  test('lists its one model and says that it lives', async () => {
    const models: Json = await (await fetch(`${server.baseUrl}/models`)).json();
    expect(models.data.map((model: { id: string }) => model.id)).toEqual(['rec']);
    expect((await fetch(server.baseUrl.replace('/v1', '/health'))).status).toBe(200);
  });

  test('a completion has the shape and the counts that OpenAI gives it', async () => {
    const { status, json } = await post(body({ logprobs: true }, { ordinal: '0' }));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'chat.completion',
      model: 'rec',
      choices: [{ index: 0, message: { role: 'assistant' }, logprobs: null, finish_reason: 'stop' }],
    });
    expect(json.id).toMatch(/^chatcmpl-/);
    expect(json.choices[0].message.content).toMatch(/^def solve\(\):\n {4}return 7, \d+\n$/);
    const { prompt_tokens, completion_tokens, total_tokens } = json.usage;
    expect(prompt_tokens).toBe(6);
    expect(completion_tokens).toBeGreaterThan(5);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
  });

  test('n asks for the next n samples of the session', async () => {
    const { json } = await post(body({ n: 3 }, { ordinal: 4 }));
    const texts = json.choices.map((choice: { message: { content: string } }) => choice.message.content);
    expect(texts).toEqual([
      await textOf({ ordinal: 4 }),
      await textOf({ ordinal: 5 }),
      await textOf({ ordinal: 6 }),
    ]);
    expect(json.choices.map((choice: { index: number }) => choice.index)).toEqual([0, 1, 2]);
  });

  test('a stop text ends the answer before it', async () => {
    const { json } = await post(body({ stop: ['return', 'zzz'] }, { ordinal: 0 }));
    expect(json.choices[0].message.content).toBe('def solve():\n    ');
    expect(json.choices[0].finish_reason).toBe('stop');
  });

  test('a stream brings the same text token by token, the usage and [DONE]', async () => {
    const request = body({ n: 2, stream: true, stream_options: { include_usage: true } }, { ordinal: 0 });
    const lines = await events(request);
    expect(lines.at(-1)).toBe('[DONE]');
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line));
    const texts = ['', ''];
    for (const { choices } of chunks)
      for (const { index, delta } of choices) texts[index] += delta.content ?? '';
    expect(texts).toEqual([await textOf({ ordinal: 0 }), await textOf({ ordinal: 1 })]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 6 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(chunks.length).toBeGreaterThan(20);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
  });

  test('a stream without include_usage has no usage', async () => {
    const chunks = (await events(body({ stream: true }, { ordinal: 0 })))
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  test('fifty requests at once all get their own answer', async () => {
    const requests = Array.from({ length: 50 }, (_, ordinal) => textOf({ session: 'many', ordinal }));
    expect(new Set(await Promise.all(requests)).size).toBe(50);
  });

  test.each([
    ['no JSON', '{', null],
    ['no messages', body({ messages: [] }), 'messages'],
    ['a wrong role', body({ messages: [{ role: 'robot', content: '' }] }), 'messages.0.role'],
    [
      'a picture',
      body({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }),
      'messages.0.content',
    ],
    ['n of 0', body({ n: 0 }), 'n'],
    ['a negative temperature', body({ temperature: -1 }), 'temperature'],
    ['top_p of 0', body({ top_p: 0 }), 'top_p'],
    ['an empty stop', body({ stop: '' }), 'stop'],
    ['a broken seed', body({ seed: 1.5 }), 'seed'],
    ['stream options without a stream', body({ stream_options: { include_usage: true } }), 'stream_options'],
    ['top_logprobs without logprobs', body({ top_logprobs: 2 }), 'top_logprobs'],
    ['a wrong ordinal', body({}, { ordinal: '-1' }), 'metadata.ordinal'],
    ['no problem', body({ metadata: {} }), 'metadata.problem_id'],
  ])('%s is refused with 400 and the name of the field', async (_name, value, param) => {
    const { status, json } = await post(value);
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ type: 'invalid_request_error', param });
    expect(json.error.message).toMatch(/\.$/);
  });

  test('another model is 404, as is another path, and a wrong method 405', async () => {
    expect(await post(body({ model: 'gpt' }))).toMatchObject({
      status: 404,
      json: { error: { code: 'model_not_found', param: 'model' } },
    });
    expect((await fetch(`${server.baseUrl}/embeddings`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${server.baseUrl}/chat/completions`)).status).toBe(405);
  });

  test('a body over 4 MB is 413 and the server continues', async () => {
    expect((await post('x'.repeat(4_000_001))).status).toBe(413);
    expect((await post(body({}, { ordinal: 0 }))).status).toBe(200);
  });

  test('requests over the cap get 429 and a time to come back', async () => {
    const slow = await start('--latency-ms', '60000', '--max-waiting', '1');
    try {
      const giveUp = new AbortController();
      const first = fetch(`${slow.baseUrl}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(body({}, { ordinal: 0 })),
        signal: giveUp.signal,
      }).catch((error: Error) => error.name);
      const refusal = await eventually('a refusal', async () => {
        const answer = fetch(`${slow.baseUrl}/chat/completions`, { method: 'POST', body: '{' });
        const response = await answer;
        return response.status === 429 ? response : null;
      });
      expect(refusal.headers.get('retry-after')).toBe('1');
      expect(await refusal.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
      giveUp.abort();
      expect(await first).toBe('AbortError');
      await eventually('a free place', async () => {
        const response = await fetch(`${slow.baseUrl}/chat/completions`, { method: 'POST', body: '{' });
        return response.status === 400;
      });
      // The line comes through a pipe, which may be slower than the answer.
      await eventually('the line in the log', () =>
        slow.output().includes('the client closed the connection'),
      );
    } finally {
      await slow.dispose();
    }
  });

  test('every request leaves one line in the log', async () => {
    const { headers } = await post(body({}, { problem_id: 'nowhere' }));
    const id = headers.get('x-request-id') ?? 'none';
    const lines = await eventually('the line', () => {
      const found = server
        .output()
        .split('\n')
        .filter((line) => line.includes(id));
      return found.length > 0 ? found : null;
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\S+Z \S+ POST \/v1\/chat\/completions 404 \d+ ms prompt 0 completion 0 problem: "/,
    );
  });
});

describe('recorded samples', () => {
  test('the same ordinal gets the same sample, in another process too', async () => {
    const other = await start();
    try {
      for (const ordinal of [0, 3, 99])
        expect(await textOf({ ordinal }, other)).toBe(await textOf({ ordinal }));
    } finally {
      await other.dispose();
    }
  });

  test('a session gets each sample once, then the answer that none are left', async () => {
    const texts = await Promise.all(Array.from({ length: 100 }, (_, ordinal) => textOf({ ordinal })));
    expect(new Set(texts).size).toBe(100);
    expect(await post(body({}, { ordinal: 100 }))).toMatchObject({
      status: 409,
      json: { error: { code: 'samples_exhausted' } },
    });
  });

  test('sessions and server seeds have their own orders', async () => {
    const other = await start('--seed', '9');
    try {
      const order = (session: string, to = server) =>
        Promise.all(Array.from({ length: 20 }, (_, ordinal) => textOf({ session, ordinal }, to)));
      const [a, b, c] = [await order('a'), await order('b'), await order('a', other)];
      expect(a).not.toEqual(b);
      expect(a).not.toEqual(c);
    } finally {
      await other.dispose();
    }
  });

  test('without an ordinal the server counts per session and problem', async () => {
    const counted = [await textOf({ session: 'counted' }), await textOf({ session: 'counted' })];
    expect(counted).toEqual([
      await textOf({ session: 'counted', ordinal: 0 }),
      await textOf({ session: 'counted', ordinal: 1 }),
    ]);
  });

  test('a problem that is not recorded is named', async () => {
    const { status, json } = await post(body({}, { problem_id: 'p/999' }));
    expect(status).toBe(404);
    expect(json.error).toMatchObject({
      code: 'problem_not_recorded',
      message: expect.stringContaining('p/999'),
    });
  });
});

describe('recorded traces', () => {
  const digestOf = (program: string) => createHash('sha256').update(program).digest('hex').slice(0, 16);
  let traces: ModelServerProcess;

  beforeAll(async () => {
    const path = join(folder.path, 'traces.jsonl');
    const lines = [
      {
        problemId: 'p/7',
        samples: ['a', 'b'],
        refinements: [
          { of: digestOf('a'), programs: ['a', 'c'] },
          { of: digestOf('c'), programs: ['d'] },
        ],
      },
      { problemId: 'p/8', samples: ['one two three'], refinements: [] },
    ];
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    traces = await startModelServer(script, ['--kind', 'recorded', '--model', 'rec', '--recording', path]);
  });
  afterAll(() => traces.dispose());

  const textFor = (metadata: object) => textOf(metadata, traces);

  test('first attempts get the first programs by turn, in an order of the session', async () => {
    const of = (session: string) =>
      Promise.all([0, 1].map((turn) => textFor({ session, parent: '', turn: String(turn), ordinal: 5 })));
    const orders = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(of));
    for (const order of orders) expect([...order].sort()).toEqual(['a', 'b']);
    expect(new Set(orders.map((order) => order.join())).size).toBe(2);
    expect(await of('a')).toEqual(orders[0]);
  });

  test('a refinement gets what was made of that program, by turn in the order of recording', async () => {
    const of = (program: string, turn: number) => textFor({ parent: digestOf(program), turn });
    expect([await of('a', 0), await of('a', 1), await of('c', 0), await of('a', 0)]).toEqual([
      'a',
      'c',
      'd',
      'a',
    ]);
  });

  test('that have no more below a program say so, and are not used up', async () => {
    const none = await post(body({}, { parent: digestOf('d'), turn: 0 }), traces);
    expect(none).toMatchObject({ status: 409, json: { error: { code: 'no_refinement' } } });
    expect(none.json.error.message).toContain(`has no refinements of the program ${digestOf('d')}`);
    const used = await post(body({}, { parent: digestOf('a'), turn: 2 }), traces);
    expect(used.json.error).toMatchObject({
      code: 'no_refinement',
      message: expect.stringContaining('All 2 '),
    });
    expect(await textFor({ parent: '', turn: 2 })).toBe('no_refinement');
  });

  test('without a turn the server counts, separately for each program', async () => {
    const session = 'counted';
    const firsts = [await textFor({ session }), await textFor({ session, parent: '' })];
    expect(firsts.sort()).toEqual(['a', 'b']);
    const parent = digestOf('a');
    expect([await textFor({ session, parent }), await textFor({ session, parent })]).toEqual(['a', 'c']);
  });

  test('are returned whole, even if fewer tokens are requested', async () => {
    const { json } = await post(body({ max_tokens: 1 }, { problem_id: 'p/8', turn: 0 }), traces);
    expect(json.choices[0]).toMatchObject({
      message: { content: 'one two three' },
      finish_reason: 'stop',
    });
  });

  test('a parent that is not a digest is refused by name', async () => {
    const { status, json } = await post(body({}, { parent: 'a' }), traces);
    expect([status, json.error.param]).toEqual([400, 'metadata.parent']);
  });
});

describe('recordings of independent samples', () => {
  test('are chosen by ordinal, for any program to refine', async () => {
    for (const metadata of [
      { parent: '0123456789abcdef', turn: '7' },
      { parent: '', turn: '0' },
    ]) {
      expect(await textOf({ ordinal: 3, ...metadata })).toBe(await textOf({ ordinal: 3 }));
    }
  });
});

describe('pocket policies', () => {
  const [problem] = pocketProblems({ split: 'test', seed: 1, count: 1 });
  const statement = problem?.statement ?? '';
  let pocket: ModelServerProcess;

  beforeAll(async () => {
    const checkpoint = join(folder.path, 'checkpoint.json');
    const weights = new Float64Array(weightCount('reader'));
    await writeFile(
      checkpoint,
      encodeCheckpoint(checkpointOf({ family: 'reader', seed: 1, weights }, 'test', 0)),
    );
    pocket = await startModelServer(script, ['--kind', 'pocket', '--model', 'p', '--checkpoint', checkpoint]);
  });
  afterAll(() => pocket.dispose());

  const ask = (change: object) =>
    post({ model: 'p', messages: [{ role: 'user', content: statement }], seed: 5, ...change }, pocket);

  test('the same seed gives the same answer and the choices of n differ in their seeds only', async () => {
    const [one, again, three] = [await ask({}), await ask({}), await ask({ n: 3 })];
    expect(one.status).toBe(200);
    expect(again.json.choices).toEqual(one.json.choices);
    expect(three.json.choices[0]).toEqual(one.json.choices[0]);
    expect(three.json.choices).toHaveLength(3);
  });

  test('logprobs come token by token and the tokens are the text', async () => {
    const { json } = await ask({ logprobs: true });
    const [choice] = json.choices;
    const tokens: { token: string; logprob: number }[] = choice.logprobs.content;
    expect(tokens.map(({ token }) => token).join('')).toBe(choice.message.content);
    expect(tokens.every(({ logprob }) => logprob <= 0)).toBe(true);
    expect(json.usage.completion_tokens).toBe(tokens.length);
  });

  test('max_tokens cuts the answer and says so', async () => {
    const { json } = await ask({ max_tokens: 1 });
    expect(json.choices[0].finish_reason).toBe('length');
    expect(json.usage.completion_tokens).toBe(1);
  });

  test('a damaged checkpoint is refused with its path', async () => {
    const damaged = join(folder.path, 'damaged-checkpoint.json');
    await writeFile(damaged, '{"version":1');
    const { status, stderr } = run('--kind', 'pocket', '--checkpoint', damaged, '--model', 'm');
    expect(stderr).toContain(damaged);
    expect(status).toBe(2);
  });
});

describe('the process', () => {
  test('SIGTERM lets the request under way finish, then ends with 0', async () => {
    const slow = await start('--latency-ms', '400');
    const ended = once(slow.child, 'exit');
    const response = await fetch(`${slow.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body({ stream: true }, { ordinal: 0 })),
    });
    // The headers are here, so the request is under way; most of its tokens are still to come.
    slow.child.kill('SIGTERM');
    expect((await response.text()).endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await ended).toEqual([0, null]);
    await slow.dispose();
  });

  test.each([
    [['--kind', 'vllm'], '--kind is pocket, recorded or reward, not "vllm"'],
    [['--kind', 'recorded', '--model', 'x'], '--kind recorded needs --recording FILE'],
    [['--kind', 'recorded', '--recording', 'x'], '--model is missing'],
    [['--frobnicate', '1'], 'Unknown argument "--frobnicate"'],
    [
      ['--kind', 'recorded', '--recording', 'x', '--model', 'm', '--port', '99999'],
      '--port is a whole number from 0',
    ],
    [
      ['--kind', 'recorded', '--recording', 'x', '--model', 'm', '--latency-ms', ''],
      '--latency-ms is a number',
    ],
    [
      ['--kind', 'recorded', '--recording', '/nowhere/x', '--model', 'm'],
      'The recording /nowhere/x cannot be read: it does not exist (ENOENT).',
    ],
  ])('%j is refused with a plain message', (args, message) => {
    const { status, stderr } = run(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  test('a damaged recording is refused with the number of its line', async () => {
    const damaged = join(folder.path, 'damaged.jsonl');
    await writeFile(damaged, '{"problemId":"a","samples":["x"]}\n{"problemId":"b","samp');
    const { stderr } = run('--kind', 'recorded', '--recording', damaged, '--model', 'm');
    expect(stderr).toContain('Line 2 of the recording');
  });

  test('a taken port is named', () => {
    const { port } = new URL(server.baseUrl);
    const { status, stderr } = run(
      '--kind',
      'recorded',
      '--recording',
      recording,
      '--model',
      'm',
      '--port',
      port,
    );
    expect(stderr).toContain(`Port ${port} is taken`);
    expect(status).toBe(2);
  });
});
