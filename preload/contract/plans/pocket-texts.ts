import type { PocketTraining } from '../training-spec';
import { POCKET_FIELDS, type PocketField } from './pocket-fields';

/** All that the fields of pocket-fields.ts set. */
export type PocketSettings = Omit<PocketTraining, 'kind' | 'method' | 'families' | 'seed'>;
/** What stands in the fields, by field id; empty texts are what is left out. */
export type PocketTexts = Readonly<Record<string, string>>;
type FieldError = { readonly id: string; readonly message: string };
type ReadSettings =
  | { readonly ok: true; readonly value: PocketSettings }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The texts with which a form of these settings opens. */
export function textsOfSettings(settings: PocketSettings): PocketTexts {
  return Object.fromEntries(POCKET_FIELDS.map(({ id }) => [id, textAt(settings, id)]));
}

function textAt(settings: PocketSettings, id: string): string {
  let value: unknown = settings;
  for (const part of id.split('.')) {
    if (typeof value !== 'object' || value === null) return '';
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value === null || value === undefined ? '' : String(value);
}

/** What is wrong with a field's text, or null. */
function errorOfText(field: PocketField, text: string): string | null {
  const typed = text.trim();
  const { kind } = field;
  if (typed === '') return field.optional === true ? null : 'Needs a value.';
  if (kind.kind === 'choice') {
    return kind.choices.some(({ value }) => value === typed) ? null : 'Choose one of the list.';
  }
  const value = Number(typed);
  const isIn = value >= kind.least && value <= kind.most;
  const [least, most] = [kind.least.toLocaleString('en'), kind.most.toLocaleString('en')];
  if (kind.kind === 'whole') {
    return Number.isInteger(value) && isIn ? null : `A whole number from ${least} to ${most}.`;
  }
  if (kind.above === true) {
    return isIn && value > kind.least ? null : `A number above ${least}, at most ${most}.`;
  }
  return isIn ? null : `A number from ${least} to ${most}.`;
}

/** The settings that the texts mean, or what is wrong with them, field by field. */
export function settingsOfTexts(texts: PocketTexts): ReadSettings {
  const text = (id: string): string => (texts[id] ?? '').trim();
  const errors: FieldError[] = POCKET_FIELDS.flatMap((field) => {
    const message = errorOfText(field, text(field.id));
    return message === null ? [] : [{ id: field.id, message }];
  });
  const together = (first: string, second: string, message: string): void => {
    if ((text(first) === '') === (text(second) === '')) return;
    errors.push({ id: text(first) === '' ? first : second, message });
  };
  const limit = 'objective.overlong.maximumTokens';
  const buffer = 'objective.overlong.bufferTokens';
  together(limit, buffer, 'Limit and buffer belong together: fill in both, or neither.');
  if (Number(text(buffer)) > Number(text(limit)) && text(limit) !== '') {
    errors.push({ id: buffer, message: 'The buffer cannot be longer than the limit.' });
  }
  const low = 'objective.filter.low';
  const high = 'objective.filter.high';
  together(low, high, 'Low and high belong together: fill in both, or neither.');
  if (text(low) !== '' && text(high) !== '' && Number(text(low)) >= Number(text(high))) {
    errors.push({ id: high, message: 'Must be above the low end, else no tree is kept.' });
  }
  if (errors.length > 0) return { ok: false, errors };

  const value = (id: string): number => Number(text(id));
  const group = oneOf(text('objective.group'), ['tree', 'agent', 'siblings', 'batch']);
  const estimator = oneOf(text('objective.kl.estimator'), ['k1', 'k2', 'k3']);
  return {
    ok: true,
    value: {
      updates: value('updates'),
      batch: value('batch'),
      treesPerRound: value('treesPerRound'),
      nodes: value('nodes'),
      problems: value('problems'),
      rate: value('rate'),
      objective: {
        shaping: {
          strength: value('objective.shaping.strength'),
          siblingShare: value('objective.shaping.siblingShare'),
          shapedParent: text('objective.shaping.shapedParent') === 'true',
        },
        group,
        allWrongAdvantage: value('objective.allWrongAdvantage'),
        ratio: oneOf(text('objective.ratio'), ['sequence', 'token']),
        clip: { low: value('objective.clip.low'), high: value('objective.clip.high') },
        importanceCap: text('objective.importanceCap') === '' ? null : value('objective.importanceCap'),
        kl: { estimator, coefficient: value('objective.kl.coefficient') },
        overlong:
          text(limit) === ''
            ? null
            : {
                maximumTokens: value(limit),
                bufferTokens: value(buffer),
                factor: text('objective.overlong.factor') === '' ? 1 : value('objective.overlong.factor'),
              },
        filter: text(low) === '' ? null : { low: value(low), high: value(high) },
      },
      refinement: text('refinement') === 'true',
      checkpointEvery: value('checkpointEvery'),
      evaluation: {
        split: oneOf(text('evaluation.split'), ['validation', 'test']),
        problems: value('evaluation.problems'),
        nodes: value('evaluation.nodes'),
        samples: value('evaluation.samples'),
        every: value('evaluation.every'),
      },
    },
  };
}

function oneOf<const T extends string>(text: string, values: readonly [T, ...T[]]): T {
  return values.find((value) => value === text) ?? values[0];
}

/** Ids of the fields whose texts are not those of `usual`. A number counts by its value. */
export function changedFields(texts: PocketTexts, usual: PocketTexts): readonly string[] {
  const same = (a: string, b: string): boolean =>
    a.trim() === b.trim() || (a.trim() !== '' && b.trim() !== '' && Number(a) === Number(b));
  return POCKET_FIELDS.filter(({ id }) => !same(texts[id] ?? '', usual[id] ?? '')).map(({ id }) => id);
}
