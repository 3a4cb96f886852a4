import type { TrainingDraft } from './training-draft';
/** A field by name, e.g. "machine", "objective.kl.coefficient", "agent 1". */
export type FieldId = string;
/** missing: shown only after the user tries to start; wrong: shown at once. */
export type FieldError = {
  readonly at: FieldId;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
/** The result of checking a part of the form. */
export type Checked<T> = {
  readonly errors: readonly FieldError[];
  /** The training can run, but perhaps not as intended. */
  readonly warnings: readonly string[];
  /** Valid only without errors. */
  readonly value: T;
};

export function missing(at: FieldId, message: string): FieldError {
  return { at, kind: 'missing', message };
}

export function wrong(at: FieldId, message: string): FieldError {
  return { at, kind: 'wrong', message };
}

/** Whether the text is an absolute path or starts at the home folder. */
export function isAbsolutePath(text: string): boolean {
  return /^[/~]/.test(text);
}

export const ABSOLUTE_PATH = 'Enter a full path, from / or ~.';

/** Props of every section of the form. */
export type FormSectionProps = {
  readonly draft: TrainingDraft;
  readonly errorAt: (at: FieldId) => string | undefined;
  readonly onChange: (part: Partial<TrainingDraft>) => void;
};
