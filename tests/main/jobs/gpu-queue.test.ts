import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ok } from '../../../main/base';
import type { JobService, JobSpec } from '../../../main/jobs';
import { chooseGpus, type GpuSituation, gpuEnvironment } from '../../../main/jobs/logic/choose-gpus';
import type { Gpu, JobResources } from '../../../preload/contract';
import { jobResourcesSchema } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { sampleGpu } from '../../support/sample-gpus';
import { unwrap } from '../../support/unwrap';

const asked = (change: Partial<JobResources>): JobResources => jobResourcesSchema.parse(change);
const situation = (gpus: readonly Gpu[], change: Partial<GpuSituation> = {}): GpuSituation => ({
  gpus,
  reservations: [],
  user: 'me',
  held: [],
  formatTime: (iso) => iso.slice(11, 16),
  ...change,
});
const process = (user: string) => ({ pid: 4, user, command: 'python', memoryMib: 9_000, startedAt: null });
const chosen = (resources: Partial<JobResources>, context: GpuSituation) => {
  const choice = chooseGpus(asked(resources), context);
  return choice.kind === 'given' ? choice.gpus.map(({ id }) => id) : choice.why;
};

describe('the choice of GPUs', () => {
  test('takes free ones by number, healthy ones first', () => {
    const gpus = [sampleGpu(0, { problems: ['It has thrown ECC errors.'] }), sampleGpu(2), sampleGpu(1)];
    expect(chosen({ gpus: 2 }, situation(gpus))).toEqual(['GPU-1', 'GPU-2']);
  });

  test('holds back a card with errors, says why, and gives it to who names it', () => {
    const bad = sampleGpu(0, { problems: ['XID 79 in the kernel log.'], heldBack: 'XID 79' });
    const why =
      'waits for 1 free GPU of 1: 1 is held back (XID 79); a GPU that is held back is used if it is picked by name (--gpu-ids in a terminal)';
    expect(chosen({ gpus: 1 }, situation([bad]))).toBe(why);
    expect(chosen({ gpus: 1 }, situation([bad, sampleGpu(1)]))).toEqual(['GPU-1']);
    expect(chosen({ gpuIds: ['GPU-0'] }, situation([bad]))).toEqual(['GPU-0']);
  });

  test('says who has what a job waits for', () => {
    const gpus = [sampleGpu(0, { processes: [process('user1')] }), sampleGpu(1), sampleGpu(2)];
    const reservations = [{ gpuId: 'GPU-1', user: 'user5', note: '', until: '2026-01-01T18:00:00Z' }];
    const held = [{ gpuId: 'GPU-2', jobName: 'train', memoryMib: null }];
    expect(chosen({ gpus: 2 }, situation(gpus, { reservations, held }))).toBe(
      'waits for 2 free GPUs of 3: 1 is used by user1, 1 is reserved by user5 until 18:00, 1 is assigned to "train"',
    );
  });

  test("takes no notice of one's own reservation", () => {
    const reservations = [{ gpuId: 'GPU-0', user: 'me', note: '', until: '2026-01-01T18:00:00Z' }];
    expect(chosen({ gpus: 1 }, situation([sampleGpu(0)], { reservations }))).toEqual(['GPU-0']);
  });

  test('shares a GPU by memory, and counts what was promised before it is taken', () => {
    const held = [{ gpuId: 'GPU-0', jobName: 'a', memoryMib: 50_000 }];
    const gpus = [sampleGpu(0, { memoryUsedMib: 1_000 })];
    expect(chosen({ gpus: 1, gpuMemoryMib: 30_000 }, situation(gpus, { held }))).toEqual(['GPU-0']);
    expect(chosen({ gpus: 1, gpuMemoryMib: 40_000 }, situation(gpus, { held }))).toBe(
      'waits for 1 GPU with 40000 MiB free of 1: 1 is left with only 31920 MiB',
    );
  });

  test('never takes a card that is cut into slices', () => {
    const slice = sampleGpu(0, { id: 'MIG-1', index: null, sliceOf: 'GPU-0', memoryTotalMib: 10_000 });
    expect(chosen({ gpus: 1 }, situation([sampleGpu(0), slice]))).toEqual(['MIG-1']);
  });

  test('takes exactly those that were named', () => {
    const gpus = [sampleGpu(0), sampleGpu(1), sampleGpu(2)];
    expect(chosen({ gpuIds: ['GPU-2', 'GPU-0'] }, situation(gpus))).toEqual(['GPU-0', 'GPU-2']);
    expect(chosen({ gpuIds: ['GPU-7'] }, situation(gpus))).toBe('The machine has no GPU GPU-7.');
  });

  test('never mixes vendors', () => {
    const gpus = [sampleGpu(0), sampleGpu(1, { vendor: 'amd' })];
    expect(chosen({ gpus: 2 }, situation(gpus))).toBe('It requests 2 GPUs, but the machine has 1.');
  });

  test('is passed to programs by number, and by UUID where a card is cut into slices', () => {
    const pair = [sampleGpu(3), sampleGpu(5)];
    const slice = sampleGpu(0, { id: 'MIG-1', index: null, sliceOf: 'GPU-0' });
    expect(gpuEnvironment(pair, pair)).toEqual({
      CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
      CUDA_VISIBLE_DEVICES: '3,5',
    });
    expect(gpuEnvironment([slice], [slice])).toEqual({ CUDA_VISIBLE_DEVICES: 'MIG-1' });
    expect(gpuEnvironment(pair, [...pair, slice])).toEqual({ CUDA_VISIBLE_DEVICES: 'GPU-3,GPU-5' });
    const amd = [sampleGpu(3, { vendor: 'amd' })];
    expect(gpuEnvironment(amd, amd)).toEqual({ HIP_VISIBLE_DEVICES: '3' });
  });
});

