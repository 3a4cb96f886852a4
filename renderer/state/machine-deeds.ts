import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DoctorCheck, MachineSpec, MachineView } from '../../preload/contract/machine';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Location } from './location';
import type { Machines } from './machines';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';
import type { Tasks } from './tasks';

/** What the doctor found, or why it found nothing; `at` is milliseconds since the epoch. */
export type DoctorReport =
  | { readonly kind: 'found'; readonly at: number; readonly checks: readonly DoctorCheck[] }
  | { readonly kind: 'refused'; readonly at: number; readonly error: Refusal };

export type HostOffer = { readonly host: string; readonly isAdded: boolean };

/** What can be done about machines. */
export type MachineDeeds = {
  /** Hosts of the user's ssh config; by `ONLY`. */
  readonly hosts: Resource<readonly HostOffer[]>;
  /** Adds or changes it and goes to it; a refusal is given back, for the form that asked. */
  readonly save: (spec: MachineSpec, isNew: boolean) => Promise<Refusal | null>;
  /** A refusal `conflict` says that jobs may run there; `anyway` removes it all the same. */
  readonly remove: (machineId: string, anyway: boolean) => Promise<Refusal | null>;
  readonly connect: (machineId: string) => Promise<void>;
  readonly disconnect: (machineId: string) => Promise<void>;
  /** Terminals of logins that the user has put aside. */
  readonly hiddenLogins: StoreApi<ReadonlySet<string>>;
  readonly hideLogin: (terminalId: string) => void;
  /** Shows what the machine asks (again). */
  readonly answer: (machineId: string) => void;
  /** When the user last asked for a connection, milliseconds since the epoch; a login then may take the keyboard. */
  readonly askedAt: (machineId: string) => number | null;
  /** `minutes` 0 gives it back. True: done. */
  readonly reserve: (machineId: string, gpuId: string, minutes: number, note: string) => Promise<boolean>;
  /** Looks at it again and again while somebody looks, until the function given back is called. */
  readonly look: (machineId: string) => () => void;
  /** By machine id. */
  readonly reports: StoreApi<ReadonlyMap<string, DoctorReport>>;
  /** The machine that the doctor is at now; null: none. */
  readonly examined: StoreApi<string | null>;
  readonly examine: (machineId: string) => Promise<void>;
  /** Calls the doctor off; the window does not wait for a machine that hangs. */
  readonly callOff: () => void;
};

/** Often enough to see a job take its memory, seldom enough to cost a machine nothing. */
const LOOK_MS = 3_000;

export function createMachineDeeds(
  client: WorkbenchClient,
  machines: Machines,
  notices: Notices,
  location: Location,
  tasks: Tasks,
): MachineDeeds {
  const hosts = createResource<readonly HostOffer[]>(() => client.call('machine.hosts', {}));
  const reports = createStore<ReadonlyMap<string, DoctorReport>>(() => new Map());
  const examined = createStore<string | null>(() => null);
  /** The one whose answer counts; another was called off. */
  let examination = 0;
  const hiddenLogins = createStore<ReadonlySet<string>>(() => new Set());
  const asked = new Map<string, number>();
  const looked = new Map<string, { watchers: number; readonly stop: () => void }>();

  const machineOf = (machineId: string): MachineView | null => {
    const all = machines.store.getState();
    return all.kind === 'ready' ? (all.value.find(({ spec }) => spec.id === machineId) ?? null) : null;
  };
  /** One that is not connected is told of by events; asking it would only make it try. */
  const lookOnce = async (machineId: string): Promise<void> => {
    if (machineOf(machineId)?.connection.kind !== 'connected') return;
    if (globalThis.document?.visibilityState === 'hidden') return;
    const answer = await client.call('machine.look', { machineId });
    if (answer.ok) machines.changed(answer.value);
  };
  const startLooking = (machineId: string): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isOver = false;
    const round = async (): Promise<void> => {
      await lookOnce(machineId);
      if (!isOver) timer = setTimeout(() => void round(), LOOK_MS);
    };
    void round();
    return () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
    };
  };
  const connect = async (machineId: string): Promise<void> => {
    asked.set(machineId, Date.now());
    const answer = await client.call('machine.connect', { machineId });
    if (!answer.ok) notices.refused(answer.error);
  };

  return {
    hosts,
    save: async (spec, isNew) => {
      asked.set(spec.id, Date.now());
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
        if (answer.error.code !== 'conflict') notices.refused(answer.error);
        return answer.error;
      }
      const { place } = location.store.getState();
      if ('machineId' in place && place.machineId === machineId)
        location.go({ kind: 'machines' }, { replace: true });
      machines.removed(machineId);
      hosts.refreshAll();
      return null;
    },
    connect,
    disconnect: async (machineId) => {
      asked.delete(machineId);
      const answer = await client.call('machine.disconnect', { machineId });
      if (!answer.ok) notices.refused(answer.error);
    },
    hiddenLogins,
    hideLogin: (terminalId) => {
      hiddenLogins.setState(new Set(hiddenLogins.getState()).add(terminalId), true);
    },
    answer: (machineId) => {
      const connection = machineOf(machineId)?.connection;
      if (connection?.kind !== 'needs-login') return;
      asked.set(machineId, Date.now());
      const left = new Set(hiddenLogins.getState());
      left.delete(connection.terminalId);
      hiddenLogins.setState(left, true);
    },
    askedAt: (machineId) => asked.get(machineId) ?? null,
    reserve: async (machineId, gpuId, minutes, note) => {
      const answer = await client.call('machine.reserve', { machineId, gpuId, minutes, note });
      if (answer.ok) machines.changed(answer.value);
      else notices.refused(answer.error);
      return answer.ok;
    },
    look: (machineId) => {
      const known = looked.get(machineId) ?? { watchers: 0, stop: startLooking(machineId) };
      known.watchers += 1;
      looked.set(machineId, known);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        known.watchers -= 1;
        if (known.watchers > 0) return;
        known.stop();
        looked.delete(machineId);
      };
    },
    reports,
    examined,
    examine: async (machineId) => {
      if (examined.getState() !== null) return;
      examined.setState(machineId, true);
      examination += 1;
      const mine = examination;
      const answer = await tasks.run('doctor', () => client.call('machine.doctor', { machineId }));
      if (mine !== examination) return;
      examined.setState(null, true);
      if (!answer.ok && answer.error.code === 'cancelled') return;
      const at = Date.now();
      const report: DoctorReport = answer.ok
        ? { kind: 'found', at, checks: answer.value }
        : { kind: 'refused', at, error: answer.error };
      reports.setState(new Map(reports.getState()).set(machineId, report), true);
    },
    callOff: () => {
      examination += 1;
      examined.setState(null, true);
      void tasks.cancel('doctor');
    },
  };
}
