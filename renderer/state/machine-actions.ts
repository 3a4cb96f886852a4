import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DoctorCheck, MachineSpec, MachineView } from '../../preload/contract/machine';
import type { MachineRoomView } from '../../preload/contract/machine-room';
import type { Refusal } from '../../preload/contract/refusal';
import { cleanedText } from '../text/machines';
import { savedText } from '../text/tasks';
import type { WorkbenchClient } from '../workbench-client';
import { type Loadable, loaded } from './loadable';
import type { Location } from './location';
import type { Machines } from './machines';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';
import type { Tasks } from './tasks';

/** The checks of the doctor, or why it could not run; `at`: milliseconds since the epoch. */
export type DoctorReport =
  | { readonly kind: 'found'; readonly at: number; readonly checks: readonly DoctorCheck[] }
  | { readonly kind: 'refused'; readonly at: number; readonly error: Refusal };

export type SshHost = { readonly host: string; readonly isAdded: boolean };

/** Commands for machines, and the state of running ones. */
export type MachineActions = {
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
  /** Shows the login prompt (again). */
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
  /** What of ours takes room there and may go. */
  readonly room: (machineId: string) => Promise<Loadable<MachineRoomView>>;
  /** Removes these items, and says what came of it. */
  readonly clean: (machineId: string, ids: readonly string[]) => Promise<void>;
  /** Probes the machine repeatedly until the returned function is called. */
  readonly watch: (machineId: string) => () => void;
  /** By machine id. */
  readonly doctorReports: StoreApi<ReadonlyMap<string, DoctorReport>>;
  /** The machine that the doctor is checking; null: none. */
  readonly examinedMachineId: StoreApi<string | null>;
  readonly runDoctor: (machineId: string) => Promise<void>;
  /** Whether language models can be trained there; its checks join those of the report. */
  readonly checkLearner: (machineId: string) => Promise<void>;
  /** Does not wait for a machine that hangs. */
  readonly cancelDoctor: () => void;
};

/** Often enough to see a job allocate memory, rarely enough to cost the machine nothing. */
const PROBE_MS = 3_000;

export function createMachineActions(
  client: WorkbenchClient,
  machines: Machines,
  notices: Notices,
  location: Location,
  tasks: Tasks,
): MachineActions {
  const hosts = createResource<readonly SshHost[]>(() => client.call('machine.hosts', {}));
  const doctorReports = createStore<ReadonlyMap<string, DoctorReport>>(() => new Map());
  const examinedMachineId = createStore<string | null>(() => null);
  /** Number of the run whose answer counts; earlier ones were cancelled. */
  let doctorRun = 0;
  const hiddenLogins = createStore<ReadonlySet<string>>(() => new Set());
  const connectTimes = new Map<string, number>();
  const watched = new Map<string, { watchers: number; readonly stop: () => void }>();

  const machineOf = (machineId: string): MachineView | null => {
    const all = machines.store.getState();
    return all.kind === 'ready' ? (all.value.find(({ spec }) => spec.id === machineId) ?? null) : null;
  };
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
  /** `merge`: the checks of the new report, given the one before. */
  const examine = async (
    machineId: string,
    learner: { readonly python: null } | null,
    merge: (checks: readonly DoctorCheck[], before: DoctorReport | undefined) => readonly DoctorCheck[],
  ): Promise<void> => {
    if (examinedMachineId.getState() !== null) return;
    examinedMachineId.setState(machineId, true);
    doctorRun += 1;
    const mine = doctorRun;
    const answer = await tasks.run('doctor', () => client.call('machine.doctor', { machineId, learner }));
    if (mine !== doctorRun) return;
    examinedMachineId.setState(null, true);
    if (!answer.ok && answer.error.code === 'cancelled') return;
    const at = Date.now();
    const reports = doctorReports.getState();
    const report: DoctorReport = answer.ok
      ? { kind: 'found', at, checks: merge(answer.value, reports.get(machineId)) }
      : { kind: 'refused', at, error: answer.error };
    doctorReports.setState(new Map(reports).set(machineId, report), true);
  };
  const connect = async (machineId: string): Promise<void> => {
    connectTimes.set(machineId, Date.now());
    const answer = await client.call('machine.connect', { machineId });
    if (!answer.ok) notices.showRefusal(answer.error);
  };

  return {
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
    saveFile: async (machineId, path) => {
      const answer = await tasks.run('file-download', () =>
        client.call('machine.chooseSavedFile', { machineId, path }),
      );
      if (!answer.ok) return notices.showRefusal(answer.error);
      notices.showWritten(savedText('file', answer.value), answer.value.path);
    },
    watch: (machineId) => {
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
    },
    doctorReports: doctorReports,
    examinedMachineId: examinedMachineId,
    runDoctor: (machineId) => examine(machineId, null, (checks) => checks),
    checkLearner: (machineId) =>
      examine(machineId, { python: null }, (checks, before) => [
        ...(before?.kind === 'found' ? before.checks.filter(({ id }) => !isOfLearner(id)) : []),
        ...checks,
      ]),
    cancelDoctor: () => {
      doctorRun += 1;
      examinedMachineId.setState(null, true);
      void tasks.cancel('doctor');
    },
  };
}

function isOfLearner(checkId: string): boolean {
  return checkId === 'learner' || checkId.startsWith('learner-');
}
