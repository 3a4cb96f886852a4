import type { GpuCurves } from '../../preload/contract';
import { createKeyedQueue, ok } from '../base';
import type { AsyncResult } from '../machines';
import type { JobContext } from './job-context';
import { MAX_GPU_FILE_BYTES } from './logic/gpu-sampler';
import { GpuSamples, gpuPieceScript } from './logic/gpu-samples';
import { jobFiles } from './logic/job-files';

/** Jobs whose samples stay read, so that a screen that follows them reads only what is new. */
const MAX_OPEN = 12;
/** The file may be twice as large as ours ever is; what lies behind is not read. */
const MAX_BYTES = 2 * MAX_GPU_FILE_BYTES;

type JobGpus = {
  /** What its GPUs did in all its starts, at most `points` a GPU; reads what is new. `unreachable` as the machine is. */
  readonly read: (id: string, points: number) => AsyncResult<GpuCurves>;
  readonly forget: (id: string) => void;
};

export function jobGpus({ store, machines }: Pick<JobContext, 'store' | 'machines'>): JobGpus {
  /** Least recently used first. */
  const open = new Map<string, GpuSamples>();
  const queue = createKeyedQueue();

  const readNew = async (id: string): AsyncResult<GpuSamples> => {
    const samples = open.get(id) ?? new GpuSamples();
    const record = store.require(id);
    if (!record.ok) return record;
    const { folder, spec } = record.value;
    if (folder === null) return ok(samples);
    const machine = machines.get(spec.machineId);
    if (!machine.ok) return machine;
    open.delete(id);
    open.set(id, samples);
    for (const oldest of [...open.keys()].slice(0, -MAX_OPEN)) open.delete(oldest);
    for (let more = true; more && samples.offset < MAX_BYTES; ) {
      const piece = await machine.value.run(gpuPieceScript(`${folder}/${jobFiles.gpu}`, samples.offset));
      if (!piece.ok) return piece;
      more = samples.take(piece.value.stdout);
    }
    return ok(samples);
  };
  return {
    read: (id, points) =>
      queue.run(id, async () => {
        const samples = await readNew(id);
        return samples.ok ? ok(samples.value.curves(points)) : samples;
      }),
    forget: (id) => open.delete(id),
  };
}
