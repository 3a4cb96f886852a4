import type { Payload } from '../../preload/contract/commands/index';
import type { JobView } from '../../preload/contract/job';
import type { MachineView } from '../../preload/contract/machine';
import {
  DEFAULT_RESOURCES,
  type ResourceFields,
  readResources,
  resourceFieldsOf,
} from '../shared/machines/resource-fields';
import { readVariables, type VariableRow, variableRows } from '../widgets/variables';

/** A job as it stands in the form: numbers as they are typed. */
export type JobDraft = ResourceFields & {
  readonly machineId: string;
  /** Empty: named after the command. */
  readonly name: string;
  readonly commandLine: string;
  /** A job for each line of the command, not one for all of them. */
  readonly each: boolean;
  readonly setUp: string;
  /** Empty: the job's own folder. */
  readonly cwd: string;
  readonly environment: readonly VariableRow[];
  /** Least free memory of each, GiB; empty: GPUs that nobody uses. */
  readonly gpuMemory: string;
  readonly retryLost: string;
  readonly retryFailed: string;
};

export const EMPTY_JOB: Omit<JobDraft, 'machineId'> = {
  ...DEFAULT_RESOURCES,
  name: '',
  commandLine: '',
  each: false,
  setUp: '',
  cwd: '',
  environment: [],
  gpuMemory: '',
  retryLost: '0',
  retryFailed: '0',
};

/** The form filled in as this job was, to change and start as another one. */
export function draftOfJob(job: JobView): JobDraft {
  const { gpuMemoryMib } = job.resources;
  return {
    ...resourceFieldsOf(job.resources),
    machineId: job.machineId,
    name: job.name,
    commandLine: job.commandLine,
    each: false,
    setUp: job.setUp,
    cwd: job.cwd ?? '',
    environment: variableRows(job.env ?? {}),
    gpuMemory: gpuMemoryMib === null ? '' : String(gpuMemoryMib / 1_024),
    retryLost: String(job.retry.lost),
    retryFailed: String(job.retry.failed),
  };
}

export type JobSpot =
  | 'machine'
  | 'name'
  | 'commandLine'
  | 'cwd'
  | 'environment'
  | 'gpus'
  | 'gpuMemory'
  | 'hours'
  | 'retryLost'
  | 'retryFailed';
/** missing: only said once the user wants to start; wrong: said at once. */
export type JobFault = { readonly at: JobSpot; readonly kind: 'missing' | 'wrong'; readonly message: string };
export type CheckedJob = {
  readonly faults: readonly JobFault[];
  /** What will run, but perhaps not as meant. */
  readonly warnings: readonly string[];
  /** null while there are faults. */
  readonly order: Payload<'job.start'> | null;
  /** The commands of the jobs; one where the lines belong together. */
  readonly commandLines: readonly string[];
};

/** What a job is called when nobody named it: the program and its first words. */
export function jobName(draft: Pick<JobDraft, 'name' | 'commandLine'>): string {
  const typed = draft.name.trim();
  if (typed !== '') return typed;
  const [first = ''] = draft.commandLine.trim().split('\n');
  return first.length <= 60 ? first : `${first.slice(0, 59)}…`;
}

/** What runs: the whole text as one script, or each line that is no remark as a job of its own. */
export function commandLinesOf({
  commandLine,
  each,
}: Pick<JobDraft, 'commandLine' | 'each'>): readonly string[] {
  if (!each) return [commandLine.trim()];
  return commandLine
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** All that can be said about a job before main sees it. */
export function checkJob(draft: JobDraft, machine: MachineView | null): CheckedJob {
  const faults: JobFault[] = [];
  const fault = (at: JobSpot, message: string, kind: JobFault['kind'] = 'wrong'): void => {
    faults.push({ at, kind, message });
  };
  const whole = (at: JobSpot, text: string, [least, most]: readonly [number, number]): number => {
    const value = Number(text.trim());
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    fault(at, `A whole number from ${least} to ${most}.`);
    return least;
  };
  if (machine === null) fault('machine', 'Choose a machine.', 'missing');
  if (draft.commandLine.trim() === '') fault('commandLine', 'Enter a command.', 'missing');
  if (draft.name.trim().length > 120) fault('name', 'At most 120 characters.');
  const cwd = draft.cwd.trim();
  if (cwd !== '' && !/^[/~]/.test(cwd)) fault('cwd', 'Enter an absolute path, starting with / or ~.');
  const { env, errors: wrongVariables } = readVariables(draft.environment);
  for (const message of wrongVariables) fault('environment', message);
  const isSlurm = machine?.spec.kind === 'slurm';
  const { resources, errors: wrongWishes } = readResources(draft, isSlurm);
  faults.push(...wrongWishes);
  const memory = draft.gpuMode === 'any' && !isSlurm ? draft.gpuMemory.trim() : '';
  if (memory !== '' && !(Number(memory) > 0 && Number(memory) <= 10_000)) {
    fault('gpuMemory', 'GiB per GPU, or empty.');
  }
  const retry = {
    lost: whole('retryLost', draft.retryLost, [0, 20]),
    failed: whole('retryFailed', draft.retryFailed, [0, 20]),
  };
  const order: Payload<'job.start'> = {
    machineId: draft.machineId,
    name: jobName(draft),
    commandLine: draft.commandLine.trim(),
    setUp: draft.setUp.trim(),
    cwd: cwd === '' ? null : cwd,
    env,
    resources: {
      ...resources,
      gpuMemoryMib: memory === '' ? null : Math.max(1, Math.round(Number(memory) * 1_024)),
    },
    retry,
  };
  return {
    faults,
    warnings: warningsOf(draft, machine),
    order: faults.length > 0 ? null : order,
    commandLines: commandLinesOf(draft),
  };
}

function warningsOf(draft: JobDraft, machine: MachineView | null): readonly string[] {
  const warnings: string[] = [];
  for (const name of readVariables(draft.environment).secrets) {
    warnings.push(
      `${name} looks like a secret and would be readable in the job's folder. Let the command read it from a file on the machine instead.`,
    );
  }
  if (/\bnohup\b|(?<!&)&\s*$/.test(draft.commandLine)) {
    warnings.push(
      'Remove nohup and &: the job keeps running without you, and only a foreground command can be followed.',
    );
  }
  const connection = machine?.connection.kind;
  if (machine !== null && (connection === 'unreachable' || connection === 'off')) {
    warnings.push(`${machine.spec.name} is not connected; starting the job will connect it.`);
  }
  return warnings;
}

/** What is typed on the machine, as a shell would read it. */
export function shellPreview(draft: JobDraft): string {
  const quoted = (text: string): string =>
    /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [
    ...draft.environment
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value }) => `export ${name.trim()}=${value === '' ? '' : quoted(value)}`),
    ...(draft.cwd.trim() === '' ? [] : [`cd ${quoted(draft.cwd.trim())}`]),
    ...(draft.setUp.trim() === '' ? [] : [draft.setUp.trim()]),
    draft.commandLine.trim(),
  ];
  return lines.filter((line) => line !== '').join('\n');
}
