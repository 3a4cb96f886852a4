import type { Refusal } from '../../preload/contract/index';
import type { Result } from '../base/index';
import { JournalWriteError } from '../storage/index';

/** Ends the work of a study from deep within; its refusal is what the study's state shows. */
export class StudyError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

export function unwrap<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new StudyError(result.error);
  return result.value;
}

/** A full disk or a bug is told as what it is. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof StudyError) return error.refusal;
  if (error instanceof JournalWriteError) {
    return {
      code: 'unavailable',
      message: error.message,
      hint: 'Make room on the disk, then resume the study: everything up to here is kept.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message: `The study stopped on an error of the workbench: ${message}` };
}
