import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { createSlurmStarter, hasEnded, type JobService, type JobSpec } from '../../../../main/jobs';
import { createLocalMachine } from '../../../../main/machines';
import type { JobView } from '../../../../preload/contract';
import { eventually } from '../../../support/eventually';
import { openFleet } from '../../../support/fleet-bench';
import { type JobBench, openJobBench } from '../../../support/job-bench';
import { healthyCard, nvidiaStandIn } from '../../../support/nvidia-stand-in';
import { CLUSTER_HERE, openSlurm, type SlurmBench, whySlurmIsMissing } from '../../../support/slurm';
import { hasSshd, startSshd } from '../../../support/sshd';
import { toolBench } from '../../../support/stand-in-tools';
import { unwrap } from '../../../support/unwrap';

const missing = whySlurmIsMissing();

const order = (line: string, change: Partial<JobSpec> = {}): JobSpec => ({
  machineId: 'cluster',
  name: 'A test',
  purpose: 'command',
  command: { kind: 'line', line },
  ...change,
});

const becomes = (jobs: JobService, id: string, ...kinds: JobView['state']['kind'][]) =>
  eventually(`${kinds.join(' or ')} of ${id}`, async () => {
    await jobs.inspect(id);
    const view = await unwrap(jobs.view(id));
    return kinds.includes(view.state.kind) ? view : null;
  });

