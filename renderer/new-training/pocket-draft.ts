import type { TrainingMethod } from '../../preload/contract/learning';
import {
  PLAIN_POCKET_TRAINING,
  type PocketTexts,
  settingsOfTexts,
  textsOfSettings,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { PocketTraining } from '../../preload/contract/training-spec';
import { wholeNumber } from '../widgets/typed-numbers';
import { type Checked, type FieldError, missing, wrong } from './form-errors';

export type PocketDraft = {
  readonly method: TrainingMethod;
  readonly families: readonly string[];
  readonly seed: string;
  /** Every field of pocket-fields.ts, as entered. */
  readonly texts: PocketTexts;
};

const { seed: SEED, ...SETTINGS } = PLAIN_POCKET_TRAINING;
/** The default texts of the fields. */
export const DEFAULT_TEXTS: PocketTexts = textsOfSettings(SETTINGS);
export const EMPTY_POCKET: PocketDraft = {
  method: 'heter-mars2',
  families: ['reader', 'tracer'],
  seed: String(SEED),
  texts: DEFAULT_TEXTS,
};

export function draftOfPocket({ method, families, seed, ...training }: PocketTraining): PocketDraft {
  return { method, families, seed: String(seed), texts: textsOfSettings(training) };
}

/** e.g. "Heter-MARS², reader + tracer" */
export function pocketName({ method, families }: Pick<PocketDraft, 'method' | 'families'>): string {
  const { name } = trainingMethodOf(method);
  return families.length === 0 ? name : `${name}, ${families.join(' + ')}`;
}

/** Whether a field matters only if agents are trained. */
function isLearningField(fieldId: string): boolean {
  return !fieldId.startsWith('evaluation.');
}

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
  // Fields hidden because nothing is trained must not cause errors.
  const texts =
    method === 'base'
      ? Object.fromEntries(
          Object.entries(draft.texts).map(([id, text]) => [
            id,
            isLearningField(id) ? (DEFAULT_TEXTS[id] ?? text) : text,
          ]),
        )
      : draft.texts;
  const read = settingsOfTexts(texts);
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
  if (method === 'base') return [];
  const warnings: string[] = [];
  const { objective, evaluation, batch, nodes } = settings;
  if (objective.allWrongAdvantage !== 0 && method !== 'grpo-all-wrong') {
    warnings.push(
      'This training gives all-wrong groups an advantage, unlike the papers. Choose a name that tells it apart from the method.',
    );
  }
  if (method === 'grpo-all-wrong' && objective.allWrongAdvantage === 0) {
    warnings.push('The advantage of all-wrong groups is 0; the trainer uses −0.5 for this control.');
  }
  if (batch % nodes !== 0 && objective.group !== 'batch') {
    warnings.push(
      `${batch} samples are not a multiple of the group size ${nodes}: the rest is used in the next update.`,
    );
  }
  if (evaluation.split === 'test' && evaluation.every > 0) {
    warnings.push(
      'The test problems are evaluated during training: selecting by these numbers means selecting on the test set. Use validation problems instead.',
    );
  }
  return warnings;
}
