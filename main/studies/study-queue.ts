import { type Refusal, resourceConflict, resourceUser, type ServerSpec } from '../../preload/contract/index';
import type { StudySession } from './study-views';

/** Studies that wait for a machine or server that another one uses; each begins once that is free, in their order. */
export type StudyQueue = {
  /** Why these servers cannot be used now; null: they can. */
  readonly conflict: (servers: readonly ServerSpec[]) => Refusal | null;
  readonly has: (studyId: string) => boolean;
  readonly ids: () => readonly string[];
  /** Adds the study at the end, or notes for which one it waits now. */
  readonly wait: (studyId: string, servers: readonly ServerSpec[]) => void;
  /** refusal: why it cannot start, now that its turn has come. */
  readonly leave: (studyId: string, refusal?: Refusal) => void;
};

export function createStudyQueue(
  { running, failures, queued }: StudySession,
  emitChange: (studyId: string) => void,
): StudyQueue {
  const active = () => [...running.values()].map(({ active: { study } }) => study);
  return {
    conflict: (servers) => resourceConflict(servers, active()),
    has: (studyId) => queued.has(studyId),
    ids: () => [...queued.keys()],
    wait: (studyId, servers) => {
      const user = resourceUser(servers, active());
      if (user === null || user.name === queued.get(studyId)?.name) return;
      failures.delete(studyId);
      queued.set(studyId, user);
      emitChange(studyId);
    },
    leave: (studyId, refusal) => {
      if (!queued.delete(studyId)) return;
      if (refusal !== undefined) failures.set(studyId, refusal);
      emitChange(studyId);
    },
  };
}
