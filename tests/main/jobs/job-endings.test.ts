import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDetachedStarter, hasEnded, type JobService, type JobSpec } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import type { JobState } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench, openJobsIn } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

let bench: JobBench;
beforeEach(async () => {
  bench = await openJobBench();
});
afterEach(() => bench.dispose());

function lineOf(script: string, change: Partial<JobSpec> = {}): JobSpec {
  return {
    machineId: 'local',
    name: 'a job',
    purpose: 'command',
    command: { kind: 'line', line: script },
    ...change,
  };
}

const launch = async (script: string, change: Partial<JobSpec> = {}, jobs: JobService = bench.jobs) =>
  (await unwrap(jobs.launch(lineOf(script, change)))).id;

const viewOf = async (id: string, jobs: JobService = bench.jobs) => (await unwrap(jobs.inspect(id))).view;

function ended(id: string, jobs: JobService = bench.jobs): Promise<JobState> {
  return eventually('the end of the job', async () => {
    const { state } = await viewOf(id, jobs);
    return hasEnded(state) ? state : null;
  });
}

const logOf = async (id: string, log: 'output' | 'set-up' = 'output', jobs: JobService = bench.jobs) =>
  (await unwrap(jobs.readLog(id, log, 0, 1_000_000))).text;

describe('the set-up', () => {
  test('has its own log, and what it sets holds for the command', async () => {
    const id = await launch('echo "$LOADED"', { setUp: 'echo loading; export LOADED=cuda' });
    expect(await ended(id)).toMatchObject({ code: 0 });
    expect(await logOf(id, 'set-up')).toBe('loading\n');
    expect(await logOf(id)).toBe('cuda\n');
  });

  test('that fails keeps the command from starting, and the timeline says so', async () => {
    const id = await launch('echo started', { setUp: 'echo no such module; false' });
    expect(await ended(id)).toMatchObject({ code: 1 });
    expect(await logOf(id)).toBe('');
    expect((await viewOf(id)).timeline.at(-1)?.why).toContain('set-up ended with exit code 1');
  });
});

describe('orphans', () => {
  test('that left the process group are ended with the job, and named', async () => {
    const id = await launch('setsid sleep 4242 & echo $!; sleep 1000');
    await eventually('the orphan', async () => (await logOf(id)).includes('\n'));
    await unwrap(bench.jobs.stop(id, 2_000));
    expect((await viewOf(id)).timeline).toContainEqual(
      expect.objectContaining({ what: 'orphans', why: expect.stringContaining('sleep 4242') }),
    );
    const { stdout } = await run('ps', ['-A', '-o', 'args=']);
    expect(stdout).not.toContain('sleep 4242');
  });
});

describe('starting a job again', () => {
  test('ends first what its last start left running, and names it', async () => {
    const id = await launch('setsid sleep 4545 & exit 3');
    await ended(id);
    await unwrap(bench.jobs.relaunch(id));
    await ended(id);
    expect((await viewOf(id)).timeline).toContainEqual(
      expect.objectContaining({ what: 'orphans', why: expect.stringContaining('sleep 4545') }),
    );
    const { stdout } = await run('ps', ['-A', '-o', 'args=']);
    expect(stdout.split('\n').filter((line) => line === 'sleep 4545')).toHaveLength(1);
    await unwrap(bench.jobs.stop(id, 1_000));
  });
});

/** An event that code may wait for before or after it happens. */
function signal(): { readonly give: () => void; readonly given: Promise<void> } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}

describe('a job that a person stops', () => {
  test('is not lost, though a slow probe saw it between its death and its exit file', async () => {
    const starter = createDetachedStarter({ clock: { now: () => Date.now() } });
    const isDead = signal();
    const isSeen = signal();
    const isWritten = signal();
    let holdsProbe = false;
    const own = await openJobBench({
      starter: {
        ...starter,
        probe: async (asked) => {
          const seen = await starter.probe(asked);
          if (!holdsProbe) return seen;
          holdsProbe = false;
          isSeen.give();
          await isWritten.given;
          return seen;
        },
        stop: async (job, graceMs) => {
          const [pid] = (await readFile(join(job.folder, 'attempt-1/process.txt'), 'utf8')).split('\n');
          process.kill(-Number(pid), 'SIGKILL');
          holdsProbe = true;
          isDead.give();
          await isSeen.given;
          const stopped = await starter.stop(job, graceMs);
          isWritten.give();
          return stopped;
        },
      },
    });
    onTestFinished(own.dispose);
    const id = await launch('sleep 1000', {}, own.jobs);
    const stopping = own.jobs.stop(id, 0);
    await isDead.given;
    await viewOf(id, own.jobs);
    expect((await unwrap(stopping)).view.state).toMatchObject({ kind: 'exited', code: null });
    expect((await viewOf(id, own.jobs)).state).toMatchObject({ kind: 'exited', code: null });
  });
});

