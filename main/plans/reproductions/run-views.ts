import {
  candidateCount,
  type RunView,
  type StudyView,
  studyIsRunning,
} from '../../../preload/contract/index';
import type { Disposable } from '../../base/index';
import type { ReproductionDeps } from './deps';

/** The views by run id; runs that are gone, or of which nothing has happened, have none. `damage`: of their journals, a sentence a run. */
export async function runViews(
  deps: Pick<ReproductionDeps, 'comparison' | 'registry'>,
  runIds: readonly string[],
): Promise<{ readonly views: ReadonlyMap<string, RunView>; readonly damage: readonly string[] }> {
  const existing = new Set(
    deps.registry
      .read()
      .studies.filter(({ removed }) => !removed)
      .flatMap(({ study }) => study.runs.map(({ id }) => id)),
  );
  const runs = runIds.filter((id) => existing.has(id)).map((runId) => ({ runId }));
  const read = runs.length === 0 ? null : await deps.comparison.viewsOf(runs);
  const { views, damage } = read?.ok ? read.value : { views: [], damage: [] };
  return {
    views: new Map(views.map(({ view }) => [view.config.id, view])),
    damage: damage.map(({ text }) => text),
  };
}

export type RunShares = { readonly searched01: number; readonly graded01: number };

/** How far the runs of the studies that are at work are. */
export type RunProgress = Disposable & {
  /** By run id. */
  readonly now: () => ReadonlyMap<string, RunShares>;
  readonly studiesAtWork: () => ReadonlySet<string>;
};

const UPDATE_EVERY_MS = 1_000;

/** `onUpdate`: there is something new to show. */
export function createRunProgress(
  { studies, events, onError }: Pick<ReproductionDeps, 'studies' | 'events' | 'onError'>,
  onUpdate: () => void,
): RunProgress {
  let shares: ReadonlyMap<string, RunShares> = new Map();
  const atWork = new Map<string, StudyView>();
  let updatedAt = Number.NEGATIVE_INFINITY;

  const update = async (): Promise<void> => {
    updatedAt = performance.now();
    const next = new Map<string, RunShares>();
    for (const { study, state } of atWork.values()) {
      if (state.kind !== 'running') continue;
      const views = await studies.results.views(study);
      for (const config of study.runs) {
        let [written, graded] = [0, 0];
        for (const tree of views.get(config.id)?.trees.values() ?? []) {
          written += tree.nodes.length;
          graded += tree.graded;
        }
        const all = candidateCount(config);
        next.set(config.id, {
          searched01: Math.min(1, written / all),
          graded01: Math.min(1, graded / all),
        });
      }
    }
    shares = next;
  };
  /** True when it is time to `update`. */
  const observe = (view: StudyView): boolean => {
    const { kind } = view.state;
    if (studyIsRunning(view.state)) atWork.set(view.study.id, view);
    else return atWork.delete(view.study.id);
    return kind === 'running' && performance.now() - updatedAt >= UPDATE_EVERY_MS;
  };
  const listener = events.on((event) => {
    if (event.kind !== 'study-changed' || !observe(event.view)) return;
    update().then(onUpdate, (error: unknown) => {
      onError({ name: 'reproductions', key: null, error, failures: 1, waitMs: 0 });
    });
  });
  return {
    now: () => shares,
    studiesAtWork: () => new Set(atWork.keys()),
    dispose: () => listener.dispose(),
  };
}
