import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { PortForward } from '../../preload/contract/forward';
import type { GpuDay } from '../../preload/contract/gpu-day';
import type { FileListing } from '../../preload/contract/machine-file';
import type { TerminalView } from '../../preload/contract/terminal';
import type { Usage, UsageRequest } from '../../preload/contract/usage';
import { joinPath } from '../text/machines';
import { useMachine, useMachines, useResource, useSampled, useWorkbench } from './hooks';
import { type Loadable, readyValue } from './loadable';
import type { DoctorReport } from './machine-doctor';
import { folderKey, usageKey } from './resource-keys';
import { ONLY } from './resources';
import { useDebouncedQuery } from './use-debounced-query';

/** A login prompt of a machine. */
export type Login = {
  readonly machineId: string;
  readonly name: string;
  readonly terminalId: string;
  /** ISO date. */
  readonly since: string;
};

/** Probes these machines while the component is shown; the joined ids make equal arrays equal. */
export function useWatchedMachines(ids: readonly string[]): void {
  const { machineActions } = useWorkbench();
  const key = ids.join('\n');
  useEffect(() => {
    const ends = key === '' ? [] : key.split('\n').map((id) => machineActions.watch(id));
    return () => {
      for (const end of ends) end();
    };
  }, [machineActions, key]);
}

/** Probes the machine once when it is selected, so that GPU use is current. */
export function useProbe(machineId: string | null): void {
  const { client } = useWorkbench();
  useEffect(() => {
    if (machineId !== null) void client.call('machine.probe', { machineId });
  }, [client, machineId]);
}

/** Hosts of the user's ssh config. */
export function useSshHosts() {
  return useResource(useWorkbench().machineActions.hosts, ONLY);
}

/** The background service of a machine; null: none is asked for. */
export function useMachineService(machineId: string | null) {
  return useResource(useWorkbench().service.onMachines, machineId);
}

/** Partitions and accounts of a Slurm machine. */
export function useCluster(machineId: string | null) {
  return useResource(useWorkbench().clusters, machineId);
}

/** null: not checked since the start. */
export function useDoctorReport(machineId: string): DoctorReport | null {
  return useStore(useWorkbench().machineActions.doctorReports, (reports) => reports.get(machineId) ?? null);
}

/** The machine that the doctor is checking; null: none. */
export function useExaminedMachineId(): string | null {
  return useStore(useWorkbench().machineActions.examinedMachineId);
}

/** Machines with a login prompt that is not hidden: the one that was asked for, then the oldest. */
export function useLogins(): readonly Login[] {
  const { machineActions } = useWorkbench();
  const hidden = useStore(machineActions.hiddenLogins);
  const front = useStore(machineActions.frontLogin);
  const machines = readyValue(useMachines()) ?? [];
  const isBehind = ({ terminalId }: Login): number => (terminalId === front ? 0 : 1);
  return machines
    .flatMap(({ spec: { id, name }, connection }) =>
      connection.kind === 'needs-login' && !hidden.has(connection.terminalId)
        ? [{ machineId: id, name, terminalId: connection.terminalId, since: connection.since }]
        : [],
    )
    .sort(
      (a, b) =>
        isBehind(a) - isBehind(b) || a.since.localeCompare(b.since) || (a.machineId < b.machineId ? -1 : 1),
    );
}

export function useTerminals(): Loadable<readonly TerminalView[]> {
  return useStore(useWorkbench().terminals.store);
}

/** Of all machines, oldest first. */
export function useForwards(): Loadable<readonly PortForward[]> {
  return useResource(useWorkbench().forwards, ONLY);
}

/** Ports of the addresses that the end of a running job's log names; read again now and then. */
export function useLoggedPorts(jobId: string): readonly number[] {
  return readyValue(useSampled(useWorkbench().loggedPorts, jobId, true)) ?? [];
}

/** The names in a folder of a machine. */
export function useFolder(machineId: string, folder: string): Loadable<FileListing> {
  return useResource(useWorkbench().folders, folderKey(machineId, folder));
}

/** Completions asked for at once: more would not be read. */
const MAX_COMPLETIONS = 50;

/** Paths there that begin with what was typed so far, folders with a "/" behind them. None while the machine is away. */
export function usePathCompletions(machineId: string | null, typed: string): readonly string[] {
  const { client } = useWorkbench();
  const machine = useMachine(machineId);
  const cut = typed.lastIndexOf('/');
  const isPath = /^(\/|~\/)/.test(typed) && machine?.connection.kind === 'connected';
  const folder = cut === 0 ? '/' : typed.slice(0, cut);
  const names = { folder, prefix: typed.slice(cut + 1), most: MAX_COMPLETIONS };
  const listed = useDebouncedQuery(isPath && machineId !== null ? { machineId, ...names } : null, (request) =>
    client.call('machine.files', request),
  );
  if (listed?.kind !== 'ready') return [];
  return listed.value.files
    .filter(({ kind }) => kind === 'folder' || kind === 'file')
    .map(({ name, kind }) => `${joinPath(folder, name)}${kind === 'folder' ? '/' : ''}`);
}

/** Is a terminal being opened on this machine? */
export function useIsOpening(machineId: string): boolean {
  return useStore(useWorkbench().terminals.opening, (opening) => opening.has(machineId));
}

/** Of the machine's last GPU day; null: none. */
export function useGpuDayResults(machineId: string): Loadable<GpuDay | null> {
  return useResource(useWorkbench().gpuDays.results, machineId);
}

/** The machine on which a GPU day of this window runs; null: none. */
export function useGpuDayRunningOn(): string | null {
  return useStore(useWorkbench().gpuDays.runningOn);
}

/** GPU-hours and tokens; added up again whenever it is opened. */
export function useUsage(request: UsageRequest): Loadable<Usage> {
  const { usage } = useWorkbench();
  const key = usageKey(request);
  const shown = useResource(usage, key);
  useEffect(() => usage.refresh(key), [usage, key]);
  return shown;
}
