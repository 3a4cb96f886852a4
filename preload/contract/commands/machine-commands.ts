import { z } from 'zod';
import { clusterSchema, doctorCheckSchema, machineSpecSchema, machineViewSchema } from '../machine';
import { command, done, none } from './command';

const machineId = z.string().min(1);

/** Computers with GPUs, and what they say of themselves. */
export const machineCommands = {
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
};
