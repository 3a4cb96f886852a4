import { z } from 'zod';
import { clusterSchema, doctorCheckSchema, machineSpecSchema, machineViewSchema } from '../machine';
import { command, done, none } from './command';

const machineId = z.string().min(1);

/** Machines. */
export const machineCommands = {
  'machine.list': command(none, z.array(machineViewSchema)),
  /** Hosts of the user's ssh config, without patterns, in its order. */
  'machine.hosts': command(none, z.array(z.object({ host: z.string(), isAdded: z.boolean() }))),
  'machine.add': command(machineSpecSchema, machineViewSchema),
  'machine.change': command(machineSpecSchema, machineViewSchema),
  /** Jobs on it keep running. Refused while our jobs may run on it, unless `anyway`. */
  'machine.remove': command(z.strictObject({ machineId, anyway: z.boolean().default(false) }), done),
  /** Answers at once; events report the progress. */
  'machine.connect': command(z.strictObject({ machineId }), done),
  /** Ends the connection and stops retrying. Jobs keep running. */
  'machine.disconnect': command(z.strictObject({ machineId }), done),
  /** Probes GPUs, reservations and facts; a result less than two seconds old is reused. */
  'machine.probe': command(z.strictObject({ machineId }), machineViewSchema),
  /** Partitions, GPUs and accounts of a Slurm machine. */
  'machine.cluster': command(z.strictObject({ machineId }), clusterSchema),
  'machine.doctor': command(z.strictObject({ machineId }), z.array(doctorCheckSchema)),
  /** `minutes` 0 releases the reservation. */
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
