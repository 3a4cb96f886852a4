import type { Progress, Refusal, StudyState } from '../../../preload/contract/index';
import type { NextAction } from '../../base/index';

/** Why a person or a plan stops it. */
export type StudyStop = 'paused' | 'cancelled';
/** queue: start now, or once no other study uses its machine or server. */
export type StudyRequest = 'start' | 'queue' | StudyStop;

/** How its work ended. */
export type StudyEnd =
  | { readonly kind: 'finished' | StudyStop }
  | { readonly kind: 'failed'; readonly refusal: Refusal };

/** The part of a study's record that decisions depend on. */
export type StudyFacts = {
  readonly stopped: StudyStop | null;
  /** Why its last work failed, also in an earlier session. */
  readonly failure?: Omit<Refusal, 'code'> | undefined;
  readonly progress: Progress | null;
  readonly finishedAt: string | null;
  readonly fromBundle?: string | undefined;
  readonly unattended?: true | undefined;
};

export type QueuedBehind = { readonly name: string; readonly where: string };

/** Facts about a study that only the present session of the workbench has. */
export type StudyObservation = {
  /** null: the reconciler only looks what is due. */
  readonly request: StudyRequest | null;
  /** null: nothing of it runs. */
  readonly work: {
    readonly state: StudyState;
    /** null: it continues. */
    readonly end: StudyEnd | null;
    /** Since its progress was saved. */
    readonly unsavedMs: number;
  } | null;
  /** Why its last work failed, or why it could not start when its turn came. */
  readonly failure: Refusal | null;
  /** The study that it waits for, and where that one runs; null: it does not wait. */
  readonly queuedBehind: QueuedBehind | null;
  /** Why it cannot start, however long one waits. */
  readonly obstacle: Refusal | null;
  /** Another study runs on the same machine or server. */
  readonly conflict: Refusal | null;
  /** This workbench works without a person who looks, so what it ran before continues. */
  readonly isService: boolean;
};

export type StudyAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'start' }
  | { readonly kind: 'enqueue' | 'dequeue' }
  | { readonly kind: 'stop'; readonly as: StudyStop }
  /** It does not run: only its record changes. */
  | { readonly kind: 'cancel' }
  /** Its progress; end: also how its work ended. */
  | { readonly kind: 'save'; readonly end: StudyEnd | null };

/** A crash loses at most this much of the shown working time. */
const SAVE_PROGRESS_MS = 5_000;

const NOTHING: StudyAction = { kind: 'nothing' };

export const READ_ONLY: Refusal = {
  code: 'conflict',
  message: 'This study came with the bundle of another lab, so it is read-only.',
  hint: 'Create a study of your own with the same settings.',
};
const NOT_RUNNING: Refusal = {
  code: 'conflict',
  message: 'This study is not running, so there is nothing to stop.',
};

/**
 * A study that was interrupted by a crash is resumed by itself only where a service ran it; else a person or a plan starts
 * it again.
 */
export const nextAction: NextAction<StudyFacts, StudyObservation, StudyAction> = (record, observed) => {
  const { request, work } = observed;
  if (work !== null) {
    const { end, unsavedMs } = work;
    if (end === null && (request === 'paused' || request === 'cancelled')) {
      return { kind: 'stop', as: request };
    }
    return end !== null || unsavedMs >= SAVE_PROGRESS_MS ? { kind: 'save', end } : NOTHING;
  }
  switch (request) {
    case null:
      return isLeftToService(record, observed) && (observed.obstacle ?? observed.conflict) === null
        ? { kind: 'start' }
        : NOTHING;
    case 'start':
    case 'queue': {
      const refusal = record.fromBundle === undefined ? observed.obstacle : READ_ONLY;
      if (refusal !== null) return { kind: 'refuse', refusal };
      if (observed.conflict === null) return { kind: 'start' };
      return request === 'queue' ? { kind: 'enqueue' } : { kind: 'refuse', refusal: observed.conflict };
    }
    case 'cancelled':
      if (record.finishedAt === null) return { kind: 'cancel' };
      return { kind: 'refuse', refusal: NOT_RUNNING };
    case 'paused':
      return observed.queuedBehind === null ? { kind: 'refuse', refusal: NOT_RUNNING } : { kind: 'dequeue' };
  }
};

/** Does a service have to continue with it? */
export function isLeftToService(
  record: StudyFacts,
  { isService, failure, work }: Pick<StudyObservation, 'isService' | 'failure' | 'work'>,
): boolean {
  return (
    isService && record.unattended === true && record.finishedAt === null && failure === null && work === null
  );
}

/** Work that ended without a failure counts as running until that is saved. */
export function studyState(
  record: StudyFacts,
  { work, failure, queuedBehind }: Pick<StudyObservation, 'work' | 'failure' | 'queuedBehind'>,
): StudyState {
  const last = work === null ? failure : work.end?.kind === 'failed' ? work.end.refusal : null;
  if (last !== null) return failedFor(last);
  if (work !== null) return work.state;
  if (queuedBehind !== null) return { kind: 'queued', behind: queuedBehind.name, where: queuedBehind.where };
  if (record.failure !== undefined) return failedFor(record.failure);
  if (record.finishedAt !== null) return { kind: 'finished' };
  if (record.stopped !== null) return { kind: record.stopped };
  return record.progress === null ? { kind: 'planned' } : { kind: 'interrupted' };
}

function failedFor({ message, hint, cause }: Omit<Refusal, 'code'>): StudyState {
  return { kind: 'failed', message, ...(hint && { hint }), ...(cause && { cause }) };
}
