import type { Refusal } from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import type { Machine, MachineFleet } from '../../machines/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';
import {
  type OwnProgram,
  readMachineService,
  startMachineService,
  stopMachineService,
} from '../service/machine-service';
import type { MachineSockets } from '../service/machine-sockets';
import { fetchOutput, pathForOutput, removeTransfer, uploadInput } from '../service/transfers';

/** The background services of machines: put there, started, ended, and reached through the machine's connection. */
export function machineServiceHandlers(deps: {
  readonly fleet: Pick<MachineFleet, 'get'>;
  readonly tasks: LongTasks;
  readonly sockets: MachineSockets;
  readonly program: OwnProgram;
}): Handlers {
  const { fleet, tasks, sockets, program } = deps;
  const on = async <T>(
    machineId: string,
    use: (machine: Machine) => Promise<Result<T, Refusal>>,
  ): Promise<Result<T, Refusal>> => {
    const machine = fleet.get(machineId);
    return machine.ok ? use(machine.value) : machine;
  };
  return {
    'service.onMachine': ({ machineId }) => on(machineId, readMachineService),
    'service.startOn': ({ machineId, registers }) =>
      tasks.run('machine-service', (_signal, report) =>
        on(machineId, (machine) => startMachineService(machine, program, { registers }, report)),
      ),
    'service.stopOn': ({ machineId }) => on(machineId, stopMachineService),
    'service.openOn': ({ machineId }) =>
      on(machineId, async (machine) => {
        const socket = await sockets.open(machine);
        return socket.ok ? ok({ socket: socket.value, name: machine.spec.name }) : socket;
      }),
    'service.sendPath': ({ machineId, path }) => on(machineId, (machine) => uploadInput(machine, path)),
    'service.placeFor': ({ machineId, path, transferId }) =>
      on(machineId, (machine) => pathForOutput(machine, path, transferId)),
    'service.takeFiles': ({ machineId, transferId, path }) =>
      on(machineId, (machine) => fetchOutput(machine, transferId, path)),
    'service.dropTransfer': ({ machineId, transferId }) =>
      on(machineId, (machine) => removeTransfer(machine, transferId)),
  };
}
