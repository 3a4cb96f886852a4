import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { randomStream } from '../../../main/base';
import { hasEnded, type Job, type JobService, type JobSpec } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import type { JobState } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench, openJobsIn } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

const program = (name: string): string => resolve('tests/fixtures/programs', name);
const machine = createLocalMachine('/nowhere');
const parseIdentity = (pid: number) => unwrap(machine.processIdentity(pid));

let bench: JobBench;
beforeEach(async () => {
  bench = await openJobBench();
});
afterEach(() => bench.dispose());

function specOf(argv: readonly string[], change: Partial<JobSpec> = {}): JobSpec {
  const [programName = '', ...args] = argv;
  return {
    machineId: 'local',
    name: 'a job',
    purpose: 'command',
    command: { kind: 'program', program: programName, args },
    ...change,
  };
}

const launch = (spec: JobSpec, jobs = bench.jobs): Promise<Job> => unwrap(jobs.launch(spec));

const shell = (script: string, change: Partial<JobSpec> = {}, jobs = bench.jobs) =>
  launch(specOf(['sh', '-c', script], change), jobs);

async function stateOf(id: string, jobs = bench.jobs): Promise<JobState> {
  return (await unwrap(jobs.inspect(id))).view.state;
}

function ended(id: string, jobs = bench.jobs): Promise<JobState> {
  return eventually('the end of the job', async () => {
    const state = await stateOf(id, jobs);
    return hasEnded(state) ? state : null;
  });
}

async function log(id: string, jobs = bench.jobs): Promise<string> {
  return (await unwrap(jobs.readLog(id, 'output', 0, 10_000_000))).text;
}

function pathOf(id: string, name: string): string {
  return join(bench.folder, 'jobs', id, name);
}

