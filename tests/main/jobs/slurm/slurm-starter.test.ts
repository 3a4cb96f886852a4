import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSlurmStarter, readCluster } from '../../../../main/jobs';
import { eventually } from '../../../support/eventually';
import { openSlurm, type SlurmBench, whySlurmIsMissing } from '../../../support/slurm';
import { unwrap } from '../../../support/unwrap';
import { openSlurmBench } from './slurm-bench';

const missing = whySlurmIsMissing();
const { PATH, SHELL } = process.env;

describe.skipIf(missing !== null)(`Slurm${missing === null ? '' : ` (not run: ${missing})`}`, () => {
  let cluster: SlurmBench;
  let bench: Awaited<ReturnType<typeof openSlurmBench>>;
  beforeAll(async () => {
    cluster = await openSlurm();
    vi.stubEnv('SLURM_CONF', cluster.conf);
    bench = await openSlurmBench();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    try {
      await cluster?.dispose();
    } finally {
      await bench?.dispose();
    }
  });

  const numberOfJobs = async () =>
    (await cluster.slurm('squeue', '--noheader', '--array', '--states=all')).trim().split('\n').length;

  test('runs a job in its folder and reports its output and exit code', async () => {
    const job = await bench.start(bench.job('echo "$MARS2_JOB in $PWD"; echo trouble >&2; exit 7'));
    expect(job.reference).toMatch(/^\d+$/);
    expect(await bench.observed(job, 'exited')).toMatchObject({ code: 7, why: 'It ended with exit code 7.' });
    expect(await bench.output(job)).toBe(`${job.id} in ${job.folder}\ntrouble\n`);
    const { log } = await bench.look(job);
    expect(log?.bytes).toBe((await bench.output(job)).length);
  });

  test('gives a job none of the settings that its questions are asked with', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const job = await bench.start(bench.job('echo "$TZ <$LC_ALL> <$SLURM_TIME_FORMAT>"'));
    vi.stubEnv('TZ', undefined);
    await bench.observed(job, 'exited');
    expect(await bench.output(job)).toBe(`Asia/Tokyo <${process.env.LC_ALL ?? ''}> <>\n`);
  });

  test('starts nothing twice, whether the answer came or was lost on its way', async () => {
    const job = bench.job('echo run; sleep 1');
    const { reference } = await unwrap(bench.starter.start(job));
    const before = await numberOfJobs();
    expect(await unwrap(bench.starter.start(job))).toEqual({ reference });
    await bench.machine.removeFile(join(job.folder, 'slurm-1', 'reference'));
    expect(await unwrap(bench.starter.start(job))).toEqual({ reference });
    await bench.observed(job, 'exited');
    await bench.machine.removeFile(join(job.folder, 'slurm-1', 'reference'));
    expect(await unwrap(bench.starter.start(job))).toEqual({ reference });
    expect(await numberOfJobs()).toBe(before);
    expect(await bench.output(job)).toBe('run\n');
  });

  test('ignores a second submission of the same start', async () => {
    const job = await bench.start(bench.job('echo run; sleep 3; exit 3'));
    await bench.observed(job, 'running');
    const second = (
      await cluster.slurm('sbatch', '--parsable', '-o', '/dev/null', join(job.folder, 'slurm-1', 'script.sh'))
    ).trim();
    expect(await bench.observed({ ...job, reference: second }, 'exited')).toMatchObject({ code: 3 });
    expect(await bench.output(job)).toBe('run\n');
  });

  test('explains why a job waits', async () => {
    const greedy = await bench.start(bench.job('sleep 100', {}, { gpus: 2 }));
    await bench.observed(greedy, 'running');
    const waiting = await bench.start(bench.job('nvidia-smi', {}, { gpus: 1 }));
    const { why } = await bench.observed(waiting, 'queued');
    expect(why).toMatch(/^It waits in Slurm's queue: .* \(\w+\)\.$/);
    await unwrap(bench.starter.stop(waiting, 1_000));
    await unwrap(bench.starter.stop(greedy, 1_000));
    expect((await bench.observed(waiting, 'exited')).why).toBe('It was stopped before it started.');
    expect(await bench.output(waiting)).toBe('');
  });

  test('is queried for its queue now and then, and at once when a job begins or fails', async () => {
    const count = join(bench.home, 'questions');
    const tools = join(bench.home, 'tools');
    await unwrap(bench.machine.makeFolder(tools));
    const real = (await unwrap(bench.machine.run('command -v squeue'))).stdout.trim();
    const counting = `#!/bin/sh\necho asked >>'${count}'\nexec ${real} "$@"\n`;
    await unwrap(bench.machine.writeText(join(tools, 'squeue'), counting));
    await chmod(join(tools, 'squeue'), 0o700);
    vi.stubEnv('PATH', `${tools}:${process.env.PATH}`);
    let nowMs = Date.now();
    const starter = createSlurmStarter({ clock: { now: () => nowMs } });
    const job = bench.job('while [ ! -e enough ]; do sleep 0.1; done; exit 3');
    const kindOf = async () => (await unwrap(starter.probe([job])))[0]?.observation.kind;
    await unwrap(starter.start(job));
    await vi.waitFor(async () => expect(await kindOf()).toBe('running'), 30_000);
    const callCount = async () => (await readFile(count, 'utf8')).trim().split('\n').length;
    const before = await callCount();
    for (const _ of [1, 2, 3]) expect(await kindOf()).toBe('running');
    expect(await callCount()).toBe(before);
    nowMs += 10_000;
    await kindOf();
    expect(await callCount()).toBe(before + 1);
    await unwrap(bench.machine.writeText(join(job.folder, 'enough'), ''));
    await vi.waitFor(async () => expect(await kindOf()).toBe('exited'), 30_000);
    vi.stubEnv('PATH', PATH);
  });

  test('says what to do about a job that can never begin', async () => {
    const job = await bench.start(bench.job('true', {}, { partition: 'short', minutes: 600 }));
    await vi.waitFor(
      async () =>
        expect((await bench.observed(job, 'queued')).why).toContain(
          'more time than its partition allows; stop it and request less (PartitionTimeLimit)',
        ),
      20_000,
    );
    await unwrap(bench.starter.stop(job, 0));
  });

  test('gives GPUs that no other job has', async () => {
    const job = await bench.start(
      bench.job('echo "$CUDA_VISIBLE_DEVICES of $SLURM_GPUS_ON_NODE"', {}, { gpus: 1 }),
    );
    await bench.observed(job, 'exited');
    expect(await bench.output(job)).toMatch(/^[01] of 1\n$/);
  });

  test('stops a job with TERM, so that it can say goodbye', async () => {
    const job = await bench.start(
      bench.job('trap "echo bye; exit 9" TERM; echo on; while :; do sleep 0.1; done'),
    );
    await bench.observed(job, 'running');
    await vi.waitFor(async () => expect(await bench.output(job)).toBe('on\n'), 20_000);
    expect(await unwrap(bench.starter.stop(job, 20_000))).toEqual({ orphans: [], left: [] });
    expect(await bench.observed(job, 'exited')).toMatchObject({ code: 9 });
    expect(await bench.output(job)).toMatch(/^on\n(Terminated\n)?bye\n$/);
  });

  test('kills what does not listen', async () => {
    const job = await bench.start(bench.job('trap "" TERM; echo on; while :; do sleep 0.1; done'));
    await vi.waitFor(async () => expect(await bench.output(job)).toBe('on\n'), 30_000);
    expect(await unwrap(bench.starter.stop(job, 500))).toEqual({ orphans: [], left: [] });
    expect((await bench.observed(job, 'exited')).why).toMatch(/cancelled in Slurm/);
  });

  test('prevents a start that never reached Slurm from beginning later', async () => {
    const job = bench.job('echo run');
    await unwrap(bench.machine.makeFolder(job.folder));
    expect(await unwrap(bench.starter.stop(job, 0))).toEqual({ orphans: [], left: [] });
    expect(await unwrap(bench.starter.start(job))).toEqual({ reference: null });
    expect((await bench.observed(job, 'exited')).why).toBe('It was stopped before it started.');
  });

  test('takes a start out of its queue as often as it is in it', async () => {
    const job = await bench.start(bench.job('echo run', {}, { slurmOptions: '--hold' }));
    await bench.observed(job, 'queued');
    const script = join(job.folder, 'slurm-1', 'script.sh');
    const name = (
      await cluster.slurm('squeue', '--noheader', '--format=%j', '--jobs', `${job.reference}`)
    ).trim();
    await cluster.slurm('sbatch', '--hold', `--job-name=${name}`, '--output=/dev/null', script);
    await unwrap(bench.starter.stop(job, 0));
    expect(await cluster.slurm('squeue', '--noheader', `--name=${name}`)).toBe('');
    expect((await bench.observed(job, 'exited')).why).toBe('It was stopped before it started.');
  });

  test('says that somebody else cancelled a job', async () => {
    const job = await bench.start(bench.job('sleep 100'));
    await bench.observed(job, 'running');
    await cluster.slurm('scancel', `${job.reference}`);
    expect(await bench.observed(job, 'exited')).toMatchObject({ why: 'It was cancelled in Slurm.' });
  });

  test('makes room for a job of higher priority, and reports the preemption', async () => {
    const job = await bench.start(bench.job('sleep 100', {}, { gpus: 2 }));
    await bench.observed(job, 'running');
    const urgent = await bench.start(bench.job('true', {}, { gpus: 2, partition: 'urgent', minutes: 10 }));
    await bench.observed(urgent, 'exited');
    await bench.observed(job, 'unknown');
    bench.waitAMinute();
    expect((await bench.observed(job, 'lost')).why).toMatch(
      /make room for a job with higher priority \(preempted\)/,
    );
  });

  test('does not begin a job again that it has put back into its queue', async () => {
    const job = await bench.start(bench.job('echo run; sleep 100'));
    await bench.observed(job, 'running');
    await cluster.slurm('scontrol', 'update', `JobId=${job.reference}`, 'Requeue=1');
    await cluster.slurm('scontrol', 'requeue', `${job.reference}`);
    await bench.observed(job, 'unknown');
    bench.waitAMinute();
    expect((await bench.observed(job, 'lost')).why).toMatch(/requeued it/);
    // Slurm lets it wait two minutes, which begin when its first run is cleaned up. They are cut short, but not below the
    // second that distinguishes its credentials: begun in the one in which the first run ended, it fails in Slurm.
    await eventually('a node that is free again', async () => {
      const state = await cluster.slurm('sinfo', '--noheader', '--format=%T', '--partition=main');
      return state.trim() === 'idle';
    });
    await cluster.slurm('scontrol', 'update', `JobId=${job.reference}`, 'StartTime=now+2seconds');
    await eventually('the end of its second run', async () => {
      const shownJob = await cluster.slurm('scontrol', 'show', 'job', `${job.reference}`);
      return shownJob.includes('ExitCode=75:0');
    });
    expect(await bench.output(job)).toMatch(/^run\n(Terminated\n)?$/);
  });

  test('loses a job whose folder somebody removed only when it is stopped', async () => {
    const job = await bench.start(bench.job('echo runs; sleep 100'));
    await bench.observed(job, 'running');
    // Its folder is there before its command: without one the command would not begin.
    await eventually('its output', async () => (await bench.output(job)) === 'runs\n');
    await unwrap(bench.machine.removeFolder(job.folder));
    // A controller that is slow to answer makes it unknown for a moment.
    await bench.observed(job, 'starting');
    await unwrap(bench.starter.stop(job, 1_000));
    expect(await cluster.slurm('squeue', '--noheader', '--jobs', `${job.reference}`)).toBe('');
  });

  test('starts five at once as one array, each in its own folder', async () => {
    const jobs = [0, 1, 2, 3, 4].map((index) => bench.job(`echo ${index} in "$PWD"; exit ${index}`));
    const started = await bench.starter.startMany(jobs);
    const references = await Promise.all(started.map(async (one) => (await unwrap(one)).reference));
    const [number] = (references[0] ?? '').split('_');
    expect(references).toEqual([0, 1, 2, 3, 4].map((index) => `${number}_${index}`));
    for (const [index, job] of jobs.entries()) {
      expect(await bench.observed({ ...job, reference: references[index] ?? null }, 'exited')).toMatchObject({
        code: index,
      });
      expect(await bench.output(job)).toBe(`${index} in ${job.folder}\n`);
      expect(existsSync(join(job.folder, 'slurm-1', 'log'))).toBe(true);
    }
    expect(await readdir(join(bench.home, 'slurm-arrays'))).toEqual([]);
  });

  test('starts no element of an array twice, alone or together', async () => {
    const jobs = [0, 1, 2].map(() => bench.job('echo run'));
    const first = await bench.starter.startMany(jobs);
    const before = await numberOfJobs();
    for (const job of jobs) await bench.machine.removeFile(join(job.folder, 'slurm-1', 'reference'));
    expect(await bench.starter.startMany(jobs)).toEqual(first);
    for (const [index, job] of jobs.entries()) {
      expect(await bench.starter.start(job)).toEqual(first[index]);
      await bench.observed(job, 'exited');
      expect(await bench.output(job)).toBe('run\n');
    }
    expect(await numberOfJobs()).toBe(before);
  });

  test('refuses those of many that cannot begin, and leaves nothing of their array', async () => {
    const good = [0, 1].map(() => bench.job('true'));
    const far = [0, 1].map(() => {
      const job = bench.job('true');
      return { ...job, spec: { ...job.spec, cwd: '/no/such/folder' } };
    });
    const nowhere = [0, 1].map(() => bench.job('true', {}, { partition: 'nowhere' }));
    const started = await bench.starter.startMany([...far, ...good, ...nowhere]);
    expect(started.map((one) => (one.ok ? 'started' : one.error.code))).toEqual(
      ['bad-input', 'started', 'unavailable'].flatMap((word) => [word, word]),
    );
    for (const job of good) await bench.observed(job, 'exited');
    expect(await readdir(join(bench.home, 'slurm-arrays'))).toEqual([]);
  });

  test('stops one element of an array and leaves the others', async () => {
    const one = bench.job('echo runs; sleep 100');
    const other = bench.job('sleep 4; echo done');
    await bench.starter.startMany([one, other]);
    await eventually('its output', async () => (await bench.output(one)) === 'runs\n');
    await unwrap(bench.starter.stop(one, 1_000));
    expect((await bench.observed(one, 'exited')).code).toBe(143);
    expect((await bench.observed(other, 'exited')).code).toBe(0);
    expect(await bench.output(other)).toBe('done\n');
  });

  test.each([
    [{ partition: 'nowhere' }, /invalid partition specified: nowhere.*Invalid partition/, /sinfo/],
    [{ gpus: 3 }, /Requested node configuration is not available/, /Request less/],
    [{ slurmOptions: '--gres=gpu:h100:1' }, /node configuration|Invalid generic resource/, /GPUs|less/],
    [{ slurmOptions: '--no-such-option' }, /unrecognized option/, /Correct the Slurm options/],
  ] as const)('refuses %j with the message of sbatch, and what to do', async (resources, message, hint) => {
    const refused = await bench.starter.start(bench.job('true', {}, resources));
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      },
    });
  });

  test.each([
    [
      { slurmOptions: '--output=/dev/null' },
      /--output=\/dev\/null itself, because it needs it to track the job/,
    ],
    [{ slurmOptions: '-a 1-3' }, /workbench sets the sbatch option -a itself/],
    [{ slurmOptions: '--qos=a script.sh' }, /"script.sh" in the Slurm options is neither an sbatch option/],
    [{ gpuIds: ['GPU-1'] }, /Slurm chooses the GPUs itself/],
  ])('refuses %j before it asks Slurm', async (resources, message) => {
    const job = bench.job('true', {}, resources);
    expect(await bench.starter.start(job)).toMatchObject({
      ok: false,
      error: { code: 'bad-input', message: expect.stringMatching(message) },
    });
    expect(existsSync(job.folder)).toBe(false);
  });

  test('reports its partitions, limits, nodes and free GPUs', async () => {
    const greedy = await bench.start(bench.job('sleep 100', {}, { gpus: 1 }));
    await bench.observed(greedy, 'running');
    const cluster = await unwrap(readCluster(bench.machine));
    expect(cluster).toMatchObject({ name: 'pretend', hasAccounting: false, accounts: [], maxArraySize: 501 });
    expect(cluster.version).toMatch(/^\d+\.\d+/);
    expect(cluster.partitions).toMatchObject([
      { name: 'main', isDefault: true, isOpen: true, maxMinutes: 2_880, nodes: 1, cpusPerNode: 8 },
      { name: 'short', isDefault: false, maxMinutes: 30 },
      { name: 'urgent', maxMinutes: 60 },
    ]);
    expect(cluster.partitions[0]?.gpus).toEqual([{ type: 'pretend', total: 2, free: 1 }]);
    expect(cluster.nodes).toMatchObject([{ name: 'node1', isUsable: true, cpus: 8 }]);
    await unwrap(bench.starter.stop(greedy, 1_000));
  });

  test('that is absent is named as the problem', async () => {
    const tools = join(bench.home, 'no Slurm');
    await unwrap(bench.machine.makeFolder(tools));
    for (const name of ['date', 'df', 'env', 'id', 'sed', 'stat', 'tail', 'timeout', 'uname']) {
      await symlink(join('/usr/bin', name), join(tools, name));
    }
    vi.stubEnv('PATH', tools);
    vi.stubEnv('SHELL', '/bin/false');
    const started = await bench.starter.start(bench.job('true'));
    const read = await readCluster(bench.machine);
    vi.stubEnv('PATH', PATH);
    vi.stubEnv('SHELL', SHELL);
    const error = {
      code: 'unavailable',
      message: expect.stringContaining('Slurm was not found on Cluster'),
      hint: expect.stringContaining('login node'),
    };
    expect(started).toMatchObject({ ok: false, error });
    expect(read).toMatchObject({ ok: false, error });
  });

  test('refuses an absent working folder', async () => {
    const job = bench.job('true');
    const refused = await bench.starter.start({ ...job, spec: { ...job.spec, cwd: '/no/such folder' } });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'bad-input', message: expect.stringContaining('/no/such folder') },
    });
  });
});
