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
  /** Name of the machine over whose connection this window reached it; null: it is this computer's own. */
  through: z.string().nullable().default(null),
  /** The version of the window, where it shows a service of another one; null: of the same. */
  otherWindow: z.object({ version: z.string(), isOlder: z.boolean() }).nullable().default(null),
});
export type ServiceInfo = z.infer<typeof serviceInfoSchema>;

/** The background service of a machine, as it was found there. */
const machineServiceSchema = z.discriminatedUnion('kind', [
  /** We have put none there. */
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('installed'),
    /** Of the program that is there. */
    version: z.string(),
    startsWithComputer: z.enum(['systemd', 'cron']).nullable(),
    dataFolder: z.string(),
    /** null: it does not run. */
    running: z
      .object({
        version: z.string(),
        pid: z.number().int().positive(),
        startedAt: z.string(),
        host: z.string(),
        unfinished: z.array(z.string()),
      })
      .nullable(),
  }),
]);
export type MachineService = z.infer<typeof machineServiceSchema>;

const machineId = z.string().min(1);
const onMachine = z.strictObject({ machineId });
const transferId = z.uuid();
const transfer = z.object({ transferId, path: z.string() });

export const serviceCommands = {
  'service.info': command(none, serviceInfoSchema),
  /** Ends a service; what it ran continues at its next start. Jobs go on by themselves. */
  'service.stop': command(none, done),
  /** The window gives its work to a service, and shows that from then on. `registers`: it starts with the computer. */
  'service.start': command(z.strictObject({ registers: z.boolean() }), done, 'window'),
  /** The window ends its service for good, and does the work itself. */
  'service.takeBack': command(none, done, 'window'),
  /** The window's service is started again with the program of the window: jobs and studies continue. */
  'service.upgrade': command(none, done, 'window'),
  /** Whether the service of a machine runs. */
  'service.onMachine': command(onMachine, machineServiceSchema),
  /**
   * Copies this program to the machine where it is not there yet, and starts it there as a service; one of another version
   * is replaced, and its work continues. May take minutes.
   */
  'service.startOn': command(onMachine.extend({ registers: z.boolean() }), machineServiceSchema),
  /** Ends it for good; what it ran continues when it is started again. */
  'service.stopOn': command(onMachine, machineServiceSchema),
  /** The window shows the machine's service from now on; the workbench of this computer continues behind it. */
  'service.showMachine': command(onMachine, done, 'window'),
  /** The window shows this computer's workbench again. */
  'service.showHere': command(none, done, 'window'),
  /** A socket of this computer that leads to the machine's service. */
  'service.openOn': command(onMachine, z.object({ socket: z.string(), name: z.string() }), 'terminal'),
  /** Copies what a command of the machine's service will read there; dropped afterwards. */
  'service.sendPath': command(onMachine.extend({ path: z.string().min(1) }), transfer, 'terminal'),
  /** Where a command of the machine's service writes what belongs to a path here; `transferId`: of an earlier call too. */
  'service.placeFor': command(
    onMachine.extend({ path: z.string().min(1), transferId: transferId.optional() }),
    transfer,
    'terminal',
  ),
  'service.takeFiles': command(onMachine.extend({ transferId, path: z.string().min(1) }), done, 'terminal'),
  'service.dropTransfer': command(onMachine.extend({ transferId }), done, 'terminal'),
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
