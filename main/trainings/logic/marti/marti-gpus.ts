import type { MartiTraining } from '../../../../preload/contract';
import { type MartiValues, martiValues } from './marti-values';

/** GPUs that one agent's training is spread over. */
export function actorGpus(values: MartiValues): number {
  return values.number('actor_num_nodes', 1) * values.number('actor_num_gpus_per_node', 8);
}

export function engineGpus(values: MartiValues): number {
  return values.number('vllm_num_engines', 0) * values.number('vllm_tensor_parallel_size', 1);
}

export function referenceGpus(values: MartiValues): number {
  return values.number('ref_num_nodes', 1) * values.number('ref_num_gpus_per_node', 8);
}

/** Models that are really trained: one model in several roles is one. */
export function modelsInTraining({ preset, agents }: Pick<MartiTraining, 'preset' | 'agents'>): number {
  return preset === 'multi' ? agents.length : 1;
}

/** GPUs that MARTI asks Ray for, over all nodes: a placement group per model, and more where parts do not share. */
export function martiGpus(spec: Pick<MartiTraining, 'preset' | 'agents' | 'flags'>): number {
  const values = martiValues(spec);
  const each = values.isOn('colocate_all_models')
    ? actorGpus(values)
    : actorGpus(values) + referenceGpus(values) + engineGpus(values);
  return each * modelsInTraining(spec);
}
