import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RESOURCES,
  type ResourceFields,
  readGpus,
  readResources,
  resourceFieldsOf,
} from '../../../../renderer/shared/machines/resource-fields';

const fieldsWith = (change: Partial<ResourceFields>): ResourceFields => ({ ...DEFAULT_RESOURCES, ...change });

describe('the resources of a form', () => {
  it.each(['', '0', '65', '1.5', '1e1', 'two'])('refuses %j GPUs', (gpus) => {
    expect(readGpus(fieldsWith({ gpuMode: 'any', gpus }), false).error?.kind).toBe('wrong');
  });

  it('lets Slurm choose the typed number, ignoring the GPUs picked before', () => {
    const picked = fieldsWith({ gpuMode: 'these', gpus: '4', gpuIds: [] });
    expect(readGpus(picked, true)).toEqual({ gpus: 4, gpuIds: null, error: null });
    expect(readGpus(picked, false).error?.kind).toBe('missing');
  });

  it('says nothing about hours where there is no Slurm', () => {
    expect(readResources(fieldsWith({ hours: 'long' }), false).errors).toEqual([]);
    expect(readResources(fieldsWith({ hours: 'long' }), true).errors.map(({ at }) => at)).toEqual(['hours']);
    expect(readResources(fieldsWith({ hours: '0.02' }), true).resources.minutes).toBe(1);
    expect(readResources(fieldsWith({ hours: '720.1' }), true).errors).toHaveLength(1);
  });

  it('fills a form that requests the same again', () => {
    const resources = {
      gpus: 2,
      gpuIds: null,
      minutes: 90,
      partition: 'gpu',
      account: null,
      slurmOptions: '--qos=long',
    };
    expect(readResources(resourceFieldsOf(resources), true)).toEqual({ resources, errors: [] });
    const picked = { ...resources, minutes: null, partition: null, slurmOptions: null, gpuIds: ['a', 'b'] };
    expect(readResources(resourceFieldsOf(picked), false)).toEqual({ resources: picked, errors: [] });
  });
});
