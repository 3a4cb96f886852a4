import type { ComparedRuns } from '../../preload/contract/run-comparison';
import type { StudyView } from '../../preload/contract/study';
import type { CompareRoute } from '../state/index';

/** What a place compares: the runs, and the studies that they are of, each once, in the order of the runs. */
export type ComparedSelection = {
  readonly runs: ComparedRuns;
  readonly studies: readonly StudyView[];
  /** Runs of the address that no study has (any more); they are left out of `runs`. */
  readonly missing: number;
};

/** A study that has something to show comes before one that has not. */
function newestWithResults(views: readonly StudyView[]): StudyView | undefined {
  return views.find(({ progress }) => progress.gradedDone > 0) ?? views[0];
}

/** null: there is no such study, none of the runs, or nothing at all. `views`: the newest first. */
export function selectionOf(place: CompareRoute, views: readonly StudyView[]): ComparedSelection | null {
  if (place.runs === undefined) {
    const view =
      place.studyId === null
        ? newestWithResults(views)
        : views.find(({ study }) => study.id === place.studyId);
    return view === undefined
      ? null
      : { runs: view.study.runs.map(({ id }) => ({ runId: id })), studies: [view], missing: 0 };
  }
  const owners = new Map(views.flatMap((view) => view.study.runs.map(({ id }) => [id, view] as const)));
  const seen = new Set<string>();
  const runs = place.runs.filter(({ runId }) => {
    const isNew = owners.has(runId) && !seen.has(runId);
    seen.add(runId);
    return isNew;
  });
  if (runs.length === 0) return null;
  const studies = new Set(runs.flatMap(({ runId }) => owners.get(runId) ?? []));
  const missing = [...seen].filter((runId) => !owners.has(runId)).length;
  return { runs, studies: [...studies], missing };
}

/** The place of these runs: the study's own address where they are all of its runs under their own names. */
export function placeOfRuns(
  runs: ComparedRuns,
  views: readonly StudyView[],
  view?: CompareRoute['view'],
): CompareRoute {
  const rest = view === undefined ? {} : { view };
  const chosen = new Set(runs.map(({ runId }) => runId));
  const whole = views.find(({ study }) => study.runs.some(({ id }) => id === runs[0]?.runId));
  const isWhole =
    whole !== undefined &&
    whole.study.runs.length === chosen.size &&
    whole.study.runs.every(({ id }) => chosen.has(id)) &&
    runs.every(({ label }) => label === undefined);
  return isWhole
    ? { kind: 'compare', studyId: whole.study.id, ...rest }
    : { kind: 'compare', studyId: null, runs, ...rest };
}
