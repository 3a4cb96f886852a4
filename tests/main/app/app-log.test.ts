import { readdirSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { appLog } from '../../../main/app/app-log';
import { createProblemReporter } from '../../../main/app/forward-events';
import { Emitter, RefusalError } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { temporaryFolder } from '../../support/temporary-folder';

const now = () => new Date('2026-01-01T00:00:00.000Z');

test('an entry has its time, level, subject and stack, and no text in it can look like another entry', async () => {
  const folder = await temporaryFolder();
  const log = appLog(folder, { now });
  const error = new Error('first\n2026-01-01T00:00:00.000Z error forged: line\u001b[31m');
  error.stack = `Error: ${error.message}\n    at somewhere`;
  log.write('error', 'jobs, 17', new Error('outer', { cause: error }));
  const lines = (await readFile(log.path, 'utf8')).trimEnd().split('\n');
  expect(lines[0]).toBe('2026-01-01T00:00:00.000Z error jobs, 17: Error: outer');
  expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true);
  expect(lines.join('\n')).toContain(
    'caused by Error: first\n    2026-01-01T00:00:00.000Z error forged: line?[31m',
  );
});

test('secrets are hidden, and an entry is cut', async () => {
  const folder = await temporaryFolder();
  const log = appLog(folder, { now });
  log.write(
    'error',
    'servers',
    `vllm --api-key abcdefgh1234 HF_TOKEN=hf_abcdefghijkl ${'x'.repeat(100_000)}`,
  );
  const text = await readFile(log.path, 'utf8');
  expect(text).not.toMatch(/abcdefgh/);
  expect(text.length).toBeLessThan(21_000);
});

test('only its user can read it, also where an earlier file was open to all', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'app.log'), '', { mode: 0o644 });
  await chmod(join(folder, 'app.log'), 0o644);
  const log = appLog(folder);
  log.write('info', 'workbench', 'opened');
  expect((await stat(log.path)).mode & 0o777).toBe(0o600);
});

test('it never takes more than two files, and keeps the newest entries', async () => {
  const folder = await temporaryFolder();
  const log = appLog(folder, { now, maxBytes: 1_000 });
  for (let at = 0; at < 100; at++) log.write('warning', 'test', `entry ${at}.`);
  expect((await readdir(folder)).sort()).toEqual(['app.log', 'app.log.1']);
  const texts = await Promise.all(
    ['app.log.1', 'app.log'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(1_000);
  const entries = texts
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => Number(/entry (\d+)\.$/.exec(line)?.[1]));
  expect(entries.at(-1)).toBe(99);
  expect(entries).toEqual(entries.map((_, at) => 100 - entries.length + at));
});

test('hundreds of rotations keep no file handle', async () => {
  const folder = await temporaryFolder();
  const log = appLog(folder, { now, maxBytes: 300 });
  log.write('info', 'test', 'first');
  const handles = readdirSync('/proc/self/fd').length;
  for (let rotation = 0; rotation < 200; rotation++) log.write('info', 'test', 'x'.repeat(200));
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(handles);
  expect((await readdir(folder)).sort()).toEqual(['app.log', 'app.log.1']);
});

test('that it cannot be written ends nothing, and the entry goes to stderr', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'app.log'));
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    appLog(folder).write('error', 'jobs', 'what happened');
    expect(String(stderr.mock.calls[0]?.[0])).toMatch(/cannot be written: .* error jobs: what happened/s);
  } finally {
    stderr.mockRestore();
  }
});

test('every failure of long work is in the log, and the first of several in a row is shown', async () => {
  const folder = await temporaryFolder();
  const log = appLog(folder, { now });
  const events = new Emitter<WorkbenchEvent>();
  const shown: string[] = [];
  events.on((event) => event.kind === 'notice' && shown.push(event.message));
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const report = createProblemReporter(events, log);
    for (const failures of [1, 2])
      report({ name: 'jobs', key: 'a', error: new Error('the disk is gone'), failures, waitMs: 0 });
  } finally {
    stderr.mockRestore();
  }
  expect(shown).toEqual(['the disk is gone']);
  const text = await readFile(log.path, 'utf8');
  expect(text).toContain('jobs, a, failure 1: Error: the disk is gone');
  expect(text).toContain('jobs, a, failure 2: Error: the disk is gone');
});

test('what the system refuses, such as a full disk, is reported without where in our code it was', async () => {
  const log = appLog(await temporaryFolder(), { now });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const error = new RefusalError({ code: 'unavailable', message: 'The disk is full.' });
    const report = createProblemReporter(new Emitter<WorkbenchEvent>(), log);
    report({ name: 'jobs', key: 'a', error, failures: 1, waitMs: 0 });
    expect(String(stderr.mock.calls[0]?.[0])).toMatch(/jobs, a, failure 1: The disk is full\.\n$/);
  } finally {
    stderr.mockRestore();
  }
  expect(await readFile(log.path, 'utf8')).not.toContain('    at ');
});
