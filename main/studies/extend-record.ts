import type { Refusal, RunView, Study } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import type { BenchmarkLibrary } from '../benchmarks/index';
import type { HueAssignments } from './hue-assignments';
import type { ExtendedStudy } from './logic/extend-study';
import { READ_ONLY } from './logic/next-action';
import { progressOf } from './logic/progress';
import type { MissingJournals } from './missing-journals';
import { whyNotWritten } from './study-gradings';
import type { StudyResults } from './study-results';
import type { StudyStore } from './study-store';
import type { StudySession } from './study-views';

/** Extends the plan of a study (`StudyService.extend`). */
export async function extendRecord(
  studyId: string,
  next: (study: Study, facts: { readonly hasResults: boolean }) => Result<ExtendedStudy, Refusal>,
  deps: {
    readonly apply: boolean;
    readonly store: StudyStore;
    readonly session: StudySession;
    readonly results: Pick<StudyResults, 'loadRun' | 'release'>;
    readonly missing: Pick<MissingJournals, 'check'>;
    readonly hues: HueAssignments;
    readonly library: Pick<BenchmarkLibrary, 'recordings'>;
    readonly onChange: () => void;
  },
): Promise<Result<ExtendedStudy, Refusal>> {
  const { apply, store, session, results, missing, hues, library, onChange } = deps;
  const found = store.find(studyId);
  if (!found.ok) return found;
  const record = found.value;
  if (session.running.has(studyId)) {
    return failed({
      code: 'conflict',
      message: 'A running study cannot be extended.',
      hint: 'Pause it first: nothing that is written is lost.',
    });
  }
  if (record.fromBundle !== undefined) return failed(READ_ONLY);
  const lost = (await missing.check(record)) ?? whyNotWritten(record);
  if (lost !== null) return failed(lost);
  const extended = next(record.study, { hasResults: (record.progress?.nodesDone ?? 0) > 0 });
  if (!extended.ok || !apply) return extended;
  const { study } = extended.value;
  await results.release(record.study);
  const views = new Map<string, RunView>();
  for (const config of study.runs) {
    const { view } = await results.loadRun(study, config);
    if (view !== null) views.set(config.id, view);
  }
  const saved = await store.change(studyId, ({ headline: _headline, ...old }) => ({
    ...old,
    study,
    // It has not failed as it is now; of one that has searched nothing the plan alone changes.
    stopped: old.progress === null ? old.stopped : (old.stopped ?? 'paused'),
    progress:
      old.progress === null ? null : progressOf(study, views, old.elapsedMs, null, library.recordings()),
    finishedAt: null,
    hues: hues.ofStudy(study),
  }));
  if (!saved.ok) return saved;
  session.failures.delete(studyId);
  onChange();
  return ok(extended.value);
}
