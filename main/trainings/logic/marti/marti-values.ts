import {
  flagProblem,
  MARTI_FLAGS,
  type MartiFlagValue,
  type MartiTraining,
  martiDefaults,
  martiFlag,
} from '../../../../preload/contract';

/** The values that a training passes to MARTI, by flag. */
export type MartiValues = {
  readonly get: (name: string) => MartiFlagValue | null;
  readonly number: (name: string, fallback: number) => number;
  readonly isOn: (name: string) => boolean;
  /** In the order of the table. */
  readonly names: readonly string[];
};

/** The preset, overridden by the request's own values. */
export function martiValues({ preset, flags }: Pick<MartiTraining, 'preset' | 'flags'>): MartiValues {
  const values: Readonly<Record<string, MartiFlagValue>> = { ...martiDefaults(preset), ...flags };
  const get = (name: string) => values[name] ?? null;
  return {
    get,
    number: (name, fallback) => {
      const value = get(name);
      return typeof value === 'number' ? value : fallback;
    },
    isOn: (name) => get(name) === true,
    names: MARTI_FLAGS.map(({ name }) => name).filter((name) => get(name) !== null),
  };
}

/** Problems of single values, one sentence each. */
export function valueProblems({ flags }: Pick<MartiTraining, 'flags'>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = martiFlag(name);
    if (flag === null) {
      return [
        `There is no setting "${name}". Put flags that the form does not have into the extra arguments.`,
      ];
    }
    const problem = flagProblem(flag, value);
    return problem === null ? [] : [problem];
  });
}

/** GPUs over which one agent's training is distributed. */
export function actorGpus(values: MartiValues): number {
  return values.number('actor_num_nodes', 1) * values.number('actor_num_gpus_per_node', 8);
}

export function engineGpus(values: MartiValues): number {
  return values.number('vllm_num_engines', 0) * values.number('vllm_tensor_parallel_size', 1);
}

export function referenceGpus(values: MartiValues): number {
  return values.number('ref_num_nodes', 1) * values.number('ref_num_gpus_per_node', 8);
}

/** Number of models that are trained: one model in several roles counts once. */
export function modelsInTraining({ preset, agents }: Pick<MartiTraining, 'preset' | 'agents'>): number {
  return preset === 'multi' ? agents.length : 1;
}

/** GPUs that MARTI requests from Ray on all nodes: a placement group per model, and more if parts do not share GPUs. */
export function martiGpus(spec: Pick<MartiTraining, 'preset' | 'agents' | 'flags'>): number {
  const values = martiValues(spec);
  const each = values.isOn('colocate_all_models')
    ? actorGpus(values)
    : actorGpus(values) + referenceGpus(values) + engineGpus(values);
  return each * modelsInTraining(spec);
}
