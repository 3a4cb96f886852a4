import { z } from 'zod';
import { runEventSchema } from './run-events';
import { serverViewSchema } from './server';
import { settingsSchema } from './settings';
import { studyViewSchema } from './study';

/** What main tells, in batches. Run events come without their `detail`. */
export const workbenchEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('study-changed'), view: studyViewSchema }),
  z.object({ kind: z.literal('study-removed'), studyId: z.string() }),
  z.object({ kind: z.literal('run-events'), runId: z.string(), events: z.array(runEventSchema) }),
  /** The study's analysis is worth asking for again (at most about once a second). */
  z.object({ kind: z.literal('analysis-changed'), studyId: z.string() }),
  z.object({ kind: z.literal('servers-changed'), servers: z.array(serverViewSchema) }),
  z.object({ kind: z.literal('library-changed') }),
  z.object({ kind: z.literal('settings-changed'), settings: settingsSchema }),
  /** A menu entry or a second start asks the window to go somewhere, e.g. "/studies/abc". */
  z.object({ kind: z.literal('go-to'), address: z.string() }),
  z.object({ kind: z.literal('notice'), level: z.enum(['info', 'warning', 'error']), message: z.string() }),
]);
export type WorkbenchEvent = z.infer<typeof workbenchEventSchema>;
