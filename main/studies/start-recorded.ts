import type { Refusal, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, ok, type Result } from '../base/index';
import type { ReconcileProblem } from '../reconcile/index';
import type { StudyRecord } from '../storage/index';
import { type StudyDeps, startStudy } from './active-study';
import { progressOf } from './logic/progress';
import type { PrioritySemaphore } from './priority-semaphore';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';
import type { RunningStudy, StudySession, StudyViews } from './study-views';

/** Notes in the record that a study continues, then starts it and adds it to those that run. */
export async function startRecorded(
  { study, elapsedMs, parallel }: StudyRecord,
  options: {
    readonly store: StudyStore;
    readonly deps: StudyDeps;
    readonly events: Emitter<WorkbenchEvent>;
    readonly session: StudySession;
    readonly results: Pick<StudyResults, 'release'>;
    readonly views: StudyViews;
    readonly emitChange: (studyId: string) => void;
    readonly onError: (problem: ReconcileProblem) => void;
    readonly privateTestSlots: PrioritySemaphore;
    /** Studies that a service started are continued by the next one. */
    readonly isService: boolean;
    /** Of the reconciler, for problems. */
    readonly name: string;
  },
): Promise<Result<RunningStudy, Refusal>> {
  const { store, deps, events, results, views, emitChange, onError, privateTestSlots, isService, name } =
    options;
  const { running, failures } = options.session;
  const { id } = study;
  failures.delete(id);
  const saved = await store.change(id, ({ headline: _headline, failure: _failure, ...old }) => ({
    ...old,
    stopped: null,
    finishedAt: null,
    progress: old.progress ?? views.planned(study),
    ...(isService && { unattended: true as const }),
  }));
  if (!saved.ok) return saved;
  await results.release(study);
  const active = startStudy(
    study,
    { ...deps, privateTestSlots, parallel: parallel ?? null },
    {
      onState: (state) => {
        const now = running.get(id);
        if (state.kind === 'running' && now !== undefined) {
          const { nodesDone, gradedDone } = progressOf(study, active.views(), 0, null);
          now.start = { at: deps.now(), nodes: nodesDone, work: nodesDone + gradedDone };
        }
        emitChange(id);
      },
      onEvent: (runId, event) => {
        const now = running.get(id);
        if (now !== undefined && event.kind === 'node-graded') now.hasNewGrades = true;
        events.emit({ kind: 'run-events', runId, events: [event] });
      },
      onBug: (error) => onError({ name, key: id, error, failures: 1, waitMs: 0 }),
    },
  );
  for (const other of running.values()) other.ranConcurrently = true;
  const now: RunningStudy = {
    active,
    earlierMs: elapsedMs,
    since: deps.now(),
    start: null,
    end: null,
    ranConcurrently: running.size > 0,
    savedAt: deps.now(),
    analysedAt: deps.now(),
    hasNewGrades: false,
  };
  running.set(id, now);
  return ok(now);
}
