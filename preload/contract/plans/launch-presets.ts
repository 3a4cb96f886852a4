import type { Engine, ServerLaunch } from '../launch';
import type { Scale } from '../scale';
import { deskModelOf } from './desk-models';

/** What decides how much memory a model takes; all of it stands in its published config.json. */
export type ModelShape = {
  /** All weights, embeddings too. */
  readonly parameters: number;
  /** 2 for bfloat16, as all of these were published. */
  readonly bytesPerParameter: number;
  readonly layers: number;
  readonly attentionHeads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Tokens of prompt and answer together that the model was made for. */
  readonly contextTokens: number;
};

export type LaunchPreset = {
  readonly id: string;
  readonly name: string;
  /** At the hub. */
  readonly weights: string;
  readonly shape: ModelShape;
  /** GPUs per server by the memory of one (GiB), smallest first: room for weights and one answer of full length. */
  readonly gpus: readonly { readonly memoryGib: number; readonly gpus: number }[];
};

/** The context of the papers' engines (MARTI's scripts: --max_len), within all of these models' own. */
export const PAPER_CONTEXT_TOKENS = 40_000;

const GPUS_8B = [
  { memoryGib: 24, gpus: 2 },
  { memoryGib: 40, gpus: 1 },
] as const;
const GPUS_14B = [
  { memoryGib: 24, gpus: 2 },
  { memoryGib: 48, gpus: 1 },
] as const;
const GPUS_32B = [
  { memoryGib: 24, gpus: 4 },
  { memoryGib: 48, gpus: 2 },
  { memoryGib: 96, gpus: 1 },
] as const;

// Qwen3 technical report (arXiv 2505.09388), table 1, and the models' config.json.
const qwen3 = { bytesPerParameter: 2, kvHeads: 8, headDim: 128, contextTokens: 40_960 } as const;
const qwen3Small = { ...qwen3, parameters: 8_190_735_360, layers: 36, attentionHeads: 32 } as const;
const qwen3Middle = { ...qwen3, parameters: 14_768_307_200, layers: 40, attentionHeads: 40 } as const;
// Qwen2.5 technical report (arXiv 2412.15115), table 1: what DeepCoder and the Nemotron were made from.
const qwen25 = { bytesPerParameter: 2, kvHeads: 8, headDim: 128, attentionHeads: 40 } as const;

/** The models of arXiv 2604.14564 and 2602.07848. */
export const LAUNCH_PRESETS: readonly LaunchPreset[] = [
  { id: 'qwen3-8b', name: 'Qwen3-8B', weights: 'Qwen/Qwen3-8B', shape: qwen3Small, gpus: GPUS_8B },
  { id: 'qwen3-14b', name: 'Qwen3-14B', weights: 'Qwen/Qwen3-14B', shape: qwen3Middle, gpus: GPUS_14B },
  {
    id: 'qwen3-32b',
    name: 'Qwen3-32B',
    weights: 'Qwen/Qwen3-32B',
    shape: { ...qwen3, parameters: 32_762_123_264, layers: 64, attentionHeads: 64 },
    gpus: GPUS_32B,
  },
  // AReaL-boba-2 (arXiv 2505.24298) was trained from Qwen3 of the same size.
  {
    id: 'areal-boba-2-8b',
    name: 'AReaL-boba-2-8B',
    weights: 'inclusionAI/AReaL-boba-2-8B',
    shape: qwen3Small,
    gpus: GPUS_8B,
  },
  {
    id: 'areal-boba-2-14b',
    name: 'AReaL-boba-2-14B',
    weights: 'inclusionAI/AReaL-boba-2-14B',
    shape: qwen3Middle,
    gpus: GPUS_14B,
  },
  // From DeepSeek-R1-Distill-Qwen-14B, so the shape of Qwen2.5-14B.
  {
    id: 'deepcoder-14b',
    name: 'DeepCoder-14B-Preview',
    weights: 'agentica-org/DeepCoder-14B-Preview',
    shape: { ...qwen25, parameters: 14_770_033_664, layers: 48, contextTokens: 131_072 },
    gpus: GPUS_14B,
  },
  // The papers say "Nemotron 32B" and no more. We take NVIDIA's for competitive programming, made from
  // Qwen2.5-32B-Instruct.
  {
    id: 'nemotron-32b',
    name: 'OpenCodeReasoning-Nemotron-1.1-32B',
    weights: 'nvidia/OpenCodeReasoning-Nemotron-1.1-32B',
    shape: { ...qwen25, parameters: 32_763_876_352, layers: 64, contextTokens: 65_536 },
    gpus: GPUS_32B,
  },
];

/** The preset that a launch's weights are; null for others. A folder counts by its last name, case ignored. */
export function launchPresetOf(weights: string): LaunchPreset | null {
  const lastName = (path: string) =>
    path
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1)
      ?.toLowerCase();
  return LAUNCH_PRESETS.find((preset) => lastName(preset.weights) === lastName(weights)) ?? null;
}

/** The scale of numbers of a model by its weights or its name alone: `paper` only for the papers' models as published. */
export function modelScale(weights: string): Extract<Scale, 'desk' | 'own' | 'paper'> {
  if (launchPresetOf(weights) !== null) return 'paper';
  return deskModelOf(weights) === null ? 'own' : 'desk';
}

/** GPUs per server on GPUs of so much memory (GiB); one too small for all of them gets the most. */
export function suggestedGpus(preset: LaunchPreset, memoryGib: number): number {
  // Cards say a little less than their name: 24 GB ones 23.99 GiB or 22.5.
  const fitting = preset.gpus.filter((gpu) => gpu.memoryGib * 0.9 <= memoryGib).at(-1);
  return fitting?.gpus ?? (preset.gpus[0]?.gpus ?? 1) * 2;
}

/** A launch as the form first shows it. `memoryGib` is of one GPU; null: not known. */
export function launchFromPreset(
  preset: LaunchPreset,
  target: { readonly id: string; readonly machineId: string; readonly memoryGib: number | null },
  engine: Engine = 'vllm',
): ServerLaunch {
  return {
    id: target.id,
    name: preset.name,
    engine,
    machineId: target.machineId,
    environment: { kind: 'path' },
    weights: preset.weights,
    model: preset.name,
    gpus: suggestedGpus(preset, target.memoryGib ?? 80),
    gpuIds: null,
    contextTokens: PAPER_CONTEXT_TOKENS,
    memoryShare: 0.9,
    extraArguments: '',
    env: {},
    commandLine: null,
    port: null,
    replicas: 1,
    maxInFlight: 64,
  };
}
