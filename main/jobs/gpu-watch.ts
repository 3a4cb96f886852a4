import { setTimeout as sleep } from 'node:timers/promises';
import { isoAt, type JobSurroundings } from './job-surroundings';
import { gpuLeftovers } from './logic/gpu-leftovers';
import { holdsGpus, withMoment } from './logic/job-record';

/** A driver gives memory back within a second or two of the process's end. */
const LOOKS = 4;
const LOOK_EVERY_MS = 1_500;

/**
 * Waits a little for the GPUs of an ended job to be free, and notes what still holds those that nobody was given since.
 * `isWaitedFor` false: it keeps no process alive.
 */
export async function watchGpuMemory(
  { book, gpus, clock }: JobSurroundings,
  id: string,
  isWaitedFor: boolean,
): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (looks > 0) await sleep(LOOK_EVERY_MS, undefined, { ref: isWaitedFor });
    const record = book.get(id);
    if (record === null || record.phase !== 'ended' || record.spec.resources.gpuMemoryMib !== null) return;
    const { machineId } = record.spec;
    const given = new Set(
      book
        .records()
        .filter((other) => other.spec.machineId === machineId && holdsGpus(other))
        .flatMap(({ gpuIds }) => gpuIds),
    );
    const ours = record.gpuIds.filter((gpuId) => !given.has(gpuId));
    if (ours.length === 0) return;
    const use = await gpus(machineId);
    const words = use.ok ? gpuLeftovers(use.value.gpus, ours) : null;
    if (words === null) return;
    const now = book.get(id);
    if (looks < LOOKS - 1 || now?.phase !== 'ended') continue;
    const hint = now.stopGraceMs === null ? ' Stopping the job ends what is left of it.' : '';
    await book.put(withMoment(now, { at: isoAt(clock.now()), what: 'GPU memory', why: words + hint }));
  }
}
