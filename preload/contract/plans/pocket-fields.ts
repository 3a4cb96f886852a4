/**
 * What of a pocket training can be set by hand, once for every form of it: name, help, formula and bounds. The bounds
 * are those of pocketTrainingSchema (a test compares them); formulas in full: docs/training.md.
 */
type FieldKind =
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  /** `above`: the least itself is too little. */
  | { readonly kind: 'number'; readonly least: number; readonly most: number; readonly above?: true }
  | {
      readonly kind: 'choice';
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    };

export type PocketField = {
  /** Where it stands in a PocketTraining, e.g. "objective.shaping.strength". */
  readonly id: string;
  readonly label: string;
  /** A short sentence; "" where the label says it all. */
  readonly help: string;
  readonly unit?: string;
  readonly kind: FieldKind;
  /** Empty: it is left out, or switched off. */
  readonly optional?: true;
};

export type PocketFieldGroup = {
  readonly id: 'size' | 'shaping' | 'advantage' | 'loss' | 'kl' | 'overlong' | 'filter' | 'evaluation';
  readonly title: string;
  /** What it computes, in the signs of docs/training.md; "" for none. */
  readonly formula: string;
  readonly fields: readonly PocketField[];
};

const ON_OFF = [
  { value: 'true', label: 'on' },
  { value: 'false', label: 'off' },
] as const;

const whole = (least: number, most: number): FieldKind => ({ kind: 'whole', least, most });
const number = (least: number, most: number): FieldKind => ({ kind: 'number', least, most });
const above = (least: number, most: number): FieldKind => ({ kind: 'number', least, most, above: true });
const choice = (...choices: { readonly value: string; readonly label: string }[]): FieldKind => ({
  kind: 'choice',
  choices,
});

export const POCKET_FIELD_GROUPS: readonly PocketFieldGroup[] = [
  {
    id: 'size',
    title: 'Size',
    formula: '',
    fields: [
      {
        id: 'updates',
        label: 'Updates of each agent',
        help: 'Optimiser steps.',
        kind: whole(1, 100_000),
      },
      {
        id: 'batch',
        label: 'Samples of an update',
        help: "All of the agent's own.",
        kind: whole(2, 65_536),
      },
      { id: 'nodes', label: 'Nodes of a tree', help: 'They are one group.', kind: whole(2, 256) },
      { id: 'treesPerRound', label: 'Trees of a round', help: '', kind: whole(1, 1_024) },
      {
        id: 'problems',
        label: 'Problems',
        help: 'Different ones of the train split.',
        kind: whole(1, 5_000),
      },
      {
        id: 'rate',
        label: 'Peak learning rate',
        help: 'Adam; cosine to a tenth, after 3 % of warm-up.',
        kind: above(0, 10),
      },
      {
        id: 'refinement',
        label: 'Refinement',
        help: 'Off: every node is a first attempt.',
        kind: choice(...ON_OFF),
      },
      {
        id: 'checkpointEvery',
        label: 'A checkpoint every',
        help: 'The last is always kept.',
        unit: 'updates',
        kind: whole(1, 100_000),
      },
    ],
  },
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
      { id: 'objective.clip.low', label: 'Clip low', help: '', kind: above(0, 1) },
      { id: 'objective.clip.high', label: 'Clip high', help: '', kind: above(0, 10) },
      {
        id: 'objective.importanceCap',
        label: 'Cap C of the importance weight',
        help: 'Truncated importance sampling; empty: off.',
        kind: above(0, 100),
        optional: true,
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
        kind: whole(1, 1_000_000),
        optional: true,
      },
      {
        id: 'objective.overlong.bufferTokens',
        label: 'Buffer B',
        help: 'Not longer than the limit.',
        unit: 'tokens',
        kind: whole(1, 1_000_000),
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
  {
    id: 'evaluation',
    title: 'Evaluation at the end',
    formula: '',
    fields: [
      {
        id: 'evaluation.split',
        label: 'On',
        help: 'Tune on validation, report on test.',
        kind: choice(
          { value: 'validation', label: 'validation problems' },
          { value: 'test', label: 'test problems' },
        ),
      },
      {
        id: 'evaluation.problems',
        label: 'Problems',
        help: 'None: it is not evaluated.',
        kind: whole(0, 1_000),
      },
      {
        id: 'evaluation.nodes',
        label: 'Nodes of a tree N',
        help: 'Of Pass@1(MCTS) and Pass@N.',
        kind: whole(1, 1_000),
      },
      {
        id: 'evaluation.samples',
        label: 'First attempts of each agent',
        help: 'Of Pass@1.',
        kind: whole(1, 1_000),
      },
      {
        id: 'evaluation.every',
        label: 'Also on the way, every',
        help: 'Pass@1 alone; 0: only at the end.',
        unit: 'updates',
        kind: whole(0, 100_000),
      },
    ],
  },
];

export const POCKET_FIELDS: readonly PocketField[] = POCKET_FIELD_GROUPS.flatMap(({ fields }) => fields);

/** A field as a form shows it. */
type PocketSetting = Pick<PocketField, 'id' | 'label' | 'help' | 'unit'> & {
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
};

const SETTINGS = new Map(
  POCKET_FIELD_GROUPS.map(({ id, fields }) => [
    id,
    fields.map(
      ({ kind, ...field }): PocketSetting =>
        kind.kind === 'choice' ? { ...field, choices: kind.choices } : field,
    ),
  ]),
);

/** The fields of a group as a form shows them; always the same objects. */
export function pocketSettings(group: PocketFieldGroup['id']): readonly PocketSetting[] {
  return SETTINGS.get(group) ?? [];
}
