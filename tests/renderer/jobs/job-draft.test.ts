import { describe, expect, it } from 'vitest';
import { jobRequestSchema } from '../../../preload/contract';
import {
  checkJob,
  commandLinesOf,
  draftOfJob,
  EMPTY_JOB,
  type JobDraft,
  jobName,
  shellPreview,
} from '../../../renderer/jobs/job-draft';
import { sampleJob, sampleLab } from '../../support/sample-jobs';

const lab = sampleLab();
const machine = (id: string) => lab.find(({ spec }) => spec.id === id) ?? null;
const draft = (change: Partial<JobDraft> = {}): JobDraft => ({
  ...EMPTY_JOB,
  machineId: 'gpu1',
  commandLine: 'python train.py',
  ...change,
});
const check = (change: Partial<JobDraft> = {}, on = 'gpu1') =>
  checkJob(draft({ machineId: on, ...change }), machine(on));
const errorFields = (change: Partial<JobDraft>, on?: string) => check(change, on).errors.map(({ at }) => at);

describe('the form of a job', () => {
  it('gives an order that main takes', () => {
    const { request } = check({ gpuMode: 'any', gpus: '2', gpuMemory: '70', retryLost: '2' });
    expect(jobRequestSchema.parse(request)).toMatchObject({
      name: 'python train.py',
      cwd: null,
      resources: { gpus: 2, gpuIds: null, gpuMemoryMib: 71_680 },
      retry: { lost: 2, failed: 0 },
    });
  });

  it('asks for picked GPUs by their ids', () => {
    const ids =
      machine('gpu1')
        ?.gpus?.gpus.slice(3, 5)
        .map(({ id }) => id) ?? [];
    expect(check({ gpuMode: 'these', gpuIds: ids }).request?.resources).toMatchObject({
      gpus: 2,
      gpuIds: ids,
    });
  });

  it.each<[string, Partial<JobDraft>]>([
    ['commandLine', { commandLine: '  ' }],
    ['cwd', { cwd: 'relative/path' }],
    ['gpus', { gpuMode: 'any', gpus: '0' }],
    ['gpus', { gpuMode: 'these' }],
    ['gpuMemory', { gpuMode: 'any', gpuMemory: 'much' }],
    ['retryFailed', { retryFailed: '21' }],
    ['name', { name: 'x'.repeat(121) }],
    ['environment', { environment: [{ key: 0, name: '2ND', value: 'x' }] }],
  ])('says what is wrong with its %s', (at, change) => {
    expect(errorFields(change)).toEqual([at]);
    expect(check(change).request).toBeNull();
  });

  it('reports a variable that is set twice', () => {
    const twice = [
      { key: 0, name: 'A', value: '1' },
      { key: 1, name: 'A', value: '2' },
    ];
    expect(check({ environment: twice }).errors[0]?.message).toBe('A is set twice.');
  });

  it('asks Slurm for time, partition and options on a cluster alone', () => {
    const fields = { hours: '0.5', partition: 'gpu', options: '--qos=long' };
    expect(check(fields, 'cluster').request?.resources).toMatchObject({
      minutes: 30,
      partition: 'gpu',
      slurmOptions: '--qos=long',
    });
    expect(check(fields).request?.resources).toMatchObject({
      minutes: null,
      partition: null,
      slurmOptions: null,
    });
  });

  it('warns of secrets, of a command that leaves by itself, and of a machine that does not answer', () => {
    const { warnings } = check(
      { commandLine: 'nohup train &', environment: [{ key: 0, name: 'HF_TOKEN', value: 'x' }] },
      'basement',
    );
    expect(warnings).toHaveLength(3);
  });

  it('is filled in as a job was, and then orders the same', () => {
    const job = sampleJob({ env: { A: 'b c' }, setUp: 'module load cuda', retry: { lost: 1, failed: 0 } });
    const { request } = checkJob(draftOfJob(job), machine('gpu1'));
    expect(request).toMatchObject({
      machineId: job.machineId,
      commandLine: job.commandLine,
      setUp: job.setUp,
      cwd: job.cwd,
      env: job.env,
      retry: job.retry,
    });
  });
});

describe('what a job is called', () => {
  it('is what was typed, else the first line of its command', () => {
    expect(jobName(draft({ name: ' Mine ' }))).toBe('Mine');
    expect(jobName(draft({ commandLine: 'a b\nc' }))).toBe('a b');
    expect(jobName(draft({ commandLine: 'x'.repeat(100) }))).toHaveLength(60);
  });
});

describe('what will be typed', () => {
  it('is quoted as a shell needs it', () => {
    const environment = [{ key: 0, name: 'NOTE', value: "it's here" }];
    expect(shellPreview(draft({ environment, cwd: '/data/my runs', setUp: 'module load cuda' }))).toBe(
      "export NOTE='it'\\''s here'\ncd '/data/my runs'\nmodule load cuda\npython train.py",
    );
  });
});

it('each line can be a separate job; comments and empty lines are skipped', () => {
  const lines = draft({ commandLine: '# seeds\npython run.py 1\n\n  python run.py 2\n', onePerLine: true });
  expect(commandLinesOf(lines)).toEqual(['python run.py 1', 'python run.py 2']);
  expect(commandLinesOf({ ...lines, onePerLine: false })).toEqual([lines.commandLine.trim()]);
});
