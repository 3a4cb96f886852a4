import { z } from 'zod';
import { teamEvaluationSchema } from '../../preload/contract/index';
import type { BufferState } from '../objective/index';
import type { SavedSample } from './sample';

/** Raise when a state of before would go on differently. */
export const STATE_VERSION = 1;

const floats = z.string();
const count = z.number().int().nonnegative();

const learnerSchema = z.strictObject({
  id: z.string(),
  updates: count,
  /** Base64 of little-endian 64-bit floats: nothing is rounded. */
  weights: floats,
  adam: z.strictObject({ mean: floats, square: floats, steps: count }),
  /** Of the lane's trees since the learner's last update. */
  share: z.strictObject({ trees: count, kept: count, solved: count, nodes: count, own: count }),
});

/** Everything that decides how a training goes on. The spec is in it, so that no other one goes on from here. */
export const stateSchema = z.strictObject({
  kind: z.literal('pocket-training'),
  version: z.literal(STATE_VERSION),
  input: z.unknown(),
  round: count,
  learners: z.array(learnerSchema),
  /** Checked by the versions alone: it is large, and ours. */
  buffers: z.custom<BufferState<SavedSample>>((value) => typeof value === 'object' && value !== null),
  /** Teams that are evaluated, the last of them perhaps in part. */
  evaluation: z.array(teamEvaluationSchema),
  /** How long each file was. */
  bytes: z.strictObject({ metrics: count, times: count, rollouts: count }),
  /** Seconds that earlier sessions took. */
  seconds: z.number().nonnegative(),
  done: z.boolean(),
});
export type TrainerState = z.output<typeof stateSchema>;
export type LearnerState = z.output<typeof learnerSchema>;

export function encodeFloats(numbers: Float64Array): string {
  const bytes = Buffer.alloc(numbers.length * 8);
  numbers.forEach((number, i) => {
    bytes.writeDoubleLE(number, i * 8);
  });
  return bytes.toString('base64');
}

/** null: not so many numbers. */
export function decodeFloats(text: string, length: number): Float64Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length * 8) return null;
  return Float64Array.from({ length }, (_, i) => bytes.readDoubleLE(i * 8));
}
