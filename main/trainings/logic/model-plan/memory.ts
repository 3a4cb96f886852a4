import type { ModelTraining } from '../../../../preload/contract';
import type { ModelShape } from './model-shape';
import { numberBytes } from './work';

/** What a learner keeps on each of its devices at its peak, in bytes. */
export type LearnerMemory = {
  /** Parameters that are trained. */
  readonly trained: number;
  /** The model's weights, and those of its adapters. */
  readonly weights: number;
  readonly gradients: number;
  /** The two moments of Adam. */
  readonly optimiser: number;
  /** The frozen copy that a divergence in full training is taken from. */
  readonly frozenCopy: number;
  /** Copies in the dtype of the computation, or gathered from the other devices, while a pass runs. */
  readonly passCopies: number;
  /** For one micro-batch: what is kept for the backward pass, and what one layer needs when it is computed again. */
  readonly activations: number;
  /** Of one chunk of positions, and the gradient of the projection to the vocabulary. */
  readonly logits: number;
  /** Keys and values while answers are written. Learning and writing take turns: the larger counts. */
  readonly keysAndValues: number;
  /** Freed by a pass, and kept by the allocator. */
  readonly fragments: number;
  /** torch itself and its libraries. */
  readonly base: number;
  readonly total: number;
};

export type DeviceKind = 'gpu' | 'processor';

/** Tokens of a prompt: the statement, and in a refinement the former program and its errors. An assumption. */
export const PROMPT_TOKENS = 1_024;

/** As resources/learner/mars2_learner: tokens of a micro-batch, bytes of a chunk of logits. */
const MICRO_TOKENS: Readonly<Record<DeviceKind, number>> = { gpu: 16_384, processor: 4_096 };
const CHUNK_BYTES = 256 * 2 ** 20;
/** A CUDA context with its libraries; on a processor torch and transformers in memory (measured: 0.4 GB). */
const BASE_BYTES: Readonly<Record<DeviceKind, number>> = { gpu: 1.5e9, processor: 0.5e9 };
/**
 * What a pass occupies beyond what it uses. On a processor glibc keeps freed blocks of changing sizes: SmolLM2-135M in
 * micro-batches of 1,024 to 4,096 tokens occupied 1.5 (full training) to 3 times (an adapter) what it used. On a GPU
 * PyTorch's own allocator keeps less; nobody has measured it here.
 */
const FRAGMENTS: Readonly<Record<DeviceKind, number>> = { gpu: 0.2, processor: 1.5 };
/** Logits, their float32 copy and the exponentials of their sum. */
const LOGIT_COPIES = 3;

/**
 * Memory of each device of one learner, from the shapes of its weights and of what resources/learner computes with them:
 * float32 weights, gradients and two moments of what is trained (16 bytes a parameter), shared equally by the processes
 * of the learner (FSDP2); activations are checkpointed at each layer's input, as in Chen et al. 2016 (arXiv 1604.06174),
 * so that one layer at a time is whole: some 16 vectors of the hidden width and 6 of the inner width a token, counted
 * with their gradients; attention keeps no scores.
 */
export function learnerMemory(
  shape: ModelShape,
  spec: Pick<ModelTraining, 'lora' | 'dtype' | 'processes' | 'batch' | 'objective'>,
  { maxTokens, device, rows }: { maxTokens: number; device: DeviceKind; rows: number },
): LearnerMemory {
  const { lora, processes } = spec;
  const wide = 4;
  const narrow = numberBytes(spec);
  const share = (bytes: number) => bytes / processes;
  const trained = lora === null ? shape.parameters : lora.rank * shape.linearWidths;
  const length = sampleTokens(shape, maxTokens);
  const tokens = Math.max(length, Math.min(MICRO_TOKENS[device], spec.batch * length));

  const weights = share(lora === null ? wide * trained : narrow * shape.parameters + wide * trained);
  const gradients = share(wide * trained);
  const optimiser = share(2 * wide * trained);
  const frozenCopy =
    lora === null && spec.objective.kl.coefficient > 0 ? share(narrow * shape.parameters) : 0;
  const gathered = narrow * (shape.wordParameters + 2 * shape.layerParameters);
  // One process computes full training in bfloat16 by autocast, which keeps a copy of every weight during a pass.
  const cast = lora === null && narrow < wide ? narrow * shape.parameters : 0;
  const passCopies = processes > 1 ? gathered : cast;
  // Under autocast the sum that runs through the layers stays in float32.
  const stream = lora === null && processes === 1 ? wide : narrow;
  const activations =
    tokens * (shape.layers * shape.hidden * stream + (16 * shape.hidden + 6 * shape.inner) * narrow);
  const logits =
    LOGIT_COPIES * Math.min(CHUNK_BYTES, wide * shape.vocabulary * tokens) +
    (lora === null ? wide * shape.vocabulary * shape.hidden : 0);
  const cacheBytes = 2 * shape.layers * shape.keyWidth * narrow;
  const keysAndValues = rows * length * cacheBytes;
  const fragments = FRAGMENTS[device] * (activations + logits);
  const base = BASE_BYTES[device];
  return {
    ...{ trained, weights, gradients, optimiser, frozenCopy, passCopies },
    ...{ activations, logits, keysAndValues, fragments, base },
    total:
      weights +
      gradients +
      optimiser +
      frozenCopy +
      passCopies +
      Math.max(activations + logits + fragments, keysAndValues) +
      base,
  };
}

/** A vLLM server of a tiny model on processors, its three processes together (measured: 2.9 GB), with 1 GiB of keys and values. */
const ENGINE_BASE_BYTES = 3e9;

/**
 * Memory of the engine that writes for a learner, and of both at their peak, in bytes. On a GPU the engine takes its share
 * beside what the learner keeps (weights, gradients, moments), and stops or sleeps while the learner's passes run; on
 * processors both are there at once. Without an engine, or where the GPU's size is unknown: 0, and the learner's alone.
 */
export function engineMemory(
  shape: ModelShape,
  { writer, dtype }: Pick<ModelTraining, 'writer' | 'dtype'>,
  memory: LearnerMemory,
  { device, deviceBytes }: { readonly device: DeviceKind; readonly deviceBytes: number | null },
): { readonly engine: number; readonly total: number } {
  if (writer === undefined) return { engine: 0, total: memory.total };
  const persistent = memory.weights + memory.gradients + memory.optimiser + memory.frozenCopy + memory.base;
  const learning = persistent + memory.passCopies + memory.activations + memory.logits + memory.fragments;
  if (device === 'processor') {
    const engine = ENGINE_BASE_BYTES + numberBytes({ dtype }) * shape.parameters;
    return { engine, total: learning + engine };
  }
  const engine = deviceBytes === null ? 0 : writer.memoryShare * deviceBytes;
  return { engine, total: Math.max(learning, persistent + engine) };
}

/** The longest prompt with its answer that is reckoned with. */
export function sampleTokens({ contextTokens }: ModelShape, maxTokens: number): number {
  return Math.min(contextTokens ?? Number.POSITIVE_INFINITY, maxTokens + PROMPT_TOKENS);
}
