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

const SHARED = {
  updates: 'updates',
  batch: 'batch',
  trees: 'treesPerRound',
  nodes: 'nodes',
  rate: 'rate',
  'checkpoint-every': 'checkpointEvery',
  samples: 'evaluation.samples',
  'evaluation-nodes': 'evaluation.nodes',
  'evaluate-every': 'evaluation.every',
};

/** The fields that have an option of their own in "start" and "plan"; the others are set by --set. */
const OPTION_FIELDS: Readonly<Record<OwnTrainer, Readonly<Record<string, string>>>> = {
  pocket: { ...SHARED, split: 'evaluation.split', problems: 'evaluation.problems' },
  model: {
    ...SHARED,
    'evaluation-problems': 'evaluation.problems',
    'evaluate-before': 'evaluation.before',
    'measure-problems': 'problems.choose.measured',
    'measure-samples': 'problems.choose.samples',
    writer: 'writer.engine',
    publish: 'writer.publish',
    'writer-python': 'writer.python',
    'writer-memory': 'writer.memoryShare',
    device: 'device',
    dtype: 'dtype',
    processes: 'processes',
    threads: 'threads',
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
    ...Object.entries(OPTION_FIELDS[trainer]).map(([name, id]) => {
      const field = FIELDS[trainer].find((field) => field.id === id);
      if (field === undefined) throw new Error(`--${name} sets "${id}", which is no field`);
      const usual = DEFAULTS[trainer][id] ?? '';
      const about = aboutOf(field);
      return option(`--${name} <${valueName(field)}>`, usual === '' ? about : `${about} (default: ${usual})`);
    }),
    repeated(
      '--set <field=value>',
      `any other setting (see: mars2 trainings settings --of ${trainer}); repeat it`,
    ),
  ];
}

/** As the form says it, in the style of the other options: "updates of each agent; optimiser steps". */
function aboutOf({ id, label, unit, help }: TrainingField): string {
  const name = `${uncapitalised(label)}${unit === undefined ? '' : ` (${unit})`}`;
  const text = [name, uncapitalised(help.replace(/\.$/, ''))].filter((part) => part !== '').join('; ');
  return id.startsWith('evaluation.') ? `evaluation: ${text}` : text;
}

/** "GPU" and "LoRA" stay as they are. */
function uncapitalised(text: string): string {
  return /^[A-Z][a-z ]/.test(text) && !/^\w*[a-z][A-Z]/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
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
  for (const [name, field] of Object.entries(OPTION_FIELDS[trainer])) {
    const text = options.text(name);
    if (text !== undefined) texts[field] = text;
  }
  return texts;
}

/** What the contract refuses, said of the option that set it. */
export function fieldError(
  trainer: OwnTrainer,
  { id, message }: { readonly id: string; readonly message: string },
  texts: TrainingTexts,
): UsageError {
  const own = Object.entries(OPTION_FIELDS[trainer]).find(([, field]) => field === id);
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
