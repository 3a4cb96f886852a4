import type { WorkbenchEvent } from '../../preload/contract/index';
import { createKeyedQueue, type Emitter } from '../base/index';
import type { ReconcileProblem } from '../reconcile/index';
import { type Registry, reasonOf, type Speed, type StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import type { StudyEnd } from './logic/next-action';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';
import type { RunningStudy, StudySession, StudyViews } from './study-views';

/** Saves the progress of running studies, and how they ended. */
export function createStudySaving(
  options: {
    readonly registry: Registry;
    readonly store: StudyStore;
    readonly deps: Pick<StudyDeps, 'now'>;
    readonly events: Emitter<WorkbenchEvent>;
    readonly session: StudySession;
    readonly results: Pick<StudyResults, 'save'>;
    readonly views: StudyViews;
    readonly emitChange: (studyId: string) => void;
    readonly onError: (problem: ReconcileProblem) => void;
  },
  state: {
    /** Of the reconciler, for problems. */
    readonly name: string;
    readonly isClosing: () => boolean;
    readonly isHandedOver: () => boolean;
  },
) {
  const { registry, store, deps, events, results, views, emitChange, onError } = options;
  const { running, failures } = options.session;
  const { name, isClosing, isHandedOver } = state;
  const summaries = createKeyedQueue();

  const save = async (record: StudyRecord, now: RunningStudy, end: StudyEnd | null) => {
    const progress = views.progressOf(record);
    const warnings = [...views.warningsOf(record)];
    const { elapsedMs } = progress;
    const isLeft = isClosing() && end?.kind === 'paused';
    const saved = await store.change(record.study.id, ({ unattended, ...old }) => ({
      ...old,
      ...{ elapsedMs, progress, warnings },
      // A study that a person stopped, or that ended, no longer belongs to a service.
      ...((end === null || isLeft) && unattended && { unattended }),
      ...(isLeft && isHandedOver() && { unattended: true as const }),
      ...(end !== null && {
        stopped: end.kind === 'paused' || end.kind === 'cancelled' ? end.kind : null,
        progress: { ...progress, remainingMs: null },
        finishedAt: end.kind === 'finished' ? new Date(deps.now()).toISOString() : null,
      }),
    }));
    if (saved.ok) now.savedAt = deps.now();
    return saved;
  };

  /** Saves how a study ended, then its summaries, so that nothing has to read its journals again. */
  const conclude = async (record: StudyRecord, now: RunningStudy, end: StudyEnd) => {
    const { study } = record;
    const speed =
      end.kind === 'finished' ? speedOf(now, views.progressOf(record).nodesDone, deps.now()) : null;
    const saved = await save(record, now, end);
    if (!saved.ok) return saved;
    if (end.kind === 'failed') failures.set(study.id, end.refusal);
    running.delete(study.id);
    summaries
      .run(study.id, () => results.save(study, now.active.views(), { analysis: !isClosing() }))
      .catch((cause: unknown) => {
        const message = `The results of the study "${study.name}" were not summarised: ${reasonOf(cause)}.`;
        onError({ name, key: study.id, error: new Error(message, { cause }), failures: 1, waitMs: 0 });
      });
    emitChange(study.id);
    events.emit({ kind: 'analysis-changed', studyId: study.id });
    if (speed === null) return saved;
    return registry.update((data) => ({ ...data, speeds: [...data.speeds, speed].slice(-20) }));
  };

  return { save, conclude, idle: () => summaries.idle() };
}

/** null: too little was made to tell, or beside another study, which says nothing about this computer. */
function speedOf(
  { active, start, ranConcurrently }: RunningStudy,
  nodesDone: number,
  now: number,
): Speed | null {
  if (start === null || ranConcurrently) return null;
  const seconds = (now - start.at) / 1_000;
  const made = nodesDone - start.nodes;
  if (made < 100 || seconds < 1) return null;
  const at = new Date(now).toISOString();
  return { at, scale: active.study.scale, candidatesPerSecond: made / seconds };
}
