import type { TrainingMethod } from '../../preload/contract/learning';
import {
  PLAIN_POCKET_TRAINING,
  POCKET_FIELDS,
  pocketOfTexts,
  type TrainingTexts,
  textsOfPocket,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { PocketTraining } from '../../preload/contract/training-spec';
import { wholeNumber } from '../widgets/typed-numbers';
import { type Checked, type FieldError, missing, wrong } from './form-errors';
import { learningWarnings, withDefaults } from './learning-draft';

export type PocketDraft = {
  readonly method: TrainingMethod;
  readonly families: readonly string[];
  readonly seed: string;
  /** Every field of pocket-fields.ts, as entered. */
  readonly texts: TrainingTexts;
};

const { seed: SEED, ...SETTINGS } = PLAIN_POCKET_TRAINING;
/** The default texts of the fields. */
export const DEFAULT_TEXTS: TrainingTexts = textsOfPocket(SETTINGS);
export const EMPTY_POCKET: PocketDraft = {
  method: 'heter-mars2',
  families: ['reader', 'tracer'],
  seed: String(SEED),
  texts: DEFAULT_TEXTS,
};

export function draftOfPocket({ method, families, seed, ...training }: PocketTraining): PocketDraft {
  return { method, families, seed: String(seed), texts: textsOfPocket(training) };
}

/** e.g. "Heter-MARS², reader + tracer" */
export function pocketName({ method, families }: Pick<PocketDraft, 'method' | 'families'>): string {
  const { name } = trainingMethodOf(method);
  return families.length === 0 ? name : `${name}, ${families.join(' + ')}`;
}

/** Without updates only these matter. */
const USED_BY_BASE = new Set(POCKET_FIELDS.map(({ id }) => id).filter((id) => id.startsWith('evaluation.')));

export function checkPocket(draft: PocketDraft): Checked<PocketTraining> {
  const { method, families } = draft;
  const errors: FieldError[] = [];
  const fewest = trainingMethodOf(method).families;
  if (families.length === 0) errors.push(missing('families', 'Add at least one agent.'));
  else if (families.length < fewest) {
    errors.push(wrong('families', `${trainingMethodOf(method).name} needs two agents.`));
  }
  const seed = wholeNumber(draft.seed, [0, 2_147_483_647]);
  if (!seed.ok) errors.push(wrong('seed', seed.message));
  const texts = method === 'base' ? withDefaults(draft.texts, DEFAULT_TEXTS, USED_BY_BASE) : draft.texts;
  const read = pocketOfTexts(texts);
  if (!read.ok) errors.push(...read.errors.map(({ id, message }) => wrong(id, message)));
  const settings = read.ok ? read.value : SETTINGS;
  return {
    errors: errors,
    warnings: read.ok && errors.length === 0 ? warningsOf(draft, settings) : [],
    value: {
      kind: 'pocket',
      method,
      families: [...families],
      seed: seed.ok ? seed.value : SEED,
      ...settings,
    },
  };
}

function warningsOf({ method }: PocketDraft, settings: typeof SETTINGS): readonly string[] {
  const { evaluation } = settings;
  if (method === 'base' || evaluation.split !== 'test' || evaluation.every === 0) {
    return learningWarnings(method, settings);
  }
  return [
    ...learningWarnings(method, settings),
    'The test problems are evaluated during training: selecting by these numbers means selecting on the test set. Use validation problems instead.',
  ];
}
