/** engine: a program that serves a model; what differs between them, as data. */
import type { Engine } from '../../../../preload/contract';
import type { EngineKind } from './engine-kind';
import { llamaCpp } from './llama-cpp';
import { ollama } from './ollama';
import { pytorch } from './pytorch';
import { sglang } from './sglang';
import { transformers } from './transformers';
import { vllm } from './vllm';

export type { EngineKind, EngineNumbers, FailureId, FailurePattern, LogProgress } from './engine-kind';

export const ENGINES: Readonly<Record<Engine, EngineKind>> = {
  vllm,
  sglang,
  'llama-cpp': llamaCpp,
  ollama,
  transformers,
  pytorch,
};
