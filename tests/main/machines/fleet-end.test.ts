import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLocalMachine } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { openFleet } from '../../support/fleet-bench';
import { hasSshd, type Sshd, startSshd } from '../../support/sshd';
import { unwrap } from '../../support/unwrap';

const local = createLocalMachine('/nowhere');
const project = join(import.meta.dirname, '..', '..', '..');
const outDir = join(project, 'node_modules', '.cache', 'test-fleet-process');

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'silent',
    root: project,
    build: {
      // Inside the project, where native modules are found.
      ssr: join(project, 'tests', 'support', 'fleet-process.ts'),
      outDir,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'script.mjs', codeSplitting: false } },
    },
  });
});

async function startApp(sshd: Sshd, ...more: readonly string[]) {
  const folder = await mkdtemp('/tmp/m2app-');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const app = spawn(process.execPath, [
    join(outDir, 'script.mjs'),
    folder,
    sshd.configPath,
    sshd.host,
    ...more,
  ]);
  onTestFinished(() => void app.kill('SIGKILL'));
  const [said] = await once(app.stdout, 'data');
  return { app, folder, pid: Number(/ready (\d+)/.exec(String(said))?.[1]) };
}

/** Processes of ssh that use sockets in a folder. */
async function sshIn(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
  return stdout.split('\n').filter((line) => line.includes('ssh ') && line.includes(folder)).length;
}

async function ended(app: ChildProcess): Promise<void> {
  if (app.exitCode === null && app.signalCode === null) await once(app, 'exit');
}

describe.skipIf(!hasSshd)('an app with machines', () => {
  test('that ends leaves nothing behind and is not held up', async () => {
    const sshd = await startSshd();
    onTestFinished(sshd.stop);
    const { app, folder, pid } = await startApp(sshd, 'dispose');
    await ended(app);
    expect(app.exitCode).toBe(0);
    expect(await sshIn(folder)).toBe(0);
    expect(await readdir(folder)).toEqual([]);
    await eventually(
      'the attached process to end',
      async () => (await unwrap(local.processIdentity(pid))) === null,
    );
  });

  test('that is killed leaves no process, there neither, and the next one tidies up', async () => {
    const sshd = await startSshd();
    onTestFinished(sshd.stop);
    const { app, folder, pid } = await startApp(sshd);
    expect(await sshIn(folder)).toBeGreaterThan(2);
    app.kill('SIGKILL');
    await ended(app);
    await eventually('ssh to end', async () => (await sshIn(folder)) === 0);
    await eventually(
      'the attached process to end',
      async () => (await unwrap(local.processIdentity(pid))) === null,
    );
    expect(await sshd.sessions()).toEqual([]);

    for (const name of await readdir(folder)) await utimes(join(folder, name), 1, 1);
    await openFleet([], [], { controlFolder: folder });
    await eventually('old sockets to go', async () => (await readdir(folder)).length === 0);
  });
});
