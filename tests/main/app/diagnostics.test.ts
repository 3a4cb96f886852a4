import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appLog } from '../../../main/app/app-log';
import { createDiagnostics, type DiagnosticsDeps } from '../../../main/app/diagnostics/create-diagnostics';
import { createRecentMessages } from '../../../main/app/recent-messages';
import { Emitter } from '../../../main/base';
import {
  type DiagnosticsPartId,
  diagnosticsPartIdSchema,
  type MachineView,
  type StudyView,
  type WorkbenchEvent,
} from '../../../preload/contract';
import { sampleJob } from '../../support/sample-jobs';
import { sampleStudy } from '../../support/sample-study';
import { temporaryFolder } from '../../support/temporary-folder';

/** Stands in everything below that must not leave the workbench. */
const MARK = 'planted';
const KEY = `${MARK}-key-of-no-known-form`;

const MACHINE: MachineView = {
  spec: { kind: 'ssh', id: `${MARK}-box`, name: `Box of ${MARK}`, host: `${MARK}user@${MARK}host.lab.edu` },
  connection: {
    kind: 'unreachable',
    since: '2026-01-05T09:30:00.000Z',
    lastSeenAt: null,
    message: `ssh: Could not resolve hostname ${MARK}host.lab.edu`,
    nextTryAt: null,
  },
  facts: {
    hostname: `${MARK}node7`,
    user: `${MARK}ada`,
    home: `/data/${MARK}ada`,
    system: 'Linux 6.1 x86_64',
    cores: 8,
    memoryMib: 100,
    diskFreeMib: 10,
    diskTotalMib: 20,
  },
  gpus: null,
  reservations: [],
};

const PROGRAM = `def ${MARK}_solve(xs):\n    return sorted(xs)`;

function failedStudy(): StudyView {
  const study = sampleStudy({ problems: 2, nodes: 2, name: `Study of ${MARK}` });
  const state = {
    kind: 'failed' as const,
    message: `The server refused "Bearer ${MARK}abcdefgh". ${'x'.repeat(235)}${KEY}`,
  };
  const progress = {
    nodesDone: 0,
    nodesTotal: 0,
    gradedDone: 0,
    problemsDone: 0,
    problemsTotal: 0,
    elapsedMs: 0,
    remainingMs: null,
  };
  return { study, state, progress, warnings: [], finishedAt: null, hues: [], note: `A note, ${MARK}` };
}

/** A workbench with something of each kind that must not leave it, in each place that has room for it. */
async function labWithPlants(): Promise<DiagnosticsDeps> {
  const dataDir = join(await temporaryFolder(), `${MARK} data`);
  await mkdir(join(dataDir, 'studies', `${MARK}-study`), { recursive: true });
  await writeFile(join(dataDir, 'studies', `${MARK}-study`, 'a.jsonl'), PROGRAM);
  await writeFile(join(dataDir, `${MARK}.txt`), PROGRAM);
  const log = appLog(dataDir);
  log.write('error', 'grading', new Error(`It cannot be read:\n${PROGRAM}`));
  log.write('error', 'servers', `The server at https://ada:${MARK}1@${MARK}.corp/v1 said: no key ${KEY}`);
  log.write(
    'error',
    'jobs, 17',
    `HF_TOKEN=${MARK}2 in ${homedir()}/x on ${hostname()}, ${MARK}host, 10.1.2.3`,
  );
  log.write('error', 'mail', `${MARK}.someone@example.org in /home/${MARK}other/models`);
  log.write('error', 'queue', `It waits behind "${MARK} job".`);
  // Where texts are cut, a part of a key is left.
  for (let at = 340; at < 400; at += 15) log.write('error', 'cut', `${'x'.repeat(at)}${KEY}`);
  const events = new Emitter<WorkbenchEvent>();
  const messages = createRecentMessages(events, () => new Date(0));
  events.emit({
    kind: 'notice',
    level: 'warning',
    message: `${MARK}host is unreachable, token=${MARK}34567`,
  });
  for (let at = 340; at < 400; at += 15)
    events.emit({ kind: 'notice', level: 'error', message: `${'x'.repeat(at)}${KEY}` });
  const refuse = messages.noting(async () => ({
    ok: false,
    error: { code: 'unavailable', message: `There is no ${dataDir}/x.txt` },
  }));
  await refuse('study.start', {}, 'window');
  return {
    appVersion: '1.2.3',
    dataDir,
    project: '/opt/planted-project',
    log: log.path,
    monitor: {
      views: () => [MACHINE],
      doctor: async () => ({
        ok: true,
        value: [
          {
            id: 'x',
            title: 'Home',
            state: 'bad',
            found: `/data/${MARK}ada is full`,
            todo: `rm ${MARK}node7:x`,
          },
        ],
      }),
    },
    grading: async () => ({ grader: null, sandboxProblem: `no bwrap for ${MARK}ada` }),
    work: () => ({
      studies: [failedStudy()],
      jobs: [sampleJob({ name: `${MARK} job`, commandLine: `x ${MARK}`, setUp: MARK, cwd: MARK })],
      servers: [],
      trainings: [],
      experiments: [],
      reproductions: [],
    }),
    messages: messages.list,
    secrets: { values: async () => [KEY] },
    now: () => 0,
  };
}