describe.skipIf(missing !== null)(
  `jobs on a cluster${missing === null ? '' : ` (not run: ${missing})`}`,
  () => {
    let slurm: SlurmBench;
    let bench: JobBench;
    beforeAll(async () => {
      slurm = await openSlurm();
      vi.stubEnv('SLURM_CONF', slurm.conf);
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await slurm?.dispose();
    });
    beforeEach(async () => {
      bench = await openJobBench({
        machine: (home) => createLocalMachine(home, CLUSTER_HERE),
        starter: createSlurmStarter({ clock: { now: () => Date.now() } }),
      });
    });
    afterEach(() => bench.dispose(), 120_000);

    test('a job samples the GPUs that Slurm gave it, on their node', async () => {
      const tools = await toolBench();
      const use = { 'utilization.gpu': '0' };
      await nvidiaStandIn(tools, [healthyCard(0, use), healthyCard(1, use)]);
      const job = await unwrap(
        bench.jobs.launch(
          order('sleep 100', {
            resources: { gpus: 1 },
            env: { PATH: `${tools.tools}:${process.env.PATH}` },
          }),
        ),
      );
      await becomes(bench.jobs, job.id, 'running');
      const [gpu, ...others] = await eventually('a sample', async () => {
        const { gpus } = await unwrap(bench.jobs.gpus(job.id, 10));
        return gpus.length > 0 ? gpus : null;
      });
      expect(others).toEqual([]);
      expect([gpu?.use[0], gpu?.memoryTotalMib]).toEqual([0, 81_920]);
      await unwrap(bench.jobs.stop(job.id, 1_000));
    });

    test('a job waits, runs and ends, with its number in Slurm and a timeline that says why', async () => {
      const greedy = await unwrap(bench.jobs.launch(order('sleep 100', { resources: { gpus: 2 } })));
      await becomes(bench.jobs, greedy.id, 'running');
      const job = await unwrap(
        bench.jobs.launch(order('echo hello; exit 3', { setUp: 'echo set up', resources: { gpus: 1 } })),
      );
      const waiting = await becomes(bench.jobs, job.id, 'queued');
      expect(waiting.slurmId).toMatch(/^\d+$/);
      await unwrap(bench.jobs.stop(greedy.id, 5_000));
      const done = await becomes(bench.jobs, job.id, 'exited');
      expect(done.state).toMatchObject({ code: 3 });
      const moments = done.timeline.map(({ what }) => what);
      expect(moments).toContain('queued');
      expect(moments.at(-1)).toBe('exited');
      expect(done.timeline.find(({ what }) => what === 'queued')?.why).toMatch(/waits in Slurm's queue/);
      expect((await unwrap(bench.jobs.readLog(job.id, 'output', 0, 1_000))).text).toBe('hello\n');
      expect((await unwrap(bench.jobs.readLog(job.id, 'set-up', 0, 1_000))).text).toBe('set up\n');
      const origin = await unwrap(bench.jobs.provenance(job.id));
      expect(origin).toMatchObject({ attempt: 1, host: hostname(), slurm: { jobId: done.slurmId } });
    });

    test('a job continues while the app is closed, and is found again', async () => {
      const job = await unwrap(
        bench.jobs.launch(order('while [ ! -e enough ]; do sleep 0.1; done; echo end')),
      );
      await becomes(bench.jobs, job.id, 'running');
      const later = await bench.restarted();
      await becomes(later, job.id, 'running');
      await unwrap(later.writeFile(job.id, 'enough', ''));
      expect((await becomes(later, job.id, 'exited')).state).toMatchObject({ code: 0 });
    });

    test('what Slurm refuses leaves nothing behind', async () => {
      const refused = await bench.jobs.launch(order('true', { resources: { partition: 'nowhere' } }));
      expect(refused).toMatchObject({ ok: false, error: { code: 'unavailable' } });
      expect(bench.jobs.views()).toEqual([]);
      expect(await unwrap(bench.machine.listFolder(join(bench.folder, 'jobs')))).toEqual(
        expect.not.arrayContaining([expect.stringMatching(/^[0-9a-f-]{36}$/)]),
      );
    });

    test('a failed job is retried as often as requested, under new numbers', async () => {
      const job = await unwrap(
        bench.jobs.launch(
          order('echo run; [ -e once ] && exit 0; touch once; exit 1', { retry: { failed: 1 } }),
        ),
      );
      const first = await unwrap(bench.jobs.view(job.id));
      const done = await eventually('the end of the second attempt', async () => {
        await bench.jobs.inspect(job.id);
        const view = await unwrap(bench.jobs.view(job.id));
        return view.attempts === 2 && hasEnded(view.state) ? view : null;
      });
      expect(done.state).toMatchObject({ code: 0 });
      expect(done.slurmId).not.toBe(first.slurmId);
      expect((await unwrap(bench.jobs.readLog(job.id, 'output', 0, 1_000))).text).toBe('run\nrun\n');
    });

    test('a job that somebody cancelled in Slurm is not started again', async () => {
      const job = await unwrap(bench.jobs.launch(order('sleep 100', { retry: { failed: 3, lost: 3 } })));
      const { slurmId } = await becomes(bench.jobs, job.id, 'running');
      await slurm.slurm('scancel', `${slurmId}`);
      const view = await becomes(bench.jobs, job.id, 'exited', 'queued');
      expect(view.state.kind).toBe('exited');
      expect(view.timeline.at(-1)?.why).toBe('It was cancelled in Slurm.');
    });

    test('many jobs are one array in Slurm and their own jobs here', async () => {
      const orders = [0, 1, 2].map((index) =>
        order(`echo ${index}; exit ${index}`, { name: `Seed ${index}` }),
      );
      const launched = await bench.jobs.launchMany([
        ...orders,
        order('true', { resources: { partition: 'nowhere' } }),
        order('true', { machineId: 'nobody' }),
      ]);
      expect(launched.map((one) => (one.ok ? 'launched' : one.error.code))).toEqual([
        'launched',
        'launched',
        'launched',
        'unavailable',
        'not-found',
      ]);
      expect(bench.jobs.views().map(({ name }) => name)).toEqual(['Seed 0', 'Seed 1', 'Seed 2']);
      const numbers = bench.jobs.views().map(({ slurmId }) => slurmId?.split('_'));
      expect(numbers.map((parts) => parts?.[1])).toEqual(['0', '1', '2']);
      expect(new Set(numbers.map((parts) => parts?.[0])).size).toBe(1);
      for (const [index, { id }] of bench.jobs.views().entries()) {
        expect((await becomes(bench.jobs, id, 'exited')).state).toMatchObject({ code: index });
        expect((await unwrap(bench.jobs.readLog(id, 'output', 0, 100))).text).toBe(`${index}\n`);
      }
    });

    test('a job that waits is stopped', async () => {
      const job = await unwrap(
        bench.jobs.launch(order('echo run', { resources: { slurmOptions: '--hold' } })),
      );
      const waiting = await becomes(bench.jobs, job.id, 'queued');
      expect(waiting.state).toMatchObject({ why: expect.stringContaining('held') });
      await unwrap(bench.jobs.stop(job.id, 10_000));
      const stopped = await unwrap(bench.jobs.view(job.id));
      expect(stopped.state).toMatchObject({ kind: 'exited', code: null });
      expect(stopped.timeline.at(-1)?.why).toBe('It was stopped before it started.');
    });
  },
);

const needs = missing ?? (hasSshd ? null : 'no sshd (Debian: openssh-server)');

describe.skipIf(needs !== null)(
  `a login node behind ssh${needs === null ? '' : ` (not run: ${needs})`}`,
  () => {
    test('runs jobs, reports on them after a cut connection, and stops them', async () => {
      const slurm = await openSlurm();
      onTestFinished(slurm.dispose);
      const sshd = await startSshd({ serverLines: [`SetEnv SLURM_CONF=${slurm.conf}`] });
      onTestFinished(sshd.stop);
      const { fleet } = await openFleet(sshd.sshArgs, [{ ...CLUSTER_HERE, host: sshd.host }]);
      const machine = await unwrap(fleet.get('cluster'));
      const bench = await openJobBench({
        machine: () => machine,
        starter: createSlurmStarter({ clock: { now: () => Date.now() } }),
      });
      onTestFinished(bench.dispose);
      const job = await unwrap(
        bench.jobs.launch(order('echo on; while [ ! -e enough ]; do sleep 0.1; done; exit 5')),
      );
      const other = await unwrap(bench.jobs.launch(order('sleep 100')));
      await becomes(bench.jobs, job.id, 'running');
      expect((await unwrap(bench.jobs.view(job.id))).slurmId).toBe('1');
      await sshd.killSessions();
      await eventually('an answer after the cut', async () => (await bench.jobs.inspect(job.id)).ok);
      await unwrap(bench.jobs.writeFile(job.id, 'enough', ''));
      expect((await becomes(bench.jobs, job.id, 'exited')).state).toMatchObject({ code: 5 });
      expect((await unwrap(bench.jobs.readLog(job.id, 'output', 0, 100))).text).toBe('on\n');
      await unwrap(bench.jobs.stop(other.id, 5_000));
      expect((await unwrap(bench.jobs.view(other.id))).state).toMatchObject({ kind: 'exited', code: 143 });
    });
  },
);