describe('a job whose folder somebody has removed', () => {
  test('still ends when it is stopped', async () => {
    const id = await launch('sleep 4343');
    await rm(join(bench.folder, 'jobs', id), { recursive: true });
    const stopped = await unwrap(bench.jobs.stop(id, 2_000));
    expect(hasEnded(stopped.view.state)).toBe(true);
    const { stdout } = await run('ps', ['-A', '-o', 'args=']);
    expect(stdout).not.toContain('sleep 4343');
  });
});

describe('a restart of the machine', () => {
  test('makes its jobs lost, also where a process has the number of one', async () => {
    const bootId = join(bench.folder, 'boot-id');
    await writeFile(bootId, 'first\n');
    vi.stubEnv('MARS2_BOOT_ID_FILE', bootId);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const id = await launch('sleep 1000');
    const { state } = await viewOf(id);
    if (state.kind !== 'running' || state.pid === null) throw new Error(state.kind);
    // The process lives on, as another one with its number would.
    await writeFile(bootId, 'second\n');
    expect(await ended(id)).toEqual({ kind: 'lost', why: 'The machine was restarted since.' });
    process.kill(-state.pid, 'SIGKILL');
  });

  test('calls for a retry where the job allows one', async () => {
    const id = await launch('echo run; sleep 1000', { retry: { lost: 1, failed: 0 } });
    const { state } = await viewOf(id);
    if (state.kind !== 'running' || state.pid === null) throw new Error(state.kind);
    process.kill(-state.pid, 'SIGKILL');
    const retried = await eventually('the second start', async () => {
      const view = await viewOf(id);
      return view.state.kind === 'running' && view.attempts === 2 ? view : null;
    });
    expect(retried.timeline.map(({ what }) => what)).toEqual([
      'starting',
      'running',
      'lost',
      'queued',
      'starting',
      'running',
    ]);
    expect(retried.timeline[3]?.why).toBe('starts again in 5 s (retry 1 of 1)');
    await eventually('its output', async () => (await logOf(id)) === 'run\nrun\n');
  });
});

describe('notices', () => {
  const noticesOf = (jobs: JobService) => {
    const endings: string[] = [];
    jobs.onNotice(({ about, job }) => endings.push(`${about} ${job.name}`));
    return endings;
  };

  test('report each end once, and not that of a job that a person stopped', async () => {
    const endings = noticesOf(bench.jobs);
    await ended(await launch('true', { name: 'good' }));
    await ended(await launch('exit 3', { name: 'bad' }));
    await unwrap(bench.jobs.stop(await launch('sleep 1000', { name: 'stopped' }), 100));
    await unwrap(bench.jobs.inspect(bench.jobs.views()[0]?.id ?? ''));
    expect(endings).toEqual(['done good', 'failed bad']);
  });

  test('report what ended while the app was closed, once', async () => {
    const id = await launch('until [ -e go ]; do sleep 0.05; done', { name: 'late' });
    await bench.jobs.dispose();
    await writeFile(join(bench.folder, 'jobs', id, 'go'), '');
    await eventually('its end', () =>
      readFile(join(bench.folder, 'jobs', id, 'attempt-1', 'exit.json'), 'utf8').catch(() => null),
    );
    const later = await bench.restarted();
    const endings = noticesOf(later);
    await later.ready();
    expect(endings).toEqual(['done late']);
    const latest = await bench.restarted();
    const laterNotices = noticesOf(latest);
    await latest.ready();
    expect(laterNotices).toEqual([]);
  });

  test('report a silence once, and again after new output', async () => {
    const jobs = await openJobsIn(bench.folder, { settings: () => ({ stalledMinutes: 0 }) });
    onTestFinished(() => jobs.dispose());
    const endings = noticesOf(jobs);
    const id = await launch(
      'until [ -e go ]; do sleep 0.05; done; echo go; sleep 1000',
      { name: 'quiet' },
      jobs,
    );
    await viewOf(id, jobs);
    await viewOf(id, jobs);
    expect(endings).toEqual(['stalled quiet']);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await writeFile(join(bench.folder, 'jobs', id, 'go'), '');
    await eventually('its output', async () => (await viewOf(id, jobs)).logBytes > 0);
    await viewOf(id, jobs);
    expect(endings).toEqual(['stalled quiet', 'stalled quiet']);
    await unwrap(jobs.stop(id, 100));
  });
});