test('nothing that was planted in a workbench stands in the report of a problem', async () => {
  const diagnostics = createDiagnostics(await labWithPlants());
  const texts = new Map<DiagnosticsPartId | 'note', string>();
  for (const id of diagnosticsPartIdSchema.options) {
    const part = await diagnostics.part(id);
    expect(part).toMatchObject({ id, problem: null });
    texts.set(id, part.text);
  }
  texts.set('note', await diagnostics.hide(`I typed --api-key ${MARK}5 for ${KEY} on ${MARK}host`));
  expect([...texts].filter(([, text]) => text.toLowerCase().includes(MARK))).toEqual([]);
  // What helps is still there.
  expect(texts.get('note')).toBe('I typed --api-key ••• for ••• on <machine 1>');
  expect(texts.get('log')).toContain('error servers: The server at https://<host>/v1 said: no key •••');
  expect(texts.get('log')).toContain('error grading: Error: It cannot be read:\n');
  expect(texts.get('log')).toMatch(/\n {4}at .*diagnostics\.test\.ts/);
  expect(texts.get('log')).toContain('It waits behind "<name>".');
  expect(texts.get('log')).toContain('HF_TOKEN=•••');
  expect(texts.get('machines')).toContain('Machine 1, ssh: unreachable since 2026-01-05T09:30:00.000Z');
  expect(texts.get('running')).toContain('studies: 1 failed');
  expect(texts.get('versions')).toContain(`Node: ${process.versions.node}`);
  expect(texts.get('data-folder')).toMatch(/^studies\/ +1 file, /m);
  expect(texts.get('messages')).toContain('study.start, unavailable: There is no <data folder>/');
});

test('a part that cannot be read or does not answer says why, and hinders no other', async () => {
  const deps = await labWithPlants();
  const hanging = createDiagnostics({
    ...deps,
    log: deps.dataDir,
    monitor: { ...deps.monitor, doctor: () => new Promise(() => undefined) },
    timeoutMs: 20,
  });
  expect((await hanging.part('doctor')).problem).toBe('this part did not finish within 1 seconds.');
  const plain = createDiagnostics({
    ...deps,
    log: deps.dataDir,
    monitor: {
      ...deps.monitor,
      doctor: async () => ({ ok: false, error: { code: 'unreachable', message: `${MARK}host is away.` } }),
    },
  });
  expect(await plain.part('log')).toMatchObject({ text: '', problem: expect.stringContaining('EISDIR') });
  expect((await plain.part('doctor', MACHINE.spec.id)).problem).toBe('<machine 1> is away.');
  const fresh = createDiagnostics({ ...deps, log: join(deps.dataDir, 'no.log') });
  expect((await fresh.part('log')).text).toBe('There is no log yet.');
});

test('of a long log the newest entries are shown, also those of its rotated part', async () => {
  const deps = await labWithPlants();
  const log = appLog(deps.dataDir, { maxBytes: 150_000 });
  for (let entry = 0; entry < 500; entry++) log.write('error', `entry ${entry}`, 'x'.repeat(500));
  const { text } = await createDiagnostics(deps).part('log');
  expect(text.length).toBeLessThan(110_000);
  expect(text).toMatch(/^\(older entries are only in the log; these are the newest \d+\)\n/);
  expect(text.split('\n').at(-1)).toContain('error entry 499: xxx');
  expect((await stat(`${deps.log}.1`)).size).toBeGreaterThan(0);
});

test('the report is for this user alone, and replaces a file only if it is told to', async () => {
  const diagnostics = createDiagnostics(await labWithPlants());
  const folder = await temporaryFolder();
  const path = join(folder, 'report.txt');
  expect(await diagnostics.write({ path, text: 'one', overwrite: false })).toMatchObject({ ok: true });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await diagnostics.write({ path, text: 'two', overwrite: false })).toMatchObject({
    ok: false,
    error: { code: 'conflict' },
  });
  expect(await readFile(path, 'utf8')).toBe('one');
  await chmod(path, 0o644);
  expect(await diagnostics.write({ path, text: 'two', overwrite: true })).toMatchObject({ ok: true });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const nowhere = await diagnostics.write({ path: join(path, 'x'), text: 'three', overwrite: true });
  expect(nowhere).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});
