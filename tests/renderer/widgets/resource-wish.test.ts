import { describe, expect, it } from 'vitest';
import {
  NO_WISH,
  type ResourceWish,
  readGpus,
  readWish,
  wishOf,
} from '../../../renderer/widgets/resource-wish';

const wish = (change: Partial<ResourceWish>): ResourceWish => ({ ...NO_WISH, ...change });

describe('the resources of a form', () => {
  it.each(['', '0', '65', '1.5', '1e1', 'two'])('refuses %j GPUs', (gpus) => {
    expect(readGpus(wish({ gpuWish: 'any', gpus }), false).fault?.kind).toBe('wrong');
  });

  it('lets Slurm choose as many as are typed, whatever was picked on the machine before', () => {
    const picked = wish({ gpuWish: 'these', gpus: '4', gpuIds: [] });
    expect(readGpus(picked, true)).toEqual({ gpus: 4, gpuIds: null, fault: null });
    expect(readGpus(picked, false).fault?.kind).toBe('missing');
  });

  it('says nothing about hours where there is no Slurm', () => {
    expect(readWish(wish({ hours: 'long' }), false).faults).toEqual([]);
    expect(readWish(wish({ hours: 'long' }), true).faults.map(({ at }) => at)).toEqual(['hours']);
    expect(readWish(wish({ hours: '0.02' }), true).resources.minutes).toBe(1);
    expect(readWish(wish({ hours: '720.1' }), true).faults).toHaveLength(1);
  });

  it('fills a form that orders the same again', () => {
    const resources = {
      gpus: 2,
      gpuIds: null,
      minutes: 90,
      partition: 'gpu',
      account: null,
      slurmOptions: '--qos=long',
    };
    expect(readWish(wishOf(resources), true)).toEqual({ resources, faults: [] });
    const picked = { ...resources, minutes: null, partition: null, slurmOptions: null, gpuIds: ['a', 'b'] };
    expect(readWish(wishOf(picked), false)).toEqual({ resources: picked, faults: [] });
  });
});
