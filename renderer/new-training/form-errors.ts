import type { TrainingDraft } from './training-draft';
/** Where on the form something is said: a field by its name, e.g. "machine", "objective.kl.coefficient", "agent 1". */
export type FieldId = string;
/** missing: only said once the user wants to start; wrong: said at once. */
export type FieldError = {
  readonly at: FieldId;
  readonly kind: 'missing' | 'wrong';
  readonly message: string;
};
/** A part of the form that was read: what it means, or what is wrong with it. */
export type Checked<T> = {
  readonly errors: readonly FieldError[];
  /** What will run, but perhaps not as meant. */
  readonly warnings: readonly string[];
  /** Only to be used where there are no faults. */
  readonly value: T;
};

export function missing(at: FieldId, message: string): FieldError {
  return { at, kind: 'missing', message };
}

export function wrong(at: FieldId, message: string): FieldError {
  return { at, kind: 'wrong', message };
}

/** An absolute path, or one from the home folder. */
export function isAbsolutePath(text: string): boolean {
  return /^[/~]/.test(text);
}

export const ABSOLUTE_PATH = 'The whole path, from / or ~.';

/** What every part of the form is given. */
export type FormSectionProps = {
  readonly draft: TrainingDraft;
  readonly errorAt: (at: FieldId) => string | undefined;
  readonly onChange: (part: Partial<TrainingDraft>) => void;
};
