import { join } from 'node:path';
import { z } from 'zod';
import { teamEvaluationSchema } from '../../preload/contract/index';
import { parsedJson } from '../base/index';
import type { BufferState } from '../objective/index';
import type { PolicyState } from './policy';
import { readOptional } from './run-folder';
import type { SavedSample } from './sample';
import { TrainerError } from './trainer-error';

/** The input of a training of any kind, as it is kept beside its state. */
export type TrainedInput = { readonly spec: { readonly kind: string } };

/** Increase if an older state would continue differently. */
export const STATE_VERSION = 1;

const count = z.number().int().nonnegative();

/** Between `updates` and `share` come the fields of its policy's state. */
const learnerSchema = z.looseObject({
  id: z.string(),
  updates: count,
  /** Counts over its group's trees since the learner's last update. */
  share: z.strictObject({
    ...{ trees: count, kept: count, solved: count, nodes: count, own: count },
    /** Own samples that grew too old; states of earlier versions do not count them. */
    stale: count.default(0),
    /** Own samples that the grader could not judge; left out: none. */
    unjudged: count.optional(),
  }),
});

/** Everything that determines how a training continues. Includes the input, so that no other training continues from it. */
export const stateSchema = z.strictObject({
  /** `stateKind` of the input. */
  kind: z.string(),
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

const STATE_FILE = 'state.json';

/** What the policy of a saved learner continues from. */
export function policyStateOf({ id: _, updates: __, share: ___, ...policyState }: LearnerState): PolicyState {
  return policyState;
}

/** E.g. "pocket-training". */
export function stateKind({ spec }: TrainedInput): string {
  return `${spec.kind}-training`;
}

/** State saved by an earlier session; null: there is none. */
export async function readState(folder: string, input: TrainedInput): Promise<TrainerState | null> {
  const path = join(folder, STATE_FILE);
  const text = await readOptional(path);
  if (text === null) return null;
  const state = stateSchema.safeParse(parsedJson(text));
  if (!state.success || state.data.kind !== stateKind(input)) {
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
