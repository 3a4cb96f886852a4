import type { ModelTraining, PocketTraining } from '../training-spec';
import { PLAIN_PROBLEM_CHOICE } from './problem-choice';
import type { TrainingField } from './training-field';
import { MODEL_FIELDS, POCKET_FIELDS } from './training-fields';
import { WRITER_MEMORY_SHARE } from './writers';

/** All that the fields of a pocket training set. */
export type PocketSettings = Omit<PocketTraining, 'kind' | 'method' | 'families' | 'seed'>;
type Evaluation = Pick<ModelTraining['evaluation'], 'problems' | 'nodes' | 'samples' | 'every'>;
type ModelEvaluation = Evaluation & Pick<ModelTraining['evaluation'], 'before'>;
/** All that the fields of a model training set. */
export type ModelSettings = Omit<
  ModelTraining,
  'kind' | 'method' | 'agents' | 'problems' | 'seed' | 'evaluation' | 'python'
> & { readonly problems: Pick<ModelTraining['problems'], 'choose'>; readonly evaluation: ModelEvaluation };
/** What stands in the fields, by field id; empty texts are what is left out. */
export type TrainingTexts = Readonly<Record<string, string>>;
type FieldError = { readonly id: string; readonly message: string };
export type ReadSettings<Settings> =
  | { readonly ok: true; readonly value: Settings }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The texts with which a form of these settings opens. */
export function textsOfPocket(settings: PocketSettings): TrainingTexts {
  return Object.fromEntries(POCKET_FIELDS.map(({ id }) => [id, textAt(settings, id)]));
}

export function textsOfModel(
  settings: Omit<ModelSettings, 'problems'> & Partial<Pick<ModelSettings, 'problems'>>,
): TrainingTexts {
  return Object.fromEntries(MODEL_FIELDS.map(({ id }) => [id, textAt(settings, id)]));
}

