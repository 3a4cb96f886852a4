import type { ComparedRuns } from '../../preload/contract/run-comparison';
import type { StudyView } from '../../preload/contract/study';
import type { CompareRoute } from '../state/index';

/** The runs that a route compares, and their studies in the same order. */
export type ComparedSelection = {
  readonly runs: ComparedRuns;
  readonly studies: readonly StudyView[];
  /** Runs of the route that no study has; not in `runs`. */
  readonly missing: number;
};

/** The newest finished study, else the newest with results, else the newest. */
function newestToCompare(views: readonly StudyView[]): StudyView | undefined {
  return (
    views.find(({ state }) => state.kind === 'finished') ??
    views.find(({ progress }) => progress.gradedDone > 0) ??
    views[0]
  );
}

const isUnnamed = ({ studyId, runs }: CompareRoute): boolean => studyId === null && runs === undefined;

/**
 * The route with what it compares in it, so that no later study takes its place: what was compared last, else the newest
 * finished study. Unchanged where it says so itself, and while no study is finished.
 */
export function namedRoute(
  route: CompareRoute,
  views: readonly StudyView[],
  last: CompareRoute | null,
): CompareRoute {
  if (!isUnnamed(route)) return route;
  const { kind, studyId: _none, ...rest } = route;
  if (last !== null && !isUnnamed(last) && selectionOf(last, views) !== null) {
    const { studyId, runs } = last;
    return { kind, studyId, ...(runs === undefined ? {} : { runs }), ...rest };
  }
  const newest = newestToCompare(views);
  return newest?.state.kind === 'finished' ? { kind, studyId: newest.study.id, ...rest } : route;
}

/** null: no such study, or none of the runs exists. `views`: newest first. */
export function selectionOf(route: CompareRoute, views: readonly StudyView[]): ComparedSelection | null {
  if (route.runs === undefined) {
    const view =
      route.studyId === null ? newestToCompare(views) : views.find(({ study }) => study.id === route.studyId);
    return view === undefined
      ? null
      : { runs: view.study.runs.map(({ id }) => ({ runId: id })), studies: [view], missing: 0 };
  }
  const owners = new Map(views.flatMap((view) => view.study.runs.map(({ id }) => [id, view] as const)));
  const seen = new Set<string>();
  const runs = route.runs.filter(({ runId }) => {
    const isNew = owners.has(runId) && !seen.has(runId);
    seen.add(runId);
    return isNew;
  });
  if (runs.length === 0) return null;
  const studies = new Set(runs.flatMap(({ runId }) => owners.get(runId) ?? []));
  const missing = [...seen].filter((runId) => !owners.has(runId)).length;
  return { runs, studies: [...studies], missing };
}

/** The route that compares these runs: the study's own route if they are all its runs without labels. */
export function routeOfRuns(
  runs: ComparedRuns,
  views: readonly StudyView[],
  view?: CompareRoute['view'],
): CompareRoute {
  const rest = view === undefined ? {} : { view };
  const chosen = new Set(runs.map(({ runId }) => runId));
  const complete = views.find(({ study }) => study.runs.some(({ id }) => id === runs[0]?.runId));
  const isWhole =
    complete !== undefined &&
    complete.study.runs.length === chosen.size &&
    complete.study.runs.every(({ id }) => chosen.has(id)) &&
    runs.every(({ label }) => label === undefined);
  return isWhole
    ? { kind: 'compare', studyId: complete.study.id, ...rest }
    : { kind: 'compare', studyId: null, runs, ...rest };
}
