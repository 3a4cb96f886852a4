import { flagsOf, inEveryPreset, type MartiFlag } from './marti-flag';

const objective = flagsOf('objective');
const optimiser = flagsOf('optimiser');

/** What the policies learn from, and how: the formulas are in docs/training.md. */
export const MARTI_LEARNING_FLAGS: readonly MartiFlag[] = [
  objective.choice(['group_norm', 'dr_grpo', 'rloo', 'reinforce_baseline', 'reinforce'])(
    'advantage_estimator',
    inEveryPreset('group_norm'),
    {
      label: 'Advantage',
      help: 'group_norm: reward minus the mean of its group, divided by the standard deviation. dr_grpo: not divided.',
    },
  ),
  objective.choice(['gspo', 'ppo'])('policy_loss_type', inEveryPreset('gspo'), {
    label: 'Policy loss',
    help: 'gspo: one ratio per answer; ppo: one per token.',
  }),
  objective.number(0.000_1, 1, '0.2')('eps_clip', inEveryPreset(null), {
    label: 'Clip',
    help: 'How far the ratio may leave 1 on either side.',
  }),
  objective.pair(0.000_1, 10, 'the clip above on both sides')('eps_clip_low_high', inEveryPreset(null), {
    label: 'Clip below and above',
    help: 'Two numbers, e.g. "0.2 0.28", where both sides should differ.',
  }),
  objective.number(1, 100, 'off')('dual_clip', inEveryPreset(null), {
    label: 'Dual clip',
    help: 'Bounds the loss of samples with a negative advantage. More than 1.',
  }),
  objective.onOff('enable_vllm_is_correction', inEveryPreset(true), {
    label: 'Truncated importance sampling',
    help: 'Corrects for vLLM and the training engine giving one token different probabilities.',
  }),
  objective.number(1, 100)('vllm_is_truncated_threshold', inEveryPreset(2), {
    label: 'Largest importance weight',
    help: 'The cap C of the correction.',
  }),
  objective.onOff('use_kl_loss', inEveryPreset(true), {
    label: 'KL to the reference in the loss',
    help: 'Off, it is part of the reward.',
  }),
  objective.number(0, 10)('init_kl_coef', inEveryPreset(0.001), {
    label: 'Weight of the KL',
    help: 'Larger values keep the policy nearer to where it began.',
  }),
  objective.choice(['k1', 'k2', 'k3'])('kl_estimator', inEveryPreset('k3'), {
    label: 'Estimator of the KL',
    help: 'k3 or k2 in the loss, k1 in the reward.',
  }),
  objective.number(0, 1)('gamma', inEveryPreset(1), {
    label: 'Discount per token',
    help: 'Not the strength of reward shaping, which is below.',
  }),
  objective.number(0, 10, '0.5')('reward_alloc.alpha', inEveryPreset(null), {
    label: 'Strength of reward shaping',
    help: "The papers' gamma. No effect in MARTI as released: its workflow does not pass the parents of programs on.",
  }),
  objective.number(0, 1, '0.5')('reward_alloc.beta', inEveryPreset(null), {
    label: 'Share of siblings in the baseline',
    help: "The papers' lambda; no effect, as above.",
  }),
  objective.number(0, 10, '1')('overlong_penalty_factor', inEveryPreset(null), {
    label: 'Weight of the length penalty',
    help: 'Times the penalty that reaches -1 at the limit of an answer.',
  }),
  objective.onOff('normalize_reward', inEveryPreset(true), {
    label: 'Normalise rewards of a critic',
    help: 'Without effect on group advantages.',
  }),
  objective.onOff('no_advantage_std_norm', inEveryPreset(false), {
    label: 'Do not divide advantages',
    help: 'Leaves the standard deviation out.',
  }),
  objective.pair(-1_000, 1_000, '-10 10')('reward_clip_range', inEveryPreset(null), {
    label: 'Bounds of rewards and advantages',
    help: 'Two numbers.',
  }),
  objective.onOff('dynamic_filtering_for_agents', inEveryPreset(true), {
    label: 'A buffer per agent',
    help: 'Each agent learns as soon as its own answers fill a batch, without waiting for the others. It filters nothing.',
  }),
  objective.pair(-1_000, 1_000)('dynamic_filtering_reward_range', inEveryPreset('0 1'), {
    label: 'Range of kept groups',
    help: 'Without effect unless groups are filtered.',
  }),
  objective.onOff('dynamic_filtering', inEveryPreset(false), {
    label: 'Leave out groups that all pass or all fail',
    help: 'MARTI takes it only together with a reward server or an agent function, which these presets do not have.',
  }),
  objective.number(0, 10, 'off')('entropy_loss_coef', inEveryPreset(null), {
    label: 'Weight of the entropy',
    help: '0 only logs it.',
  }),

  optimiser.number(0, 1)('actor_learning_rate', inEveryPreset(0.000_001), {
    label: 'Peak learning rate',
    help: 'Cosine down to a tenth of it.',
  }),
  optimiser.number(0, 1)('critic_learning_rate', inEveryPreset(0.000_009), {
    label: 'Learning rate of a critic',
    help: 'Without effect: group advantages have no critic.',
  }),
  optimiser.number(0, 1, '0.03')('lr_warmup_ratio', inEveryPreset(null), {
    label: 'Share of warm-up steps',
    help: 'The learning rate rises during them.',
  }),
  optimiser.number(0, 1_000, '1')('max_norm', inEveryPreset(null), {
    label: 'Largest gradient norm',
    help: 'Larger gradients are scaled down to it.',
  }),
  optimiser.number(0, 10, '0')('l2', inEveryPreset(null), { label: 'Weight decay', help: 'Of AdamW.' }),
];
