import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSlurmStarter } from '../../../main/jobs';
import { createLocalMachine } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { CLUSTER_HERE, openSlurm, type SlurmBench, whySlurmIsMissing } from '../../support/slurm';
import {
  martiRequest,
  openTrainingBench,
  standInMarti,
  type TrainingBench,
} from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

const missing = whySlurmIsMissing();

/** A real Slurm of one node with two GPUs that compute nothing, and the stand-in for MARTI. */
describe.skipIf(missing !== null)(
  `trainings on a cluster${missing === null ? '' : ` (not run: ${missing})`}`,
  () => {
    let laterMs = 0;
    let slurm: SlurmBench;
    let bench: TrainingBench;
    let marti: Awaited<ReturnType<typeof standInMarti>>;
    beforeAll(async () => {
      slurm = await openSlurm();
      vi.stubEnv('SLURM_CONF', slurm.conf);
      bench = await openTrainingBench({
        machine: (home) => createLocalMachine(home, CLUSTER_HERE),
        starter: createSlurmStarter({ clock: { now: () => Date.now() + laterMs } }),
      });
      marti = await standInMarti(bench.folder);
    });
    afterAll(async () => {
      await bench?.dispose();
      vi.unstubAllEnvs();
      await slurm?.dispose();
    });

    test('a training gets the GPUs that its agents need, and is done', async () => {
      const request = martiRequest(marti, { machineId: 'cluster' });
      const plan = await unwrap(bench.trainings.plan(request, true));
      expect(plan.checks.find(({ id }) => id === 'gpus')?.found).toMatch(/^Requests 2; Slurm/);
      const { id } = await unwrap(bench.trainings.start(request));
      const done = await eventually('its end', () => {
        const view = bench.trainings.view(id);
        return view.ok && view.value.state.kind === 'exited' ? view.value : null;
      });
      expect(done.state).toMatchObject({ code: 0 });
      const job = await unwrap(bench.jobs.view(done.jobId ?? ''));
      expect(job).toMatchObject({ slurmId: expect.stringMatching(/^\d+$/), resources: { gpus: 2 } });
      const args = JSON.parse(await readFile(join(marti.output, 'arguments.json'), 'utf8'));
      expect(args.cwd).toBe(join(marti.output, 'code'));
      const curves = await unwrap(bench.trainings.curves(id, 100));
      expect(curves.filter(({ key }) => key === 'reward').map(({ steps }) => steps.length)).toEqual([6, 6]);
    });

    test('trainings that are started together are elements of one job array', async () => {
      const orders = [1, 2].map((n) =>
        martiRequest(marti, { machineId: 'cluster', spec: { output: join(bench.folder, `array-${n}`) } }),
      );
      const started = await bench.trainings.startMany(orders);
      const ids = started.map((one) => (one.ok ? one.value.id : ''));
      const slurmIds = await Promise.all(
        ids.map(async (id) => {
          const { jobId } = await unwrap(bench.trainings.view(id));
          return (await unwrap(bench.jobs.view(jobId ?? ''))).slurmId ?? '';
        }),
      );
      expect(new Set(slurmIds).size).toBe(2);
      expect(new Set(slurmIds.map((slurmId) => slurmId.split('_')[0])).size).toBe(1);
      for (const id of ids) await unwrap(bench.trainings.stop(id));
    });

    /** A training of eight steps, after its third. */
    const atThirdStep = async (output: string) => {
      const env = { STAND_IN_STEP_SECONDS: '0.5', STAND_IN_STEPS: '8' };
      const spec = { output: join(bench.folder, output) };
      const { id } = await unwrap(
        bench.trainings.start(martiRequest(marti, { machineId: 'cluster', env, spec })),
      );
      const log = async () => {
        const view = await unwrap(bench.trainings.view(id));
        const read = await bench.jobs.readLog(view.jobId ?? '', 'output', 0, 100_000);
        return read.ok ? read.value.text : '';
      };
      await eventually('the third step', async () => (await log()).includes('Global step 3:'), 60_000);
      return { id, log };
    };

    test('a preempted training goes on from its newest checkpoint by itself', async () => {
      const { id, log } = await atThirdStep('preempted');
      await slurm.slurm('sbatch', '--partition=urgent', '--gres=gpu:2', '--output=/dev/null', '--wrap=true');
      const kindOf = async () => {
        const view = await unwrap(bench.trainings.view(id));
        await bench.jobs.inspect(view.jobId ?? '');
        return (await unwrap(bench.trainings.view(id))).state.kind;
      };
      await eventually('its end in Slurm', async () => (await kindOf()) === 'unknown', 60_000);
      // The starter waits for files of the node that may be seen late.
      laterMs += 61_000;
      await eventually('the restart', async () => (await kindOf()) === 'queued', 60_000);
      const [restart] = (await unwrap(bench.trainings.view(id))).restarts ?? [];
      expect(restart?.why).toMatch(
        /preempted.*Starts again in 5 s \(retry 1 of 10\), from the checkpoint of step/,
      );
      await eventually('the last step', async () => (await log()).includes('Global step 8:'), 60_000);
      expect(await log()).toMatch(/Begin at global step 1\n[\s\S]*Begin at global step [2-7]\n/);
    });

    test('a stop removes it from the queue of Slurm, and a resume continues it', async () => {
      const { id, log } = await atThirdStep('second');
      await unwrap(bench.trainings.stop(id));
      expect(await slurm.slurm('squeue', '-h')).toBe('');
      await unwrap(bench.trainings.resume(id));
      await eventually('the last step', async () => (await log()).includes('Global step 8:'), 60_000);
      expect(await log()).toMatch(/Begin at global step 1\n[\s\S]*Begin at global step [3-7]\n/);
    });
  },
);