describe('the queue of a machine', () => {
  const openBench = async (gpus: () => readonly Gpu[]) => {
    const bench = await openJobBench({
      gpus: async () => ok({ gpus: gpus(), reservations: [], user: 'me' }),
    });
    onTestFinished(() => bench.dispose());
    return bench.jobs;
  };
  const lineOf = (name: string, script: string, resources: Partial<JobResources>): JobSpec => ({
    machineId: 'local',
    name,
    purpose: 'command',
    command: { kind: 'line', line: script },
    resources: asked(resources),
  });
  const stateOf = async (jobs: JobService, id: string) => (await unwrap(jobs.view(id))).state;

  test('gives each job its own GPUs, and the next its turn when one ends', async () => {
    const jobs = await openBench(() => [sampleGpu(0), sampleGpu(1)]);
    const show = 'echo "$CUDA_VISIBLE_DEVICES"; until [ -e go ]; do sleep 0.05; done';
    const first = await unwrap(jobs.launch(lineOf('first', show, { gpus: 1 })));
    const both = await unwrap(jobs.launch(lineOf('both', show, { gpus: 2 })));
    const last = await unwrap(jobs.launch(lineOf('last', show, { gpus: 1 })));
    expect(first.view.gpuIds).toEqual(['GPU-0']);
    expect(both.view.state).toEqual({
      kind: 'queued',
      why: 'waits for 2 free GPUs of 2: 1 is assigned to "first"',
    });
    // A free GPU is there, but the one before it waits for both: else it might wait for ever.
    expect(last.view.state).toEqual({ kind: 'queued', why: 'waits behind "both"' });
    await unwrap(jobs.stop(first.id, 100));
    await eventually('its turn', async () => (await stateOf(jobs, both.id)).kind === 'running');
    await eventually('its output', async () => {
      const piece = await unwrap(jobs.readLog(both.id, 'output', 0, 100));
      return piece.text === '0,1\n';
    });
    expect((await stateOf(jobs, last.id)).kind).toBe('queued');
    await unwrap(jobs.stop(last.id, 0));
    expect(await stateOf(jobs, last.id)).toMatchObject({ kind: 'exited', code: null });
    await unwrap(jobs.stop(both.id, 0));
  });

  test('lets no job wait behind one that the machine can never run', async () => {
    const jobs = await openBench(() => [sampleGpu(0)]);
    const huge = await unwrap(jobs.launch(lineOf('huge', 'true', { gpus: 8 })));
    expect(huge.view.state).toEqual({ kind: 'queued', why: 'It requests 8 GPUs, but the machine has 1.' });
    const small = await unwrap(jobs.launch(lineOf('small', 'sleep 1000', { gpus: 1 })));
    expect(small.view.state.kind).toBe('running');
  });

  test('finds GPUs that were missing at the first probe', async () => {
    let gpus: readonly Gpu[] = [];
    const jobs = await openBench(() => gpus);
    const { id } = await unwrap(jobs.launch(lineOf('early', 'sleep 1000', { gpus: 1 })));
    expect((await stateOf(jobs, id)).kind).toBe('queued');
    gpus = [sampleGpu(0)];
    jobs.probeSoon();
    await eventually('its start', async () => (await stateOf(jobs, id)).kind === 'running');
  });

  test('says what still holds the GPUs of a stopped job', async () => {
    let holders: Gpu['processes'] = [];
    const jobs = await openBench(() => [sampleGpu(0, { processes: holders })]);
    const { id } = await unwrap(jobs.launch(lineOf('job', 'sleep 1000', { gpus: 1 })));
    holders = [process('me')];
    const stopped = await unwrap(jobs.stop(id, 100));
    expect(stopped.view.timeline.at(-1)).toMatchObject({
      what: 'GPU memory',
      why: 'GPU 0 is still used by python (4) of me.',
    });
  });

  test('says what still holds the GPUs of a job that ended by itself', async () => {
    let holders: Gpu['processes'] = [];
    const jobs = await openBench(() => [sampleGpu(0, { processes: holders })]);
    const { id } = await unwrap(
      jobs.launch(lineOf('server', 'until [ -e ../../end ]; do sleep 0.05; done; exit 1', { gpus: 1 })),
    );
    holders = [process('me')];
    await writeFile(join(jobs.folderOf(id) ?? '', '..', '..', 'end'), '');
    await eventually('the word', async () => {
      const { timeline } = (await unwrap(jobs.inspect(id))).view;
      return timeline.at(-1)?.what === 'GPU memory';
    });
  });
});
