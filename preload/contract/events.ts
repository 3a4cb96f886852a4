import { z } from 'zod';
import { experimentViewSchema } from './experiment';
import { portForwardSchema } from './forward';
import { jobViewSchema } from './job';
import { machineViewSchema } from './machine';
import { reproductionViewSchema } from './reproduction';
import { runEventSchema } from './run-events';
import { serverViewSchema } from './server';
import { settingsSchema } from './settings';
import { studyViewSchema } from './study';
import { terminalViewSchema } from './terminal';
import { trainingViewSchema } from './training';

/** Long commands that report progress and can be cancelled. */
export const longTaskSchema = z.enum([
  'import',
  'regrade',
  'grade-file',
  'verify',
  'diversity',
  'doctor',
  'speed-test',
  'log-search',
  'log-download',
  'file-download',
  'comparison',
  'bundle-writing',
  'bundle-opening',
  'gpu-day',
  'machine-service',
]);
export type LongTask = z.infer<typeof longTaskSchema>;

/** Events from main, in batches. Run events come without their `detail`. */
export const workbenchEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('study-changed'), view: studyViewSchema }),
  z.object({ kind: z.literal('study-removed'), studyId: z.string() }),
  z.object({ kind: z.literal('run-events'), runId: z.string(), events: z.array(runEventSchema) }),
  /** The study's analysis has changed (at most about once a second). */
  z.object({ kind: z.literal('analysis-changed'), studyId: z.string() }),
  z.object({ kind: z.literal('servers-changed'), servers: z.array(serverViewSchema) }),
  z.object({ kind: z.literal('machine-changed'), machine: machineViewSchema }),
  z.object({ kind: z.literal('machine-removed'), machineId: z.string() }),
  /** All of them. */
  z.object({ kind: z.literal('forwards-changed'), forwards: z.array(portForwardSchema) }),
  z.object({ kind: z.literal('job-changed'), job: jobViewSchema }),
  z.object({ kind: z.literal('job-removed'), jobId: z.string() }),
  /** At most about once a second for each. */
  z.object({ kind: z.literal('training-changed'), training: trainingViewSchema }),
  z.object({ kind: z.literal('training-removed'), trainingId: z.string() }),
  z.object({ kind: z.literal('experiment-changed'), experiment: experimentViewSchema }),
  z.object({ kind: z.literal('experiment-removed'), experimentId: z.string() }),
  /** At most about once a second for each. */
  z.object({ kind: z.literal('reproduction-changed'), reproduction: reproductionViewSchema }),
  z.object({ kind: z.literal('reproduction-removed'), reproductionId: z.string() }),
  z.object({ kind: z.literal('exhibits-changed') }),
  z.object({ kind: z.literal('terminals-changed'), terminals: z.array(terminalViewSchema) }),
  /** Output of a terminal from `offset` on (UTF-16 units since it was opened). */
  z.object({
    kind: z.literal('terminal-output'),
    terminalId: z.string(),
    offset: z.number().int().nonnegative(),
    text: z.string(),
  }),
  /** Something ended, failed or stalled: for the desktop notification and the webhook. */
  z.object({
    kind: z.literal('notification'),
    about: z.enum(['done', 'failed', 'stalled']),
    title: z.string(),
    body: z.string(),
    /** Where the window goes when it is clicked. */
    path: z.string(),
    /** Takes the place of an earlier one with this key. Left out: it stands for itself. */
    key: z.string().optional(),
  }),
  z.object({ kind: z.literal('library-changed') }),
  /** Progress of a long command; `total` is null where it is unknown, and equals `done` at the end. */
  z.object({
    kind: z.literal('progress'),
    task: longTaskSchema,
    /** e.g. "reading test6.jsonl" */
    activity: z.string(),
    done: z.number().nonnegative(),
    total: z.number().nonnegative().nullable(),
    unit: z.enum(['bytes', 'programs', 'trees', 'problems', 'checks', 'requests', 'runs', 'steps']),
    /** Estimated from its pace so far; left out while unknown. */
    secondsLeft: z.number().nonnegative().optional(),
  }),
  z.object({ kind: z.literal('settings-changed'), settings: settingsSchema }),
  /** A menu entry or a second start asks the window to go somewhere, e.g. "/studies/abc". */
  z.object({ kind: z.literal('go-to'), path: z.string() }),
  /** `isBug`: of an error of the workbench itself, which the user may want to report. */
  z.object({
    kind: z.literal('notice'),
    level: z.enum(['info', 'warning', 'error']),
    message: z.string(),
    isBug: z.boolean().optional(),
    /** The service that the window shows is of another version: a press starts it again as the window's. */
    upgradesService: z.boolean().optional(),
  }),
  /** Of a window to the service that it shows. */
  z.object({ kind: z.literal('service-connection'), isConnected: z.boolean() }),
  /** The menu asks for the report of a problem. */
  z.object({ kind: z.literal('report-problem') }),
]);
export type WorkbenchEvent = z.infer<typeof workbenchEventSchema>;
