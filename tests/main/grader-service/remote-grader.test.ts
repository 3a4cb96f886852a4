import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { failed } from '../../../main/base';
import {
  type CalibrationRecord,
  type GradeRequest,
  type Grader,
  openSandboxGrader,
  probeSandbox,
} from '../../../main/grading';
import { openRemoteGrader } from '../../../main/grading/remote-grader';
import type { Grade } from '../../../preload/contract';
import { interpreterGrader } from '../../support/interpreter-grader';
import { unwrap } from '../../support/unwrap';
import { LIMITS, RESOURCES, SOON_OVER } from '../grading/sandbox';
import { DOUBLE, ECHO, ECHO_PROGRAM, serve, TOKEN } from './served';

const sandboxProblem = await probeSandbox({ resourcesDir: RESOURCES, allowUnsandboxed: false });

const PLAIN: GradeRequest = {
  program: ECHO_PROGRAM,
  entryPoint: null,
  tests: [ECHO, DOUBLE],
  limits: LIMITS,
  stopAtFirstFailure: false,
};
const reference = 'def f(x):\n    return x + 1';
const inputs = '[(1,), (2,)]';
const ADDING = { kind: 'reference', inputs, inputsForm: 'python', reference, tolerance: 0 } as const;

/** One for each form of tests, and for each thing that a request says. */
const REQUESTS: readonly (readonly [string, Partial<GradeRequest>])[] = [
  ['a wrong answer', {}],
  ['the same up to its first failure', { tests: [DOUBLE, ECHO], stopAtFirstFailure: true }],
  ['no program', { program: null }],
  ['a blank program', { program: ' \n' }],
  ['no tests', { tests: [] }],
  [
    'a call',
    {
      program: 'def f(a):\n    return [a]',
      entryPoint: 'f',
      tests: [{ kind: 'call', input: '"é\\u2028"', expected: '["é\\u2028"]' }],
    },
  ],
  [
    'a failing check',
    { program: 'x = 1', rules: 'humaneval', tests: [{ kind: 'check', source: 'assert x == 2' }] },
  ],
  ['a reference', { program: reference, entryPoint: 'f', rules: 'evalplus', tests: [ADDING] }],
  ['an error', { program: 'print(1 / 0)' }],
  ['too much time', { program: 'while True: pass', tests: [ECHO], limits: SOON_OVER }],
  [
    'too much time, and no more tests after it',
    {
      program: 'while True: pass',
      tests: [ECHO, DOUBLE, ECHO],
      limits: SOON_OVER,
      stopAtTimeLimit: true,
    },
  ],
  ['too much output', { program: 'print("x" * 10**7)', tests: [ECHO] }],
  [
    'the published reading',
    { program: 'sum = sum([1])\nprint(input())', rules: 'livecodebench', mode: 'as-published' },
  ],
];

function withoutTimes(grade: Grade): unknown {
  return { ...grade, results: grade.results.map((result) => ({ ...result, cpuMs: 0, wallMs: 0 })) };
}

describe.skipIf(sandboxProblem !== null)(
  'a grader service as a grader (skipped where no sandbox starts)',
  () => {
    let [served, here]: Grader[] = [];
    let address = '';
    let close = async (): Promise<unknown> => undefined;
    beforeAll(async () => {
      // Two graders, as a cache of the first would give its verdicts to the second. One calibration, as each of them
      // would measure its own on a busy computer, and their limits would differ.
      let stored: CalibrationRecord | null = null;
      const calibration = {
        read: async () => stored,
        write: async (record: CalibrationRecord) => {
          stored = record;
        },
      };
      const open = () =>
        openSandboxGrader({ resourcesDir: RESOURCES, allowUnsandboxed: false, concurrency: 1, calibration });
      [served, here] = [await unwrap(open()), await unwrap(open())];
      const service = await serve(served);
      address = service.address;
      close = () => service.service.close(0);
    });
    afterAll(async () => {
      await close();
      await Promise.all([served?.dispose(), here?.dispose()]);
    });

    test.each(REQUESTS)('gives the grade of the grader in this process: %s', async (_, changes) => {
      const remote = await unwrap(openRemoteGrader({ address, token: TOKEN }));
      onTestFinished(() => remote.dispose());
      const request = { ...PLAIN, ...changes };
      const far = await unwrap(remote.grade(request));
      const near = await unwrap(here?.grade(request) ?? failed({ code: 'internal', message: '' }));
      expect(withoutTimes(far)).toEqual(withoutTimes(near));
    });
  },
);

describe('a grader service as a grader', () => {
  const grader = { ...interpreterGrader(), python: '3.11.0', packages: [] };
  const retries = { maxRetries: { down: 2, busy: 2 }, firstWaitMs: 1, longestWaitMs: 2 };

  test('asks again where the service is busy or gone for a moment', async () => {
    const { address, service } = await serve(grader);
    onTestFinished(() => void service.close(0));
    let asked = 0;
    // In front of the service: breaks the connection, then is busy, then lets through.
    const front = createServer((request, response) => {
      asked += 1;
      if (asked === 2) return void request.socket.destroy();
      if (asked === 3) return void response.writeHead(429, { 'retry-after': '0' }).end();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const { method = 'GET', url } = request;
        const headers = { authorization: request.headers.authorization ?? '' };
        const body = method === 'GET' ? null : Buffer.concat(chunks);
        const answer = await fetch(`${address}${url}`, { method, headers, body });
        response.writeHead(answer.status).end(await answer.text());
      });
    });
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
    onTestFinished(() => void front.close());
    const { port } = front.address() as AddressInfo;
    const remote = await unwrap(
      openRemoteGrader({ address: `http://127.0.0.1:${port}`, token: TOKEN, retries }),
    );
    onTestFinished(() => remote.dispose());
    expect((await unwrap(remote.grade(PLAIN))).verdict).toBe('runtime-error');
    expect(asked).toBe(4);
  });

  test('is refused, never a verdict, where there is none, none any more, or another token', async () => {
    const { address, service } = await serve(grader);
    const wrong = await openRemoteGrader({ address, token: 'wrong', retries });
    expect(wrong).toMatchObject({ error: { message: expect.stringMatching(/status 401: .*token/) } });
    const remote = await unwrap(openRemoteGrader({ address, token: TOKEN, retries }));
    await service.close(0);
    const gone = {
      ok: false,
      error: { code: 'unavailable', message: expect.stringMatching(/cannot be reached/) },
    };
    expect(await remote.grade(PLAIN)).toMatchObject(gone);
    expect(await openRemoteGrader({ address, token: TOKEN, retries })).toMatchObject(gone);
  });

  test('knows when the sandbox of the service breaks, and refuses what was not graded', async () => {
    let health: ReturnType<Grader['health']> = { kind: 'good' };
    const { address, service } = await serve({ ...grader, health: () => health });
    onTestFinished(() => void service.close(0));
    const remote = await unwrap(openRemoteGrader({ address, token: TOKEN, retries }));
    onTestFinished(() => remote.dispose());
    health = { kind: 'broken', message: 'No space is left.' };
    expect((await remote.grade(PLAIN)).ok).toBe(true);
    expect(remote.health()).toEqual(health);
    const tooLong = { ...PLAIN, limits: { ...LIMITS, cpuSeconds: 601 } };
    const refused = { error: { message: expect.stringMatching(/limits\.cpuSeconds/) } };
    expect(await remote.grade(tooLong)).toMatchObject(refused);
    expect(await remote.grade(PLAIN, AbortSignal.abort())).toMatchObject({ error: { code: 'cancelled' } });
  });
});
