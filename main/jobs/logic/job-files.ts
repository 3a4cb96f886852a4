import { z } from 'zod';
import type { JobLog } from '../../../preload/contract';
import { shellWord, shellWords } from '../../base';
import { type FullJobSpec, type JobCommand, jobSpecSchema } from './job-spec';

/** Names in a job's folder on its machine. Together with the process table they are all there is to know about it. */
export const jobFiles = {
  /** What was asked for; written before anything starts. */
  command: 'command.json',
  /** `export` lines. */
  environment: 'environment.sh',
  /** Empty where there is nothing to set up. */
  setUp: 'set-up.sh',
  /** What runs: a line as a person wrote it, or a program with its arguments quoted. */
  script: 'command.sh',
  /** stdout and stderr, appended by the job itself. */
  output: 'output.log',
  setUpLog: 'set-up.log',
  /** In the attempt's folder; written by the wrapper as its first act: its number, the boot, its line of the process table, the host. */
  process: 'process.txt',
  /** In the attempt's folder; written by the wrapper after the command has ended. */
  exit: 'exit.json',
} as const;

export function logFile(log: JobLog): string {
  return log === 'output' ? jobFiles.output : jobFiles.setUpLog;
}

/**
 * The folder of one start. Making it is the right to start: the file system lets one of many succeed, on NFS too.
 * Attempt 0 is a job of workbench 0.1, which kept these files in the job's own folder.
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

/** The form of workbench 0.1, which knew this computer alone. */
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

/** What a folder's command file says, also one of workbench 0.1; null: it is none. */
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

/** As a person would type it. */
export function commandLineOf(command: JobCommand): string {
  return command.kind === 'line' ? command.line : shellWords([command.program, ...command.args]);
}

/** The text of `environment.sh`; names are those of shell variables. */
function environmentScript(env: Readonly<Record<string, string>>): string {
  const lines = Object.entries(env)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`);
  return lines.join('');
}

/** Files that `start` puts into the job's folder, besides `command.json`. */
export function scriptFiles(
  spec: FullJobSpec,
  env: Readonly<Record<string, string>>,
): ReadonlyArray<readonly [string, string]> {
  return [
    [jobFiles.environment, environmentScript(env)],
    [jobFiles.script, scriptOf(spec.command)],
    [jobFiles.setUp, spec.setUp.trim() === '' ? '' : `${spec.setUp}\n`],
  ];
}

export const exitFileSchema = z.object({
  /** Exit code; 128 + n when signal n ended the command; null when it was killed with its wrapper. */
  code: z.int().nullable(),
  endedAt: z.string(),
  /** What ended: the command, the set-up before it; or who ended it. Workbench 0.1 did not say. */
  stage: z.enum(['command', 'set-up', 'stopped', 'never-began']).default('command'),
  /** The disk was full then. */
  full: z.boolean().default(false),
});
export type ExitFile = z.infer<typeof exitFileSchema>;

/** Parses a file's text; null for what does not fit (a file of a newer version, a damaged one). */
export function parseFile<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
