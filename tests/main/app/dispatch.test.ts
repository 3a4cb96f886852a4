import { expect, test } from 'vitest';
import { dispatcher, type Handlers } from '../../../main/app/dispatch';
import { commands } from '../../../preload/contract/index';

const bugs: unknown[] = [];
const handlers: Handlers = {
  'study.start': async ({ studyId }) =>
    studyId === 'good'
      ? { ok: true, value: null }
      : { ok: false, error: { code: 'not-found', message: studyId } },
  'export.write': async ({ path }) => ({ ok: true, value: { path, rows: 1, bytes: 2 } }),
  'study.list': () => Promise.reject(new Error('a bug')),
  'job.list': async () => ({
    ok: false,
    error: { code: 'internal', message: 'no such part', hint: 'Wait.' },
  }),
};
const call = dispatcher(handlers, (error, name) => {
  bugs.push(`${name}: ${error}`);
  return 'See the log.';
});

async function code(...order: Parameters<typeof call>): Promise<string> {
  const answer = await call(...order);
  return answer.ok ? 'ok' : answer.error.code;
}

test('a known command with a right payload is carried out, and its refusal is data', async () => {
  expect(await code('study.start', { studyId: 'good' }, 'window')).toBe('ok');
  expect(await call('study.start', { studyId: 'other' }, 'window')).toEqual({
    ok: false,
    error: { code: 'not-found', message: 'other' },
  });
});

test('a change of one setting leaves the others unchanged', () => {
  expect(commands['settings.change'].payload.parse({ theme: 'dark' })).toEqual({ theme: 'dark' });
});

test.each([
  ['study.start', {}],
  ['study.start', { studyId: '' }],
  ['study.start', { studyId: 'good', extra: true }],
  ['study.start', null],
  ['study.start', 'good'],
])('%s with the payload %j is refused before it reaches the handler', async (name, payload) => {
  expect(await code(name, payload, 'window')).toBe('invalid-payload');
});

test.each([
  ['study.rename', { studyId: 's', name: 'x'.repeat(200) }, 'name: it has more than 120 characters.'],
  [
    'study.rename',
    { studyId: 's', name: 'two\nlines' },
    'name: a name is one line, without marks of direction.',
  ],
  [
    'study.annotate',
    { studyId: 's', note: '', tags: ['a b'] },
    'tags: “a b” is not a tag: write my-tag, of at most 30 characters.',
  ],
  [
    'job.start',
    { machineId: 'local', name: 'j', commandLine: 'ls', env: { 'A B': 'c' } },
    'env: “A B” is not a variable name: use letters, digits and _, not starting with a digit.',
  ],
  [
    'job.start',
    { machineId: 'local', name: 'j', commandLine: 'ls', resources: { gpuMemoryMib: 0 } },
    'resources gpu-memory-mib: it is not above 0.',
  ],
  ['study.start', {}, 'study-id: it is missing.'],
  ['study.start', null, 'The command "study.start" got an invalid value: it is not an object.'],
  [
    'study.start',
    { studyId: 's', extra: 1 },
    'The command "study.start" got an invalid value: it has what is not known: "extra".',
  ],
])('%s with the payload %j is answered in plain words: %s', async (name, payload, message) => {
  const all = new Proxy(handlers, { get: () => async () => ({ ok: true, value: null }) });
  expect(await dispatcher(all, () => '')(name, payload, 'terminal')).toEqual({
    ok: false,
    error: { code: 'invalid-payload', message },
  });
});

test('configurations of one name and seeds given twice are refused', async () => {
  const agents = { kind: 'single', servers: [], agents: [] };
  const order = (names: string[], seeds: number[]) => ({
    name: 'n',
    benchmarkId: 'b',
    configurations: names.map((configuration) => ({ configuration, team: agents })),
    search: {},
    seeds,
  });
  const { payload } = commands['study.create'];
  const messageFor = (value: unknown): string => payload.safeParse(value).error?.message ?? '';
  expect(messageFor(order(['a', 'a'], [1]))).toContain('two configurations share a name');
  expect(messageFor(order(['a', 'b'], [1, 1]))).toContain('a seed is given twice');
  expect(messageFor(order(['a', 'b'], [1, 2]))).not.toMatch(/share a name|given twice/);
});

test.each(['toString', '__proto__', 'constructor', '', 'study'])('"%s" is not a command', async (name) => {
  expect(await code(name, {}, 'window')).toBe('unknown-command');
});

test("a study's name is one line, without spaces around it", () => {
  const { payload } = commands['study.rename'];
  expect(payload.parse({ studyId: 's', name: ' Heter, Ω ' })).toEqual({ studyId: 's', name: 'Heter, Ω' });
  for (const name of ['two\nlines', 'turned \u202e', 'a\u001b[31m', ' ', 'x'.repeat(121)])
    expect(payload.safeParse({ studyId: 's', name }).success).toBe(false);
});

test('a command with a path is for the terminal alone, one with a dialog for the window alone', async () => {
  const order = { studyId: 'x', kind: 'table', path: '/somewhere' };
  expect(await code('export.write', order, 'window')).toBe('not-allowed');
  expect(await code('export.write', order, 'terminal')).toBe('ok');
  expect(await code('export.choose', { studyId: 'x', kind: 'nodes' }, 'terminal')).toBe('not-allowed');
});

test('an internal error is answered and reported, never thrown, and its hint says where more is found', async () => {
  expect(await call('study.list', {}, 'window')).toMatchObject({
    ok: false,
    error: { code: 'internal', hint: 'See the log.' },
  });
  expect(await call('job.list', {}, 'window')).toMatchObject({
    ok: false,
    error: { code: 'internal', message: 'no such part', hint: 'Wait. See the log.' },
  });
  expect(bugs).toEqual(['study.list: Error: a bug', 'job.list: no such part']);
});
