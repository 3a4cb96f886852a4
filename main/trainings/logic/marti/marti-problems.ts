import type { JobResources, MartiTraining } from '../../../../preload/contract';
import { extraProblems } from '../extra-arguments';
import { isPlace } from '../home-words';
import { searchParameters } from './marti-arguments';
import { actorGpus, engineGpus, martiGpus, referenceGpus } from './marti-gpus';
import { type MartiValues, martiValues, valueProblems } from './marti-values';

/** What makes a start pointless whatever the machine is like, a sentence each. */
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
  const one = preset === 'grpo' || preset === 'single';
  if (one && agents.length !== 1) return [`This preset trains one agent; there are ${agents.length}.`];
  if (!one && agents.length < 2) return ['This preset needs two agents or more.'];
  const models = new Set(agents.map(({ model }) => model.trim()));
  if (preset === 'shared' && models.size > 1) {
    return ['All roles share one model in this preset: name the same one for each, or take "multi".'];
  }
  return [];
}

function pathProblems({ checkout, data, output }: MartiTraining): string[] {
  const places = [
    ['checkout of MARTI', checkout],
    ['folder with the data', data],
    ['output folder', output],
  ] as const;
  const unclear = places.flatMap(([what, path]) =>
    isPlace(path)
      ? []
      : [`The ${what}, "${path}", has to begin with "/" or "~/": Ray's workers run elsewhere.`],
  );
  // MARTI splits the text there: "json@FOLDER,json@FOLDER".
  return /[,@]/.test(data)
    ? [...unclear, `The folder with the data, "${data}", must not hold "," or "@".`]
    : unclear;
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
        `GPUs of an agent: ${actor}; of its vLLM engines: ${engines} (engines x GPUs per engine). Both share the same ones, so the counts must be equal.`,
      );
    }
    const sameNodes =
      values.get('actor_num_nodes') === values.get('ref_num_nodes') &&
      values.get('actor_num_gpus_per_node') === values.get('ref_num_gpus_per_node');
    if (!sameNodes) {
      problems.push(
        `GPUs of an agent: ${actor}; of its reference model: ${referenceGpus(values)}. Both share the same ones, so nodes and GPUs per node must be equal.`,
      );
    }
  }
  if (values.number('vllm_num_engines', 0) < 1)
    problems.push('Without a vLLM engine nothing can be sampled.');
  const nodes = values.number('actor_num_nodes', 1);
  if (nodes > 1 && spec.rayAddress === null) {
    problems.push(
      `An agent is to be trained on ${nodes} nodes, but Ray is started on one. Name the address of a Ray cluster that runs.`,
    );
  }
  const needed = martiGpus(spec);
  if (spec.rayAddress === null && resources.gpus !== 0 && resources.gpus !== needed) {
    problems.push(
      `It needs ${needed} GPUs, and ${resources.gpus} are asked for. Ask for ${needed}, or for 0.`,
    );
  }
  const chosen = resources.gpuIds?.length ?? needed;
  if (spec.rayAddress === null && chosen !== needed) {
    problems.push(`It needs ${needed} GPUs, and ${chosen} are chosen.`);
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
      `A prompt of ${prompt} and an answer of ${longest} tokens do not fit into a context of ${context}.`,
    );
  }
  const buffer = values.number('overlong_buffer_len', 0);
  if (buffer > answer) {
    problems.push(`The penalised end of ${buffer} tokens is longer than an answer of ${answer}.`);
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
      `A step of ${batch} answers can not be spread over ${gpus} GPUs with ${perStep / gpus} each: take a multiple of ${perStep}.`,
    );
  }
  const samples = values.number('n_samples_per_prompt', 1);
  const perRound = values.number('rollout_batch_size', 0) * samples;
  const micro = values.number('micro_rollout_batch_size', 1);
  if (Math.floor(perRound / micro) < gpus) {
    problems.push(`A round of ${perRound} answers is less than one batch for each of the ${gpus} GPUs.`);
  }
  if (spec.preset !== 'grpo' && micro !== 1) problems.push('Trees need 1 answer per GPU in a round.');
  const nodes = values.number('workflow_args.max_num_nodes', 1);
  if (samples < 2 && nodes < 2) {
    problems.push(
      'The group of the advantage has one answer, so nothing can be learned: take 2 nodes or more.',
    );
  }
  return problems;
}

function switchProblems(spec: MartiTraining, values: MartiValues): string[] {
  const problems: string[] = [];
  if (values.isOn('dynamic_filtering')) {
    problems.push(
      'MARTI filters groups only together with a reward server or an agent function, which these presets do not have. Switch it off.',
    );
  }
  if (!values.isOn('packing_samples')) {
    problems.push("MARTI's multi-agent trainer needs packed answers. Switch packing on.");
  }
  if (spec.preset === 'shared' && values.isOn('parallel_loading')) {
    problems.push('Loaded side by side, MARTI loads the one model once per role. Switch that off.');
  }
  for (const name of ['save_steps', 'eval_steps']) {
    if (values.get(name) === 0) problems.push(`${name} is 0, by which MARTI divides. Write -1 for never.`);
  }
  if (spec.preset !== 'grpo' && searchParameters(values) === null) {
    problems.push('The parameters of the search are no JSON object, e.g. {}.');
  }
  return problems;
}
