import type { ExperimentRequest, ExperimentRow } from '../experiment';
import type { TrainingMethod } from '../learning';
import type { Objective } from '../objective';
import type { ModelTraining, TrainingRequest } from '../training-spec';
import { PLAIN_OBJECTIVE, trainingMethodOf } from './training-methods';

/** An experiment to start as it is, or to change first. */
export type ExperimentPreset = {
  readonly id: 'five-methods' | 'three-families' | 'ablations' | 'tiny';
  readonly name: string;
  /** What it asks, in a sentence or two. */
  readonly line: string;
  readonly seeds: readonly number[];
  readonly rows: readonly ExperimentRow[];
  readonly training: ExperimentRequest['training'];
};

const TWO = ['reader', 'tracer'];
const THREE = ['reader', 'tracer', 'weak'];

/** The papers' five, from nothing to all; the claim is that each is better than the one before. */
export const PAPER_ORDER: readonly TrainingMethod[] = ['base', 'grpo', 'rs2', 'homo-mars2', 'heter-mars2'];
const CONTROLS: readonly TrainingMethod[] = ['grpo-all-wrong', 'mixed-groups'];

const UPDATES = 300;

/** Chosen on the validation split (docs/pocket.md): one seed of the five methods takes some minutes on two cores. */
const TRAINING: ExperimentRequest['training'] = { updates: UPDATES, checkpointEvery: UPDATES };

/** None of these was used while the pocket environment, the sizes and the rates were chosen. */
const SEEDS = [11, 12, 13, 14, 15];

function row(
  method: TrainingMethod,
  families: readonly string[],
  change: { readonly label: string; readonly change: ExperimentRow['change'] } | null = null,
): ExperimentRow {
  return {
    label: change?.label ?? trainingMethodOf(method).name,
    method,
    families: [...families],
    change: change?.change ?? {},
  };
}

function objective(change: Partial<Objective>): ExperimentRow['change'] {
  return { objective: { ...PLAIN_OBJECTIVE, ...change } };
}

const withoutShaping = objective({ shaping: { ...PLAIN_OBJECTIVE.shaping, strength: 0 } });

export const EXPERIMENT_PRESETS: readonly ExperimentPreset[] = [
  {
    id: 'five-methods',
    name: 'Five methods, two families',
    line: 'Base, vanilla GRPO, RS², Homo-MARS² and Heter-MARS² with the reader and the tracer, with two controls that show where a gain comes from, and Heter-MARS² with as many samples in total as one agent alone.',
    seeds: SEEDS,
    rows: [
      ...PAPER_ORDER.map((method) => row(method, TWO)),
      row('heter-mars2', TWO, {
        label: 'Heter-MARS², half the updates',
        change: { updates: UPDATES / 2 },
      }),
      ...CONTROLS.map((method) => row(method, TWO)),
    ],
    training: TRAINING,
  },
  {
    id: 'three-families',
    name: 'Five methods, three families',
    line: 'The same with a third, clearly weaker family: is a team robust against a weak member? Heter-MARS² of the two strong ones is included.',
    seeds: SEEDS,
    rows: [
      ...PAPER_ORDER.map((method) => row(method, THREE)),
      row('heter-mars2', TWO, { label: 'Heter-MARS² without the weak one', change: {} }),
      row('heter-mars2', THREE, {
        label: 'Heter-MARS², a third of the updates',
        change: { updates: UPDATES / 3 },
      }),
      ...CONTROLS.map((method) => row(method, THREE)),
    ],
    training: TRAINING,
  },
  {
    id: 'ablations',
    name: "Ablations of MARS²'s parts",
    line: 'What shaping, the group that a reward is compared with, and refinement add to Heter-MARS² and RS².',
    seeds: SEEDS,
    rows: [
      row('heter-mars2', TWO),
      row('heter-mars2', TWO, { label: 'Heter-MARS², no shaping', change: withoutShaping }),
      row('heter-mars2', TWO, {
        label: 'Heter-MARS², groups by agent',
        change: objective({ group: 'agent' }),
      }),
      row('heter-mars2', TWO, {
        label: 'Heter-MARS², groups of siblings',
        change: objective({ group: 'siblings' }),
      }),
      row('heter-mars2', TWO, { label: 'Heter-MARS², no refinement', change: { refinement: false } }),
      row('rs2', TWO),
      row('rs2', TWO, { label: 'RS², no shaping', change: withoutShaping }),
      row('rs2', TWO, { label: 'RS², group is the batch', change: objective({ group: 'batch' }) }),
    ],
    training: TRAINING,
  },
  {
    id: 'tiny',
    name: 'Tiny, to try it out',
    line: 'Three methods, so short that nothing can be learned: shows in about a minute how an experiment runs.',
    seeds: [1, 2],
    rows: [row('base', TWO), row('grpo', TWO), row('heter-mars2', TWO)],
    training: {
      updates: 4,
      batch: 16,
      treesPerRound: 4,
      problems: 20,
      checkpointEvery: 2,
      evaluation: { split: 'validation', problems: 6, nodes: 8, samples: 4, every: 0 },
    },
  },
];

export function experimentPresetOf(id: string): ExperimentPreset | null {
  return EXPERIMENT_PRESETS.find((preset) => preset.id === id) ?? null;
}

/** A preset's rows with language models: this training with each row's method and changes, all other settings its own. */
export function presetWithModels(
  { name, rows, training, seeds }: ExperimentPreset,
  { name: _name, ...models }: TrainingRequest & { readonly spec: ModelTraining },
  otherSeeds?: readonly number[],
): ExperimentRequest {
  const { spec } = models;
  const ids = spec.agents.map(({ id }) => id);
  const most = Math.max(...rows.map(({ families }) => families.length));
  return {
    name,
    rows: rows.map((row) => {
      const share = (row.change.updates ?? 0) / (training.updates ?? UPDATES);
      return {
        ...row,
        families: row.families.length === most ? ids : ids.slice(0, row.families.length),
        change: {
          ...row.change,
          ...(share === 0 ? {} : { updates: Math.max(1, Math.round(share * spec.updates)) }),
          ...(row.change.objective === undefined
            ? {}
            : { objective: { ...spec.objective, ...differenceFromPlain(row.change.objective) } }),
        },
      };
    }),
    seeds: [...(otherSeeds ?? seeds)],
    training: {},
    models,
  };
}

function differenceFromPlain(changed: Objective): Partial<Objective> {
  const plain: Readonly<Record<string, unknown>> = PLAIN_OBJECTIVE;
  return Object.fromEntries(
    Object.entries(changed).filter(([part, value]) => JSON.stringify(value) !== JSON.stringify(plain[part])),
  );
}

/** `otherSeeds`: instead of the preset's. */
export function experimentFromPreset(
  { name, rows, training, seeds }: ExperimentPreset,
  otherSeeds?: readonly number[],
): ExperimentRequest {
  return { name, rows: [...rows], seeds: [...(otherSeeds ?? seeds)], training };
}
