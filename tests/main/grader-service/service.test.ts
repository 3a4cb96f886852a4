import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ok } from '../../../main/base';
import { type Grader, openSandboxGrader, probeSandbox } from '../../../main/grading';
import { PATIENT_POLL, RESOURCES } from '../grading/sandbox';
import { DOUBLE, ECHO, ECHO_PROGRAM, type Served, serve, TOKEN } from './served';

const sandboxProblem = await probeSandbox({ resourcesDir: RESOURCES, allowUnsandboxed: false });
const ENDLESS = { program: 'while True: pass', tests: [ECHO], limits: { cpuSeconds: 300, wallSeconds: 600 } };

/** Answers when the test says so, and records what was asked. */
function heldGrader() {
  const held: Array<{ readonly answer: () => void; readonly signal: AbortSignal | undefined }> = [];
  const grade: Grader['grade'] = (_request, signal) =>
    new Promise((resolve) => {
      const answer = () => resolve(ok({ verdict: 'passed', results: [result] }));
      const result = { verdict: 'passed', actual: null, error: null, cpuMs: 1, wallMs: 1 } as const;
      held.push({ answer, signal });
      signal?.addEventListener('abort', () =>
        resolve({ ok: false, error: { code: 'cancelled', message: 'The grading was cancelled.' } }),
      );
    });
  const grader = { grade, health: () => ({ kind: 'good' }) as const, python: '3.11.0', packages: [] };
  return { grader, held };
}

async function serveHeld(options = {}) {
  const { grader, held } = heldGrader();
  const served = await serve(grader, options);
  onTestFinished(() => void served.service.close(0));
  return { ...served, held };
}

describe.skipIf(sandboxProblem !== null)(
  'the grader service over the sandbox (skipped where none starts)',
  () => {
    let grader: Grader;
    let served: Served;
    beforeAll(async () => {
      const opened = await openSandboxGrader({
        resourcesDir: RESOURCES,
        allowUnsandboxed: false,
        concurrency: 2,
      });
      if (!opened.ok) throw new Error(opened.error.message);
      grader = opened.value;
      served = await serve(grader);
    });
    afterAll(async () => {
      await served.service.close(0);
      await grader.dispose();
    });

    test('grades a batch in its order; a bad item has its own error and spoils no other', async () => {
      const { status, json } = await served.ask({
        items: [
          { id: 'half', program: ECHO_PROGRAM, tests: [ECHO, DOUBLE] },
          { id: 'bad', program: ECHO_PROGRAM, tests: [{ kind: 'stdin', input: 1 }] },
          {
            id: 'call',
            program: 'def f(a, b):\n    return a + b',
            entryPoint: 'f',
            tests: [{ kind: 'call', input: '1\n2', expected: '3' }],
          },
          {
            id: 'check',
            program: 'def f(): return 1',
            tests: [{ kind: 'check', source: 'assert f() == 1' }],
          },
          { id: 'none', answer: 'I do not know.', tests: [ECHO] },
          { id: 'untested', program: ECHO_PROGRAM, tests: [] },
        ],
      });
      expect(status).toBe(200);
      const [half, bad, call, check, none, untested] = json.results;
      expect(half).toMatchObject({ id: 'half', verdict: 'wrong-answer', score: 0.5, extraction: null });
      expect(half.tests.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
        'passed',
        'wrong-answer',
      ]);
      expect(half.tests[1]).not.toHaveProperty('actual');
      expect(half.seconds).toBeGreaterThan(0);
      expect(bad).toEqual({
        id: 'bad',
        error: { code: 'bad-item', message: expect.stringMatching(/^tests\.0\.input: /) },
      });
      expect([call.score, check.score, none.score, untested.score]).toEqual([1, 1, 0, null]);
      expect(none).toMatchObject({
        verdict: 'no-code',
        extraction: 'last-fence',
        rules: 'plain',
        mode: 'as-program',
      });
      expect(json.grader).toEqual({ kind: 'good' });
    });

    test('reads the answer and compares as the caller names, and says which way it was', async () => {
      const answer = '```python\nprint(input())  # long enough\n```\nOutput:\n```\n3\n```';
      const global = 'c = 0\ndef f():\n    global c\n    c = int(input())\nf()\nprint(c)';
      const { json } = await served.ask({
        items: [
          ...['last-fence', 'python-fence'].map((extraction) => ({ answer, extraction, tests: [ECHO] })),
          ...['as-program', 'as-published'].map((mode) => ({
            program: global,
            rules: 'livecodebench',
            mode,
            tests: [ECHO],
          })),
        ],
        details: true,
      });
      expect(json.results.map(({ score }: { score: number }) => score)).toEqual([0, 1, 1, 0]);
      expect(json.results[1]).toMatchObject({ extraction: 'python-fence', tests: [{ actual: '3\n' }] });
      expect(json.results[3]).toMatchObject({
        extraction: null,
        rules: 'livecodebench',
        mode: 'as-published',
      });
    });

    test('grades equal programs once', async () => {
      const before = grader.statistics().graded;
      const items = Array.from({ length: 20 }, () => ({ program: 'print(input(), end="")', tests: [ECHO] }));
      const { json } = await served.ask({ items });
      await served.ask({ items });
      expect(json.results).toHaveLength(20);
      expect(grader.statistics().graded - before).toBe(1);
    });

    test('stops the programs of a client that leaves, and of a request whose time is over', async () => {
      const gone = new AbortController();
      const asked = served.ask({ items: [ENDLESS] }, { signal: gone.signal });
      await expect.poll(() => grader.statistics().running, PATIENT_POLL).toBe(1);
      gone.abort();
      await expect(asked).rejects.toThrow();
      await expect.poll(() => grader.statistics().running, PATIENT_POLL).toBe(0);
      const { json } = await served.ask({
        items: [ENDLESS, { program: ECHO_PROGRAM, tests: [ECHO] }],
        timeoutSeconds: 1,
      });
      expect(json.results).toMatchObject([{ error: { code: 'timeout' } }, { verdict: 'passed' }]);
      await expect.poll(() => grader.statistics().running, PATIENT_POLL).toBe(0);
    });
  },
);