describe('a data folder of workbench 0.1', () => {
  test('shows its jobs: ended ones as they ended, without a notice, and living ones alive', async () => {
    await bench.jobs.dispose();
    const oldJob = async (id: string, files: Readonly<Record<string, string>>) => {
      const folder = join(bench.folder, 'jobs', id);
      await mkdir(folder, { recursive: true });
      const command = {
        version: 1,
        id,
        createdAt: '2026-01-02T03:04:05.000Z',
        purpose: 'model-server',
        command: 'node',
        args: ['server.mjs', 'two words'],
        cwd: null,
        env: {},
        freshFiles: [],
        notes: { model: 'm' },
      };
      await writeFile(join(folder, 'command.json'), JSON.stringify(command));
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    };
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const living = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    await once(living, 'spawn');
    const stat = await readFile(`/proc/${living.pid}/stat`, 'utf8');
    await oldJob('ended', {
      'process.txt': `4000000\n${bootId}1 (sh) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1 0\n`,
      'exit.json': '{"code":3,"endedAt":"2026-01-02T04:00:00Z"}\n',
      'output.log': 'old words\n',
    });
    await oldJob('living', { 'process.txt': `${living.pid}\n${bootId}${stat}` });
    await oldJob('torn', { 'command.json': '{' });
    const later = await bench.restarted();
    const endings: string[] = [];
    later.onNotice(({ job }) => endings.push(job.id));
    await later.ready();
    expect(later.views().map(({ id, commandLine }) => [id, commandLine])).toEqual([
      ['ended', "node server.mjs 'two words'"],
      ['living', "node server.mjs 'two words'"],
    ]);
    const states = new Map(later.views().map(({ id, state }) => [id, state]));
    expect(states.get('ended')).toMatchObject({ kind: 'exited', code: 3 });
    expect(states.get('living')).toEqual({ kind: 'running', pid: living.pid });
    expect(endings).toEqual([]);
    expect(await logOf('ended', 'output', later)).toBe('old words\n');
    const stopped = await unwrap(later.stop('living', 1_000));
    expect(hasEnded(stopped.view.state)).toBe(true);
  });
});

describe.skipIf(!isRoot)('a full disk (mounts a small one as root)', () => {
  test('keeps the exit code, says that output may be missing, and keeps no job from being stopped', async () => {
    const disk = join(bench.folder, 'small');
    await mkdir(disk);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    const machine = createLocalMachine(disk);
    const jobs = await openJobsIn(bench.folder, { machine: () => machine });
    try {
      const id = await launch('head -c 3000000 /dev/zero; sleep 0.2; exit 7', {}, jobs);
      expect(await ended(id, jobs)).toMatchObject({ kind: 'exited', code: 7 });
      expect((await viewOf(id, jobs)).timeline.at(-1)?.why).toContain('The disk there was full');
      const refused = await jobs.launch(lineOf('true'));
      expect(refused).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('disk is full') },
      });
      expect(jobs.views()).toHaveLength(1);
    } finally {
      await jobs.dispose();
      await run('umount', ['-l', disk]);
    }
  });

  test('keeps no job from being stopped', async () => {
    const disk = join(bench.folder, 'small');
    await mkdir(disk);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    const jobs = await openJobsIn(bench.folder, { machine: () => createLocalMachine(disk) });
    try {
      const id = await launch('head -c 3000000 /dev/zero; trap "" TERM; sleep 1000', {}, jobs);
      await eventually('the full disk', async () => (await viewOf(id, jobs)).logBytes > 900_000);
      const stopped = await unwrap(jobs.stop(id, 200));
      expect(hasEnded(stopped.view.state)).toBe(true);
    } finally {
      await jobs.dispose();
      await run('umount', ['-l', disk]);
    }
  });
});
