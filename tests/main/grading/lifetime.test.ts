import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { GradeRequest, Grader } from '../../../main/grading';
import type { LauncherKind } from '../../../main/grading/launcher';
import { isStillThere, sandboxProcesses } from './process-table';
import { grade, LIMITS, openGrader, PATIENT_POLL } from './sandbox';

const FOREVER = 'import time\ntime.sleep(99)';
const PATIENT = { ...LIMITS, wallSeconds: 90 };

let opened: Grader[] = [];
afterEach(async () => {
  for (const grader of opened) await grader.dispose();
  opened = [];
});

async function open(concurrency?: number, kind?: LauncherKind): Promise<Grader> {
  const grader = await openGrader(concurrency, kind);
  opened.push(grader);
  return grader;
}

function request(program: string, limits = PATIENT): GradeRequest {
  const tests = [{ kind: 'stdin', input: '', expected: '' } as const];
  return { program, entryPoint: null, tests, limits, stopAtFirstFailure: false };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5);
}

const kinds = ['shared', 'nested', 'single', 'bare'] as const;

test.each(kinds)('dispose leaves no process and no temporary folder (%s)', async (kind) => {
  const own = new RegExp(`^mars2-(grader|candidate)-${process.pid}-`);
  const folders = () => readdirSync(tmpdir()).filter((name) => own.test(name));
  const grader = await open(2, kind);
  const sleeper =
    'import os, time\nfor _ in range(5):\n  if os.fork() == 0:\n    os.setsid()\n    break\ntime.sleep(99)';
  const grades = [0, 1, 2, 3].map((i) => grader.grade(request(`${sleeper}#${i}`)));
  // Two candidates at a time, each with a runner, a first process and five more.
  await until(
    () => sandboxProcesses().filter((entry) => entry.command.includes('mars2_grader')).length >= 14,
  );
  const seen = sandboxProcesses();
  expect(folders()).not.toEqual([]);
  await grader.dispose();
  expect(folders()).toEqual([]);
  // Killed and without an open file; the kernel may take a moment longer to strike them off its table.
  await expect.poll(() => seen.filter(isStillThere), PATIENT_POLL).toEqual([]);
  await expect.poll(sandboxProcesses, PATIENT_POLL).toEqual([]);
  for (const graded of await Promise.all(grades)) {
    expect(graded).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  }
});

test.each(kinds)('a grader that is disposed while its sandboxes start leaves nothing (%s)', async (kind) => {
  const grader = await open(2, kind);
  const grades = [0, 1, 2].map((i) => grader.grade(request(`${FOREVER}#${i}`)));
  await pause(5);
  await grader.dispose();
  await Promise.all(grades);
  await expect.poll(sandboxProcesses, PATIENT_POLL).toEqual([]);
});

test('a disposed grader refuses and starts nothing', async () => {
  const grader = await open();
  await grader.dispose();
  expect(await grader.grade(request('print(1)'))).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(sandboxProcesses()).toEqual([]);
});

test('a cancelled grade ends its processes and frees its place', async () => {
  const grader = await open(1);
  const cancel = new AbortController();
  const running = grader.grade(request(FOREVER), cancel.signal);
  const waiting = grader.grade(request('import time'));
  await until(() => grader.statistics().running === 1 && grader.statistics().queued === 1);
  expect(grader.statistics()).toEqual({ queued: 1, running: 1, graded: 0, together: 0, faults: 0 });
  cancel.abort();
  expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await waiting).toMatchObject({ ok: true, value: { verdict: 'passed' } });
  expect(grader.statistics()).toEqual({ queued: 0, running: 0, graded: 1, together: 0, faults: 0 });
});

test('a grade that is cancelled while it waits never runs', async () => {
  const grader = await open(1);
  const cancelFirst = new AbortController();
  const cancelSecond = new AbortController();
  const first = grader.grade(request(FOREVER), cancelFirst.signal);
  const second = grader.grade(request('import time\nprint(2)'), cancelSecond.signal);
  await until(() => grader.statistics().queued === 1);
  cancelSecond.abort();
  expect(await second).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  await until(() => grader.statistics().queued === 0);
  cancelFirst.abort();
  await first;
  expect(grader.statistics().graded).toBe(0);
});

