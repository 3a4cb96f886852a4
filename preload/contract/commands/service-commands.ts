import { z } from 'zod';
import { command, done, none } from './command';

/** What runs the workbench that answers: the window itself, a terminal command, or a service without a window. */
const serviceInfoSchema = z.object({
  kind: z.enum(['service', 'window', 'terminal']),
  version: z.string(),
  pid: z.number().int().positive(),
  /** ISO date. */
  startedAt: z.string(),
  /** Name of its computer. */
  host: z.string(),
  /** Memory that it holds now. */
  memoryBytes: z.number().nonnegative(),
  /** What was wrong with the data folder when it was opened; null: nothing. */
  damage: z.string().nullable(),
  /** What stands still while no workbench is open: names of studies, plans and waiting jobs. */
  unfinished: z.array(z.string()),
});
export type ServiceInfo = z.infer<typeof serviceInfoSchema>;

export const serviceCommands = {
  'service.info': command(none, serviceInfoSchema),
  /** Ends a service; what it ran goes on at its next start. Jobs go on by themselves. */
  'service.stop': command(none, done),
  /** The window gives its work to a service, and shows that from then on. `registers`: it starts with the computer. */
  'service.start': command(z.strictObject({ registers: z.boolean() }), done, 'window'),
  /** The window ends its service for good, and does the work itself. */
  'service.takeBack': command(none, done, 'window'),
  /** The computer of the window woke from sleep: connections are tried at once. */
  'service.wake': command(none, done, 'terminal'),
  /** Where the window of a service was, for its next start. */
  'service.saveWindow': command(
    z.strictObject({
      x: z.number().int(),
      y: z.number().int(),
      width: z.number().int().positive(),
      height: z.number().int().positive(),
      maximised: z.boolean(),
    }),
    done,
    'terminal',
  ),
} as const;
