import { z } from 'zod';
import type { JobLog } from '../../../preload/contract';
import { exportLines, shellWords } from '../../base';
import { type FullJobSpec, type JobCommand, jobSpecSchema } from './job-spec';
import { recordScript } from './provenance/record-script';
import { targetsOf } from './provenance/targets';

/** File names in a job's folder on its machine. Together with the process table they determine its state. */
export const jobFiles = {
  /** The job's spec; written before anything starts. */
  command: 'command.json',
  /** `export` lines. */
  environment: 'environment.sh',
  /** Empty if there is no set-up. */
  setUp: 'set-up.sh',
  /** The command: a line as entered, or a program with its arguments quoted. */
  script: 'command.sh',
  /** Records what made a start (`recordScript`). */
  record: 'record.sh',
  /** stdout and stderr, appended by the job itself. */
  output: 'output.log',
  setUpLog: 'set-up.log',
  /** In the attempt's folder; written first by the wrapper: process id, boot id, its line of the process table, host. */
  process: 'process.txt',
  /** In the attempt's folder; written by the wrapper after the command has ended. */
  exit: 'exit.json',
  /** In the attempt's folder: what made this start, as `record.sh` wrote it. */
  provenance: 'provenance.txt',
  /** Samples of the job's GPUs in all its starts, a line each (`GPU_SAMPLER`). */
  gpu: 'gpu.csv',
  /** In the attempt's folder: the mean use of each GPU over the last ten minutes. */
  gpuUse: 'gpu-use.txt',
} as const;

export function logFile(log: JobLog): string {
  return log === 'output' ? jobFiles.output : jobFiles.setUpLog;
}

/**
 * The folder of one attempt. Creating it claims the start: the file system lets only one caller succeed, on NFS too.
 * Attempt 0: a job of workbench 0.1, which kept these files in the job's own folder.
 */
export function attemptFolder(folder: string, attempt: number): string {
  return attempt === 0 ? folder : `${folder}/attempt-${attempt}`;
}

const commandFileSchema = z.object({
  version: z.literal(2),
  id: z.string().min(1),
  /** ISO date. */
  createdAt: z.string(),
  spec: jobSpecSchema,
});
type CommandFile = z.infer<typeof commandFileSchema>;

/** The format of workbench 0.1, which supported only this computer. */
const firstCommandFileSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  createdAt: z.string(),
  purpose: z.string().min(1),
  command: z.string().min(1),
  args: z.array(z.string()),
  cwd: z.string().nullable(),
  env: z.record(z.string(), z.string()),
  freshFiles: z.array(z.string()),
  notes: z.record(z.string(), z.string()),
});

export function commandFileText(file: Omit<CommandFile, 'version'>): string {
  return `${JSON.stringify({ version: 2, ...file }, null, 2)}\n`;
}

/** Parses a command file, also one of workbench 0.1; null: invalid. */
export function readCommandFile(
  text: string | null,
  machineId: string,
): (Omit<CommandFile, 'version'> & { readonly version: 1 | 2 }) | null {
  const file = parseFile(commandFileSchema, text);
  if (file !== null) return { ...file, spec: { ...file.spec, machineId } };
  const first = parseFile(firstCommandFileSchema, text);
  if (first === null) return null;
  const { id, createdAt, purpose, command, args, cwd, env, freshFiles, notes } = first;
  const spec = jobSpecSchema.safeParse({
    machineId,
    name: purpose,
    purpose,
    command: { kind: 'program', program: command, args },
    cwd,
    env,
    freshFiles,
    notes,
  });
  return spec.success ? { version: 1, id, createdAt, spec: spec.data } : null;
}

/** The text of `command.sh`. */
function scriptOf(command: JobCommand): string {
  return command.kind === 'line' ? `${command.line}\n` : `exec ${commandLineOf(command)}\n`;
}

/** As typed in a shell. */
export function commandLineOf(command: JobCommand): string {
  return command.kind === 'line' ? command.line : shellWords([command.program, ...command.args]);
}

/** The text of `environment.sh`; invalid variable names are skipped. */
function environmentScript(env: Readonly<Record<string, string>>): string {
  return exportLines(env)
    .map((line) => `${line}\n`)
    .join('');
}

/** Files that `start` puts into the job's folder, besides `command.json`. `workbench`: our version. */
export function scriptFiles(
  spec: FullJobSpec,
  env: Readonly<Record<string, string>>,
  workbench: string,
): ReadonlyArray<readonly [string, string]> {
  return [
    [jobFiles.record, recordScript(targetsOf(spec), workbench)],
    [jobFiles.environment, environmentScript(env)],
    [jobFiles.script, scriptOf(spec.command)],
    [jobFiles.setUp, spec.setUp.trim() === '' ? '' : `${spec.setUp}\n`],
  ];
}

export const exitFileSchema = z.object({
  /** Exit code; 128 + n if signal n ended the command; null: it was killed with its wrapper. */
  code: z.int().nullable(),
  endedAt: z.string(),
  /** What ended: the command or its set-up; or how it was ended. Absent in workbench 0.1. */
  stage: z.enum(['command', 'set-up', 'stopped', 'never-began']).default('command'),
  /** The disk was full at the end. */
  full: z.boolean().default(false),
});
export type ExitFile = z.infer<typeof exitFileSchema>;

/** Parses a JSON file; null if it does not match (damaged, or of a newer version). */
export function parseFile<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
