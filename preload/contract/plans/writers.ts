import type { Writer } from '../training-spec';

/** Engines that may write the answers of a training. */
export const WRITER_NAMES: Readonly<Record<Writer['engine'], string>> = { vllm: 'vLLM', sglang: 'SGLang' };

/** The version that publishing was tried with. */
export const TRIED_VLLM = '0.32';

/** vLLM makes room for adapters of one of these ranks. */
export const VLLM_ADAPTER_RANKS = [8, 16, 32, 64, 128, 256, 320, 512] as const;
