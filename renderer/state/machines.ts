import type { MachineView } from '../../preload/contract/machine';
import type { WorkbenchClient } from '../workbench-client';
import { createToldList, type ToldList } from './told-list';

/** In the order of main: this computer first. */
export type Machines = ToldList<MachineView>;

export function createMachines(client: WorkbenchClient): Machines {
  return createToldList(() => client.call('machine.list', {}), {
    idOf: ({ spec }) => spec.id,
    withItem: (machines, machine) => {
      const at = machines.findIndex(({ spec }) => spec.id === machine.spec.id);
      return at === -1 ? [...machines, machine] : machines.with(at, machine);
    },
    arranged: (machines) => machines,
  });
}
