import { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { failed, ok, parsedJson, type Result } from '../base';
import { decodeWeights, encodeWeights } from './base64';
import { FAMILIES, type Family } from './families';
import { COPY_COUNT, LAYOUTS } from './features';
import { SYMBOLS } from './operations';
import { type PocketPolicy, weightCount } from './policy';

/** Raise when features, operations or words change: old weights would have another meaning. */
export const CHECKPOINT_VERSION = 1;

const checkpointSchema = z.strictObject({
  kind: z.literal('pocket-checkpoint'),
  version: z.number().int(),
  family: z.enum(FAMILIES),
  /** Seed of the pre-training. */
  seed: z.number().int().nonnegative(),
  /** The process that made the weights, e.g. "pre-training". */
  source: z.string(),
  /** Training steps since pre-training. */
  updates: z.number().int().nonnegative(),
  shape: z.strictObject({
    rows: z.number().int().positive(),
    symbols: z.number().int().positive(),
    copies: z.number().int().nonnegative(),
  }),
  /** Base64 of little-endian 32-bit floats: rows x symbols, then the copy weights. */
  weights: z.string(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

function shapeOf(family: Family): Checkpoint['shape'] {
  return { rows: LAYOUTS[family].rows, symbols: SYMBOLS, copies: COPY_COUNT };
}

/** A record of the policy's present state; weights are rounded to 32 bits. */
export function checkpointOf(policy: PocketPolicy, source: string, updates: number): Checkpoint {
  const { family, seed } = policy;
  return {
    kind: 'pocket-checkpoint',
    version: CHECKPOINT_VERSION,
    family,
    seed,
    source,
    updates,
    shape: shapeOf(family),
    weights: encodeWeights(policy.weights),
  };
}

function refuse(message: string): Result<never, Refusal> {
  return failed({
    code: 'bad-input',
    message,
    hint: 'Pre-train the policy again, which takes a few seconds.',
  });
}

/** The policy of a checkpoint, with its own copy of the weights; refused if it does not fit this version. */
export function loadPolicy(checkpoint: Checkpoint): Result<PocketPolicy, Refusal> {
  const { family, seed, version, shape } = checkpoint;
  if (version !== CHECKPOINT_VERSION) {
    return refuse(
      `The checkpoint has version ${version}; this workbench reads version ${CHECKPOINT_VERSION}.`,
    );
  }
  const expectedShape = shapeOf(family);
  if (
    shape.rows !== expectedShape.rows ||
    shape.symbols !== expectedShape.symbols ||
    shape.copies !== expectedShape.copies
  ) {
    return refuse(`The checkpoint's shape does not fit the family ${family} of this workbench.`);
  }
  const weights = decodeWeights(checkpoint.weights, weightCount(family));
  if (weights === null) {
    return refuse(`The checkpoint's weights are damaged: ${weightCount(family)} numbers are needed.`);
  }
  if (!weights.every(Number.isFinite))
    return refuse('The checkpoint holds a weight that is not a finite number.');
  return ok({ family, seed, weights });
}

/** One line of JSON; equal checkpoints give equal text. */
export function encodeCheckpoint(checkpoint: Checkpoint): string {
  return `${JSON.stringify(checkpointSchema.parse(checkpoint))}\n`;
}

/** Reads what `encodeCheckpoint` wrote. The weights are checked by `loadPolicy`. */
export function parseCheckpoint(text: string): Result<Checkpoint, Refusal> {
  const json = parsedJson(text);
  if (json === undefined) return refuse('The checkpoint is not JSON; the file may have been cut off.');
  const parsed = checkpointSchema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return refuse(
    `The checkpoint is not one of a pocket policy: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() +
      '.',
  );
}
