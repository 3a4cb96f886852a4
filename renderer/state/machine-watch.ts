import type { MachineView } from '../../preload/contract/machine';
import type { WorkbenchClient } from '../workbench-client';
import type { Machines } from './machines';

/** Often enough to see a job allocate memory, rarely enough to cost the machine nothing. */
const PROBE_MS = 3_000;

/** Probes a machine again and again while somebody looks at it. */
export function createMachineWatch(
  client: WorkbenchClient,
  machines: Machines,
  machineOf: (machineId: string) => MachineView | null,
): (machineId: string) => () => void {
  const watched = new Map<string, { watchers: number; readonly stop: () => void }>();

  /** Machines that are not connected send events; probing would only trigger a connection attempt. */
  const probe = async (machineId: string): Promise<void> => {
    if (machineOf(machineId)?.connection.kind !== 'connected') return;
    if (globalThis.document?.visibilityState === 'hidden') return;
    const answer = await client.call('machine.probe', { machineId });
    if (answer.ok) machines.changed(answer.value);
  };
  const startProbing = (machineId: string): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isOver = false;
    const probeAgain = async (): Promise<void> => {
      await probe(machineId);
      if (!isOver) timer = setTimeout(() => void probeAgain(), PROBE_MS);
    };
    void probeAgain();
    return () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
    };
  };
  return (machineId) => {
    const entry = watched.get(machineId) ?? { watchers: 0, stop: startProbing(machineId) };
    entry.watchers += 1;
    watched.set(machineId, entry);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      entry.watchers -= 1;
      if (entry.watchers > 0) return;
      entry.stop();
      watched.delete(machineId);
    };
  };
}
