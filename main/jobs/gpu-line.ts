import type { JobResources } from '../../preload/contract';
import type { JobSurroundings } from './job-surroundings';
import { isoAt } from './job-surroundings';
import { chooseGpus, gpuEnvironment, type HeldGpu, mayCompete } from './logic/gpu-queue';
import { holdsGpus, inState, type JobRecord, wantsGpus, withAttempt } from './logic/job-record';
import { stopRest } from './stop-attempt';

/** What an ended job left running has so long to end by itself. */
const REST_GRACE_MS = 5_000;

/**
 * Lets the waiting jobs of a machine begin that may: oldest first; nobody gets a GPU that somebody before him waits
 * for. Those that may are in the phase `starting` afterwards. One call at a time per machine.
 */
export async function admitWaiting(around: JobSurroundings, machineId: string): Promise<void> {
  const { book, clock } = around;
  const own = () => book.records().filter(({ spec }) => spec.machineId === machineId);
  const isDue = ({ phase, stopGraceMs, notBefore }: JobRecord) =>
    phase === 'waiting' &&
    stopGraceMs === null &&
    (notBefore === null || Date.parse(notBefore) <= clock.now());
  const waiting = own().filter(isDue);
  if (waiting.length === 0) return;
  const machine = around.machines.get(machineId);
  if (!machine.ok) return;
  // A new start beside what its last one left would share its GPUs, ports and logs with it. Slurm sees to that itself.
  const hasRest = ({ attempt, cleared }: JobRecord) =>
    machine.value.spec.kind !== 'slurm' && attempt > cleared;
  for (const { id } of waiting.filter(hasRest)) await stopRest(around, id, REST_GRACE_MS);
  const isQueuedHere = (record: JobRecord) => machine.value.spec.kind !== 'slurm' && wantsGpus(record);
  const use = waiting.some(isQueuedHere) ? await around.gpus(machineId) : null;
  const held = own().flatMap(heldBy);
  const ahead: { readonly name: string; readonly resources: JobResources }[] = [];

  for (const { id } of waiting) {
    // Stopped or removed while the machine was asked.
    const record = book.get(id);
    if (record === null || !isDue(record)) continue;
    const at = isoAt(clock.now());
    const { name, resources } = record.spec;
    const wait = (why: string) => book.put(inState(record, { kind: 'queued', why }, at, why));
    if (!isQueuedHere(record)) {
      await book.put(withAttempt(record, at, { gpuIds: [], gpuEnv: {}, why: '' }));
      continue;
    }
    if (use === null || !use.ok) {
      await wait(`waits for a look at the GPUs: ${use?.error.message ?? ''}`);
      continue;
    }
    const before = ahead.find((other) => mayCompete(other.resources, resources));
    if (before !== undefined) {
      await wait(`waits behind "${before.name}"`);
      continue;
    }
    const choice = chooseGpus(resources, { ...use.value, held, timeWords: (iso) => timeWords(iso, at) });
    if (choice.kind === 'waits') {
      await wait(choice.why);
      if (!choice.never) ahead.push({ name, resources });
      continue;
    }
    const given = withAttempt(record, at, {
      gpuIds: choice.gpus.map((gpu) => gpu.id),
      gpuEnv: gpuEnvironment(choice.gpus, use.value.gpus),
      why: `on ${choice.gpus.map((gpu) => (gpu.index === null ? gpu.id : `GPU ${gpu.index}`)).join(', ')}`,
    });
    held.push(...heldBy(given));
    await book.put(given);
  }
}

function heldBy(record: JobRecord): readonly HeldGpu[] {
  if (!holdsGpus(record)) return [];
  const { name, resources } = record.spec;
  return record.gpuIds.map((gpuId) => ({ gpuId, jobName: name, memoryMib: resources.gpuMemoryMib }));
}

/** "18:00" on the same day, else "22 Nov 18:00"; in this computer's zone. */
function timeWords(iso: string, nowIso: string): string {
  const [at, now] = [new Date(iso), new Date(nowIso)];
  const time = `${`${at.getHours()}`.padStart(2, '0')}:${`${at.getMinutes()}`.padStart(2, '0')}`;
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.getDate()} ${at.toLocaleString('en', { month: 'short' })} ${time}`;
}
