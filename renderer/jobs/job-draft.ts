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

/** A job as typed in the form. */
export type JobDraft = ResourceFields & {
  readonly machineId: string;
  /** Empty: named after the command. */
  readonly name: string;
  readonly commandLine: string;
  /** One job per line of the command. */
  readonly onePerLine: boolean;
  readonly setUp: string;
  /** Empty: the job's own folder. */
  readonly cwd: string;
  readonly environment: readonly VariableRow[];
  /** Minimum free memory per GPU, GiB; empty: unused GPUs. */
  readonly gpuMemory: string;
  readonly retryLost: string;
  readonly retryFailed: string;
};

export const EMPTY_JOB: Omit<JobDraft, 'machineId'> = {
  ...DEFAULT_RESOURCES,
  name: '',
  commandLine: '',
  onePerLine: false,
  setUp: '',
  cwd: '',
  environment: [],
  gpuMemory: '',
  retryLost: '0',
  retryFailed: '0',
};

/** The form filled in from this job, to start a changed copy. */
export function draftOfJob(job: JobView): JobDraft {
  const { gpuMemoryMib } = job.resources;
  return {
    ...resourceFieldsOf(job.resources),
    machineId: job.machineId,
    name: job.name,
    commandLine: job.commandLine,
    onePerLine: false,
    setUp: job.setUp,
    cwd: job.cwd ?? '',
    environment: variableRows(job.env ?? {}),
    gpuMemory: gpuMemoryMib === null ? '' : String(gpuMemoryMib / 1_024),
    retryLost: String(job.retry.lost),
    retryFailed: String(job.retry.failed),
  };
}

export type JobField =
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
/** missing: shown after the first try to start; wrong: shown at once. */
export type JobError = {
  readonly at: JobField;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
export type CheckedJob = {
  readonly errors: readonly JobError[];
  /** Valid, but perhaps not as intended. */
  readonly warnings: readonly string[];
  /** null while there are errors. */
  readonly request: Payload<'job.start'> | null;
  /** One command per job. */
  readonly commandLines: readonly string[];
};

/** The typed name, or the first line of the command. */
export function jobName(draft: Pick<JobDraft, 'name' | 'commandLine'>): string {
  const typed = draft.name.trim();
  if (typed !== '') return typed;
  const [first = ''] = draft.commandLine.trim().split('\n');
  return first.length <= 60 ? first : `${first.slice(0, 59)}…`;
}

/** The whole text as one script, or one job per line that is not a comment. */
export function commandLinesOf({
  commandLine,
  onePerLine,
}: Pick<JobDraft, 'commandLine' | 'onePerLine'>): readonly string[] {
  if (!onePerLine) return [commandLine.trim()];
  return commandLine
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Checks the form before main does. */
export function checkJob(draft: JobDraft, machine: MachineView | null): CheckedJob {
  const errors: JobError[] = [];
  const addError = (at: JobField, message: string, kind: JobError['kind'] = 'wrong'): void => {
    errors.push({ at, kind, message });
  };
  const integer = (at: JobField, text: string, [least, most]: readonly [number, number]): number => {
    const value = Number(text.trim());
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    addError(at, `A whole number from ${least} to ${most}.`);
    return least;
  };
  if (machine === null) addError('machine', 'Choose a machine.', 'missing');
  if (draft.commandLine.trim() === '') addError('commandLine', 'Enter a command.', 'missing');
  if (draft.name.trim().length > 120) addError('name', 'At most 120 characters.');
  const cwd = draft.cwd.trim();
  if (cwd !== '' && !/^[/~]/.test(cwd)) addError('cwd', 'Enter an absolute path, starting with / or ~.');
  const { env, errors: variableErrors } = readVariables(draft.environment);
  for (const message of variableErrors) addError('environment', message);
  const isSlurm = machine?.spec.kind === 'slurm';
  const { resources, errors: resourceErrors } = readResources(draft, isSlurm);
  errors.push(...resourceErrors);
  const memory = draft.gpuMode === 'any' && !isSlurm ? draft.gpuMemory.trim() : '';
  if (memory !== '' && !(Number(memory) > 0 && Number(memory) <= 10_000)) {
    addError('gpuMemory', 'GiB per GPU, or empty.');
  }
  const retry = {
    lost: integer('retryLost', draft.retryLost, [0, 20]),
    failed: integer('retryFailed', draft.retryFailed, [0, 20]),
  };
  const request: Payload<'job.start'> = {
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
    errors,
    warnings: warningsOf(draft, machine),
    request: errors.length > 0 ? null : request,
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

/** The script that runs on the machine. */
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
