import type { Refusal } from '../../preload/contract/index';
import type { Result } from '../base/index';
import { JournalWriteError } from '../storage/index';

/** Ends the work of a study from anywhere in it; the study's state shows its refusal. */
export class StudyError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

export function unwrap<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new StudyError(result.error);
  return result.value;
}

/** What the study's state says about an error: a refusal, a full disk, or a bug. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof StudyError) return error.refusal;
  if (error instanceof JournalWriteError) {
    return {
      code: 'unavailable',
      message: error.message,
      hint: 'Free disk space, then resume the study. Everything up to here is saved.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message: `The study stopped because of an internal error: ${message}` };
}
