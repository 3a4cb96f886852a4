import { choice, number, numberAbove, type TrainingFieldGroup, wholeNumber } from './training-field';

/** The objective's settings, an ablation each; formulas in full: docs/training.md. */
export const OBJECTIVE_FIELD_GROUPS: readonly TrainingFieldGroup[] = [
  {
    id: 'shaping',
    title: 'Reward shaping',
    formula: 'r̂ = r + γ · (r − b),  b = (1 − λ) · parent + λ · mean of the siblings',
    fields: [
      {
        id: 'objective.shaping.strength',
        label: 'Strength γ',
        help: '0 switches it off.',
        kind: number(0, 10),
      },
      {
        id: 'objective.shaping.siblingShare',
        label: 'Share of the siblings λ',
        help: "The rest is the parent's.",
        kind: number(0, 1),
      },
      {
        id: 'objective.shaping.shapedParent',
        label: "Parent's reward",
        help: "Raw as in the paper, shaped as in MARTI's code.",
        kind: choice({ value: 'false', label: 'raw' }, { value: 'true', label: 'shaped' }),
      },
    ],
  },
  {
    id: 'advantage',
    title: 'Group advantage',
    formula: 'A = (r̂ − mean of the group) / standard deviation of the group',
    fields: [
      {
        id: 'objective.group',
        label: 'Compared with',
        help: 'Trained alone by GRPO, the tree is the group of first attempts.',
        kind: choice(
          { value: 'tree', label: 'all nodes of its tree' },
          { value: 'agent', label: "its agent's nodes of the tree" },
          { value: 'siblings', label: 'the children of its parent' },
          { value: 'batch', label: 'all samples of the update' },
        ),
      },
      {
        id: 'objective.allWrongAdvantage',
        label: 'Advantage where all fail',
        help: '0 as in GRPO: such groups teach nothing.',
        kind: number(-10, 0),
      },
    ],
  },
  {
    id: 'loss',
    title: 'Policy loss',
    formula: '−min(s · A, clip(s, 1 − low, 1 + high) · A) · importance weight',
    fields: [
      {
        id: 'objective.ratio',
        label: 'Ratio s',
        help: '',
        kind: choice(
          { value: 'sequence', label: 'of the sequence (GSPO)' },
          { value: 'token', label: 'of each token (PPO, GRPO)' },
        ),
      },
      {
        id: 'objective.ratioAgainst',
        label: 'Sequence ratio against',
        help: 'With importance weights; empty: the writer, as in MARTI.',
        kind: choice(
          { value: 'rollout', label: 'the log-probabilities of writing' },
          { value: 'old', label: 'the policy before the update' },
        ),
        optional: true,
        only: 'model',
      },
      { id: 'objective.clip.low', label: 'Clip low', help: '', kind: numberAbove(0, 1) },
      { id: 'objective.clip.high', label: 'Clip high', help: '', kind: numberAbove(0, 10) },
      {
        id: 'objective.importanceCap',
        label: 'Cap C of the importance weight',
        help: 'Truncated importance sampling; empty: off.',
        kind: numberAbove(0, 100),
        optional: true,
      },
      {
        id: 'oldFrom',
        label: 'Policy before the update',
        help: 'Its log-probabilities: scored by the learner, or taken from the writing.',
        kind: choice(
          { value: 'recomputed', label: 'scored by the learner' },
          { value: 'sampled', label: 'as reported while writing' },
        ),
        only: 'model',
      },
    ],
  },
  {
    id: 'kl',
    title: 'KL to the pre-trained policy',
    formula: 'loss + β · k,  ℓ = log π − log π₀',
    fields: [
      {
        id: 'objective.kl.estimator',
        label: 'Estimator k',
        help: '',
        kind: choice(
          { value: 'k1', label: 'k1: ℓ' },
          { value: 'k2', label: 'k2: ℓ² / 2' },
          { value: 'k3', label: 'k3: exp(−ℓ) − 1 + ℓ' },
        ),
      },
      {
        id: 'objective.kl.coefficient',
        label: 'Coefficient β',
        help: '0 switches it off.',
        kind: number(0, 10),
      },
    ],
  },
  {
    id: 'overlong',
    title: 'Overlong penalty',
    formula: '−factor · min(L − (G − B), B) / B  for an answer of L > G − B tokens',
    fields: [
      {
        id: 'objective.overlong.maximumTokens',
        label: 'Limit G',
        help: 'Empty: no penalty.',
        unit: 'tokens',
        kind: wholeNumber(1, 1_000_000),
        optional: true,
      },
      {
        id: 'objective.overlong.bufferTokens',
        label: 'Buffer B',
        help: 'Not longer than the limit.',
        unit: 'tokens',
        kind: wholeNumber(1, 1_000_000),
        optional: true,
      },
      { id: 'objective.overlong.factor', label: 'Factor', help: '', kind: number(0, 10), optional: true },
    ],
  },
  {
    id: 'filter',
    title: 'Dynamic filter',
    formula: 'keeps a tree where low < mean raw reward < high',
    fields: [
      {
        id: 'objective.filter.low',
        label: 'Low',
        help: 'Empty: every tree is kept.',
        kind: number(0, 1),
        optional: true,
      },
      { id: 'objective.filter.high', label: 'High', help: '', kind: number(0, 1), optional: true },
    ],
  },
];
