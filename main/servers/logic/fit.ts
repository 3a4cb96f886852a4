import type { Fit, Gpu, ServerLaunch } from '../../../preload/contract';
import type { EngineKind } from './engines';

const GIB = 1024 ** 3;
const MIB_PER_GIB = 1024;
/**
 * What an engine needs beside weights and cache on each GPU: CUDA itself (some 0.5 GiB), activations of one batch and
 * CUDA graphs (vLLM 0.8 to 0.11 on 8 B to 32 B models: 1 to 2 GiB).
 */
const OVERHEAD_GIB = 1.5;
/** With fewer answers of full length at once, a search waits more than it works. */
const COMFORTABLE_ANSWERS = 2;

export type FitQuestion = {
  readonly launch: Pick<ServerLaunch, 'gpus' | 'memoryShare' | 'contextTokens' | 'weights'>;
  readonly kind: Pick<EngineKind, 'reservesMemory' | 'title'>;
  /** Of all weights; null: not known. `isEstimate`: from the number of parameters, the files were not seen. */
  readonly weights: { readonly bytes: number; readonly isEstimate: boolean } | null;
  readonly shape: ModelShape | null;
  /** The GPUs of one server; fewer than requested if the machine has fewer. */
  readonly gpus: readonly Pick<Gpu, 'memoryUsedMib' | 'memoryTotalMib'>[];
};

/**
 * Estimates whether a model fits: weights split over the GPUs, 1.5 GiB for the engine itself, the rest of its share for
 * the cache. Engines and their versions differ. All sizes are those of the GPU with the least room.
 */
export function fitOf({ launch, kind, weights, shape, gpus }: FitQuestion): Fit {
  const nothing = { weightsGib: null, cacheGib: null, freeGib: null, cacheTokens: null };
  if (launch.gpus === 0) {
    return {
      ...nothing,
      verdict: 'unknown',
      text: 'It runs on the CPU: main memory is not checked.',
    };
  }
  const weightsGib = weights === null ? null : weights.bytes / launch.gpus / GIB;
  const rooms = gpus.flatMap(({ memoryTotalMib: total, memoryUsedMib: used }) =>
    total === null
      ? []
      : [{ total: total / MIB_PER_GIB, free: Math.max(0, total - (used ?? 0)) / MIB_PER_GIB }],
  );
  const [room] = [...rooms].sort((a, b) => a.free - b.free);
  const measured = { ...nothing, weightsGib: rounded(weightsGib), freeGib: rounded(room?.free ?? null) };
  if (weightsGib === null || weights === null) {
    const text = `The size of "${launch.weights}" is not known: it is not on the machine, and the workbench does not know the model.`;
    return { ...measured, verdict: 'unknown', text };
  }
  const source = weights.isEstimate ? 'from the number of parameters' : 'from its files';
  const split = launch.gpus === 1 ? '' : `, split over ${launch.gpus} GPUs`;
  const weightsText = `Estimate: weights ${gib(weights.bytes / GIB)} (${source}${split})`;
  if (room === undefined || rooms.length < launch.gpus) {
    const text = `${weightsText}. The memory of ${launch.gpus === 1 ? 'the GPU' : `${launch.gpus} GPUs`} is not known.`;
    return { ...measured, verdict: 'unknown', text };
  }
  const share = kind.reservesMemory ? room.total * launch.memoryShare : room.total;
  const cacheGib = Math.min(share, room.free) - weightsGib - OVERHEAD_GIB;
  const perToken = shape === null ? null : cacheBytesPerToken(shape) / launch.gpus;
  const cacheTokens = perToken === null ? null : Math.max(0, Math.floor((cacheGib * GIB) / perToken));
  const sizes = { ...measured, cacheGib: rounded(cacheGib), cacheTokens };
  const summary = `${weightsText}, ${gib(OVERHEAD_GIB)} for ${kind.title} itself, ${gib(Math.max(0, cacheGib))} left for the KV cache on each GPU (${gib(room.free)} free of ${gib(room.total)})`;
  if (cacheGib <= 0) {
    const least = Math.ceil(weights.bytes / GIB / Math.max(0.1, Math.min(share, room.free) - OVERHEAD_GIB));
    const todo =
      room.free < share && share - weightsGib - OVERHEAD_GIB > 0
        ? 'Other programs use the memory: choose free GPUs'
        : `Use at least ${least} GPUs of this size, or quantized weights`;
    return { ...sizes, verdict: 'too-big', text: `${summary}. ${todo}.` };
  }
  if (kind.reservesMemory && room.free < share) {
    const fitting = Math.floor((room.free / room.total) * 100 - 1) / 100;
    const text = `${summary}. ${kind.title} needs ${percent(launch.memoryShare)} of a GPU at its start, but less is free: choose free GPUs, or lower the share to ${fitting.toFixed(2)}.`;
    return { ...sizes, verdict: 'too-big', text };
  }
  const context = launch.contextTokens ?? shape?.contextTokens ?? null;
  if (cacheTokens === null || context === null) return { ...sizes, verdict: 'fits', text: `${summary}.` };
  const holds = `${summary}: about ${cacheTokens.toLocaleString('en-US')} tokens, all requests together`;
  if (cacheTokens < context) {
    const text = `${holds}. One answer may have ${context.toLocaleString('en-US')}: set the context to ${(Math.floor(cacheTokens / 1000) * 1000).toLocaleString('en-US')} or take more GPUs.`;
    return { ...sizes, verdict: 'too-big', text };
  }
  if (cacheTokens < COMFORTABLE_ANSWERS * context) {
    const text = `${holds}. That is one full-length answer (${context.toLocaleString('en-US')}) at a time; shorter ones share it.`;
    return { ...sizes, verdict: 'tight', text };
  }
  return {
    ...sizes,
    verdict: 'fits',
    text: `${holds}, so ${Math.floor(cacheTokens / context)} full-length answers at once.`,
  };
}

function gib(value: number): string {
  return `${value.toFixed(1)} GiB`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}

/** The sizes that decide how much memory a token takes in the cache of keys and values. */
export type ModelShape = {
  readonly layers: number;
  readonly attentionHeads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Tokens that the model was made for; null: not known. */
  readonly contextTokens: number | null;
};

/** Bytes that one token takes: keys and values, 2 bytes a number (16 bit, the default of engines). */
function cacheBytesPerToken({ layers, kvHeads, headDim }: ModelShape): number {
  return layers * kvHeads * headDim * 2 * 2;
}