function textAt(settings: object, id: string): string {
  let value: unknown = settings;
  for (const part of id.split('.')) {
    if (typeof value !== 'object' || value === null) return '';
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value === null || value === undefined ? '' : String(value);
}

/** What is wrong with a field's text, or null. */
function errorOfText(field: TrainingField, text: string): string | null {
  const typed = text.trim();
  const { kind } = field;
  if (typed === '') return field.optional === true ? null : 'Needs a value.';
  if (kind.kind === 'choice') {
    return kind.choices.some(({ value }) => value === typed) ? null : 'Choose one of the list.';
  }
  if (kind.kind === 'path') {
    return typed.length <= kind.most ? null : `At most ${kind.most.toLocaleString('en')} characters.`;
  }
  const value = Number(typed);
  const isIn = value >= kind.least && value <= kind.most;
  const [least, most] = [kind.least.toLocaleString('en'), kind.most.toLocaleString('en')];
  if (kind.kind === 'whole') {
    return Number.isInteger(value) && isIn ? null : `A whole number from ${least} to ${most}.`;
  }
  if (kind.exclusiveMinimum === true) {
    return isIn && value > kind.least ? null : `A number above ${least}, at most ${most}.`;
  }
  return isIn ? null : `A number from ${least} to ${most}.`;
}

/** The settings of a pocket training that the texts mean, or what is wrong with them, field by field. */
export function pocketOfTexts(texts: TrainingTexts): ReadSettings<PocketSettings> {
  const errors = errorsOf(POCKET_FIELDS, texts);
  if (errors.length > 0) return { ok: false, errors };
  const value = numbersOf(texts);
  const { evaluation, ...shared } = sharedSettings(texts);
  return {
    ok: true,
    value: {
      ...shared,
      problems: value('problems'),
      evaluation: { split: oneOf(texts['evaluation.split'], ['validation', 'test']), ...evaluation },
    },
  };
}

/** The same of a model training; without rank and alpha all weights are trained. */
export function modelOfTexts(texts: TrainingTexts): ReadSettings<ModelSettings> {
  const errors = errorsOf(MODEL_FIELDS, texts);
  if (errors.length > 0) return { ok: false, errors };
  const value = numbersOf(texts);
  const { objective, evaluation, ...shared } = sharedSettings(texts);
  const before = textOf(texts, 'evaluation.before');
  const against = textOf(texts, 'objective.ratioAgainst');
  return {
    ok: true,
    value: {
      ...shared,
      problems: chosenProblems(texts),
      evaluation: { ...evaluation, ...(before === '' ? {} : { before: before === 'true' }) },
      lora: isEmpty(texts, 'lora.rank') ? null : { rank: value('lora.rank'), alpha: value('lora.alpha') },
      objective: {
        ...objective,
        ...(against === '' ? {} : { ratioAgainst: oneOf(against, ['rollout', 'old']) }),
      },
      oldFrom: oneOf(texts.oldFrom, ['recomputed', 'sampled']),
      ...writerOf(texts),
      device: oneOf(texts.device, ['auto', 'cpu', 'cuda']),
      dtype: oneOf(texts.dtype, ['float32', 'bfloat16']),
      processes: value('processes'),
      threads: isEmpty(texts, 'threads') ? null : value('threads'),
    },
  };
}

/** Without an engine the learners write. */
function writerOf(texts: TrainingTexts): Pick<ModelSettings, 'writer'> {
  if (isEmpty(texts, WRITER.engine)) return {};
  const usual =
    isEmpty(texts, 'lora.rank') || textOf(texts, WRITER.engine) !== 'vllm' ? 'restart' : 'adapter';
  const python = textOf(texts, WRITER.python);
  return {
    writer: {
      engine: oneOf(texts[WRITER.engine], ['vllm', 'sglang']),
      publish: isEmpty(texts, WRITER.publish)
        ? usual
        : oneOf(texts[WRITER.publish], ['restart', 'reload', 'adapter']),
      memoryShare: isEmpty(texts, WRITER.memoryShare)
        ? WRITER_MEMORY_SHARE
        : Number(texts[WRITER.memoryShare]),
      ...(python === '' ? {} : { python }),
    },
  };
}

/** Without a number of problems to measure all are trained on. */
function chosenProblems(texts: TrainingTexts): ModelSettings['problems'] {
  if (isEmpty(texts, CHOSEN.measured)) return {};
  const numberOf = (name: keyof typeof CHOSEN): number =>
    isEmpty(texts, CHOSEN[name]) ? PLAIN_PROBLEM_CHOICE[name] : numbersOf(texts)(CHOSEN[name]);
  const [measured, samples] = [numberOf('measured'), numberOf('samples')];
  return { choose: { measured, samples, from: numberOf('from'), to: numberOf('to') } };
}

/** Of texts whose numbers are right. */
function choiceErrors(texts: TrainingTexts): readonly FieldError[] {
  const typed = [CHOSEN.samples, CHOSEN.from, CHOSEN.to].some((id) => !isEmpty(texts, id));
  if (isEmpty(texts, CHOSEN.measured)) {
    return typed ? [{ id: CHOSEN.measured, message: 'Enter how many problems to measure.' }] : [];
  }
  const { choose } = chosenProblems(texts);
  if (choose === undefined || choose.from <= choose.to) return [];
  return [{ id: CHOSEN.to, message: 'Must be at least the least Pass@1.' }];
}

function errorsOf(fields: readonly TrainingField[], texts: TrainingTexts): readonly FieldError[] {
  const text = (id: string): string => textOf(texts, id);
  const errors: FieldError[] = fields.flatMap((field) => {
    const message = errorOfText(field, text(field.id));
    return message === null ? [] : [{ id: field.id, message }];
  });
  const checkPair = (first: string, second: string, message: string): void => {
    if ((text(first) === '') === (text(second) === '')) return;
    errors.push({ id: text(first) === '' ? first : second, message });
  };
  checkPair(LIMIT, BUFFER, 'Limit and buffer belong together: fill in both, or neither.');
  if (Number(text(BUFFER)) > Number(text(LIMIT)) && text(LIMIT) !== '') {
    errors.push({ id: BUFFER, message: 'The buffer cannot be longer than the limit.' });
  }
  checkPair(LOW, HIGH, 'Low and high belong together: fill in both, or neither.');
  if (text(LOW) !== '' && text(HIGH) !== '' && Number(text(LOW)) >= Number(text(HIGH))) {
    errors.push({ id: HIGH, message: 'Must be above the low end, else no tree is kept.' });
  }
  errors.push(...choiceErrors(texts));
  const { engine, ...ofEngine } = WRITER;
  if (text(engine) === '' && Object.values(ofEngine).some((id) => text(id) !== '')) {
    errors.push({ id: engine, message: 'Choose the engine that these settings are for.' });
  }
  checkPair('lora.rank', 'lora.alpha', 'Rank and alpha belong together: fill in both, or neither.');
  return errors;
}

const WRITER = {
  engine: 'writer.engine',
  publish: 'writer.publish',
  python: 'writer.python',
  memoryShare: 'writer.memoryShare',
} as const;
const CHOSEN = {
  measured: 'problems.choose.measured',
  samples: 'problems.choose.samples',
  from: 'problems.choose.from',
  to: 'problems.choose.to',
} as const;
const LIMIT = 'objective.overlong.maximumTokens';
const BUFFER = 'objective.overlong.bufferTokens';
const LOW = 'objective.filter.low';
const HIGH = 'objective.filter.high';

/** Of texts without errors. */
function sharedSettings(texts: TrainingTexts): Omit<PocketSettings, 'problems' | 'evaluation'> & {
  readonly evaluation: Evaluation;
} {
  const text = (id: string): string => textOf(texts, id);
  const value = numbersOf(texts);
  return {
    updates: value('updates'),
    batch: value('batch'),
    treesPerRound: value('treesPerRound'),
    nodes: value('nodes'),
    rate: value('rate'),
    objective: {
      shaping: {
        strength: value('objective.shaping.strength'),
        siblingShare: value('objective.shaping.siblingShare'),
        shapedParent: text('objective.shaping.shapedParent') === 'true',
      },
      group: oneOf(text('objective.group'), ['tree', 'agent', 'siblings', 'batch']),
      allWrongAdvantage: value('objective.allWrongAdvantage'),
      ratio: oneOf(text('objective.ratio'), ['sequence', 'token']),
      clip: { low: value('objective.clip.low'), high: value('objective.clip.high') },
      importanceCap: text('objective.importanceCap') === '' ? null : value('objective.importanceCap'),
      kl: {
        estimator: oneOf(text('objective.kl.estimator'), ['k1', 'k2', 'k3']),
        coefficient: value('objective.kl.coefficient'),
      },
      overlong:
        text(LIMIT) === ''
          ? null
          : {
              maximumTokens: value(LIMIT),
              bufferTokens: value(BUFFER),
              factor: text('objective.overlong.factor') === '' ? 1 : value('objective.overlong.factor'),
            },
      filter: text(LOW) === '' ? null : { low: value(LOW), high: value(HIGH) },
    },
    refinement: text('refinement') === 'true',
    checkpointEvery: value('checkpointEvery'),
    evaluation: {
      problems: value('evaluation.problems'),
      nodes: value('evaluation.nodes'),
      samples: value('evaluation.samples'),
      every: value('evaluation.every'),
    },
  };
}

function textOf(texts: TrainingTexts, id: string): string {
  return (texts[id] ?? '').trim();
}

function isEmpty(texts: TrainingTexts, id: string): boolean {
  return textOf(texts, id) === '';
}

function numbersOf(texts: TrainingTexts): (id: string) => number {
  return (id) => Number(textOf(texts, id));
}

function oneOf<const T extends string>(text: string | undefined, values: readonly [T, ...T[]]): T {
  return values.find((value) => value === text?.trim()) ?? values[0];
}

/** Ids of the fields whose texts are not those of `usual`, in its order. A number counts by its value. */
export function changedFields(texts: TrainingTexts, usual: TrainingTexts): readonly string[] {
  const same = (a: string, b: string): boolean =>
    a.trim() === b.trim() || (a.trim() !== '' && b.trim() !== '' && Number(a) === Number(b));
  return Object.keys(usual).filter((id) => !same(texts[id] ?? '', usual[id] ?? ''));
}
