import { type Gpu, type JobResources, timeText } from '../../preload/contract';
import type { JobContext } from './job-context';
import { isoAt } from './job-context';
import { chooseGpus, gpuEnvironment, type HeldGpu, heldGpus, mayCompete } from './logic/choose-gpus';
import { holdsGpus, inState, type JobRecord, wantsGpus, withAttempt } from './logic/job-record';
import { stopLeftovers } from './stop-attempt';

/** Grace period for processes that an ended job left running. */
const LEFTOVER_GRACE_MS = 5_000;

/**
 * Moves the waiting jobs of a machine that can run to the phase `starting`: oldest first; no job gets a GPU that an
 * earlier one waits for. One call at a time per machine.
 */
export async function admitWaiting(context: JobContext, machineId: string): Promise<void> {
  const { store, clock } = context;
  const machineJobs = () => store.records().filter(({ spec }) => spec.machineId === machineId);
  const isDue = ({ phase, stopGraceMs, notBefore }: JobRecord) =>
    phase === 'waiting' &&
    stopGraceMs === null &&
    (notBefore === null || Date.parse(notBefore) <= clock.now());
  const waiting = machineJobs().filter(isDue);
  if (waiting.length === 0) return;
  const machine = context.machines.get(machineId);
  if (!machine.ok) return;
  // Leftovers of the last attempt would share GPUs, ports and logs with the new one. Slurm cleans up by itself.
  const hasLeftovers = ({ attempt, cleared }: JobRecord) =>
    machine.value.spec.kind !== 'slurm' && attempt > cleared;
  for (const { id } of waiting.filter(hasLeftovers)) await stopLeftovers(context, id, LEFTOVER_GRACE_MS);
  const isQueuedHere = (record: JobRecord) => machine.value.spec.kind !== 'slurm' && wantsGpus(record);
  const use = waiting.some(isQueuedHere) ? await context.gpus(machineId) : null;
  const heldByJobs = machineJobs().flatMap(gpusHeldBy);
  const earlier: { readonly name: string; readonly resources: JobResources }[] = [];

  for (const { id } of waiting) {
    // It was stopped or removed while the machine was asked.
    const record = store.get(id);
    if (record === null || !isDue(record)) continue;
    const at = isoAt(clock.now());
    const { name, resources } = record.spec;
    const wait = (why: string) => store.put(inState(record, { kind: 'queued', why }, at, why));
    if (!isQueuedHere(record)) {
      await store.put(withAttempt(record, at, { gpuIds: [], gpuEnv: {}, why: '' }));
      continue;
    }
    if (use === null || !use.ok) {
      await wait(`waits until the GPUs can be queried: ${use?.error.message ?? ''}`);
      continue;
    }
    const before = earlier.find((other) => mayCompete(other.resources, resources));
    if (before !== undefined) {
      await wait(`waits behind "${before.name}"`);
      continue;
    }
    const choice = chooseGpus(resources, {
      ...use.value,
      held: heldByJobs,
      formatTime: (iso) => timeText(iso, clock.now()),
    });
    if (choice.kind === 'waits') {
      await wait(choice.why);
      if (!choice.never) earlier.push({ name, resources });
      continue;
    }
    const admitted = withAttempt(record, at, {
      gpuIds: choice.gpus.map((gpu) => gpu.id),
      gpuEnv: gpuEnvironment(choice.gpus, use.value.gpus),
      why: `on ${choice.gpus.map(gpuText).join(', ')}`,
    });
    heldByJobs.push(...gpusHeldBy(admitted));
    await store.put(admitted);
  }
}

function gpuText({ id, index, heldBack }: Gpu): string {
  const name = index === null ? id : `GPU ${index}`;
  return heldBack === undefined ? name : `${name}, which was picked although it has ${heldBack}`;
}

function gpusHeldBy(record: JobRecord): readonly HeldGpu[] {
  return holdsGpus(record) ? heldGpus({ ...record.spec, gpuIds: record.gpuIds }) : [];
}
