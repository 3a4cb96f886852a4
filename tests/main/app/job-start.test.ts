import { expect, onTestFinished, test } from 'vitest';
import { failed, ok } from '../../../main/base';
import type { GpuAvailability } from '../../../main/jobs';
import type { Machine } from '../../../main/machines';
import { jobRequestSchema, LOCAL_MACHINE } from '../../../preload/contract';
import { benchJobHandlers } from '../../support/bench-job-handlers';
import { openJobBench } from '../../support/job-bench';
import { sampleGpu } from '../../support/sample-gpus';

const request = (gpus: number) =>
  jobRequestSchema.parse({
    machineId: LOCAL_MACHINE,
    name: 'train',
    commandLine: 'true',
    resources: { gpus },
  });

/** Starts a job that asks for so many GPUs on a machine that reads like this. */
async function start(
  gpus: number,
  read: GpuAvailability | null,
  kind: Machine['spec']['kind'] = 'local',
): Promise<string> {
  const bench = await openJobBench();
  onTestFinished(bench.dispose);
  const spec = { ...bench.machine.spec, kind } as Machine['spec'];
  const handlers = benchJobHandlers(bench, undefined, {
    fleet: { get: () => ok({ ...bench.machine, spec }) },
    gpus: async () => (read === null ? failed({ code: 'unreachable', message: 'Silent.' }) : ok(read)),
  });
  const started = await handlers['job.start']?.(request(gpus));
  if (started === undefined) throw new Error('job.start has no handler');
  return started.ok ? 'started' : `${started.error.message} ${started.error.hint}`;
}

const NONE = { gpus: [], reservations: [], user: 'me' };

test('a job for more GPUs than its machine has is refused with what the machine has', async () => {
  expect(await start(4, NONE)).toBe(
    'This job can never start on this computer. It requests 4 GPUs, but the machine has 0. Choose another machine, or fewer or smaller GPUs.',
  );
  expect(await start(2, { ...NONE, gpus: [sampleGpu(0)] })).toContain('but the machine has 1.');
});

test('it is queued where the GPUs may be there: not all could be read, or Slurm has them', async () => {
  expect(await start(4, null)).toBe('started');
  expect(await start(4, { ...NONE, isComplete: false })).toBe('started');
  expect(await start(4, NONE, 'slurm')).toBe('started');
  expect(await start(0, NONE)).toBe('started');
});