test('a cancelled grade leaves the queue at once, although another one holds the sandbox', async () => {
  const grader = await open(1);
  const [cancelFirst, cancelSecond] = [new AbortController(), new AbortController()];
  // It may not share a process, so that the second waits for its slot before it is checked for that.
  const first = grader.grade(request(`import os\n${FOREVER}`), cancelFirst.signal);
  await until(() => grader.statistics().running === 1 && grader.statistics().queued === 0);
  const second = grader.grade(request('print(2)'), cancelSecond.signal);
  await until(() => grader.statistics().queued === 1);
  cancelSecond.abort();
  expect(await second).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(grader.statistics()).toMatchObject({ queued: 0, running: 1, graded: 0 });
  cancelFirst.abort();
  await first;
});

test('a signal that was aborted before asks for nothing', async () => {
  const grader = await open();
  const graded = await grader.grade(request('pass'), AbortSignal.abort());
  expect(graded).toMatchObject({ ok: false, error: { code: 'cancelled' } });
});

test('equal requests are graded once, at the same time and later', async () => {
  const grader = await open();
  const program = 'import time\nprint(time.time_ns())';
  const [first, second] = await Promise.all([
    grade(grader, request(program)),
    grade(grader, request(program)),
  ]);
  const third = await grade(grader, request(program));
  expect([second, third]).toEqual([first, first]);
  expect(grader.statistics().graded).toBe(1);
});

test('who shares a grade and cancels does not cancel it for the others', async () => {
  const grader = await open();
  const cancel = new AbortController();
  const slow = request('import time\ntime.sleep(0.3)');
  const leaving = grader.grade(slow, cancel.signal);
  const staying = grader.grade(slow);
  await until(() => grader.statistics().running === 1);
  cancel.abort();
  expect(await leaving).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(await staying).toMatchObject({ ok: true, value: { verdict: 'passed' } });
});

test('a request after the last one left starts a new process', async () => {
  const grader = await open();
  const cancel = new AbortController();
  const slow = request('import time\ntime.sleep(0.3)');
  const leaving = grader.grade(slow, cancel.signal);
  await until(() => grader.statistics().running === 1);
  cancel.abort();
  const secondGrader = grader.grade(slow);
  await leaving;
  expect(await secondGrader).toMatchObject({ ok: true, value: { verdict: 'passed' } });
});

test('a time limit is remembered like any verdict', async () => {
  const grader = await open();
  const limits = { ...LIMITS, cpuSeconds: 0.2 };
  const first = await grade(grader, request('while True: pass', limits));
  expect([first.verdict, await grade(grader, request('while True: pass', limits))]).toEqual([
    'time-limit',
    first,
  ]);
  expect(grader.statistics().graded).toBe(1);
});

test('another entry point, limit or test is another request', async () => {
  const grader = await open();
  const base = request('print(1)');
  await grade(grader, base);
  await grade(grader, { ...base, entryPoint: 'f' });
  await grade(grader, { ...base, limits: { ...PATIENT, processes: 17 } });
  await grade(grader, { ...base, tests: [...base.tests, ...base.tests] });
  await grade(grader, { ...base, stopAtFirstFailure: true });
  expect(grader.statistics().graded).toBe(5);
});

test('a program without tests passes and waits for no sandbox', async () => {
  const grader = await open(1);
  const slow = grader.grade(request('while True: pass', { ...LIMITS, cpuSeconds: 0.5 }));
  const done: string[] = [];
  const empty = grade(grader, { ...request('print(1)'), tests: [] }).then((graded) => {
    done.push('empty');
    return graded;
  });
  await Promise.all([slow.then(() => done.push('slow')), empty]);
  expect([done, await empty]).toEqual([['empty', 'slow'], { verdict: 'passed', results: [] }]);
});

test('a sandbox that is killed from outside is replaced without a trace in the grade', async () => {
  const grader = await open(1);
  await grader.grade(request('import time\nprint(time)'));
  const idle = sandboxProcesses().length;
  const graded = grader.grade(request('import time\ntime.sleep(1)'));
  // The runner and the program that sleeps in it.
  await until(() => sandboxProcesses().length > idle);
  for (const entry of sandboxProcesses()) {
    try {
      process.kill(entry.pid, 'SIGKILL');
    } catch {
      // it went with its parent
    }
  }
  expect(await graded).toMatchObject({ ok: true, value: { verdict: 'passed' } });
  expect(grader.statistics().faults).toBeGreaterThan(0);
});
