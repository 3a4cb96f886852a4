import {
  PLAIN_POCKET_TRAINING,
  type PocketTexts,
  settingsOfTexts,
  textsOfSettings,
  trainingMethodOf,
} from '../../preload/contract/plans/index';
import type { PocketTraining, TrainingMethod } from '../../preload/contract/training-spec';
import { wholeNumber } from '../widgets/typed-numbers';
import { type Checked, type FieldError, missing, wrong } from './form-errors';

export type PocketDraft = {
  readonly method: TrainingMethod;
  readonly families: readonly string[];
  readonly seed: string;
  /** Every field of pocket-fields.ts, as typed. */
  readonly texts: PocketTexts;
};

const { seed: SEED, ...SETTINGS } = PLAIN_POCKET_TRAINING;
/** The fields as they open. */
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

/** Fields that say nothing of agents which only get evaluated. */
function isLearningField(fieldId: string): boolean {
  return !fieldId.startsWith('evaluation.');
}

export function checkPocket(draft: PocketDraft): Checked<PocketTraining> {
  const { method, families } = draft;
  const errors: FieldError[] = [];
  const fewest = trainingMethodOf(method).families;
  if (families.length === 0) errors.push(missing('families', 'Add at least one.'));
  else if (families.length < fewest) {
    errors.push(wrong('families', `${trainingMethodOf(method).name} needs two agents: add another.`));
  }
  const seed = wholeNumber(draft.seed, [0, 2_147_483_647]);
  if (!seed.ok) errors.push(wrong('seed', seed.message));
  // What cannot be seen must not stand in the way: nobody learns, so its fields are not shown.
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
  if (!read.ok) errors.push(...read.faults.map(({ id, message }) => wrong(id, message)));
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
      'All-wrong groups count here. The papers give them no advantage: name this training so that it is not taken for the method itself.',
    );
  }
  if (method === 'grpo-all-wrong' && objective.allWrongAdvantage === 0) {
    warnings.push('With an advantage of 0 where all fail, the trainer takes −0.5 for this control.');
  }
  if (batch % nodes !== 0 && objective.group !== 'batch') {
    warnings.push(
      `${batch} samples are no whole number of groups of ${nodes}: what is left over waits for the next update.`,
    );
  }
  if (evaluation.split === 'test' && evaluation.every > 0) {
    warnings.push(
      'Evaluated on the test problems on the way: whatever is chosen by these numbers is chosen on the test. Take validation problems for it.',
    );
  }
  return warnings;
}
