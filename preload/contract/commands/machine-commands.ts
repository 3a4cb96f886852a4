import { z } from 'zod';
import { portForwardSchema, portSchema } from '../forward';
import { gpuDayRequestSchema, gpuDaySchema } from '../gpu-day';
import { jobViewSchema } from '../job';
import { clusterSchema, doctorCheckSchema, machineSpecSchema, machineViewSchema } from '../machine';
import { fileListingSchema, filePieceSchema, machinePathSchema } from '../machine-file';
import { cleaningResultSchema, MAX_ROOM_ITEMS, machineRoomSchema } from '../machine-room';
import { command, done, none } from './command';

const machineId = z.string().min(1);
/** Where a file there was saved on this computer. */
const saved = z.object({ path: z.string(), bytes: z.number().int() });
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
  /** Ports that are forwarded to this computer, oldest first. */
  'machine.forwards': command(none, z.array(portForwardSchema)),
  /**
   * Forwards a port of the machine's loopback to 127.0.0.1 here, until it is closed, the machine is disconnected or, with
   * `jobId`, the job ends. Of a Slurm job it is a port of its node. `localPort` null: the same number if it is free.
   */
  'machine.forward': command(
    z.strictObject({
      machineId,
      port: portSchema,
      jobId: z.string().min(1).nullable().default(null),
      localPort: portSchema.nullable().default(null),
    }),
    portForwardSchema,
  ),
  'machine.closeForward': command(z.strictObject({ forwardId: z.string().min(1) }), done),
  /** Names in a folder there that begin with `prefix`, at most `most`. */
  'machine.files': command(
    z.strictObject({
      machineId,
      folder: machinePathSchema,
      prefix: z
        .string()
        .max(255)
        .regex(/^[^\0]*$/)
        .default(''),
      most: z.number().int().min(1).max(5_000).default(5_000),
    }),
    fileListingSchema,
  ),
  /** A piece of a regular file there, from a byte offset on (negative: from the end). */
  'machine.readFile': command(
    z.strictObject({
      machineId,
      path: machinePathSchema,
      offset: z.number().int().default(-65_536),
      maxBytes: z.number().int().min(1).max(4_194_304).default(65_536),
    }),
    filePieceSchema,
  ),
  /** Copies a regular file from there; continues an interrupted copy, and compares digests. */
  'machine.saveFile': command(
    z.strictObject({ machineId, path: machinePathSchema, to: z.string().min(1) }),
    saved,
    'terminal',
  ),
  'machine.chooseSavedFile': command(z.strictObject({ machineId, path: machinePathSchema }), saved, 'window'),
  /** The workbench's files there that may be removed: a preview, which changes nothing. */
  'machine.room': command(z.strictObject({ machineId }), machineRoomSchema),
  /** Removes these items of the preview; one that is used meanwhile stays. */
  'machine.clean': command(
    z.strictObject({ machineId, ids: z.array(z.string().max(200)).max(MAX_ROOM_ITEMS) }),
    cleaningResultSchema,
  ),
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
