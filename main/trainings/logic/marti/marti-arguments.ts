import { type MartiTraining, martiFlag } from '../../../../preload/contract';
import { homePath } from '../home-words';
import type { MartiPlaces } from './marti-places';
import { type MartiValues, martiValues } from './marti-values';

/** Its own default begins with the package's former name, which only our link makes true. */
const SEARCH_MODULE = 'marti.agent_workflows.third_party.mcts_utils.ab_mcts.algo.AsyncABMCTSA';

/** The Python module that MARTI's scripts start. The one without a tree is started by its new name. */
export function martiModule(preset: MartiTraining['preset']): string {
  return preset === 'grpo'
    ? 'marti.cli.multi_agent_train_ppo_ray'
    : 'examples.mars2.multi_agent_train_ppo_ray';
}

/** Words behind the module, in which the home folder is still open (home-words); without the order's extra arguments. */
export function martiArguments(spec: MartiTraining, places: MartiPlaces): string[] {
  const values = martiValues(spec);
  const isTree = spec.preset !== 'grpo';
  const workflows = `${places.code}/marti/agent_workflows`;
  return [
    '--default_agent',
    json({ is_reasoning_model: spec.agents[0]?.isReasoning ?? false }),
    '--agents',
    ...spec.agents.map((_, at) => json(agentOf(spec, places, at))),
    ...(spec.preset === 'shared' ? ['--shared_agents'] : []),
    '--workflow_args',
    json(isTree ? treeArguments(values, places) : { task: 'code', save_path: places.workflow }),
    '--workflow_func_path',
    `${workflows}/${isTree ? 'ab_mcts_workflow' : 'single_codeworkflow'}.py`,
    ...(isTree ? ['--processor_func_path', `${workflows}/ab_mcts_processor.py`] : []),
    ...rewardAllocation(values),
    ...values.names.filter(isPlainFlag).flatMap((name) => plainFlag(name, values)),
    '--prompt_data',
    `json@${places.data}`,
    '--eval_dataset',
    `json@${places.data}`,
    // Without it the weights of the end go to a folder beside the code.
    '--save_path',
    places.final,
    '--ckpt_path',
    places.agentCheckpoints(0),
    ...(isTree ? ['--eval_save_path', places.evaluation] : []),
    '--use_tensorboard',
    places.tensorboard,
    // Names the folder of the event files: one of the minute would make every resume a run of its own.
    '--wandb_run_name',
    places.runName,
  ];
}

/** Environment that MARTI reads. */
export function martiEnvironment(spec: Pick<MartiTraining, 'preset' | 'flags'>): Record<string, string> {
  const atOnce = martiValues(spec).get('OPENRLHF_ASYNC_NUM_TASKS');
  return {
    ...(atOnce === null ? {} : { OPENRLHF_ASYNC_NUM_TASKS: String(atOnce) }),
    NCCL_DEBUG: 'WARN',
    // Else the log comes in blocks of some kilobytes.
    PYTHONUNBUFFERED: '1',
  };
}

function agentOf(spec: MartiTraining, places: MartiPlaces, at: number): Record<string, unknown> {
  const agent = spec.agents[at];
  if (agent === undefined) throw new RangeError(`There is no agent ${at}`);
  return {
    [String(at)]: {
      role: agent.role,
      pretrain: homePath(agent.model),
      save_path: places.agentFinal(at),
      ckpt_path: places.agentCheckpoints(at),
      // GPUs are set aside for every agent that is tuned, also for those that only share the first one's model.
      is_tuning: spec.preset !== 'shared' || at === 0,
      is_reasoning_model: agent.isReasoning,
    },
  };
}

function treeArguments(values: MartiValues, places: MartiPlaces): Record<string, unknown> {
  return {
    max_num_nodes: values.number('workflow_args.max_num_nodes', 8),
    eval_max_num_nodes: values.number('workflow_args.eval_max_num_nodes', 1),
    save_path: places.workflow,
    algo: {
      class_name: values.get('workflow_args.algo.class_name'),
      module: SEARCH_MODULE,
      params: searchParameters(values) ?? {},
    },
  };
}

/** null: what was given is no JSON object. */
export function searchParameters(values: MartiValues): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(String(values.get('workflow_args.algo.params') ?? '{}'));
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function rewardAllocation(values: MartiValues): string[] {
  const alpha = values.get('reward_alloc.alpha');
  const beta = values.get('reward_alloc.beta');
  if (alpha === null && beta === null) return [];
  // The parser takes the whole object or none of it.
  return [
    '--reward_alloc',
    json({ name: 'margin', alpha: alpha ?? 0.5, beta: beta ?? 0.5, use_ttrl: false }),
  ];
}

function isPlainFlag(name: string): boolean {
  return /^[a-z]/.test(name) && !name.includes('.');
}

function plainFlag(name: string, values: MartiValues): string[] {
  const value = values.get(name);
  if (value === null || value === false) return [];
  if (value === true) return [`--${name}`];
  const isPair = martiFlag(name)?.takes.kind === 'pair';
  return [`--${name}`, ...(isPair ? String(value).trim().split(/\s+/) : [String(value)])];
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
