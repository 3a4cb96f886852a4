import { z } from 'zod';
import { analysisSchema } from './analysis';
import { nodeDetailSchema } from './node-detail';
import { benchmarkSchema, problemSchema, recordingSchema } from './problem';
import { type RunEvent, treePartSchema } from './run-events';
import { logPieceSchema, serverViewSchema } from './server';
import { settingsSchema } from './settings';
import { searchOptionsSchema } from './strategy';
import { quickstartPlanSchema, studyViewSchema } from './study';
import { teamSchema } from './team';

/**
 * Every command of the workbench, once: the payload that main checks, the value that it answers, and who may
 * give it. `terminal` commands take a path; the window has a `window` command of its own that shows a file
 * dialog first, so a page can never name a path.
 */
type Host = 'anywhere' | 'terminal' | 'window';
function command<P extends z.ZodType, V extends z.ZodType>(payload: P, value: V, host: Host = 'anywhere') {
  return { payload, value, host };
}

const none = z.strictObject({});
const isUnique = (items: ReadonlyArray<string | number>): boolean => new Set(items).size === items.length;
const studyId = z.string().min(1);
const runId = z.string().min(1);
const done = z.null();

export const quickstartOptionsSchema = z.strictObject({
  seed: z.number().int().min(0).max(2_147_483_647).default(1),
  /** Problems of the pocket test split, from the first. */
  problems: z.number().int().min(1).max(200).optional(),
  nodes: z.number().int().min(1).max(1_000).optional(),
  /** Trials asked together in one tree; 1 keeps a resumed run identical to the byte. */
  batch: z.number().int().min(1).max(16).optional(),
  latencyMs: z.number().min(0).max(60_000).optional(),
});
export type QuickstartOptions = z.input<typeof quickstartOptionsSchema>;

/** One configuration of a study that is composed by hand (window: later; `cli run`: now). */
export const configurationSpecSchema = z.strictObject({
  configuration: z.string().min(1).max(80),
  team: teamSchema,
});

export const exportKindSchema = z.enum(['table', 'nodes', 'curves']);

export const commands = {
  'app.info': command(
    none,
    z.object({
      version: z.string(),
      dataDir: z.string(),
      platform: z.string(),
      /** null: sandbox in place; else why candidates cannot be run and what to type. */
      sandboxProblem: z.string().nullable(),
      /** True when Chromium's own sandbox is off because the app runs as root. */
      runsAsRoot: z.boolean(),
    }),
  ),
  'settings.read': command(none, settingsSchema),
  'settings.change': command(settingsSchema.partial(), settingsSchema),

  'quickstart.plan': command(none, quickstartPlanSchema),
  'quickstart.start': command(quickstartOptionsSchema, z.object({ studyId })),

  'study.list': command(none, z.array(studyViewSchema)),
  'study.create': command(
    z.strictObject({
      name: z.string().min(1).max(120),
      benchmarkId: z.string().min(1),
      /** The first so many problems of the benchmark; all when left out. */
      problems: z.number().int().positive().optional(),
      configurations: z
        .array(configurationSpecSchema)
        .min(1)
        .max(50)
        .refine(
          (all) => isUnique(all.map(({ configuration }) => configuration)),
          'two configurations share a name',
        ),
      search: searchOptionsSchema,
      seeds: z
        .array(z.number().int().nonnegative())
        .min(1)
        .max(100)
        .refine(isUnique, 'a seed is given twice'),
    }),
    z.object({ studyId }),
  ),
  'study.start': command(z.strictObject({ studyId }), done),
  'study.pause': command(z.strictObject({ studyId }), done),
  'study.cancel': command(z.strictObject({ studyId }), done),
  /** Moves the study and its journals to the data folder's trash; `study.restore` brings it back. */
  'study.remove': command(z.strictObject({ studyId }), done),
  'study.restore': command(z.strictObject({ studyId }), done),
  'study.analysis': command(z.strictObject({ studyId }), analysisSchema),

  /**
   * All events of a run so far without their detail: the window folds them, then follows the live ones.
   * The journal's reader has parsed them; a second check of tens of thousands of events would only cost time.
   */
  'run.events': command(z.strictObject({ runId }), z.array(z.custom<RunEvent>())),
  'node.read': command(
    z.strictObject({
      runId,
      problemId: z.string(),
      part: treePartSchema,
      index: z.number().int().nonnegative(),
    }),
    nodeDetailSchema,
  ),

  'benchmark.list': command(none, z.array(benchmarkSchema)),
  'benchmark.problem': command(
    z.strictObject({ benchmarkId: z.string(), problemId: z.string() }),
    problemSchema,
  ),
  'recording.list': command(none, z.array(recordingSchema)),
  'import.benchmark': command(
    z.strictObject({ path: z.string().min(1), format: z.enum(['humaneval']), id: z.string().optional() }),
    benchmarkSchema,
    'terminal',
  ),
  'import.recording': command(
    z.strictObject({ path: z.string().min(1), benchmarkId: z.string().min(1), id: z.string().optional() }),
    recordingSchema,
    'terminal',
  ),
  'import.chooseBenchmark': command(none, benchmarkSchema, 'window'),
  'import.chooseRecording': command(
    z.strictObject({ benchmarkId: z.string().min(1) }),
    recordingSchema,
    'window',
  ),

  'server.list': command(none, z.array(serverViewSchema)),
  'server.stop': command(z.strictObject({ serverId: z.string() }), done),
  'server.readLog': command(
    z.strictObject({
      serverId: z.string(),
      /** Byte offset; negative counts from the end. */
      offset: z.number().int(),
      maxBytes: z.number().int().min(1).max(1_048_576),
    }),
    logPieceSchema,
  ),

  'export.write': command(
    z.strictObject({ studyId, what: exportKindSchema, path: z.string().min(1) }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'terminal',
  ),
  'export.choose': command(
    z.strictObject({ studyId, what: exportKindSchema }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'window',
  ),
} as const;

export type CommandName = keyof typeof commands;
export type Payload<N extends CommandName> = z.input<(typeof commands)[N]['payload']>;
export type CheckedPayload<N extends CommandName> = z.output<(typeof commands)[N]['payload']>;
export type Value<N extends CommandName> = z.output<(typeof commands)[N]['value']>;
