import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MachineService, Value } from '../../preload/contract/commands/index';
import type { Answer, Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';

/** What does the window's work: the window itself, or a service that continues without it. */
export type ServiceState = {
  /** One, under the key `ONLY`. */
  readonly info: Resource<Value<'service.info'>>;
  /** False while the connection to the service is cut. */
  readonly isConnected: StoreApi<boolean>;
  readonly connectionChanged: (isConnected: boolean) => void;
  /** Moves the work into a service. `registers`: it starts with the computer. The page is loaded again. */
  readonly start: (registers: boolean) => Promise<void>;
  /** Ends the service, and moves the work back into the window. The page is loaded again. */
  readonly takeBack: () => Promise<void>;
  /** Starts the service again with the window's program; its jobs and studies continue. The page is loaded again. */
  readonly upgrade: () => Promise<void>;
  /** The services of machines, by the machine. */
  readonly onMachines: Resource<MachineService>;
  /** Puts a service on the machine and starts it, or upgrades the one that runs there. Gives what is wrong, else null. */
  readonly startOn: (machineId: string, registers: boolean) => Promise<Refusal | null>;
  readonly stopOn: (machineId: string) => Promise<Refusal | null>;
  /** The window shows the machine's service. The page is loaded again. */
  readonly showMachine: (machineId: string) => Promise<Refusal | null>;
  /** The window shows this computer's workbench again. The page is loaded again. */
  readonly showHere: () => Promise<void>;
};

export function createServiceState(client: WorkbenchClient, notices: Notices): ServiceState {
  const info = createResource(() => client.call('service.info', {}));
  const isConnected = createStore<boolean>(() => true);
  const onMachines = createResource((machineId) => client.call('service.onMachine', { machineId }));
  const changed = (machineId: string, answer: Answer<MachineService>): Refusal | null => {
    if (!answer.ok) return answer.error;
    onMachines.put(machineId, answer.value);
    return null;
  };
  return {
    info,
    isConnected,
    connectionChanged: (now) => {
      isConnected.setState(now, true);
      if (now) info.refreshAll();
    },
    start: async (registers) => {
      const answer = await client.call('service.start', { registers });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    takeBack: async () => {
      const answer = await client.call('service.takeBack', {});
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    upgrade: async () => {
      const answer = await client.call('service.upgrade', {});
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    onMachines,
    startOn: async (machineId, registers) =>
      changed(machineId, await client.call('service.startOn', { machineId, registers })),
    stopOn: async (machineId) => changed(machineId, await client.call('service.stopOn', { machineId })),
    showMachine: async (machineId) => {
      const answer = await client.call('service.showMachine', { machineId });
      return answer.ok ? null : answer.error;
    },
    showHere: async () => {
      const answer = await client.call('service.showHere', {});
      if (!answer.ok) notices.showRefusal(answer.error);
    },
  };
}
