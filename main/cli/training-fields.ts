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

/** An option of "start" and "plan" that sets a field of an own training; the others are set by --set. */
type FieldOption = {
  readonly name: string;
  readonly takes: string;
  readonly field: string;
  readonly about: string;
};

const SHARED: readonly FieldOption[] = [
  { name: 'updates', takes: 'n', field: 'updates', about: 'updates of each agent' },
  { name: 'batch', takes: 'n', field: 'batch', about: 'samples per update' },
  { name: 'trees', takes: 'n', field: 'treesPerRound', about: 'trees per round' },
  { name: 'nodes', takes: 'n', field: 'nodes', about: 'nodes per tree' },
  { name: 'rate', takes: 'r', field: 'rate', about: 'peak learning rate' },
  {
    name: 'checkpoint-every',
    takes: 'n',
    field: 'checkpointEvery',
    about: 'updates between two checkpoints',
  },
];

const EVALUATION: readonly FieldOption[] = [
  {
    name: 'samples',
    takes: 'n',
    field: 'evaluation.samples',
    about: 'evaluation: samples per problem',
  },
  {
    name: 'evaluation-nodes',
    takes: 'n',
    field: 'evaluation.nodes',
    about: 'evaluation: nodes per tree',
  },
  {
    name: 'evaluate-every',
    takes: 'n',
    field: 'evaluation.every',
    about: 'evaluation: also every n updates; 0: at the end',
  },
];

const FIELD_OPTIONS: Readonly<Record<OwnTrainer, readonly FieldOption[]>> = {
  pocket: [
    ...SHARED,
    {
      name: 'split',
      takes: 'name',
      field: 'evaluation.split',
      about: 'evaluation: validation or test',
    },
    { name: 'problems', takes: 'n', field: 'evaluation.problems', about: 'evaluation: problems' },
    ...EVALUATION,
  ],
  model: [
    ...SHARED,
    {
      name: 'evaluation-problems',
      takes: 'n',
      field: 'evaluation.problems',
      about: 'evaluation: problems; 0: none',
    },
    ...EVALUATION,
    {
      name: 'evaluate-before',
      takes: 'true|false',
      field: 'evaluation.before',
      about: 'evaluation: Pass@1 before the first update too',
    },
    {
      name: 'measure-problems',
      takes: 'n',
      field: 'problems.choose.measured',
      about: 'measure Pass@1 of so many problems first, and train on those solved sometimes',
    },
    {
      name: 'measure-samples',
      takes: 'n',
      field: 'problems.choose.samples',
      about: 'first attempts per measured problem and agent (default: 8)',
    },
    { name: 'device', takes: 'name', field: 'device', about: 'auto, cpu or cuda' },
    { name: 'dtype', takes: 'name', field: 'dtype', about: 'float32 or bfloat16' },
    {
      name: 'processes',
      takes: 'n',
      field: 'processes',
      about: 'processes of each learner, one a GPU',
    },
    { name: 'threads', takes: 'n', field: 'threads', about: 'threads of each learner' },
  ],
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
    ...FIELD_OPTIONS[trainer].map(({ name, takes, field, about }) => {
      const usual = DEFAULTS[trainer][field] ?? '';
      return option(`--${name} <${takes}>`, usual === '' ? about : `${about} (default: ${usual})`);
    }),
    repeated(
      '--set <field=value>',
      `any other setting (see: mars2 trainings settings --of ${trainer}); repeat it`,
    ),
  ];
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
  for (const { name, field } of FIELD_OPTIONS[trainer]) {
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
  const own = FIELD_OPTIONS[trainer].find(({ field }) => field === id);
  const name = own === undefined ? (OTHER_OPTIONS.get(id) ?? `--set ${id}`) : `--${own.name}`;
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
    const values =
      kind.kind === 'choice'
        ? kind.choices.map(({ value, label: meaning }) => `${value}: ${meaning}`).join('; ')
        : `${kind.least} to ${kind.most}`;
    const about = [`${label} (${values}).`, help].filter((part) => part !== '').join(' ');
    return [`  ${id} (${usual === '' ? 'left out' : usual})`, `      ${about}`];
  });
  return `${lines.join('\n')}\n`;
}
