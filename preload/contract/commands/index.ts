import { z } from 'zod';
import { settingsSchema } from '../settings';
import { command, done, none } from './command';
import { diagnosticsCommands } from './diagnostics-commands';
import { jobCommands } from './job-commands';
import { libraryCommands } from './library-commands';
import { machineCommands } from './machine-commands';
import { reproductionCommands } from './reproduction-commands';
import { runCommands } from './run-commands';
import { serverCommands } from './server-commands';
import { serviceCommands } from './service-commands';
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
export type { MachineService, ServiceInfo } from './service-commands';
export { exportKindSchema, type QuickstartOptions } from './study-commands';

/** All commands of the workbench. */
export const commands = {
  'app.info': command(
    none,
    z.object({
      version: z.string(),
      dataDir: z.string(),
      platform: z.string(),
      /** null: sandbox active; else why candidates cannot run and how to fix it. */
      sandboxProblem: z.string().nullable(),
      /** That problem is of the Python that grades; left out: of the sandbox. */
      pythonIsAtFault: z.literal(true).optional(),
      /** The grader; null until something was graded since the start. */
      grader: z
        .object({
          python: z.string(),
          /** Which Python that is, and why this one of those that were found. */
          path: z.string().optional(),
          reason: z.string().optional(),
          /** Packages that candidates can import, e.g. "numpy 1.24.2". */
          packages: z.array(z.string()).optional(),
          isolation: z.enum(['sandbox', 'none']),
          /** Factor on CPU limits; 1 on a computer that is not slower than the reference. */
          cpuFactor: z.number().min(1),
          /** Why its verdicts are not reliable; null: they are. */
          problem: z.string().nullable(),
        })
        .nullable(),
      /** True when Chromium's own sandbox is off because the app runs as root. */
      runsAsRoot: z.boolean(),
    }),
  ),
  /** Opens the grader now, as the first grading would: `app.info` then reports it. */
  'app.openGrader': command(none, done),
  'settings.read': command(none, settingsSchema),
  'settings.change': command(settingsSchema.partial(), settingsSchema),
  /** Names only: values never leave main. */
  'secret.list': command(
    none,
    z.object({
      names: z.array(z.string()),
      problem: z.string().nullable(),
      /** Where they are, as the end of a sentence: "They are kept in ..."; null: nowhere. */
      keptIn: z.string().nullable(),
    }),
  ),
  'secret.save': command(z.strictObject({ name: secretName, value: z.string().min(1).max(10_000) }), done),
  'secret.remove': command(z.strictObject({ name: secretName }), done),
  ...diagnosticsCommands,
  ...jobCommands,
  ...libraryCommands,
  ...machineCommands,
  ...reproductionCommands,
  ...runCommands,
  ...serverCommands,
  ...serviceCommands,
  ...studyCommands,
  ...terminalCommands,
  ...trainingCommands,
} as const;

export type CommandName = keyof typeof commands;
export type Payload<N extends CommandName> = z.input<(typeof commands)[N]['payload']>;
export type CheckedPayload<N extends CommandName> = z.output<(typeof commands)[N]['payload']>;
export type Value<N extends CommandName> = z.output<(typeof commands)[N]['value']>;
