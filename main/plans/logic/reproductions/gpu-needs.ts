import { launchPresetOf, PAPER_CONTEXT_TOKENS } from '../../../../preload/contract';
import type { GpuPool } from './gpu-pools';

const GIB = 1_024 ** 3;
/** Share of a GPU's memory that an engine may take, as in launches. */
export const MEMORY_SHARE = 0.9;
/** Memory that an engine needs on each GPU besides weights and cache (see the fit of a launch). */
const ENGINE_GIB = 1.5;
/** Cache of keys and values per token for models whose shape is not known, as a share of their weights. */
const CACHE_SHARE_PER_TOKEN = 1 / 100_000;
/** GPUs of one program are powers of two, so that attention heads and batches can be spread evenly. */
const COUNTS = [1, 2, 4, 8] as const;

export type ModelSize = { readonly hub: string; readonly weightsGib: number };

/** Cache of one full answer, on all GPUs of the server together. */
function cacheGib({ hub, weightsGib }: ModelSize): number {
  const shape = launchPresetOf(hub)?.shape;
  if (shape === undefined) return weightsGib * CACHE_SHARE_PER_TOKEN * PAPER_CONTEXT_TOKENS;
  // Keys and values, 2 bytes each.
  return (shape.layers * shape.kvHeads * shape.headDim * 2 * 2 * PAPER_CONTEXT_TOKENS) / GIB;
}

/** Room for the weights and one answer of full length. */
function serverFits(model: ModelSize, gpus: number, memoryGib: number): boolean {
  return (model.weightsGib + cacheGib(model)) / gpus + ENGINE_GIB <= memoryGib * MEMORY_SHARE;
}

/**
 * The smallest number of GPUs in one box that hold a server of the model, at least `least`; null: a whole box is too
 * small.
 */
export function serverGpus(
  model: ModelSize,
  pool: Pick<GpuPool, 'memoryGib' | 'perNode'>,
  least: number,
): number | null {
  return (
    COUNTS.find(
      (count) => count >= least && count <= pool.perNode && serverFits(model, count, pool.memoryGib),
    ) ?? null
  );
}

/**
 * Share of each GPU for weights, gradients and optimiser. MARTI: a quarter is left for activations of long answers. Ours:
 * the engine takes 0.45 while the learner keeps them.
 */
const STATE_SHARE = { marti: 0.75, own: 0.5 } as const;

/**
 * Weights, gradients and optimiser in mixed precision take 16 bytes per weight, 8 times the 16-bit weights, sharded
 * over the agent's GPUs (ZeRO stage 3, FSDP2).
 */
function trainingFits(model: ModelSize, gpus: number, memoryGib: number, trainer: Trainer): boolean {
  return (model.weightsGib * 8) / gpus <= memoryGib * STATE_SHARE[trainer];
}

type Trainer = keyof typeof STATE_SHARE;

/**
 * GPUs for each agent of a training on one box: as many as possible, up to 8, as MARTI advises for 8B models; null: the
 * box is too small.
 */
export function trainingGpus(
  models: readonly ModelSize[],
  pool: Pick<GpuPool, 'memoryGib' | 'perNode'>,
  trainer: Trainer,
): number | null {
  return (
    COUNTS.findLast(
      (count) =>
        count * models.length <= pool.perNode &&
        models.every((model) => trainingFits(model, count, pool.memoryGib, trainer)),
    ) ?? null
  );
}

/** Memory sizes of common cards, GiB. Plans without a machine name the smallest sufficient card. */
const SOLD_GIB = [80, 141, 180] as const;

/** The smallest number of GPUs in one box that holds a training of these models; null: no known card is enough. */
export function fewestTrainingGpus(
  models: readonly ModelSize[],
  trainer: Trainer,
): { readonly gpus: number; readonly memoryGib: number } | null {
  for (const memoryGib of SOLD_GIB) {
    const each = COUNTS.find((count) =>
      models.every((model) => trainingFits(model, count, memoryGib, trainer)),
    );
    if (each !== undefined) return { gpus: each * models.length, memoryGib };
  }
  return null;
}

/** The GPUs that plans assume for servers without a machine. */
export const SERVED_GIB = SOLD_GIB[0];

/** Number of such GPUs for a server, without an upper limit. */
export function fewestServerGpus(model: ModelSize, least: number): number {
  const box = { memoryGib: SERVED_GIB, perNode: Math.max(8, least) };
  return serverGpus(model, box, least) ?? box.perNode;
}
