import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StartedJob } from '../../../../main/jobs';
import { openSlurm, type SlurmBench, whySlurmIsMissing } from '../../../support/slurm';
import { unwrap } from '../../../support/unwrap';
import { openSlurmBench } from './slurm-bench';

const missing = whySlurmIsMissing();

/** A cluster, and a bench of starts on it; this process's Slurm is that one. */
async function openBoth(options?: Parameters<typeof openSlurm>[0]) {
  const cluster = await openSlurm(options);
  vi.stubEnv('SLURM_CONF', cluster.conf);
  return { cluster, bench: await openSlurmBench() };
}
type Both = Awaited<ReturnType<typeof openBoth>>;

describe.skipIf(missing !== null)(
  `Slurm in trouble${missing === null ? '' : ` (not run: ${missing})`}`,
  () => {
    // Slurm ends it after more than a minute: it runs beside the other tests, on a cluster of its own.
    let slow: Both & { readonly job: StartedJob };
    beforeAll(async () => {
      const both = await openBoth();
      const job = await both.bench.start(both.bench.job('sleep 1000', {}, { minutes: 1 }));
      slow = { ...both, job };
    });
    afterAll(async () => {
      await slow?.cluster.dispose();
      await slow?.bench.dispose();
    });

    let cluster: SlurmBench;
    let bench: Both['bench'];
    beforeEach(async () => {
      ({ cluster, bench } = await openBoth({ forgetJobsAfterS: 2 }));
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await cluster?.dispose();
      await bench?.dispose();
    });

    test('an unreachable controller loses no job, and a job that ends meanwhile is reported', async () => {
      const long = await bench.start(bench.job('while [ ! -e "$PWD/enough" ]; do sleep 0.1; done; exit 4'));
      const short = await bench.start(bench.job('while [ ! -e "$PWD/enough" ]; do sleep 0.1; done; exit 5'));
      await bench.observed(long, 'running');
      await bench.observed(short, 'running');
      await cluster.stopController();
      bench.waitAMinute();
      expect((await bench.observed(long, 'unknown')).why).toContain('Slurm does not answer');
      expect(await bench.starter.start(bench.job('true'))).toMatchObject({ error: { code: 'unreachable' } });
      expect(await bench.starter.stop(long, 0)).toMatchObject({ error: { code: 'unreachable' } });
      // Known already: nothing has to be asked.
      expect(await unwrap(bench.starter.start(short))).toEqual({ reference: short.reference });
      await unwrap(bench.machine.writeText(join(short.folder, 'enough'), ''));
      expect(await bench.observed(short, 'exited')).toMatchObject({ code: 5 });
      await cluster.startController();
      await bench.observed(long, 'running');
      await unwrap(bench.machine.writeText(join(long.folder, 'enough'), ''));
      expect(await bench.observed(long, 'exited')).toMatchObject({ code: 4 });
    });

    test('a controller that hangs makes nothing lost, and is asked again', async () => {
      const job = await bench.start(bench.job('while [ ! -e enough ]; do sleep 0.1; done'));
      await bench.observed(job, 'running');
      cluster.freezeController();
      const other = bench.job('echo run');
      expect((await bench.look(job)).observation.kind).toBe('unknown');
      expect(await bench.starter.start(other)).toMatchObject({ error: { code: 'unreachable' } });
      cluster.thawController();
      await bench.observed(job, 'running');
      await bench.start(other);
      await bench.observed(other, 'exited');
      expect(await bench.output(other)).toBe('run\n');
      await unwrap(bench.machine.writeText(join(job.folder, 'enough'), ''));
      await bench.observed(job, 'exited');
    });

    test('a job that was killed with its node is lost, by Slurm or after Slurm forgot it', async () => {
      const job = await bench.start(bench.job('sleep 100'));
      await bench.observed(job, 'running');
      await cluster.killNode();
      await cluster.slurm('scontrol', 'update', 'NodeName=node1', 'State=DOWN', 'Reason=test');
      await bench.observed(job, 'unknown');
      bench.waitAMinute();
      expect((await bench.observed(job, 'lost')).why).toMatch(
        /^Its node failed\. It ran on node1\.|no longer knows/,
      );
      await cluster.startNode();
    });

    test('a job that Slurm has forgotten keeps its exit code, and is not started again', async () => {
      const job = await bench.start(bench.job('exit 6'));
      await vi.waitFor(
        async () => expect(await cluster.slurm('squeue', '--noheader', '--states=all')).toBe(''),
        { timeout: 120_000, interval: 200 },
      );
      expect(await bench.observed(job, 'exited')).toMatchObject({ code: 6 });
      expect(await unwrap(bench.starter.start(job))).toEqual({ reference: job.reference });
      expect(await unwrap(bench.starter.stop(job, 0))).toEqual({ orphans: [], left: [] });
    });

    test('a job that ran out of its time says so', async () => {
      vi.stubEnv('SLURM_CONF', slow.cluster.conf);
      const { why } = await slow.bench.observed(slow.job, 'exited');
      expect(why).toBe('It exceeded its time limit of 1 min, and Slurm ended it.');
    });
  },
);