describe('a job', () => {
  test('runs in its own folder with its environment, and leaves output and exit code', async () => {
    const { id } = await shell('echo "$GREETING from $PWD"; echo trouble >&2; exit 7', {
      env: { GREETING: 'hello' },
    });
    expect(await ended(id)).toMatchObject({ kind: 'exited', code: 7 });
    expect(await log(id)).toBe(`hello from ${join(bench.folder, 'jobs', id)}\ntrouble\n`);
  });

  test('gets its arguments as they are', async () => {
    const args = ['two words', '$HOME', '"', "it's", '', 'line\nbreak', '*'];
    const { id } = await launch(
      specOf([process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args]),
    );
    await ended(id);
    expect(JSON.parse(await log(id))).toEqual(args);
  });

  test('that ends by a signal says by which', async () => {
    const { id } = await shell('kill -9 $$');
    expect(await ended(id)).toMatchObject({ kind: 'exited', code: 137 });
  });

  test("of plain Python shows what it printed while it runs, unless its user's environment buffers it", async () => {
    vi.stubEnv('PYTHONUNBUFFERED', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const waits =
      'import os, time\nprint("step 1")\nopen("up", "w").close()\nwhile not os.path.exists("go"): time.sleep(0.02)';
    const shown = await launch(specOf(['python3', '-c', waits]));
    await eventually('its first line', async () => (await log(shown.id)).includes('step 1'));
    expect(await stateOf(shown.id)).toMatchObject({ kind: 'running' });

    const buffered = await launch(specOf(['python3', '-c', waits], { env: { PYTHONUNBUFFERED: '' } }));
    await eventually('its start', async () => existsSync(pathOf(buffered.id, 'up')));
    expect(await log(buffered.id)).toBe('');
  });

  test('whose command does not exist ends with 127 and a word in the log', async () => {
    const { id } = await launch(specOf(['no-such-command']));
    expect(await ended(id)).toMatchObject({ kind: 'exited', code: 127 });
    expect(await log(id)).toContain('no-such-command');
  });

  test('whose working folder does not exist is refused', async () => {
    const job = await bench.jobs.launch(specOf(['true'], { cwd: '/no/such/folder' }));
    expect(job).toMatchObject({ ok: false, error: { message: expect.stringContaining('/no/such/folder') } });
  });

  test('starts again in its folder, appending to its log, without its stale files', async () => {
    const { id } = await shell('cat port.json 2>/dev/null; echo run; echo 1 > port.json', {
      freshFiles: ['port.json'],
    });
    await ended(id);
    const again = await bench.jobs.relaunch(id);
    expect(again.ok).toBe(true);
    await ended(id);
    expect(await log(id)).toBe('run\nrun\n');
  });

  test('cannot start again or be removed while it runs', async () => {
    const { id } = await shell('sleep 100');
    expect(await bench.jobs.relaunch(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await bench.jobs.remove(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await bench.jobs.stop(id, 1000);
    expect(await bench.jobs.remove(id)).toMatchObject({ ok: true });
    expect(await bench.jobs.list()).toEqual([]);
  });

  test('that nobody knows is not found', async () => {
    expect(await bench.jobs.inspect('nobody')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(await bench.jobs.readLog('nobody', 'output', 0, 10)).toMatchObject({
      ok: false,
      error: { code: 'not-found' },
    });
  });
});

describe('stopping', () => {
  test('a well-behaved job ends by TERM and leaves its own exit code', async () => {
    const { id } = await shell('trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.05; done');
    await eventually('the trap', async () => (await log(id)).includes('up'));
    expect(await bench.jobs.stop(id, 10_000)).toMatchObject({
      ok: true,
      value: { view: { state: { kind: 'exited', code: 3 } } },
    });
    expect(await log(id)).toContain('bye');
  });

  test('a job that ignores TERM is killed with its children', async () => {
    const { id } = await launch(specOf([process.execPath, program('ignore-term.mjs')]));
    const pids = await eventually('both processes', async () => {
      const found = [...(await log(id)).matchAll(/deaf (\d+)/g)].map((match) => Number(match[1]));
      return found.length === 2 ? found : null;
    });
    const { view } = await unwrap(bench.jobs.stop(id, 200));
    // 137: its shell saw the child's end and noted it before it was killed itself.
    expect([null, 137]).toContain(view.state.kind === 'exited' ? view.state.code : view.state);
    for (const pid of pids) expect(await parseIdentity(pid)).toBeNull();
    expect(await log(id)).toContain('not yet');
  });

  test('children that outlive their parent are stopped too', async () => {
    const { id } = await shell('sleep 1000 & echo $!; exit 0');
    await ended(id);
    const orphan = Number((await log(id)).trim());
    expect(await parseIdentity(orphan)).not.toBeNull();
    await bench.jobs.stop(id, 1000);
    expect(await parseIdentity(orphan)).toBeNull();
  });

  test('stopping a job that has ended changes nothing', async () => {
    const { id } = await shell('exit 4');
    const before = await ended(id);
    const { view } = await unwrap(bench.jobs.stop(id, 1000));
    expect(view.state).toEqual(before);
  });

  test('a process that reuses the pid of a dead job is not killed', async () => {
    const { id, view } = await shell('sleep 1000');
    if (view.state.kind !== 'running' || view.state.pid === null) throw new Error(view.state.kind);
    process.kill(-view.state.pid, 'SIGKILL');
    const otherProcess = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    await once(otherProcess, 'spawn');
    // As if the number of the job's process had been given out again.
    const path = pathOf(id, 'attempt-1/process.txt');
    const [, ...rest] = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [otherProcess.pid, ...rest].join('\n'));
    expect(await stateOf(id)).toMatchObject({ kind: 'lost' });
    await bench.jobs.stop(id, 0);
    expect(await parseIdentity(otherProcess.pid ?? 0)).not.toBeNull();
    otherProcess.kill('SIGKILL');
  });
});

describe('after the app', () => {
  /** A job "orphan" of a workbench that was killed right after it started it. */
  const abandon = async (script: string): Promise<JobService> => {
    const starterScript = await bundleScript(program('start-job.ts'), bench.folder);
    const starter = spawn(process.execPath, [starterScript, bench.folder, 'sh', '-c', script]);
    const [said] = await once(starter.stdout, 'data');
    expect(String(said)).toBe('launched\n');
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    return bench.restarted();
  };

  test('a job whose starter was killed continues, and a restarted app follows it to its end', async () => {
    const later = await abandon('until [ -e go ]; do sleep 0.05; done; echo done; exit 5');
    expect(later.views().map(({ id, state }) => [id, state.kind])).toEqual([['orphan', 'running']]);
    await writeFile(pathOf('orphan', 'go'), '');
    expect(await ended('orphan', later)).toMatchObject({ kind: 'exited', code: 5 });
    expect(await log('orphan', later)).toBe('done\n');
  });

  test('a job whose starter is killed in the middle of the start begins once', async () => {
    const script = await bundleScript(program('start-job.ts'), bench.folder);
    const random = randomStream('kills', 1);
    for (let round = 0; round < 6; round++) {
      const folder = join(bench.folder, `round ${round}`);
      const starter = spawn(process.execPath, [script, folder, 'sh', '-c', 'echo once >> ../../witness']);
      await eventually('its record', () => existsSync(join(folder, 'jobs', 'orphan.json')));
      await sleep(random.integer(40));
      starter.kill('SIGKILL');
      await once(starter, 'exit');
      const jobs = await openJobsIn(folder);
      await jobs.ready();
      expect(await ended('orphan', jobs)).toMatchObject({ kind: 'exited', code: 0 });
      expect(await readFile(join(folder, 'witness'), 'utf8')).toBe('once\n');
      await jobs.dispose();
    }
  });

  test('a job whose starter was killed can be stopped', async () => {
    const later = await abandon('sleep 1000');
    expect(await later.stop('orphan', 10_000)).toMatchObject({
      value: { view: { state: { kind: 'exited', code: 143 } } },
    });
  });

  test('a job that was killed with its wrapper is lost, not running', async () => {
    const { id, view } = await shell('sleep 1000');
    if (view.state.kind !== 'running' || view.state.pid === null) throw new Error(view.state.kind);
    process.kill(-view.state.pid, 'SIGKILL');
    expect(await ended(id)).toMatchObject({ kind: 'lost' });
  });

  test('a job of an earlier boot is lost even if its number and start time are taken', async () => {
    const { id } = await shell('sleep 1000');
    const path = pathOf(id, 'attempt-1/process.txt');
    const text = await readFile(path, 'utf8');
    const [pid, , ...rest] = text.split('\n');
    await writeFile(path, [pid, 'another-boot', ...rest].join('\n'));
    expect(await stateOf(id)).toEqual({ kind: 'lost', why: 'The machine was restarted since.' });
    await writeFile(path, text);
    await bench.jobs.stop(id, 0);
  });

  test('a damaged record hides no other, and its job is found by its folder', async () => {
    const { id } = await shell('true');
    const other = await shell('sleep 1000');
    await writeFile(join(bench.folder, 'jobs', `${other.id}.json`), '{');
    const problems: string[] = [];
    const later = await bench.restarted({ onError: ({ error }) => problems.push(String(error)) });
    expect(problems).toEqual([expect.stringMatching(`"${other.id}" cannot be read.*json\\.unread`)]);
    expect(later.views().map((view) => view.id)).toEqual([id]);
    await later.ready();
    expect(await stateOf(other.id, later)).toMatchObject({ kind: 'running' });
  });

  test('a record of a newer version is reported, and stays as it is', async () => {
    const { id } = await shell('true');
    await bench.jobs.dispose();
    const path = join(bench.folder, 'jobs', `${id}.json`);
    const newer = JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), version: 99 });
    await writeFile(path, newer);
    const problems: string[] = [];
    const later = await bench.restarted({ onError: ({ error }) => problems.push(String(error)) });
    await later.ready();
    expect(problems).toEqual([expect.stringContaining('a newer version of the workbench wrote it')]);
    expect(later.views()).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(newer);
  });
});

describe('the log', () => {
  test('read on by offset while it is written, it loses and doubles nothing', async () => {
    const { id } = await launch(specOf([process.execPath, program('write-lines.mjs'), '100000', '5']));
    const pieces: string[] = [];
    let offset = 0;
    // An odd piece size cuts characters everywhere.
    for (;;) {
      const isOver = hasEnded(await stateOf(id));
      const piece = await bench.jobs.readLog(id, 'output', offset, 10_007);
      if (!piece.ok) throw new Error(piece.error.message);
      pieces.push(piece.value.text);
      offset = piece.value.nextOffset;
      if (isOver && offset === piece.value.size) break;
    }
    const expected = Array.from({ length: 100_000 }, (_, index) => `${index} a é € 𝄞\n`).join('');
    expect(pieces.join('') === expected).toBe(true);
  });

  const written = async (bytes: Buffer | string) => {
    const { id } = await shell('true');
    await ended(id);
    await writeFile(pathOf(id, 'output.log'), bytes);
    return id;
  };

  test('a negative offset counts from the end and begins with a whole character', async () => {
    const id = await written('abc€def');
    expect(await bench.jobs.readLog(id, 'output', -4, 100)).toMatchObject({
      value: { text: 'def', nextOffset: 9, size: 9 },
    });
    expect(await bench.jobs.readLog(id, 'output', -100, 100)).toMatchObject({ value: { text: 'abc€def' } });
  });

  test('an offset past the end gives nothing and the size', async () => {
    const id = await written('abc');
    expect(await bench.jobs.readLog(id, 'output', 50, 100)).toMatchObject({
      value: { text: '', nextOffset: 3, size: 3 },
    });
  });

  test('even a piece of one byte advances by whole characters', async () => {
    const id = await written('𝄞é');
    expect(await bench.jobs.readLog(id, 'output', 0, 1)).toMatchObject({
      value: { text: '𝄞', nextOffset: 4 },
    });
  });

  test('bytes that are not text are shown as such and never stop the reader', async () => {
    const id = await written(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xe2, 0x82]));
    expect(await bench.jobs.readLog(id, 'output', 0, 100)).toMatchObject({
      value: { text: 'a\uFFFD\uFFFDb\uFFFD', nextOffset: 6, size: 6 },
    });
  });

  test('an unfinished character of a running job waits for its other bytes', async () => {
    const { id } = await shell('sleep 1000');
    await appendFile(pathOf(id, 'output.log'), Buffer.from([0x61, 0xe2, 0x82]));
    expect(await bench.jobs.readLog(id, 'output', 0, 100)).toMatchObject({
      value: { text: 'a', nextOffset: 1, size: 3 },
    });
    await appendFile(pathOf(id, 'output.log'), Buffer.from([0xac]));
    expect(await bench.jobs.readLog(id, 'output', 1, 100)).toMatchObject({
      value: { text: '€', nextOffset: 4, size: 4 },
    });
  });

  test('the end of a log of 10 GB is read as fast as that of a small one', async () => {
    const id = await written('');
    await truncate(pathOf(id, 'output.log'), 10_000_000_000);
    await appendFile(pathOf(id, 'output.log'), 'the end');
    expect(await bench.jobs.readLog(id, 'output', -7, 100)).toMatchObject({
      value: { text: 'the end', size: 10_000_000_007 },
    });
  });
});
