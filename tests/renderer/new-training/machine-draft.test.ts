import { describe, expect, it } from 'vitest';
import { trainingRequestSchema } from '../../../preload/contract';
import { PLAIN_POCKET_TRAINING } from '../../../preload/contract/plans';
import {
  checkMachine,
  emptyMachineDraft,
  type MachineDraft,
  machineDraftOfJob,
} from '../../../renderer/new-training/machine-draft';
import { busyLab, sampleLab } from '../../support/sample-jobs';

const machine = (id: string) => sampleLab().find(({ spec }) => spec.id === id) ?? null;
const check = (change: Partial<MachineDraft>, id = 'gpu1') =>
  checkMachine({ ...emptyMachineDraft(id), ...change }, machine(id));
const errorsOf = (change: Partial<MachineDraft>, id?: string) => check(change, id).errors.map(({ at }) => at);

describe('where a trainer runs', () => {
  it('lets a preset say how many GPUs, unless they are picked', () => {
    expect(check({}).value.resources).toMatchObject({ gpus: 0, gpuIds: null });
    expect(check({ gpuMode: 'these', gpuIds: ['a', 'b'] }).value.resources).toMatchObject({
      gpus: 2,
      gpuIds: ['a', 'b'],
    });
    expect(check({ gpuMode: 'any', gpus: '4' }).value.resources.gpus).toBe(4);
    expect(errorsOf({ gpuMode: 'these' })).toEqual(['gpus']);
    expect(errorsOf({ gpuMode: 'any', gpus: '0' })).toEqual(['gpus']);
  });

  it('asks Slurm alone for time and partition, and Slurm for no single GPU', () => {
    const draft = { hours: '1.5', partition: ' gpu ', gpuWish: 'these' as const, gpuIds: ['a'] };
    expect(check(draft, 'cluster').value.resources).toMatchObject({
      minutes: 90,
      partition: 'gpu',
      account: null,
      gpuIds: null,
    });
    expect(check(draft).value.resources).toMatchObject({ minutes: null, partition: null });
    expect(errorsOf({ hours: '1000' }, 'cluster')).toEqual(['hours']);
  });

  it('refuses invalid variables and warns of secrets', () => {
    const row = (key: number, name: string) => ({ key, name, value: 'x' });
    expect(errorsOf({ environment: [row(0, '1A'), row(1, 'B'), row(2, 'B')] })).toEqual([
      'environment',
      'environment',
    ]);
    expect(check({ environment: [row(0, 'HF_TOKEN'), row(1, 'HF_TOKEN_FILE')] }).warnings).toEqual([
      expect.stringContaining('HF_TOKEN looks like a secret'),
    ]);
  });

  it('is filled in as an earlier job had it', () => {
    for (const job of busyLab().jobs ?? []) {
      const { value } = checkMachine(machineDraftOfJob(job), machine(job.machineId));
      const { gpus, gpuIds, partition } = job.resources;
      expect(value).toMatchObject({ machineId: job.machineId, setUp: job.setUp, env: job.env ?? {} });
      expect([value.resources.gpus, value.resources.gpuIds, value.resources.partition]).toEqual([
        gpuIds === null ? gpus : gpuIds.length,
        gpuIds,
        partition,
      ]);
      const spec = { kind: 'pocket', method: 'rs2', families: ['reader'], ...PLAIN_POCKET_TRAINING };
      expect(trainingRequestSchema.safeParse({ name: 'x', spec, ...value }).success).toBe(true);
    }
  });
});
