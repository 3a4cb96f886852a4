import { OBJECTIVE_FIELD_GROUPS } from './objective-fields';
import {
  above,
  choice,
  number,
  type OwnTrainer,
  path,
  type TrainingField,
  type TrainingFieldGroup,
  whole,
} from './training-field';
import { WRITER_MEMORY_SHARE, WRITER_NAMES } from './writers';

const ON_OFF = [
  { value: 'true', label: 'on' },
  { value: 'false', label: 'off' },
] as const;

/**
 * What of an own training can be set by hand, once for every form of it: name, help, formula and bounds. The bounds are
 * those of pocketTrainingSchema and modelTrainingSchema (a test compares them).
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
        only: 'pocket',
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
    id: 'choice',
    title: 'Problems solved sometimes',
    formula: '',
    fields: [
      {
        id: 'problems.choose.measured',
        label: 'Problems to measure',
        help: 'At most, before training. Empty: trains on all.',
        kind: whole(2, 2_000),
        optional: true,
        only: 'model',
      },
      {
        id: 'problems.choose.samples',
        label: 'First attempts per problem',
        help: 'Of each agent. Empty: 8.',
        kind: whole(1, 1_000),
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
        kind: whole(1, 1_024),
        optional: true,
        only: 'model',
      },
      {
        id: 'lora.alpha',
        label: 'Alpha',
        help: 'Scale of what the adapter adds: alpha / rank.',
        kind: above(0, 4_096),
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
        help: '0: it is not evaluated.',
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
        label: 'During training, every',
        help: 'Then only Pass@1 is measured. 0: only at the end.',
        unit: 'updates',
        kind: whole(0, 100_000),
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
  {
    id: 'writer',
    title: 'Who writes the answers',
    formula: '',
    fields: [
      {
        id: 'writer.engine',
        label: 'Engine',
        help: 'Each learner writes itself, which is right for small models, or an engine does.',
        placeholder: 'none: the learners',
        kind: choice(...Object.entries(WRITER_NAMES).map(([value, label]) => ({ value, label }))),
        optional: true,
        only: 'model',
      },
      {
        id: 'writer.publish',
        label: 'New weights by',
        help: 'If nothing is chosen: a new adapter, or a restart where all weights are trained. A restart is always right, and slow.',
        placeholder: 'as fits the training',
        kind: choice(
          { value: 'restart', label: 'restart' },
          { value: 'reload', label: 'reload of all weights' },
          { value: 'adapter', label: 'new adapter' },
        ),
        optional: true,
        only: 'model',
      },
      {
        id: 'writer.python',
        label: 'Python of the engine',
        help: 'On the machine.',
        placeholder: 'the training’s own',
        kind: path(4_096),
        optional: true,
        only: 'model',
      },
      {
        id: 'writer.memoryShare',
        label: 'Share of each GPU',
        help: 'Of its memory, for the engine; its learner gets the rest.',
        placeholder: String(WRITER_MEMORY_SHARE),
        kind: number(0.05, 0.95),
        optional: true,
        only: 'model',
      },
    ],
  },
  {
    id: 'compute',
    title: 'Where it computes',
    formula: '',
    fields: [
      {
        id: 'device',
        label: 'Device',
        help: '',
        kind: choice(
          { value: 'auto', label: 'GPU if there is one' },
          { value: 'cuda', label: 'GPU' },
          { value: 'cpu', label: 'processors' },
        ),
        only: 'model',
      },
      {
        id: 'dtype',
        label: 'Numbers',
        help: 'Of the computation and of frozen weights; trained weights are float32. On processors without instructions for bfloat16 (AVX-512 BF16 or AMX) it takes 3 to 8 times as long as float32.',
        kind: choice({ value: 'float32', label: 'float32' }, { value: 'bfloat16', label: 'bfloat16' }),
        only: 'model',
      },
      {
        id: 'processes',
        label: 'Processes of each learner',
        help: 'GPUs that a model is divided among. More than one needs an engine that writes the answers.',
        kind: whole(1, 64),
        only: 'model',
      },
      {
        id: 'threads',
        label: 'Threads of each learner',
        help: 'On processors. Empty: all cores, divided among the learners.',
        kind: whole(1, 256),
        optional: true,
        only: 'model',
      },
    ],
  },
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