describe('the grader service', () => {
  test('answers nobody without its token, on any path', async () => {
    const { ask, address, held } = await serveHeld();
    for (const token of [null, '', `${TOKEN}x`, TOKEN.slice(1)]) {
      const { status, headers, json } = await ask({ items: [] }, { token });
      expect([status, headers.get('www-authenticate'), json.error.code]).toEqual([
        401,
        'Bearer',
        'unauthorised',
      ]);
    }
    expect((await fetch(`${address}/health`)).status).toBe(401);
    const basic = await fetch(`${address}/health`, { headers: { authorization: `Basic  ${TOKEN}` } });
    expect(basic.status).toBe(401);
    const known = await fetch(`${address}/health`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await known.json()).toMatchObject({
      service: 'mars2-grader',
      version: 1,
      grader: { kind: 'good' },
      workers: 2,
    });
    expect(held).toHaveLength(0);
  });

  test('refuses what is no batch, is nested too deep, has too many items or is too large, with a status each', async () => {
    const { ask, address } = await serveHeld();
    const item = { program: ECHO_PROGRAM, tests: [ECHO] };
    const refused: readonly (readonly [unknown, number, RegExp])[] = [
      ['{"items":', 400, /no JSON/],
      [`{"items":[${'['.repeat(9)}${']'.repeat(9)}]}`, 400, /nested deeper/],
      [{ items: [] }, 400, /^items: /],
      [{ items: Array.from({ length: 1_025 }, () => item) }, 400, /^items: /],
      [{ items: [item], detials: true }, 400, /detials/],
      [' '.repeat(64 * 1024 ** 2 + 1), 413, /larger than 64 MiB/],
    ];
    for (const [body, status, message] of refused) {
      const answer = await ask(body);
      expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringMatching(message)]);
    }
    const headers = { authorization: `Bearer ${TOKEN}` };
    const statuses = [fetch(`${address}/v1/grade`, { headers }), fetch(`${address}/`, { headers })];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([405, 404]);
  });

  test('sends further requests away while it has its most, with 429 and when to come back', async () => {
    const { ask, held } = await serveHeld({ maxRequests: 1 });
    const body = { items: [{ program: ECHO_PROGRAM, tests: [ECHO] }] };
    const first = ask(body);
    await expect.poll(() => held.length).toBe(1);
    const { status, headers } = await ask(body);
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    held[0]?.answer();
    expect((await first).json.results).toMatchObject([{ verdict: 'passed' }]);
  });

  test('ends after the requests under way; what it does not wait for is told so, and counted', async () => {
    const { ask, held, service, lines } = await serveHeld();
    const body = {
      items: [
        { program: ECHO_PROGRAM, tests: [ECHO] },
        { program: 'pass', tests: [ECHO] },
      ],
    };
    const asked = ask(body);
    await expect.poll(() => held.length).toBe(2);
    const closed = service.close(600_000);
    held[0]?.answer();
    expect(service.ungraded()).toBe(2);
    await expect.poll(() => service.ungraded()).toBe(1);
    void service.close(0);
    expect((await asked).json.results).toMatchObject([{ verdict: 'passed' }, { error: { code: 'closing' } }]);
    expect(await closed).toBe(1);
    expect(held[1]?.signal?.aborted).toBe(true);
    expect(lines).toEqual([expect.stringMatching(/^POST \/v1\/grade 200 \d+ ms$/)]);
  });

  test('lets no sender of half a body hold it open', async () => {
    const { address, service } = await serveHeld();
    const sent = request(`${address}/v1/grade`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-length': 100 },
    });
    const broken = new Promise((resolve) => sent.on('error', resolve));
    sent.write('{"items"');
    await new Promise<void>((done) => service.server.once('request', () => done()));
    expect(await service.close(0)).toBe(0);
    expect(await broken).toBeInstanceOf(Error);
  });
});
