import { z } from 'zod';
import { jobViewSchema } from '../job';
import { launchPlanSchema, serverLaunchSchema, speedRowSchema } from '../launch';
import { logPieceSchema, serverViewSchema } from '../server';
import { command, done, none } from './command';

/** Model servers, and the saved launches that start them. */
export const serverCommands = {
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
  /** Starts all replicas and answers when their processes are known; events report when they are ready. */
  'server.launch': command(
    z.strictObject({ launchId: z.string().min(1) }),
    z.object({ serverIds: z.array(z.string()) }),
  ),
  /** Stops and starts it again with the same launch. */
  'server.restart': command(z.strictObject({ serverId: z.string() }), done),
  /** Removes an ended server and its log. */
  'server.remove': command(z.strictObject({ serverId: z.string() }), done),
  /** The command, and whether the model fits. Changes nothing. */
  'server.plan': command(serverLaunchSchema, launchPlanSchema),
  /**
   * Brings llama.cpp's server to a machine, and with `withModel` SmolLM2-135M-Instruct, which is saved as a launch. `job`
   * installs them, and its log says how far it is; null: they are there.
   */
  'server.install': command(
    z.strictObject({ machineId: z.string().min(1), withModel: z.boolean() }),
    z.object({ program: z.string(), launchId: z.string().nullable(), job: jobViewSchema.nullable() }),
  ),
  'server.speedTest': command(
    z.strictObject({
      serverId: z.string(),
      concurrencies: z.array(z.number().int().min(1).max(1_024)).min(1).max(10),
      /** Tokens per response. */
      tokens: z.number().int().min(1).max(8_192),
    }),
    z.array(speedRowSchema),
  ),
  'launch.list': command(none, z.array(serverLaunchSchema)),
  /** Creates a launch or replaces the one with its id. */
  'launch.save': command(serverLaunchSchema, serverLaunchSchema),
  'launch.remove': command(z.strictObject({ launchId: z.string().min(1) }), done),
};
