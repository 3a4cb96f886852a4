import type { JobResources, MartiTraining } from '../../../../preload/contract';
import { extraProblems, isAbsoluteOrHome } from '../../../../preload/contract/plans';
import { searchParameters } from './marti-arguments';
import {
  actorGpus,
  engineGpus,
  type MartiValues,
  martiGpus,
  martiValues,
  referenceGpus,
  valueProblems,
} from './marti-values';

/** Problems that make a start pointless on any machine, one sentence each. */
export function martiProblems(
  spec: MartiTraining,
  resources: Pick<JobResources, 'gpus' | 'gpuIds'>,
): string[] {
  const values = martiValues(spec);
  return [
    ...valueProblems(spec),
    ...agentProblems(spec),
    ...pathProblems(spec),
    ...gpuProblems(spec, values, resources),
    ...lengthProblems(values),
    ...batchProblems(spec, values),
    ...switchProblems(spec, values),
    ...extraProblems(spec.extraArguments),
  ];
}

function agentProblems({ preset, agents }: MartiTraining): string[] {
  const trainsOneAgent = preset === 'grpo' || preset === 'single';
  if (trainsOneAgent && agents.length !== 1)
    return [`This preset trains one agent, but there are ${agents.length}.`];
  if (!trainsOneAgent && agents.length < 2) return ['This preset needs at least two agents.'];
  const models = new Set(agents.map(({ model }) => model.trim()));
  if (preset === 'shared' && models.size > 1) {
    return [
      'All roles share one model in this preset: choose the same model for each, or use the preset "multi".',
    ];
  }
  return [];
}

function pathProblems({ checkout, data, output }: MartiTraining): string[] {
  const paths = [
    ['checkout of MARTI', checkout],
    ['folder with the data', data],
    ['output folder', output],
  ] as const;
  const relative = paths.flatMap(([label, path]) =>
    isAbsoluteOrHome(path)
      ? []
      : [`The ${label}, "${path}", must begin with "/" or "~/", because Ray's workers run in other folders.`],
  );
  // MARTI splits the text there: "json@FOLDER,json@FOLDER".
  return /[,@]/.test(data)
    ? [...relative, `The folder with the data, "${data}", must not contain "," or "@".`]
    : relative;
}

function gpuProblems(
  spec: MartiTraining,
  values: MartiValues,
  resources: Pick<JobResources, 'gpus' | 'gpuIds'>,
): string[] {
  const problems: string[] = [];
  const [actor, engines] = [actorGpus(values), engineGpus(values)];
  if (values.isOn('colocate_all_models')) {
    if (actor !== engines) {
      problems.push(
        `An agent uses ${actor} GPUs, and its vLLM engines use ${engines} (engines x GPUs per engine). They share the same GPUs, so the numbers must be equal.`,
      );
    }
    const sameNodes =
      values.get('actor_num_nodes') === values.get('ref_num_nodes') &&
      values.get('actor_num_gpus_per_node') === values.get('ref_num_gpus_per_node');
    if (!sameNodes) {
      problems.push(
        `An agent uses ${actor} GPUs, and its reference model uses ${referenceGpus(values)}. They share the same GPUs, so nodes and GPUs per node must be equal.`,
      );
    }
  }
  if (values.number('vllm_num_engines', 0) < 1)
    problems.push('At least one vLLM engine is needed for sampling.');
  const nodes = values.number('actor_num_nodes', 1);
  if (nodes > 1 && spec.rayAddress === null) {
    problems.push(
      `An agent is trained on ${nodes} nodes, but Ray is started on only one. Set the address of a running Ray cluster.`,
    );
  }
  const needed = martiGpus(spec);
  if (spec.rayAddress === null && resources.gpus !== 0 && resources.gpus !== needed) {
    problems.push(`It needs ${needed} GPUs, but ${resources.gpus} are requested. Request ${needed}, or 0.`);
  }
  const chosen = resources.gpuIds?.length ?? needed;
  if (spec.rayAddress === null && chosen !== needed) {
    problems.push(`It needs ${needed} GPUs, but ${chosen} are chosen.`);
  }
  return problems;
}

function lengthProblems(values: MartiValues): string[] {
  const problems: string[] = [];
  const [prompt, answer] = [values.number('prompt_max_len', 0), values.number('generate_max_len', 0)];
  const longest = Math.max(answer, values.number('eval_generate_max_len', 0));
  const context = values.number('max_len', Number.POSITIVE_INFINITY);
  if (prompt + longest > context) {
    problems.push(
      `A prompt of ${prompt} tokens and an answer of ${longest} tokens do not fit into a context of ${context}.`,
    );
  }
  const buffer = values.number('overlong_buffer_len', 0);
  if (buffer > answer) {
    problems.push(`The overlong buffer of ${buffer} tokens is longer than an answer of ${answer}.`);
  }
  return problems;
}

function batchProblems(spec: MartiTraining, values: MartiValues): string[] {
  const problems: string[] = [];
  const gpus = actorGpus(values);
  const perStep = values.number('micro_train_batch_size', 1) * gpus;
  const batch = values.number('train_batch_size', 0);
  if (batch % perStep !== 0) {
    problems.push(
      `A step of ${batch} answers cannot be split evenly over ${gpus} GPUs with ${perStep / gpus} each: use a multiple of ${perStep}.`,
    );
  }
  const samples = values.number('n_samples_per_prompt', 1);
  const perRound = values.number('rollout_batch_size', 0) * samples;
  const micro = values.number('micro_rollout_batch_size', 1);
  if (Math.floor(perRound / micro) < gpus) {
    problems.push(`A round of ${perRound} answers has less than one batch for each of the ${gpus} GPUs.`);
  }
  if (spec.preset !== 'grpo' && micro !== 1)
    problems.push('Trees need a rollout micro-batch of 1 answer per GPU.');
  const nodes = values.number('workflow_args.max_num_nodes', 1);
  if (samples < 2 && nodes < 2) {
    problems.push(
      'Each advantage group has only one answer, so nothing can be learned: use 2 or more nodes.',
    );
  }
  return problems;
}

function switchProblems(spec: MartiTraining, values: MartiValues): string[] {
  const problems: string[] = [];
  if (values.isOn('dynamic_filtering')) {
    problems.push(
      'MARTI filters groups only with a reward server or an agent function, which these presets do not use. Turn the filter off.',
    );
  }
  if (!values.isOn('packing_samples')) {
    problems.push("MARTI's multi-agent trainer needs packed answers. Turn packing on.");
  }
  if (spec.preset === 'shared' && values.isOn('parallel_loading')) {
    problems.push(
      'With parallel loading, MARTI loads the one model once per role. Turn parallel loading off.',
    );
  }
  for (const name of ['save_steps', 'eval_steps']) {
    if (values.get(name) === 0)
      problems.push(`${name} is 0, which makes MARTI divide by zero. Use -1 for never.`);
  }
  if (spec.preset !== 'grpo' && searchParameters(values) === null) {
    problems.push('The search parameters must be a JSON object, e.g. {}.');
  }
  return problems;
}
