import type { Writer } from '../training-spec';

/** Engines that may write the answers of a training. */
export const WRITER_NAMES: Readonly<Record<Writer['engine'], string>> = { vllm: 'vLLM', sglang: 'SGLang' };

/** The version that publishing was tried with. */
export const TRIED_VLLM = '0.32';

/** vLLM makes room for adapters of one of these ranks. */
export const VLLM_ADAPTER_RANKS = [8, 16, 32, 64, 128, 256, 320, 512] as const;

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
