import type { Writer } from '../training-spec';

/** Engines that may write the answers of a training. */
export const WRITER_NAMES: Readonly<Record<Writer['engine'], string>> = { vllm: 'vLLM', sglang: 'SGLang' };

/** The version that publishing was tried with. */
export const TESTED_VLLM = '0.32';

/** vLLM makes room for adapters of one of these ranks. */
export const VLLM_ADAPTER_RANKS = [8, 16, 32, 64, 128, 256, 320, 512] as const;

/** Share of each GPU that an engine takes while it writes; the learner keeps its state on the same GPUs. */
export const WRITER_MEMORY_SHARE = 0.45;

/** Variables of vLLM on processors: 1 GiB of keys and values, enough for small models, and threads on any core. */
export const VLLM_PROCESSOR_ENV = {
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_CPU_OMP_THREADS_BIND: 'nobind',
} as const;

/** Requests that vLLM answers at the same time on processors. */
const PROCESSOR_REQUESTS = 32;

/**
 * Arguments with which vLLM reads every prompt in one piece on processors: one with a seed that it reads in several pieces
 * ends its worker there (0.32: "CPU Generator does not use offset"). `contextTokens`: longest prompt and answer together.
 */
export function wholePrompts(contextTokens: number): readonly string[] {
  const tokens = PROCESSOR_REQUESTS * contextTokens;
  return ['--max-num-seqs', String(PROCESSOR_REQUESTS), '--max-num-batched-tokens', String(tokens)];
}
