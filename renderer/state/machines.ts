import type { MachineView } from '../../preload/contract/machine';
import type { WorkbenchClient } from '../workbench-client';
import { createLiveList, type LiveList } from './live-list';

/** In the order of main: this computer first. */
export type Machines = LiveList<MachineView>;

export function createMachines(client: WorkbenchClient): Machines {
  return createLiveList(() => client.call('machine.list', {}), {
    idOf: ({ spec }) => spec.id,
    withItem: (machines, machine) => {
      const at = machines.findIndex(({ spec }) => spec.id === machine.spec.id);
      return at === -1 ? [...machines, machine] : machines.with(at, machine);
    },
    sorted: (machines) => machines,
  });
}
