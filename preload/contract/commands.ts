import { z } from 'zod';
import { analysisSchema } from './analysis';
import { regradeSchema, verificationSchema } from './checks';
import { command } from './command';
import { optionBeliefSchema } from './decision';
import { diversityJudgeSchema, diversitySchema, similaritySchema } from './diversity';
import { longTaskSchema } from './events';
import { jobLogSchema, jobOrderSchema, jobViewSchema, logMatchSchema } from './job';
import { launchPlanSchema, serverLaunchSchema, speedRowSchema } from './launch';
import { clusterSchema, doctorCheckSchema, machineSpecSchema, machineViewSchema } from './machine';
import { nodeDetailSchema } from './node-detail';
import { studyOutcomesSchema } from './outcomes';
import { benchmarkSchema, problemMarkSchema, problemSchema, recordingSchema } from './problem';
import { reproductionCommands } from './reproduction-commands';
import { type RunEvent, treePartSchema } from './run-events';
import { logPieceSchema, serverViewSchema } from './server';
import { settingsSchema } from './settings';
import { searchChangeSchema, searchOptionsSchema } from './strategy';
import { quickstartPlanSchema, studyViewSchema } from './study';
import { teamSchema } from './team';
import { terminalSizeSchema, terminalSnapshotSchema, terminalViewSchema } from './terminal';
import { trainingCommands } from './training-commands';

const none = z.strictObject({});
const isUnique = (items: ReadonlyArray<string | number>): boolean => new Set(items).size === items.length;
const studyId = z.string().min(1);
const runId = z.string().min(1);
const machineId = z.string().min(1);
const jobId = z.string().min(1);
const terminalId = z.string().min(1);
const secretName = z.string().regex(/^[\w.-]{1,60}$/);
const done = z.null();

export const quickstartOptionsSchema = z.strictObject({
  seed: z.number().int().min(0).max(2_147_483_647).default(1),
  /** Problems of the pocket test split, from the first. */
  problems: z.number().int().min(1).max(200).optional(),
  nodes: z.number().int().min(1).max(1_000).optional(),
  /** Trials asked together in one tree; 1 keeps a resumed run identical to the byte. */
  batch: z.number().int().min(1).max(16).optional(),
  latencyMs: z.number().min(0).max(60_000).optional(),
  /** Where its model servers run; this computer when left out. */
  machineId: z.string().min(1).optional(),
});
export type QuickstartOptions = z.input<typeof quickstartOptionsSchema>;

/** One configuration of a study that is composed by hand (window: later; `cli run`: now). */
export const configurationSpecSchema = z.strictObject({
  configuration: z.string().min(1).max(80),
  team: teamSchema,
  /** Where this row searches differently from the study (an ablation); the rest is the study's. */
  search: searchChangeSchema.optional(),
});

export const exportKindSchema = z.enum(['table', 'nodes', 'curves', 'pairs', 'breakdowns', 'marti']);

/** `auto` tells the format by the first rows. */
export const benchmarkFormatSchema = z.enum([
  'auto',
  'livecodebench',
  'humaneval',
  'humaneval-plus',
  'mbpp',
  'mbpp-plus',
  'apps',
  'codecontests',
  'workbench',
]);
export type BenchmarkFormat = z.infer<typeof benchmarkFormatSchema>;

const isoDay = z.iso.date();
/** What of a file is taken in. Days are inclusive, as in LiveCodeBench. */
const benchmarkImport = {
  format: benchmarkFormatSchema.default('auto'),
  id: z.string().optional(),
  version: z.string().min(1).max(80).optional(),
  licence: z.string().min(1).max(80).optional(),
  from: isoDay.optional(),
  to: isoDay.optional(),
};

/** samples: independent answers; traces: first programs with their refinements, e.g. of LDB or Reflexion. */
export const recordingFormatSchema = z.enum(['auto', 'samples', 'traces']);
export type RecordingFormat = z.infer<typeof recordingFormatSchema>;

