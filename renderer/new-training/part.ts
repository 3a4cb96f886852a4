import type { Spot } from './said';
import type { TrainingDraft } from './training-draft';

/** What every part of the form is given. */
export type FormPart = {
  readonly draft: TrainingDraft;
  readonly faultAt: (at: Spot) => string | undefined;
  readonly onChange: (part: Partial<TrainingDraft>) => void;
};
