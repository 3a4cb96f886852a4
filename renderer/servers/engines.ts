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
