import { compareCommand } from './comparison-commands';
import { doctorCommand } from './doctor-command';
import { exhibitCommands } from './exhibit-commands';
import { experimentCommands } from './experiment-commands';
import { gpuDayCommand } from './gpu-day-command';
import { graderCommands } from './grader-commands';
import type { CommandGroup, CommandSpec } from './grammar';
import { jobCommands } from './job-commands';
import { benchmarkCommands, recordingCommands } from './library-commands';
import { machineCommands } from './machine-commands';
import { policyCommands } from './policy-commands';
import { bundleCommands, exportCommand } from './report-commands';
import { reproduceCommand, reproductionCommands } from './reproduce-commands';
import { quickstartCommand, resumeCommand, runCommand } from './run-commands';
import { serverCommands } from './server-commands';
import { serviceCommands } from './service-commands';
import { studyCommands } from './study-commands';
import { trainingCommands } from './training-commands';
import { verifyCommand } from './verify-command';

/** The most frequent commands are a word of their own ... */
export const mainCommands: readonly CommandSpec[] = [
  quickstartCommand,
  runCommand,
  resumeCommand,
  reproduceCommand,
  compareCommand,
  exportCommand,
  verifyCommand,
  doctorCommand,
  gpuDayCommand,
];

/** ... all others are a noun in the plural and a verb (there is one grader, and one service), in the groups of the window's sidebar. */
export const commandGroups: readonly CommandGroup[] = [
  ...under('Results', [
    exhibitCommands,
    reproductionCommands,
    studyCommands,
    bundleCommands,
    benchmarkCommands,
    recordingCommands,
  ]),
  ...under('Training', [trainingCommands, experimentCommands, policyCommands]),
  ...under('Machines', [serverCommands, jobCommands, machineCommands, graderCommands, serviceCommands]),
];

function under(topic: string, groups: readonly CommandGroup[]): readonly CommandGroup[] {
  return groups.map((group) => ({ ...group, topic }));
}
