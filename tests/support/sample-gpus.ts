import type { Gpu } from '../../preload/contract';

/** An unused GPU of 80 GiB, as a driver reports it; never a real one. */
export function sampleGpu(index: number, change: Partial<Gpu> = {}): Gpu {
  return {
    id: `GPU-${index}`,
    index,
    name: 'Sample 80GB',
    vendor: 'nvidia',
    sliceOf: null,
    utilisation: 0,
    memoryUsedMib: 500,
    memoryTotalMib: 81_920,
    temperatureC: 30,
    powerW: 60,
    powerLimitW: 400,
    problems: [],
    processes: [],
    ...change,
  };
}
