import { type MartiTraining, martiFlag } from '../../../../preload/contract';
import { homePath } from '../home-path';
import type { MartiPaths } from './marti-paths';
import { type MartiValues, martiValues } from './marti-values';

/** Named explicitly, since MARTI's default uses the package's former name. */
const SEARCH_MODULE = 'marti.agent_workflows.third_party.mcts_utils.ab_mcts.algo.AsyncABMCTSA';

/** The Python module that MARTI's scripts start. The preset without a tree uses its new name. */
export function martiModule(preset: MartiTraining['preset']): string {
  return preset === 'grpo'
    ? 'marti.cli.multi_agent_train_ppo_ray'
    : 'examples.mars2.multi_agent_train_ppo_ray';
}

/** Arguments after the module, with placeholders for the home folder (home-path.ts); without the extra arguments. */
export function martiArguments(spec: MartiTraining, paths: MartiPaths): string[] {
  const values = martiValues(spec);
  const isTree = spec.preset !== 'grpo';
  const workflows = `${paths.code}/marti/agent_workflows`;
  return [
    '--default_agent',
    json({ is_reasoning_model: spec.agents[0]?.isReasoning ?? false }),
    '--agents',
    ...spec.agents.map((_, at) => json(agentOf(spec, paths, at))),
    ...(spec.preset === 'shared' ? ['--shared_agents'] : []),
    '--workflow_args',
    json(isTree ? treeArguments(values, paths) : { task: 'code', save_path: paths.workflow }),
    '--workflow_func_path',
    `${workflows}/${isTree ? 'ab_mcts_workflow' : 'single_codeworkflow'}.py`,
    ...(isTree ? ['--processor_func_path', `${workflows}/ab_mcts_processor.py`] : []),
    ...rewardAllocation(values),
    ...values.names.filter(isPlainFlag).flatMap((name) => plainFlag(name, values)),
    '--prompt_data',
    `json@${paths.data}`,
    '--eval_dataset',
    `json@${paths.data}`,
    // Otherwise the final weights go to a folder next to the code.
    '--save_path',
    paths.final,
    '--ckpt_path',
    paths.agentCheckpoints(0),
    ...(isTree ? ['--eval_save_path', paths.evaluation] : []),
    '--use_tensorboard',
    paths.tensorboard,
    // Names the folder of the event files; MARTI's default, a timestamp, would make every resume a separate run.
    '--wandb_run_name',
    paths.runName,
  ];
}

/** Environment that MARTI reads. */
export function martiEnvironment(spec: Pick<MartiTraining, 'preset' | 'flags'>): Record<string, string> {
  const atOnce = martiValues(spec).get('OPENRLHF_ASYNC_NUM_TASKS');
  return {
    ...(atOnce === null ? {} : { OPENRLHF_ASYNC_NUM_TASKS: String(atOnce) }),
    NCCL_DEBUG: 'WARN',
    // Otherwise Python buffers the log in blocks of some kilobytes.
    PYTHONUNBUFFERED: '1',
  };
}

function agentOf(spec: MartiTraining, paths: MartiPaths, at: number): Record<string, unknown> {
  const agent = spec.agents[at];
  if (agent === undefined) throw new RangeError(`There is no agent ${at}`);
  return {
    [String(at)]: {
      role: agent.role,
      pretrain: homePath(agent.model),
      save_path: paths.agentFinal(at),
      ckpt_path: paths.agentCheckpoints(at),
      // MARTI reserves GPUs for every tuned agent, even for those that share the first one's model.
      is_tuning: spec.preset !== 'shared' || at === 0,
      is_reasoning_model: agent.isReasoning,
    },
  };
}

function treeArguments(values: MartiValues, paths: MartiPaths): Record<string, unknown> {
  return {
    max_num_nodes: values.number('workflow_args.max_num_nodes', 8),
    eval_max_num_nodes: values.number('workflow_args.eval_max_num_nodes', 1),
    save_path: paths.workflow,
    algo: {
      class_name: values.get('workflow_args.algo.class_name'),
      module: SEARCH_MODULE,
      params: searchParameters(values) ?? {},
    },
  };
}

/** null: the value is not a JSON object. */
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
  // MARTI needs the whole object.
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
