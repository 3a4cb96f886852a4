import { COMPUTE_FIELD_GROUPS } from './compute-fields';
import { OBJECTIVE_FIELD_GROUPS } from './objective-fields';
import {
  choice,
  number,
  numberAbove,
  type OwnTrainer,
  type TrainingField,
  type TrainingFieldGroup,
  wholeNumber,
} from './training-field';

const ON_OFF = [
  { value: 'true', label: 'on' },
  { value: 'false', label: 'off' },
] as const;

/**
 * The settings of our own trainings that can be edited, once for every form: name, help, formula and bounds. The bounds
 * are those of pocketTrainingSchema and modelTrainingSchema (a test compares them).
 */
const GROUPS: readonly TrainingFieldGroup[] = [
  {
    id: 'size',
    title: 'Size',
    formula: '',
    fields: [
      {
        id: 'updates',
        label: 'Updates of each agent',
        help: 'Optimiser steps.',
        kind: wholeNumber(1, 100_000),
      },
      {
        id: 'batch',
        label: 'Samples of an update',
        help: 'Written by the agent itself.',
        kind: wholeNumber(2, 65_536),
      },
      {
        id: 'nodes',
        label: 'Nodes of a tree',
        help: 'The programs of a tree are one group.',
        kind: wholeNumber(2, 256),
      },
      { id: 'treesPerRound', label: 'Trees of a round', help: '', kind: wholeNumber(1, 1_024) },
      {
        id: 'problems',
        label: 'Problems',
        help: 'All different, from the train split.',
        kind: wholeNumber(1, 5_000),
        only: 'pocket',
      },
      {
        id: 'rate',
        label: 'Peak learning rate',
        help: 'Adam; cosine to a tenth, after 3 % of warm-up.',
        kind: numberAbove(0, 10),
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
        kind: wholeNumber(1, 100_000),
      },
    ],
  },
  {
    id: 'choice',
    title: 'Problems solved sometimes',
    formula: '',
    fields: [
      {
        id: 'problems.choose.measured',
        label: 'Problems to measure',
        help: 'At most, before training. Empty: trains on all.',
        kind: wholeNumber(2, 2_000),
        optional: true,
        only: 'model',
      },
      {
        id: 'problems.choose.samples',
        label: 'First attempts per problem',
        help: 'Of each agent. Empty: 8.',
        kind: wholeNumber(1, 1_000),
        optional: true,
        only: 'model',
      },
      {
        id: 'problems.choose.from',
        label: 'Least Pass@1',
        help: 'Of a problem that is kept, 0 to 1. Empty: 0.1.',
        kind: number(0, 1),
        optional: true,
        only: 'model',
      },
      {
        id: 'problems.choose.to',
        label: 'Greatest Pass@1',
        help: 'Of a problem that is kept, 0 to 1. Empty: 0.8.',
        kind: number(0, 1),
        optional: true,
        only: 'model',
      },
    ],
  },
  {
    id: 'adapter',
    title: 'Low-rank adapter',
    formula: 'W + (alpha / rank) · B · A',
    fields: [
      {
        id: 'lora.rank',
        label: 'Rank',
        help: '',
        kind: wholeNumber(1, 1_024),
        optional: true,
        only: 'model',
      },
      {
        id: 'lora.alpha',
        label: 'Alpha',
        help: 'Scale of what the adapter adds: alpha / rank.',
        kind: numberAbove(0, 4_096),
        optional: true,
        only: 'model',
      },
    ],
  },
  ...OBJECTIVE_FIELD_GROUPS,
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
        only: 'pocket',
      },
      {
        id: 'evaluation.problems',
        label: 'Problems',
        help: '0: no evaluation.',
        kind: wholeNumber(0, 1_000),
      },
      {
        id: 'evaluation.nodes',
        label: 'Nodes of a tree N',
        help: 'Of Pass@1(MCTS) and Pass@N.',
        kind: wholeNumber(1, 1_000),
      },
      {
        id: 'evaluation.samples',
        label: 'First attempts of each agent',
        help: 'Of Pass@1.',
        kind: wholeNumber(1, 1_000),
      },
      {
        id: 'evaluation.every',
        label: 'During training, every',
        help: 'Measures only Pass@1. 0: only at the end.',
        unit: 'updates',
        zero: 'never',
        kind: wholeNumber(0, 100_000),
      },
      {
        id: 'evaluation.before',
        label: 'Before the first update',
        help: 'Only Pass@1, to compare each problem before and after. Empty: if it is evaluated during training.',
        kind: choice(...ON_OFF),
        optional: true,
        only: 'model',
      },
    ],
  },
  ...COMPUTE_FIELD_GROUPS,
];

function groupsOf(trainer: OwnTrainer): readonly TrainingFieldGroup[] {
  return GROUPS.map((group) => ({
    ...group,
    fields: group.fields.filter(({ only }) => only === undefined || only === trainer),
  })).filter(({ fields }) => fields.length > 0);
}

export const POCKET_FIELD_GROUPS = groupsOf('pocket');
export const MODEL_FIELD_GROUPS = groupsOf('model');

export const POCKET_FIELDS: readonly TrainingField[] = POCKET_FIELD_GROUPS.flatMap(({ fields }) => fields);
export const MODEL_FIELDS: readonly TrainingField[] = MODEL_FIELD_GROUPS.flatMap(({ fields }) => fields);

/** A field as a form shows it. */
type TrainingSetting = Pick<TrainingField, 'id' | 'label' | 'help' | 'unit' | 'placeholder'> & {
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
};

type Settings = ReadonlyMap<string, readonly TrainingSetting[]>;

function settingsOf(groups: readonly TrainingFieldGroup[]): Settings {
  return new Map(
    groups.map(({ id, fields }) => [
      id,
      fields.map(
        ({ kind, only: _only, optional: _optional, ...field }): TrainingSetting =>
          kind.kind === 'choice' ? { ...field, choices: kind.choices } : field,
      ),
    ]),
  );
}

const POCKET_SETTINGS = settingsOf(POCKET_FIELD_GROUPS);
const MODEL_SETTINGS = settingsOf(MODEL_FIELD_GROUPS);

/** The fields of a group as a form shows them; always the same objects. */
export function pocketSettings(group: TrainingFieldGroup['id']): readonly TrainingSetting[] {
  return POCKET_SETTINGS.get(group) ?? [];
}

export function modelSettings(group: TrainingFieldGroup['id']): readonly TrainingSetting[] {
  return MODEL_SETTINGS.get(group) ?? [];
}
