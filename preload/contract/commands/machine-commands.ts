import { z } from 'zod';
import { gpuDayRequestSchema, gpuDaySchema } from '../gpu-day';
import { jobViewSchema } from '../job';
import { clusterSchema, doctorCheckSchema, machineSpecSchema, machineViewSchema } from '../machine';
import { command, done, none } from './command';

const machineId = z.string().min(1);
/** A Python on the machine, a path or a name on its PATH; null: found by the workbench. */
const python = z.string().min(1).max(4_096).nullable().default(null);

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
  /** `learner`: instead of the usual checks, whether language models can be trained there; takes seconds. */
  'machine.doctor': command(
    z.strictObject({ machineId, learner: z.strictObject({ python }).nullable().default(null) }),
    z.array(doctorCheckSchema),
  ),
  /** The Python of the learner's environment there; null: it was not prepared. */
  'machine.learner': command(z.strictObject({ machineId }), z.object({ python: z.string().nullable() })),
  /**
   * Makes the learner's environment there, on `python`. `job` makes it, and its log says how far it is; null: it is there.
   */
  'machine.prepareLearner': command(
    z.strictObject({ machineId, python }),
    z.object({ python: z.string(), job: jobViewSchema.nullable() }),
  ),
  /**
   * Proves the whole path on a machine with a GPU in two hours or less: each way of publishing, trainings, and a search by
   * three teams. Results are kept for later plans of trainings there.
   */
  'machine.gpuDay': command(gpuDayRequestSchema, gpuDaySchema),
  /** Results of the last one on this machine; null: none. */
  'machine.gpuDayResults': command(z.strictObject({ machineId }), gpuDaySchema.nullable()),
  /** Takes the file of another lab's GPU day as what is known of this machine's speed. */
  'machine.takeGpuDay': command(z.strictObject({ machineId, text: z.string().max(1_000_000) }), gpuDaySchema),
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
