import { z } from 'zod';
import { settingsSchema } from '../settings';
import { command, done, none } from './command';
import { jobCommands } from './job-commands';
import { libraryCommands } from './library-commands';
import { machineCommands } from './machine-commands';
import { reproductionCommands } from './reproduction-commands';
import { runCommands } from './run-commands';
import { serverCommands } from './server-commands';
import { studyCommands } from './study-commands';
import { terminalCommands } from './terminal-commands';
import { trainingCommands } from './training-commands';

const secretName = z.string().regex(/^[\w.-]{1,60}$/);

export {
  type BenchmarkFormat,
  benchmarkFormatSchema,
  type RecordingFormat,
  recordingFormatSchema,
} from './library-commands';
export {
  configurationSpecSchema,
  exportKindSchema,
  type QuickstartOptions,
  quickstartOptionsSchema,
} from './study-commands';

/** Every command of the workbench, once. */
export const commands = {
  'app.info': command(
    none,
    z.object({
      version: z.string(),
      dataDir: z.string(),
      platform: z.string(),
      /** null: sandbox in place; else why candidates cannot be run and what to type. */
      sandboxProblem: z.string().nullable(),
      /** What grades candidates; null until something was graded since the start. */
      grader: z
        .object({
          python: z.string(),
          /** What candidates can import beside the standard library, e.g. "numpy 1.24.2". */
          packages: z.array(z.string()).optional(),
          isolation: z.enum(['sandbox', 'none']),
          /** CPU limits are multiplied by it; 1 on a computer that is not slower than the reference. */
          cpuFactor: z.number().min(1),
          /** Why its verdicts can not be trusted now; null: they can. */
          trouble: z.string().nullable(),
        })
        .nullable(),
      /** True when Chromium's own sandbox is off because the app runs as root. */
      runsAsRoot: z.boolean(),
    }),
  ),
  'settings.read': command(none, settingsSchema),
  'settings.change': command(settingsSchema.partial(), settingsSchema),
  /** Names alone: a value never leaves main. */
  'secret.list': command(none, z.object({ names: z.array(z.string()), problem: z.string().nullable() })),
  'secret.save': command(z.strictObject({ name: secretName, value: z.string().min(1).max(10_000) }), done),
  'secret.remove': command(z.strictObject({ name: secretName }), done),
  ...jobCommands,
  ...libraryCommands,
  ...machineCommands,
  ...reproductionCommands,
  ...runCommands,
  ...serverCommands,
  ...studyCommands,
  ...terminalCommands,
  ...trainingCommands,
} as const;

export type CommandName = keyof typeof commands;
export type Payload<N extends CommandName> = z.input<(typeof commands)[N]['payload']>;
export type CheckedPayload<N extends CommandName> = z.output<(typeof commands)[N]['payload']>;
export type Value<N extends CommandName> = z.output<(typeof commands)[N]['value']>;
