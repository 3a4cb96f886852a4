import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually';
import { isAlive } from '../support/is-alive';
import { learnerProgram, tinyModel } from '../support/learner';
import { temporaryFolder } from '../support/temporary-folder';
import { warmPython } from '../support/warm-python';

const start = (args: readonly string[]) => {
  const env = { ...process.env, PYTHONPATH: learnerProgram, MARS2_LEARNER_TOKEN: 'a token' };
  const child = spawn(warmPython as string, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const pipe of [child.stdout, child.stderr])
    pipe.on('data', (piece: Buffer) => {
      text += piece;
    });
  return { child, ended: once(child, 'close').then(([code, signal]) => ({ code, signal, text })) };
};

/** A learner that has written where it answers, and its own process. */
async function serving() {
  const folder = await temporaryFolder();
  const address = join(folder, 'address.json');
  const folders = ['--state-dir', join(folder, 'states'), '--export-dir', join(folder, 'exports')];
  const model = ['--model', await tinyModel(1), '--device', 'cpu', '--address-file', address];
  const started = start(['-m', 'mars2_learner', 'serve', ...model, ...folders]);
  await eventually('its address', () => existsSync(address));
  return { ...started, pid: Number(JSON.parse(await readFile(address, 'utf8')).pid) };
}

/** What the other tests take for granted of the learners that they start. */
describe.skipIf(warmPython === null)('a learner that is forked is as one that is started', () => {
  it('has its own exit code and output', async () => {
    const { code, text } = await start(['-m', 'mars2_learner', 'serve', '--port', 'none']).ended;
    expect(code).toBe(2);
    expect(text).toContain("invalid int value: 'none'");
  });

  it('ends when it is asked to', async () => {
    const { child, ended, pid } = await serving();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null });
    expect(isAlive(pid)).toBe(false);
  });

  it('is killed with the process that was started, and that one with it', async () => {
    const first = await serving();
    first.child.kill('SIGKILL');
    await eventually('the end of the learner', () => !isAlive(first.pid));
    const second = await serving();
    process.kill(second.pid, 'SIGKILL');
    expect(await second.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('is Python itself for everything else', async () => {
    const { code, text } = await start(['-c', 'import sys; print(sys.argv[1]); sys.exit(3)', 'a word']).ended;
    expect([code, text]).toEqual([3, 'a word\n']);
  });
});
