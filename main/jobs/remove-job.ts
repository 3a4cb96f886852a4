import type { Refusal } from '../../preload/contract';
import { failed, type Result } from '../base';
import type { JobContext } from './job-context';
import type { MachineQueue } from './machine-queue';

/** Removes an ended job with its folder; `forget`: what else is stored of it. */
export async function removeJob(
  { store, machines }: JobContext,
  queueOf: (machineId: string) => MachineQueue,
  id: string,
  forget: () => Promise<void>,
): Promise<Result<null, Refusal>> {
  const record = store.require(id);
  if (!record.ok) return record;
  const queue = queueOf(record.value.spec.machineId);
  return queue.exclusive(id, async () => {
    const now = store.require(id);
    if (!now.ok) return now;
    const machine = machines.get(now.value.spec.machineId);
    // A job on a removed machine can always be removed: its state will never be known.
    if (now.value.phase !== 'ended' && machine.ok) {
      return failed({ ...notEnded(now.value.spec.name, 'it cannot be removed'), hint: 'Stop it first.' });
    }
    if (machine.ok && now.value.folder !== null) {
      const removed = await machine.value.removeFolder(now.value.folder);
      if (!removed.ok) return removed;
    }
    await forget();
    return store.remove(id);
  });
}

export function notEnded(name: string, consequence: string): Refusal {
  return { code: 'conflict', message: `The job "${name}" has not ended, so ${consequence}.` };
}
