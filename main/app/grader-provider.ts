import { availableParallelism } from 'node:os';
import { LOCAL_MACHINE, type Refusal, type Value } from '../../preload/contract/index';
import { failed, type Result } from '../base/index';
import {
  type Calibration,
  type Grader,
  gradingFinding,
  openSandboxGrader,
  probeSandbox,
} from '../grading/index';
import type { MachineFleet } from '../machines/index';
import type { Registry } from '../storage/index';

/** The one grader of the workbench, opened when it is first needed. */
export type GraderProvider = {
  readonly open: () => Promise<Result<Grader, Refusal>>;
  /** The grader that is open now; null before the first grade. */
  readonly current: () => Grader | null;
  /** Why candidates cannot be run and what to do; null when they can. */
  readonly problem: () => Promise<Pick<Value<'app.info'>, 'sandboxProblem' | 'pythonIsAtFault'>>;
  /** Ends the grader; the next one uses the settings of that time. */
  readonly close: () => Promise<void>;
};

function calibrationOf(registry: Registry, machineId: string): Calibration {
  if (machineId === LOCAL_MACHINE) {
    return {
      read: async () => registry.read().calibration,
      write: async (calibration) => void (await registry.update((data) => ({ ...data, calibration }))),
    };
  }
  return {
    read: async () => registry.read().machineCalibrations[machineId] ?? null,
    write: async (record) =>
      void (await registry.update((data) => ({
        ...data,
        machineCalibrations: { ...data.machineCalibrations, [machineId]: record },
      }))),
  };
}

type LocalGradingDeps = {
  readonly resourcesDir: string;
  readonly dataDir: string;
  readonly registry: Registry;
};

/** The doctor's finding about grading on this computer, as a grader would be opened now. */
export function localGradingFinding({ resourcesDir, dataDir, registry }: LocalGradingDeps) {
  return () => {
    const { gradeWithoutSandbox: allowUnsandboxed, gradingPython: python } = registry.read().settings;
    return gradingFinding({ resourcesDir, privateFolders: [dataDir], allowUnsandboxed, python });
  };
}

export function createGraderProvider(
  options: LocalGradingDeps & { readonly machines: Pick<MachineFleet, 'get'> },
): GraderProvider {
  const { resourcesDir, dataDir, registry, machines } = options;
  let grader: Promise<Result<Grader, Refusal>> | null = null;
  let current: Grader | null = null;
  const isAllowed = (): boolean => registry.read().settings.gradeWithoutSandbox;
  const openChosen = async (): Promise<Result<Grader, Refusal>> => {
    const machineId = registry.read().settings.gradingMachine;
    const machine = machines.get(machineId);
    if (!machine.ok) {
      const hint = 'Choose another machine under Settings, Grading.';
      return failed({ ...machine.error, message: `Cannot grade: ${machine.error.message}`, hint });
    }
    return openSandboxGrader({
      resourcesDir,
      privateFolders: [dataDir],
      machine: machine.value,
      concurrency: availableParallelism(),
      allowUnsandboxed: isAllowed(),
      python: registry.read().settings.gradingPython,
      sharesProcesses: registry.read().settings.harmlessTogether,
      calibration: calibrationOf(registry, machineId),
    });
  };
  return {
    open: async () => {
      const opening: Promise<Result<Grader, Refusal>> = grader ?? openChosen();
      grader = opening;
      const result = await opening;
      if (result.ok) current = result.value;
      else grader = null; // The user may install what was missing and try again.
      return result;
    },
    current: () => current,
    problem: async () => {
      if (isAllowed() || registry.read().settings.gradingMachine !== LOCAL_MACHINE)
        return { sandboxProblem: null };
      const problem = await probeSandbox({
        resourcesDir,
        allowUnsandboxed: false,
        python: registry.read().settings.gradingPython,
      });
      if (problem === null) return { sandboxProblem: null };
      const { message, hint, cause } = problem;
      const sandboxProblem = [message, hint].filter(Boolean).join(' ');
      return { sandboxProblem, ...(cause === 'python' && { pythonIsAtFault: true }) };
    },
    close: async () => {
      const old = grader === null ? null : await grader;
      grader = null;
      current = null;
      if (old?.ok) await old.value.dispose();
    },
  };
}
