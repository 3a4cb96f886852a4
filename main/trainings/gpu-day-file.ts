import { join } from 'node:path';
import { type GpuDay, gpuDaySchema } from '../../preload/contract';
import { type JsonReading, readJson } from '../storage';

/** Where the results of a machine's GPU day are, in the data folder. */
export function gpuDayPath(dataDir: string, machineId: string): string {
  return join(dataDir, 'gpu-days', `${machineId}.json`);
}

/** The results of a machine's last GPU day. */
export function readGpuDay(dataDir: string, machineId: string): Promise<JsonReading<GpuDay>> {
  return readJson(gpuDayPath(dataDir, machineId), gpuDaySchema);
}
