import { LOCAL_MACHINE } from '../../preload/contract';
import { adoptUnrecordedJobs } from './adopt-unrecorded-jobs';
import type { JobContext } from './job-context';
import { createMachineQueue, type MachineQueue } from './machine-queue';

/** The queues of all machines that have jobs. */
export class JobQueues {
  readonly #context: JobContext;
  readonly #queues = new Map<string, MachineQueue>();

  constructor(context: JobContext) {
    this.#context = context;
  }

  of(machineId: string): MachineQueue {
    const existing = this.#queues.get(machineId);
    if (existing !== undefined) return existing;
    const queue = createMachineQueue(this.#context, machineId);
    this.#queues.set(machineId, queue);
    return queue;
  }

  /** On one machine, or on all that have jobs which have not ended. */
  probeSoon(machineId?: string): void {
    for (const id of this.#activeMachines()) {
      if (machineId === undefined || machineId === id) this.of(id).probeSoon();
    }
  }

  /** Also finds jobs of this computer whose records were lost. */
  async probeAll(): Promise<void> {
    const others = this.#activeMachines().filter((id) => id !== LOCAL_MACHINE);
    const here = this.of(LOCAL_MACHINE);
    await Promise.all([
      ...others.map((id) => this.of(id).reconcile()),
      here
        .reconcile()
        .then(() => adoptUnrecordedJobs(this.#context))
        .then(() => here.reconcile()),
    ]);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.dispose()));
  }

  #activeMachines(): readonly string[] {
    const active = this.#context.store.records().filter(({ phase }) => phase !== 'ended');
    return [...new Set(active.map(({ spec }) => spec.machineId))];
  }
}
