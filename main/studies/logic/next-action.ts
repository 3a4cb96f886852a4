import type { Progress, Refusal, StudyState } from '../../../preload/contract/index';
import type { NextAction } from '../../base/index';

export type StudyEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly refusal: Refusal };

/** What a person or a plan asks for; paused, cancelled: that its work stops. */
export type StudyRequest = 'start' | 'paused' | 'cancelled';

/** What decisions need of a study's record. */
export type StudyFacts = {
  readonly stopped: 'paused' | 'cancelled' | null;
  readonly progress: Progress | null;
  readonly finishedAt: string | null;
  readonly fromBundle?: string | undefined;
};

/** What only this start of the workbench knows of a study. */
export type StudyObservation = {
  /** null: the reconciler only looks what is due. */
  readonly request: StudyRequest | null;
  /** null: nothing of it runs. */
  readonly work: {
    readonly state: StudyState;
    /** null: it goes on. */
    readonly end: StudyEnd | null;
    /** Since its progress was saved. */
    readonly unsavedMs: number;
  } | null;
  /** Why its last work failed. */
  readonly failure: Refusal | null;
  /** Why it cannot start now, e.g. another study runs on the same machine or server. */
  readonly obstacle: Refusal | null;
  /** Progress by its journals where they show that work is left. */
  readonly workLeft: Progress | null;
};

export type StudyAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop'; readonly intent: 'paused' | 'cancelled' }
  /** It does not run: only its record changes. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'save-progress' }
  /** Its work has ended: how is to be saved. */
  | { readonly kind: 'conclude'; readonly end: StudyEnd }
  /** It counted as finished, but its journals have lost a part: it can be resumed. */
  | { readonly kind: 'reopen'; readonly progress: Progress };

/** A crash costs at most so much of the time of work that is shown. */
const SAVE_PROGRESS_MS = 5_000;

const NOTHING: StudyAction = { kind: 'nothing' };

const READ_ONLY: Refusal = {
  code: 'conflict',
  message: 'This study came with the bundle of another lab, so it is read-only.',
  hint: 'Create a study of your own with the same settings.',
};
const NOT_RUNNING: Refusal = {
  code: 'conflict',
  message: 'This study is not running, so there is nothing to stop.',
};

/** A study that was interrupted by a crash is not resumed by itself: a person or a plan starts it again. */
export const nextAction: NextAction<StudyFacts, StudyObservation, StudyAction> = (record, observed) => {
  const { request, work, workLeft } = observed;
  if (work !== null) {
    if (work.end !== null) return { kind: 'conclude', end: work.end };
    if (request === 'paused' || request === 'cancelled') return { kind: 'stop', intent: request };
    return work.unsavedMs >= SAVE_PROGRESS_MS ? { kind: 'save-progress' } : NOTHING;
  }
  switch (request) {
    case null:
      return workLeft !== null && record.finishedAt !== null
        ? { kind: 'reopen', progress: workLeft }
        : NOTHING;
    case 'start': {
      const refusal = record.fromBundle === undefined ? observed.obstacle : READ_ONLY;
      return refusal === null ? { kind: 'start' } : { kind: 'refuse', refusal };
    }
    case 'cancelled':
      if (record.finishedAt === null) return { kind: 'cancel' };
      return { kind: 'refuse', refusal: NOT_RUNNING };
    case 'paused':
      return { kind: 'refuse', refusal: NOT_RUNNING };
  }
};

/** Work that ended without a failure counts as running until that is saved. */
export function studyState(
  record: StudyFacts,
  { work, failure }: Pick<StudyObservation, 'work' | 'failure'>,
): StudyState {
  const last = work === null ? failure : work.end?.kind === 'failed' ? work.end.refusal : null;
  if (last !== null) {
    const { message, hint } = last;
    return { kind: 'failed', message, ...(hint ? { hint } : {}) };
  }
  if (work !== null) return work.state;
  if (record.finishedAt !== null) return { kind: 'finished' };
  if (record.stopped !== null) return { kind: record.stopped };
  return record.progress === null ? { kind: 'planned' } : { kind: 'interrupted' };
}
