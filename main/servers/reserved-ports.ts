import type { Disposable } from '../base';

/** Ports of jobs that are being launched: no process listens there yet. */
export class ReservedPorts {
  readonly #byMachine = new Map<string, Set<number>>();

  on(machineId: string): ReadonlySet<number> {
    return this.#byMachine.get(machineId) ?? new Set();
  }

  /** Until it is disposed. */
  add(machineId: string, port: number): Disposable {
    const ports = this.#byMachine.get(machineId) ?? new Set<number>();
    this.#byMachine.set(machineId, ports.add(port));
    return { dispose: () => void ports.delete(port) };
  }
}
