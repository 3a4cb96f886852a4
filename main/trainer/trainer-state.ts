import { join } from 'node:path';
import { z } from 'zod';
import { teamEvaluationSchema } from '../../preload/contract/index';
import type { BufferState } from '../objective/index';
import type { AdamState } from '../pocket/index';
import { readOptional } from './run-folder';
import type { SavedSample } from './sample';
import { TrainerError } from './trainer-error';
import type { TrainingInput } from './training-input';

/** Increase if an older state would continue differently. */
export const STATE_VERSION = 1;

const floats = z.string();
const count = z.number().int().nonnegative();

const learnerSchema = z.strictObject({
  id: z.string(),
  updates: count,
  /** Base64 of little-endian 64-bit floats, so that nothing is rounded. */
  weights: floats,
  adam: z.strictObject({ mean: floats, square: floats, steps: count }),
  /** Counts over its group's trees since the learner's last update. */
  share: z.strictObject({ trees: count, kept: count, solved: count, nodes: count, own: count }),
});

/** Everything that determines how a training continues. Includes the input, so that no other training continues from it. */
export const stateSchema = z.strictObject({
  kind: z.literal('pocket-training'),
  version: z.literal(STATE_VERSION),
  input: z.unknown(),
  round: count,
  learners: z.array(learnerSchema),
  /** Only checked by the version: it is large, and written by us. */
  buffers: z.custom<BufferState<SavedSample>>((value) => typeof value === 'object' && value !== null),
  /** Evaluated teams, possibly only on the first problems. */
  evaluation: z.array(teamEvaluationSchema),
  /** Size of each file. */
  bytes: z.strictObject({ metrics: count, times: count, rollouts: count }),
  /** Duration of earlier sessions in seconds. */
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

/** null: the length does not match. */
function decodeFloats(text: string, length: number): Float64Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length * 8) return null;
  return Float64Array.from({ length }, (_, i) => bytes.readDoubleLE(i * 8));
}

const STATE_FILE = 'state.json';

/** The weights and the optimiser's state of a saved learner. Throws TrainerError if they are damaged. */
export function decodeLearner(
  { id, updates, weights, adam }: LearnerState,
  length: number,
): { readonly weights: Float64Array; readonly adam: AdamState; readonly updates: number } {
  const read = (text: string): Float64Array => {
    const numbers = decodeFloats(text, length);
    if (numbers !== null) return numbers;
    throw new TrainerError({
      code: 'bad-input',
      message: `The saved weights of ${id} are damaged: expected ${length} numbers.`,
      hint: 'Delete state.json to start over.',
    });
  };
  const { mean, square, steps } = adam;
  return { weights: read(weights), adam: { mean: read(mean), square: read(square), steps }, updates };
}

/** State saved by an earlier session; null: there is none. */
export async function readState(folder: string, input: TrainingInput): Promise<TrainerState | null> {
  const path = join(folder, STATE_FILE);
  const text = await readOptional(path);
  if (text === null) return null;
  const state = stateSchema.safeParse(parsed(text));
  if (!state.success) {
    throw new TrainerError({
      code: 'bad-input',
      message: `${path} is not a training state that this version can continue.`,
      hint: 'Choose another folder, or delete the file to start over.',
    });
  }
  if (JSON.stringify(state.data.input) !== JSON.stringify(input)) {
    throw new TrainerError({
      code: 'conflict',
      message: `${folder} contains a training with other settings.`,
      hint: 'Choose another folder, or use the settings with which it was started.',
    });
  }
  return state.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
