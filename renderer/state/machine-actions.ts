import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MachineSpec, MachineView } from '../../preload/contract/machine';
import type { MachineRoomView } from '../../preload/contract/machine-room';
import type { Refusal } from '../../preload/contract/refusal';
import { cleanedText } from '../text/machines';
import { savedText } from '../text/tasks';
import type { WorkbenchClient } from '../workbench-client';
import { type Loadable, loaded } from './loadable';
import type { Location } from './location';
import { createDoctor, type Doctor } from './machine-doctor';
import { createMachineWatch } from './machine-watch';
import type { Machines } from './machines';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';
import type { Tasks } from './tasks';

export type SshHost = { readonly host: string; readonly isAdded: boolean };

/** Commands for machines, and the state of running ones. */
export type MachineActions = Doctor & {
  /** Hosts of the user's ssh config; by `ONLY`. */
  readonly hosts: Resource<readonly SshHost[]>;
  /** Adds or changes it and goes to it; returns a refusal for the form. */
  readonly save: (spec: MachineSpec, isNew: boolean) => Promise<Refusal | null>;
  /** The refusal `conflict` means that jobs may be running on it; `anyway` removes it nevertheless. */
  readonly remove: (machineId: string, anyway: boolean) => Promise<Refusal | null>;
  readonly connect: (machineId: string) => Promise<void>;
  readonly disconnect: (machineId: string) => Promise<void>;
  /** Login terminals that the user has hidden. */
  readonly hiddenLogins: StoreApi<ReadonlySet<string>>;
  readonly hideLogin: (terminalId: string) => void;
  /** The login terminal that stands before the others; null: none was asked for. */
  readonly frontLogin: StoreApi<string | null>;
  /** Shows the login prompt of this machine (again), before those of others: what is typed goes to the host of the page. */
  readonly showLogin: (machineId: string) => void;
  /** When the user last requested a connection, milliseconds since the epoch; a recent one lets the login take focus. */
  readonly lastConnectAt: (machineId: string) => number | null;
  /** `minutes` 0 releases it. True: done. */
  readonly reserve: (machineId: string, gpuId: string, minutes: number, note: string) => Promise<boolean>;
  /** Forwards a port to this computer; `jobId` null: one of the machine itself. */
  readonly forwardPort: (machineId: string, port: number, jobId: string | null) => Promise<void>;
  readonly closeForward: (forwardId: string) => Promise<void>;
  /** Copies a file from there to a place that the system's dialog asks for. */
  readonly saveFile: (machineId: string, path: string) => Promise<void>;
  /** The workbench's files there that may be removed. */
  readonly room: (machineId: string) => Promise<Loadable<MachineRoomView>>;
  /** Removes these items, and shows the result. */
  readonly clean: (machineId: string, ids: readonly string[]) => Promise<void>;
  /** Probes the machine repeatedly until the returned function is called. */
  readonly watch: (machineId: string) => () => void;
};

export function createMachineActions(
  client: WorkbenchClient,
  machines: Machines,
  notices: Notices,
  location: Location,
  tasks: Tasks,
): MachineActions {
  const hosts = createResource<readonly SshHost[]>(() => client.call('machine.hosts', {}));
  const hiddenLogins = createStore<ReadonlySet<string>>(() => new Set());
  const frontLogin = createStore<string | null>(() => null);
  const connectTimes = new Map<string, number>();
  const machineOf = (machineId: string): MachineView | null => {
    const all = machines.store.getState();
    return all.kind === 'ready' ? (all.value.find(({ spec }) => spec.id === machineId) ?? null) : null;
  };
  const connect = async (machineId: string): Promise<void> => {
    connectTimes.set(machineId, Date.now());
    const answer = await client.call('machine.connect', { machineId });
    if (!answer.ok) notices.showRefusal(answer.error);
  };

  return {
    ...createDoctor(client, tasks),
    hosts,
    save: async (spec, isNew) => {
      connectTimes.set(spec.id, Date.now());
      const answer = await client.call(isNew ? 'machine.add' : 'machine.change', spec);
      if (!answer.ok) return answer.error;
      machines.changed(answer.value);
      hosts.refreshAll();
      location.go({ kind: 'machine', machineId: spec.id }, { replace: true });
      return null;
    },
    remove: async (machineId, anyway) => {
      const answer = await client.call('machine.remove', { machineId, anyway });
      if (!answer.ok) {
        if (answer.error.code !== 'conflict') notices.showRefusal(answer.error);
        return answer.error;
      }
      const { route } = location.store.getState();
      if ('machineId' in route && route.machineId === machineId)
        location.go({ kind: 'machines' }, { replace: true });
      machines.removed(machineId);
      hosts.refreshAll();
      return null;
    },
    room: async (machineId) => loaded(await client.call('machine.room', { machineId })),
    clean: async (machineId, ids) => {
      const answer = await client.call('machine.clean', { machineId, ids: [...ids] });
      if (!answer.ok) return notices.showRefusal(answer.error);
      const level = answer.value.problems.length === 0 ? 'info' : 'warning';
      notices.show({ level, message: cleanedText(answer.value) });
    },
    connect,
    disconnect: async (machineId) => {
      connectTimes.delete(machineId);
      const answer = await client.call('machine.disconnect', { machineId });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    hiddenLogins,
    frontLogin,
    hideLogin: (terminalId) => {
      hiddenLogins.setState(new Set(hiddenLogins.getState()).add(terminalId), true);
    },
    showLogin: (machineId) => {
      const connection = machineOf(machineId)?.connection;
      if (connection?.kind !== 'needs-login') return;
      connectTimes.set(machineId, Date.now());
      const left = new Set(hiddenLogins.getState());
      left.delete(connection.terminalId);
      hiddenLogins.setState(left, true);
      frontLogin.setState(connection.terminalId, true);
    },
    lastConnectAt: (machineId) => connectTimes.get(machineId) ?? null,
    reserve: async (machineId, gpuId, minutes, note) => {
      const answer = await client.call('machine.reserve', { machineId, gpuId, minutes, note });
      if (answer.ok) machines.changed(answer.value);
      else notices.showRefusal(answer.error);
      return answer.ok;
    },
    forwardPort: async (machineId, port, jobId) => {
      const answer = await client.call('machine.forward', { machineId, port, jobId });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    closeForward: async (forwardId) => {
      const answer = await client.call('machine.closeForward', { forwardId });
      if (!answer.ok) notices.showRefusal(answer.error);
    },
    watch: createMachineWatch(client, machines, machineOf),
    saveFile: async (machineId, path) => {
      const answer = await tasks.run('file-download', () =>
        client.call('machine.chooseSavedFile', { machineId, path }),
      );
      if (!answer.ok) return notices.showRefusal(answer.error);
      notices.showWritten(savedText('file', answer.value), answer.value.path);
    },
  };
}
