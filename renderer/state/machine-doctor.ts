import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DoctorCheck } from '../../preload/contract/machine';
import type { Refusal } from '../../preload/contract/refusal';
import type { WorkbenchClient } from '../workbench-client';
import type { Tasks } from './tasks';

/** The checks of the doctor, or why it could not run; `at`: milliseconds since the epoch. */
export type DoctorReport =
  | { readonly kind: 'found'; readonly at: number; readonly checks: readonly DoctorCheck[] }
  | { readonly kind: 'refused'; readonly at: number; readonly error: Refusal };

export type Doctor = {
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

export function createDoctor(client: WorkbenchClient, tasks: Tasks): Doctor {
  const doctorReports = createStore<ReadonlyMap<string, DoctorReport>>(() => new Map());
  const examinedMachineId = createStore<string | null>(() => null);
  /** Number of the run whose answer counts; earlier ones were cancelled. */
  let doctorRun = 0;
  /** `merge`: the checks of the new report, given the one before. */
  const examine = async (
    machineId: string,
    learner: { readonly python: null } | null,
    merge: (checks: readonly DoctorCheck[], before: DoctorReport | undefined) => readonly DoctorCheck[],
  ): Promise<void> => {
    if (examinedMachineId.getState() !== null) return;
    examinedMachineId.setState(machineId, true);
    doctorRun += 1;
    const run = doctorRun;
    const answer = await tasks.run('doctor', () => client.call('machine.doctor', { machineId, learner }));
    if (run !== doctorRun) return;
    examinedMachineId.setState(null, true);
    if (!answer.ok && answer.error.code === 'cancelled') return;
    const at = Date.now();
    const reports = doctorReports.getState();
    const report: DoctorReport = answer.ok
      ? { kind: 'found', at, checks: merge(answer.value, reports.get(machineId)) }
      : { kind: 'refused', at, error: answer.error };
    doctorReports.setState(new Map(reports).set(machineId, report), true);
  };

  return {
    doctorReports,
    examinedMachineId,
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
