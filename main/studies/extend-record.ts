import {
  type Refusal,
  type RunConfig,
  type RunView,
  resourceConflict,
  type Study,
  withPlannedConfig,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { StudyRecord } from '../storage/index';
import type { HueAssignments } from './hue-assignments';
import type { ExtendedStudy } from './logic/extend-study';
import { READ_ONLY } from './logic/next-action';
import { progressOf } from './logic/progress';
import type { MissingJournals } from './missing-journals';
import type { StudyFiles } from './study-files';
import { notWrittenRefusal } from './study-gradings';
import type { StudyReconciler } from './study-reconciler';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';
import type { StudySession, StudyViews } from './study-views';

/** What is asked of a study, once it is known. */
export type Extend = (
  study: Study,
  facts: {
    readonly hasResults: boolean;
    /** What was searched of a run; null: nothing, or it cannot be read. */
    readonly viewOf: (run: RunConfig) => Promise<RunView | null>;
  },
) => Result<ExtendedStudy, Refusal> | Promise<Result<ExtendedStudy, Refusal>>;

type Deps = {
  readonly store: StudyStore;
  readonly session: StudySession;
  readonly views: StudyViews;
  readonly results: Pick<StudyResults, 'loadRun' | 'outcomes' | 'release'>;
  readonly missing: Pick<MissingJournals, 'check'>;
  readonly hues: HueAssignments;
  readonly library: Pick<BenchmarkLibrary, 'recordings'>;
  readonly files: Pick<StudyFiles, 'setAside'>;
  readonly restarted: StudyReconciler['restarted'];
  readonly onChange: () => void;
};

/** Changes the plan of a study (`StudyService.extend`). Nothing stops for what is refused. */
export async function extendRecord(
  studyId: string,
  next: Extend,
  deps: Deps & { readonly apply: boolean },
): Promise<Result<ExtendedStudy, Refusal>> {
  const { apply, store, session, views, missing, restarted } = deps;
  const found = store.find(studyId);
  if (!found.ok) return found;
  const record = found.value;
  const now = session.running.get(studyId);
  if (now?.active.state().kind === 'pausing') return failed(STOPS);
  if (record.fromBundle !== undefined) return failed(READ_ONLY);
  const lost = now === undefined ? ((await missing.check(record)) ?? notWrittenRefusal(record)) : null;
  if (lost !== null) return failed(lost);
  const hasResults = views.progressOf(record).nodesDone > 0;
  const tried = await next(record.study, { hasResults, viewOf: viewReader(record, deps) });
  if (!tried.ok) return tried;
  // It would go on with servers that another study uses; one that does not run meets that when it is started.
  const others = [...session.running.values()].map(({ active }) => active.study);
  const conflict =
    now === undefined
      ? null
      : resourceConflict(
          tried.value.study.runs.flatMap(({ team }) => team.servers),
          others.filter(({ id }) => id !== studyId),
        );
  if (conflict !== null) return failed(conflict);
  if (!apply) return tried;
  return restarted(studyId, () => saveExtended(studyId, next, deps));
}

function viewReader({ study }: StudyRecord, { session, results }: Pick<Deps, 'session' | 'results'>) {
  const active = session.running.get(study.id)?.active;
  return async (run: RunConfig): Promise<RunView | null> =>
    active?.views().get(run.id) ?? (await results.loadRun(study, run)).view;
}

/** Of a study that does not work now. One write of its record: a kill leaves the earlier plan or this one. */
async function saveExtended(
  studyId: string,
  next: Extend,
  deps: Deps,
): Promise<Result<ExtendedStudy, Refusal>> {
  const { store, session, views, results, hues, library, files, onChange } = deps;
  // Again: it has written more until it stopped, and may have another name by now.
  const found = store.find(studyId);
  if (!found.ok) return found;
  const record = found.value;
  const { nodesDone, elapsedMs } = views.progressOf(record);
  const active = session.running.get(studyId)?.active;
  const extended = await next(record.study, { hasResults: nodesDone > 0, viewOf: viewReader(record, deps) });
  if (!extended.ok) return extended;
  const { study } = extended.value;
  await results.release(record.study);
  const runs = new Map<string, RunView>();
  for (const config of study.runs) {
    const view = active?.views().get(config.id) ?? (await results.loadRun(study, config)).view;
    if (view !== null) runs.set(config.id, withPlannedConfig(view, config, study));
  }
  // Before the record: after a kill in between they are begun again, but no other run takes them for its own.
  const left = record.study.runs.filter(({ id }) => !study.runs.some((run) => run.id === id));
  if (left.length > 0)
    await files.setAside(
      studyId,
      left.map(({ id }) => id),
    );
  const saved = await store.change(studyId, ({ headline: _headline, failure: _failure, ...old }) => ({
    ...old,
    study,
    // It has not failed as it is now; of one that has searched nothing the plan alone changes. One that continues is not stopped.
    stopped: active !== undefined || old.progress === null ? old.stopped : (old.stopped ?? 'paused'),
    elapsedMs,
    progress: old.progress === null ? null : progressOf(study, runs, elapsedMs, null, library.recordings()),
    finishedAt: null,
    hues: hues.ofStudy(study),
  }));
  if (!saved.ok) return saved;
  session.failures.delete(studyId);
  onChange();
  // Its journals may have all of it, e.g. where an extension is taken back that searched nothing.
  if (active === undefined) await results.outcomes(studyId);
  return ok(extended.value);
}

const STOPS: Refusal = {
  code: 'conflict',
  message: 'This study is about to stop, so it is not extended now.',
  hint: 'Extend it when it has stopped, then resume it.',
};
