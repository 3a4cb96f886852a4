import {
  MODEL_FIELDS,
  type OwnTrainer,
  PLAIN_MODEL_TRAINING,
  PLAIN_POCKET_TRAINING,
  POCKET_FIELDS,
  type TrainingField,
  type TrainingTexts,
  textsOfModel,
  textsOfPocket,
} from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { type OptionSpec, option, repeated } from './grammar';

type OptionField = readonly [id: string, about: string];

const SHARED: Readonly<Record<string, OptionField>> = {
  updates: ['updates', 'how many optimiser steps each agent makes'],
  batch: ['batch', 'how many samples an update takes, all written by the agent itself'],
  trees: ['treesPerRound', 'how many trees a round grows'],
  nodes: ['nodes', 'how many nodes a tree of the training has; they are one group'],
  rate: ['rate', 'peak learning rate of Adam, which falls to a tenth by a cosine after 3 % of warm-up'],
  'checkpoint-every': ['checkpointEvery', 'write a checkpoint every n updates; the last is always kept'],
  samples: ['evaluation.samples', 'how many first attempts of each agent the evaluation takes for Pass@1'],
  'evaluation-nodes': [
    'evaluation.nodes',
    'how many nodes a tree of the evaluation has, N of Pass@1(MCTS) and Pass@N',
  ],
  'evaluate-every': [
    'evaluation.every',
    'measure Pass@1 every n updates during training too; 0 evaluates only at the end',
  ],
};

/** The fields that have an option of their own in "start" and "plan"; the others are set by --set. */
const OPTION_FIELDS: Readonly<Record<OwnTrainer, Readonly<Record<string, OptionField>>>> = {
  pocket: {
    ...SHARED,
    split: ['evaluation.split', 'which problems it is evaluated on: tune on validation, report on test'],
    problems: ['evaluation.problems', 'how many problems it is evaluated on; 0 does not evaluate'],
  },
  model: {
    ...SHARED,
    'evaluation-problems': [
      'evaluation.problems',
      'how many problems it is evaluated on; 0 does not evaluate',
    ],
    'evaluate-before': [
      'evaluation.before',
      'measure Pass@1 before the first update, to compare each problem before and after (default: if it is evaluated during training)',
    ],
    'measure-problems': [
      'problems.choose.measured',
      'measure at most so many problems before training and train on those solved sometimes (default: train on all)',
    ],
    'measure-samples': [
      'problems.choose.samples',
      'measure each problem by so many first attempts of each agent (default: 8)',
    ],
    writer: ['writer.engine', 'the engine that writes the answers (default: each learner writes its own)'],
    publish: [
      'writer.publish',
      'how new weights reach the engine; a restart is always right, and slow (default: adapter, or restart where all weights are trained)',
    ],
    'writer-python': ['writer.python', "the engine's Python on the machine (default: that of the training)"],
    'writer-memory': [
      'writer.memoryShare',
      "the engine's share of each GPU's memory; its learner gets the rest",
    ],
    device: ['device', 'where it computes; auto takes a GPU if there is one'],
    dtype: [
      'dtype',
      'numbers of the computation and of frozen weights; on processors without its instructions bfloat16 takes 3 to 8 times as long',
    ],
    processes: [
      'processes',
      'divide each learner among so many GPUs; more than one needs an engine that writes the answers',
    ],
    threads: [
      'threads',
      'threads of each learner on processors (default: all cores, divided among the learners)',
    ],
  },
};

/** Fields whose options are read apart. */
const OTHER_OPTIONS = new Map([
  ['lora.rank', '--lora'],
  ['lora.alpha', '--lora-alpha'],
  ['problems.choose.from', '--pass-at-1'],
  ['problems.choose.to', '--pass-at-1'],
]);

const DEFAULTS: Readonly<Record<OwnTrainer, TrainingTexts>> = {
  pocket: textsOfPocket(PLAIN_POCKET_TRAINING),
  model: textsOfModel(PLAIN_MODEL_TRAINING),
};
const FIELDS: Readonly<Record<OwnTrainer, readonly TrainingField[]>> = {
  pocket: POCKET_FIELDS,
  model: MODEL_FIELDS,
};

/** The options with their defaults in the help. */
export function fieldOptions(trainer: OwnTrainer): readonly OptionSpec[] {
  return [
    ...Object.entries(OPTION_FIELDS[trainer]).map(([name, [id, about]]) => {
      const field = FIELDS[trainer].find((field) => field.id === id);
      if (field === undefined) throw new Error(`--${name} sets "${id}", which is no field`);
      const usual = DEFAULTS[trainer][id] ?? '';
      return option(`--${name} <${valueName(field)}>`, usual === '' ? about : `${about} (default: ${usual})`);
    }),
    repeated(
      '--set <field=value>',
      `any other setting (see: mars2 trainings settings --of ${trainer}); repeat it`,
    ),
  ];
}

function valueName({ kind }: TrainingField): string {
  if (kind.kind === 'path') return 'path';
  return kind.kind === 'choice' ? kind.choices.map(({ value }) => value).join('|') : 'n';
}

/** The texts of the fields: the defaults, with what the options say. */
export function fieldTexts(trainer: OwnTrainer, options: CliOptions): TrainingTexts {
  const texts: Record<string, string> = { ...DEFAULTS[trainer] };
  for (const assigned of options.all('set')) {
    const at = assigned.indexOf('=');
    const field = assigned.slice(0, Math.max(0, at));
    if (at < 1) throw new UsageError(`"${assigned}" should be FIELD=VALUE.`);
    if (texts[field] === undefined) {
      throw new UsageError(`There is no setting "${field}". See: mars2 trainings settings --of ${trainer}`);
    }
    texts[field] = assigned.slice(at + 1);
  }
  for (const [name, [field]] of Object.entries(OPTION_FIELDS[trainer])) {
    const text = options.text(name);
    if (text !== undefined) texts[field] = text;
  }
  return texts;
}

/** An error of the contract, as an error of the option that set the value. */
export function fieldError(
  trainer: OwnTrainer,
  { id, message }: { readonly id: string; readonly message: string },
  texts: TrainingTexts,
): UsageError {
  const own = Object.entries(OPTION_FIELDS[trainer]).find(([, [field]]) => field === id);
  const name = own === undefined ? (OTHER_OPTIONS.get(id) ?? `--set ${id}`) : `--${own[0]}`;
  const field = FIELDS[trainer].find((field) => field.id === id);
  if (field?.kind.kind === 'choice') {
    const values = field.kind.choices.map(({ value }) => value);
    return new UsageError(`${name} is ${values.join(' or ')}, not "${texts[id]}".`);
  }
  const expected = message.replace(/\.$/, '');
  return new UsageError(
    `${name}: ${expected.charAt(0).toLowerCase()}${expected.slice(1)}, not "${texts[id]}".`,
  );
}

/** Every setting with its default and what it is for, by group. */
export function fieldsText(trainer: OwnTrainer): string {
  const lines = FIELDS[trainer].flatMap(({ id, label, help, kind }) => {
    const usual = DEFAULTS[trainer][id] ?? '';
    const about = [`${label} (${valuesOf(kind)}).`, help].filter((part) => part !== '').join(' ');
    return [`  ${id} (${usual === '' ? 'left out' : usual})`, `      ${about}`];
  });
  return `${lines.join('\n')}\n`;
}

function valuesOf(kind: TrainingField['kind']): string {
  if (kind.kind === 'path') return 'a path';
  if (kind.kind !== 'choice') return `${kind.least} to ${kind.most}`;
  return kind.choices.map(({ value, label: meaning }) => `${value}: ${meaning}`).join('; ');
}
