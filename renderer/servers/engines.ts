import type { Engine } from '../../preload/contract/launch';

export const ENGINE_NAMES: Readonly<Record<Engine, string>> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  'llama-cpp': 'llama.cpp',
  ollama: 'Ollama',
  transformers: 'transformers',
  pytorch: 'PyTorch (our own; small models)',
};

export const ENGINES: readonly Engine[] = [
  'vllm',
  'sglang',
  'llama-cpp',
  'ollama',
  'transformers',
  'pytorch',
];

/** Examples of `weights`. */
export const WEIGHTS_HINTS: Readonly<Record<Engine, string>> = {
  vllm: 'Qwen/Qwen3-8B, or a folder on the machine',
  sglang: 'Qwen/Qwen3-8B, or a folder on the machine',
  'llama-cpp': '/models/qwen3-8b-q8_0.gguf',
  ollama: 'qwen3:8b',
  transformers: 'Qwen/Qwen3-8B, or a folder on the machine',
  pytorch: 'a folder on the machine: a model or an adapter, or a GGUF file',
};

type EngineFields = {
  /** The launch's context reaches the engine. */
  readonly context: boolean;
  /** It reserves a share of a GPU's memory. */
  readonly memoryShare: boolean;
  /** Of its own options. */
  readonly example: string;
};

const FIELDS: Readonly<Partial<Record<Engine, EngineFields>>> = {
  vllm: { context: true, memoryShare: true, example: '--enable-prefix-caching' },
  sglang: { context: true, memoryShare: true, example: '--disable-radix-cache' },
  'llama-cpp': { context: true, memoryShare: false, example: '--threads 8' },
  transformers: { context: false, memoryShare: false, example: '' },
};

/** The fields that do something for an engine. */
export function engineFields(engine: Engine): EngineFields {
  return FIELDS[engine] ?? { context: true, memoryShare: false, example: '' };
}
