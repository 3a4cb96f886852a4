/**
 * Canonical keys of the names that known trainers log: MARTI and OpenRLHF, TRL, verl. MARTI's `reward` is the shaped
 * one, before its penalty on long answers.
 */
const TRAIN: Readonly<Record<string, string>> = {
  reward: 'reward',
  return: 'return',
  policy_loss: 'policy-loss',
  entropy_loss: 'entropy',
  actor_lr: 'learning-rate',
  actor_grad_norm: 'gradient-norm',
  group_reward_std: 'group-reward-std',
  response_length: 'tokens',
  response_clip_ratio: 'cut-answers',
  kl: 'kl',
  ppo_clip_ratio: 'clipped',
  ppo_kl: 'update-kl',
  vllm_kl: 'engine-kl',

  loss: 'policy-loss',
  grad_norm: 'gradient-norm',
  learning_rate: 'learning-rate',
  reward_std: 'group-reward-std',
  frac_reward_zero_std: 'zero-advantage',
  entropy: 'entropy',
  'clip_ratio/region_mean': 'clipped',
  clip_ratio: 'clipped',
  'completions/mean_length': 'tokens',
  'completions/clipped_ratio': 'cut-answers',

  'critic/rewards/mean': 'reward',
  'critic/score/mean': 'score',
  'actor/pg_loss': 'policy-loss',
  'actor/entropy': 'entropy',
  'actor/entropy_loss': 'entropy',
  'actor/pg_clipfrac': 'clipped',
  'actor/ppo_kl': 'update-kl',
  'actor/kl_loss': 'kl',
  'actor/grad_norm': 'gradient-norm',
  'actor/lr': 'learning-rate',
  'response_length/mean': 'tokens',
  'response_length/clip_ratio': 'cut-answers',
};

/** How logged names are interpreted. */
export type NameOptions = {
  /** A recipe's own keys by logged name; they take precedence. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Evaluations search trees: `pass1` is of a tree's chosen node, not of a first attempt. */
  readonly isSearched?: boolean;
};

/** Evaluation metrics of MARTI and OpenRLHF, after the data set's name. */
const PASS: ReadonlyArray<readonly [RegExp, (n: string) => string]> = [
  [/^(.*?)_?avg_pass1$/, () => 'pass@1-of-passing'],
  [/^(.*?)_?passtopk$/, () => 'pass@n'],
  [/^(.*?)_?pass(\d+)$/, (n) => `pass@${n}`],
];

/**
 * What a logged name means. An unknown name is its own key. null: not a quantity, e.g. the agent's number.
 */
export function quantityOf(
  name: string,
  { keys = {}, isSearched = false }: NameOptions = {},
): Quantity | null {
  const own = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (own !== undefined)
    return { part: isEvaluation(name) ? 'evaluation' : 'train', key: own, dataset: null };
  const bare = name.replace(/^train\//, '');
  if (bare === 'agent_id' || bare === 'global_step') return null;
  const metric = Object.hasOwn(TRAIN, bare) ? TRAIN[bare] : undefined;
  if (metric !== undefined) return { part: 'train', key: metric, dataset: null };
  if (!isEvaluation(bare)) return { part: 'other', key: bare, dataset: null };
  const quantity = evaluated(bare);
  return isSearched && quantity.key === 'pass@1' ? { ...quantity, key: 'pass@1(mcts)' } : quantity;
}

function isEvaluation(name: string): boolean {
  return /^(eval|val|test)([_/-]|$)/.test(name);
}

function evaluated(name: string): Quantity {
  const verl = /^val(?:-core|-aux)?\/(.+)\/(?:acc|reward|score)\/(mean|best)@(\d+)(?:\/mean)?$/.exec(name);
  if (verl !== null) {
    const [, dataset = '', how, n] = verl;
    return { part: 'evaluation', key: how === 'best' ? `pass@${n}` : 'pass@1', dataset };
  }
  const score = /^val\/test_score\/(.+)$/.exec(name);
  if (score !== null) return { part: 'evaluation', key: 'pass@1', dataset: score[1] ?? '' };
  const rest = name.replace(/^eval[_/]/, '').replace(/^eval_/, '');
  for (const [pattern, keyOf] of PASS) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    return {
      part: 'evaluation',
      key: keyOf(match[2] ?? ''),
      dataset: match[1] === '' ? null : (match[1] ?? null),
    };
  }
  // A duration, not a quality.
  if (/runtime$|_per_second$/.test(rest)) return { part: 'other', key: name, dataset: null };
  const metric = Object.hasOwn(TRAIN, rest) ? TRAIN[rest] : undefined;
  return { part: 'evaluation', key: metric ?? rest, dataset: null };
}

/** The agent in a TensorBoard tag (or a key of an evaluation's dictionary), and the name without it. */
type TagOwner = {
  /** Position of the agent; null: the team, or the only policy. */
  readonly agent: number | null;
  readonly name: string;
  /** The step counts the agent's own updates, not the rounds of all. */
  readonly isOwnStep: boolean;
};

/** MARTI's tags: `train/agent_<i>/<k>`, `agent_<i>_step/train/<k>`, `eval/eval_agent<i>_<ds>_<k>`. */
export function tagOwner(tag: string): TagOwner {
  const own = /^agent_(\d+)_step\/(?:train\/)?(.+)$/.exec(tag);
  if (own !== null) return { agent: Number(own[1]), name: own[2] ?? '', isOwnStep: true };
  const train = /^train\/agent_(\d+)\/(.+)$/.exec(tag);
  if (train !== null) return { agent: Number(train[1]), name: train[2] ?? '', isOwnStep: false };
  const evaluation = /^(?:eval\/)?eval_(?:agent(\d+)|allagent|system)_(.+)$/.exec(tag);
  if (evaluation === null) return { agent: null, name: tag, isOwnStep: false };
  const agent = evaluation[1] === undefined ? null : Number(evaluation[1]);
  return { agent, name: `eval/${evaluation[2]}`, isOwnStep: false };
}

/** train: of the optimiser's samples; evaluation: of held-out problems; other: as logged, without a canonical key. */
export type Part = 'train' | 'evaluation' | 'other';

/** What a logged name means. */
export type Quantity = {
  readonly part: Part;
  readonly key: string;
  /** For evaluations of several data sets; null: none is named. */
  readonly dataset: string | null;
};

/** One value that a trainer logged. */
export type MetricRow = Quantity & {
  /** null: the team, or no particular agent. */
  readonly agentId: string | null;
  readonly step: number;
  readonly value: number;
  /** Samples that the agent has learned from; absent: unknown. */
  readonly samples?: number;
};