const nodePlaceSchema = z.strictObject({
  runId,
  problemId: z.string(),
  part: treePartSchema,
  index: z.number().int().nonnegative(),
});

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

  'quickstart.plan': command(none, quickstartPlanSchema),
  'quickstart.start': command(quickstartOptionsSchema, z.object({ studyId })),

  'study.list': command(none, z.array(studyViewSchema)),
  'study.create': command(
    z.strictObject({
      name: z.string().min(1).max(120),
      benchmarkId: z.string().min(1),
      /** The first so many problems of the benchmark; all when left out. */
      problems: z.number().int().positive().optional(),
      /** Only problems of contests in these days, both inclusive. */
      from: isoDay.optional(),
      to: isoDay.optional(),
      /** Problems that are marked to be left out are left out unless this is true. */
      includeExcluded: z.boolean().default(false),
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
  /** What a person writes to a study, to find it again. */
  'study.annotate': command(
    z.strictObject({
      studyId,
      note: z.string().max(4_000),
      tags: z
        .array(z.string().regex(/^[^\s,]{1,30}$/))
        .max(20)
        .refine(isUnique, 'a tag is given twice'),
    }),
    studyViewSchema,
  ),
  /** What came of every problem of every run; from kept summaries, so that no journal need be opened for it. */
  'study.outcomes': command(z.strictObject({ studyId }), studyOutcomesSchema),
  'study.analysis': command(z.strictObject({ studyId }), analysisSchema),
  /** Reads every candidate's program, so it is asked for apart; `progress` events tell how far it is. */
  'study.diversity': command(
    z.strictObject({
      studyId,
      judge: diversityJudgeSchema.default({ kind: 'structure' }),
      similarity: similaritySchema.default({ kind: 'tokens' }),
    }),
    diversitySchema,
  ),
  /** Replays every tree of the study from its seed and compares. Changes nothing. */
  'study.verify': command(z.strictObject({ studyId }), verificationSchema),
  /** Runs the private tests of the study's candidates again and lists what changed. Changes nothing. */
  'study.regrade': command(
    z.strictObject({
      studyId,
      /** At most so many programs, spread evenly; all when left out. */
      programs: z.number().int().positive().optional(),
      /** Regrade by the other reading, to see what depends on it. */
      grading: z.enum(['as-program', 'as-published']).optional(),
    }),
    regradeSchema,
  ),
  /** Ends the running import, verification, regrade or diversity; what it had changed so far is undone. */
  'task.cancel': command(z.strictObject({ task: longTaskSchema }), done),

  /**
   * All events of a run so far without their detail: the window folds them, then follows the live ones.
   * The journal's reader has parsed them; a second check of tens of thousands of events would only cost time.
   */
  'run.events': command(
    z.strictObject({
      runId,
      /** From this event on, at most so many; left out: all. */
      from: z.number().int().nonnegative().optional(),
      most: z.number().int().positive().optional(),
    }),
    z.array(z.custom<RunEvent>()),
  ),
  /**
   * Puts what can be trusted of a damaged journal in its place and keeps the damaged file beside it. Resuming the study
   * then searches again what is missing.
   */
  'run.repair': command(
    z.strictObject({ runId }),
    z.object({
      movedTo: z.string(),
      keptEvents: z.number().int(),
      /** Lines that could not be read, and events behind them that had to go with them. */
      lostLines: z.number().int(),
      leftOutEvents: z.number().int(),
    }),
  ),
  'node.read': command(nodePlaceSchema, nodeDetailSchema),
  /**
   * What the search believed of each option of each decision behind a node, in the order of the node's `why`; null: it
   * keeps no belief of that option. Worked out by asking the tree again from its seed.
   */
  'node.beliefs': command(nodePlaceSchema, z.array(z.array(optionBeliefSchema.nullable()))),

  'benchmark.list': command(none, z.array(benchmarkSchema)),
  'benchmark.problem': command(
    z.strictObject({ benchmarkId: z.string(), problemId: z.string() }),
    problemSchema,
  ),
  'recording.list': command(none, z.array(recordingSchema)),
  /** Null takes the mark away. */
  'benchmark.mark': command(
    z.strictObject({
      benchmarkId: z.string().min(1),
      problemId: z.string().min(1),
      mark: problemMarkSchema.omit({ problemId: true }).nullable(),
    }),
    benchmarkSchema,
  ),
  /** `path` is a file, or a folder of which all files that look like the format are read in the order of names. */
  'import.benchmark': command(
    z.strictObject({ path: z.string().min(1), ...benchmarkImport }),
    benchmarkSchema,
    'terminal',
  ),
  'import.recording': command(
    z.strictObject({
      path: z.string().min(1),
      benchmarkId: z.string().min(1),
      format: recordingFormatSchema.default('auto'),
      id: z.string().optional(),
    }),
    recordingSchema,
    'terminal',
  ),
  'import.chooseBenchmark': command(
    z.strictObject({ ...benchmarkImport, folder: z.boolean().default(false) }),
    benchmarkSchema,
    'window',
  ),
  'import.chooseRecording': command(
    z.strictObject({ benchmarkId: z.string().min(1), format: recordingFormatSchema.default('auto') }),
    recordingSchema,
    'window',
  ),
  /** From the hub by name, e.g. "livecodebench/code_generation_lite", where there is a network. */
  'import.hub': command(
    z.strictObject({
      name: z.string().regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/),
      /** Files of the data set, e.g. "test6.jsonl"; all that look like the format when left out. */
      files: z.array(z.string().regex(/^[\w./-]{1,200}$/)).optional(),
      ...benchmarkImport,
    }),
    benchmarkSchema,
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

  /** Starts it (each of its replicas) and answers when its processes are known; ready comes by events. */
  'server.launch': command(
    z.strictObject({ launchId: z.string().min(1) }),
    z.object({ serverIds: z.array(z.string()) }),
  ),
  /** Stops and starts it again with the same launch. */
  'server.restart': command(z.strictObject({ serverId: z.string() }), done),
  /** Takes an ended server out of the list, with its log. */
  'server.remove': command(z.strictObject({ serverId: z.string() }), done),
  /** What would be typed, and whether it would fit. Changes nothing. */
  'server.plan': command(serverLaunchSchema, launchPlanSchema),
  'server.speedTest': command(
    z.strictObject({
      serverId: z.string(),
      concurrencies: z.array(z.number().int().min(1).max(1_024)).min(1).max(10),
      /** Tokens of each answer. */
      tokens: z.number().int().min(1).max(8_192),
    }),
    z.array(speedRowSchema),
  ),
  'launch.list': command(none, z.array(serverLaunchSchema)),
  /** Makes it, or changes the one with its id. */
  'launch.save': command(serverLaunchSchema, serverLaunchSchema),
  'launch.remove': command(z.strictObject({ launchId: z.string().min(1) }), done),

  'machine.list': command(none, z.array(machineViewSchema)),
  /** Hosts of the user's ssh config that are no patterns, in its order. */
  'machine.hosts': command(none, z.array(z.object({ host: z.string(), isAdded: z.boolean() }))),
  'machine.add': command(machineSpecSchema, machineViewSchema),
  'machine.change': command(machineSpecSchema, machineViewSchema),
  /** Forgets it; what runs there goes on. Refused while jobs of ours may run there, unless `anyway`. */
  'machine.remove': command(z.strictObject({ machineId, anyway: z.boolean().default(false) }), done),
  /** Answers at once; events tell how it goes. */
  'machine.connect': command(z.strictObject({ machineId }), done),
  /** Ends the connection and tries no more. Jobs there go on. */
  'machine.disconnect': command(z.strictObject({ machineId }), done),
  /** A fresh look at GPUs, reservations and facts; the answer of a look under two seconds old is given again. */
  'machine.look': command(z.strictObject({ machineId }), machineViewSchema),
  /** Partitions, GPUs and accounts of a Slurm machine, asked on its login node. */
  'machine.cluster': command(z.strictObject({ machineId }), clusterSchema),
  'machine.doctor': command(z.strictObject({ machineId }), z.array(doctorCheckSchema)),
  /** `minutes` 0 takes the reservation away. */
  'machine.reserve': command(
    z.strictObject({
      machineId,
      gpuId: z.string().min(1),
      minutes: z.number().int().min(0).max(43_200),
      note: z.string().max(200).default(''),
    }),
    machineViewSchema,
  ),

  /** As last seen. */
  'job.list': command(none, z.array(jobViewSchema)),
  /** The same, once every machine of a job that has not ended was asked since the start, or found unreachable. */
  'job.look': command(none, z.array(jobViewSchema)),
  'job.start': command(jobOrderSchema, jobViewSchema),
  /** A job for each line, all else as in `order`; on a Slurm machine one job array. A line may be refused alone. */
  'job.startMany': command(
    z.strictObject({
      order: jobOrderSchema,
      commandLines: z.array(jobOrderSchema.shape.commandLine).min(1).max(1_000),
    }),
    z.object({
      jobs: z.array(jobViewSchema),
      /** `line` counts from 1. */
      refused: z.array(z.object({ line: z.number().int().positive(), message: z.string() })),
    }),
  ),
  /** TERM, then KILL, then a look whether all its processes are gone; names what is not. */
  'job.stop': command(z.strictObject({ jobId }), jobViewSchema),
  /** Starts an ended job again; its log goes on. */
  'job.retry': command(z.strictObject({ jobId }), jobViewSchema),
  /** Deletes an ended job with its files. */
  'job.remove': command(z.strictObject({ jobId }), done),
  'job.readLog': command(
    z.strictObject({
      jobId,
      log: jobLogSchema.default('output'),
      /** Byte offset; negative counts from the end. */
      offset: z.number().int(),
      maxBytes: z.number().int().min(1).max(4_194_304),
    }),
    logPieceSchema,
  ),
  /** Lines that hold `text` (as it stands, case ignored), searched on the machine; at most `limit`, from `offset` on. */
  'job.searchLog': command(
    z.strictObject({
      jobId,
      log: jobLogSchema.default('output'),
      text: z.string().min(1).max(200),
      offset: z.number().int().nonnegative().default(0),
      limit: z.number().int().min(1).max(1_000).default(200),
    }),
    z.object({ matches: z.array(logMatchSchema), isComplete: z.boolean() }),
  ),
  /** The byte that a line (from 1) begins with, counted on the machine; the end where the log has fewer lines. */
  'job.findLine': command(
    z.strictObject({ jobId, log: jobLogSchema.default('output'), line: z.number().int().positive() }),
    z.object({ offset: z.number().int().nonnegative(), isThere: z.boolean() }),
  ),
  'job.saveLog': command(
    z.strictObject({ jobId, log: jobLogSchema.default('output'), path: z.string().min(1) }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'terminal',
  ),
  'job.chooseLogFile': command(
    z.strictObject({ jobId, log: jobLogSchema.default('output') }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'window',
  ),

  ...trainingCommands,

  ...reproductionCommands,

  'terminal.list': command(none, z.array(terminalViewSchema)),
  'terminal.open': command(z.strictObject({ machineId, ...terminalSizeSchema }), terminalSnapshotSchema),
  /** What was drawn so far, for a window that shows it (again); output goes on by events. */
  'terminal.attach': command(z.strictObject({ terminalId }), terminalSnapshotSchema),
  'terminal.write': command(z.strictObject({ terminalId, text: z.string().max(1_048_576) }), done),
  'terminal.resize': command(z.strictObject({ terminalId, ...terminalSizeSchema }), done),
  /** The window has drawn so many UTF-16 units more; without it output stops coming. */
  'terminal.acknowledge': command(
    z.strictObject({ terminalId, units: z.number().int().nonnegative() }),
    done,
  ),
  /** Ends the shell there too, tmux or not. */
  'terminal.close': command(z.strictObject({ terminalId }), done),

  /**
   * An address that a program wrote in a terminal, for the user's browser. Main shows it whole and asks before it opens
   * anything: a page cannot reach the outside by itself.
   */
  'link.open': command(
    z.strictObject({ address: z.url({ protocol: /^https?$/ }).max(4_000) }),
    done,
    'window',
  ),

  /** Names alone: a value never leaves main. */
  'secret.list': command(none, z.object({ names: z.array(z.string()), problem: z.string().nullable() })),
  'secret.save': command(z.strictObject({ name: secretName, value: z.string().min(1).max(10_000) }), done),
  'secret.remove': command(z.strictObject({ name: secretName }), done),

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
