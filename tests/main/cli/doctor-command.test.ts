import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDiagnostics } from '../../../main/app/diagnostics/create-diagnostics';
import { dispatcher } from '../../../main/app/dispatch';
import { diagnosticsHandlers } from '../../../main/app/handlers/diagnostics-handlers';
import { Emitter } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { typeCommand } from '../../support/typed-command';

test("the doctor names the workbench's own log, beside its report", async () => {
  const dataDir = await temporaryFolder();
  const call = dispatcher({ 'machine.doctor': async () => ({ ok: true, value: [] }) }, (error) => {
    throw error;
  });
  const host = { call, events: new Emitter<WorkbenchEvent>() };
  const { code, out, err } = await typeCommand(host, 'doctor', '--json', '--data', dataDir);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([]);
  expect(err).toContain(`The workbench's own log: ${join(dataDir, 'app.log')}`);
});

test('the doctor leaves none of its progress in a log', async () => {
  const events = new Emitter<WorkbenchEvent>();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const call = dispatcher(
    {
      'machine.doctor': async () => {
        vi.advanceTimersByTime(60_000);
        const event = { kind: 'progress', task: 'doctor', activity: 'MARTI', unit: 'checks' } as const;
        events.emit({ ...event, done: 17, total: 19 });
        return { ok: true, value: [] };
      },
    },
    (error) => {
      throw error;
    },
  );
  const { err } = await typeCommand({ call, events }, 'doctor', '--data', await temporaryFolder());
  expect(err).not.toContain('17 of 19');
});

/** A host whose parts are made up and whose files are real. */
async function reportingHost(key: string | null = null) {
  const diagnostics = createDiagnostics({
    appVersion: '1',
    dataDir: await temporaryFolder(),
    project: '/opt/workbench',
    log: '/nowhere/app.log',
    monitor: { views: () => [], doctor: async () => ({ ok: true, value: [] }) },
    grading: async () => ({ grader: null, sandboxProblem: null }),
    work: () => ({ studies: [], jobs: [], servers: [], trainings: [], experiments: [], reproductions: [] }),
    messages: () => [],
    secrets: { values: async () => (key === null ? [] : [key]) },
    now: () => 0,
  });
  const log = { write: () => undefined };
  const call = dispatcher(diagnosticsHandlers({ diagnostics, log }), (error) => {
    throw error;
  });
  return { call, events: new Emitter<WorkbenchEvent>() };
}

test('--report writes a file for this user alone, prints what it has written, and replaces none untold', async () => {
  const path = join(await temporaryFolder(), 'report.txt');
  const host = await reportingHost('a-lab-key');
  const note = 'It failed with a-lab-key.';
  const typed = ['doctor', '--report', path, '--note', note];
  const written = await typeCommand(host, ...typed, '--without', 'doctor,data-folder');
  expect(written).toMatchObject({
    code: 0,
    err: expect.stringContaining(`Written: ${path}. Nothing was sent`),
  });
  expect(await readFile(path, 'utf8')).toBe(written.out);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(written.out).toContain('Not included: Data folder, Doctor.');
  expect(written.out).toContain('It failed with •••.');
  expect(written.out).toContain(`Node: ${process.versions.node}`);
  const again = await typeCommand(host, ...typed);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('add --overwrite') });
  expect(await readFile(path, 'utf8')).toBe(written.out);
  expect((await typeCommand(host, ...typed, '--overwrite')).code).toBe(0);
});

test.each([
  [['--report', 'x', '--learner'], 'two commands'],
  [['--note', 'x'], '--note belongs to --report'],
  [['--overwrite'], '--overwrite belongs to --report'],
  [['--report', 'x', '--without', 'keys'], '--without takes versions, data-folder'],
])('doctor %j is wrong usage', async (words, message) => {
  const { code, err } = await typeCommand(await reportingHost(), 'doctor', ...words);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
