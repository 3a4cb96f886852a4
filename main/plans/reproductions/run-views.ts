import type { RunView } from '../../../preload/contract/index';
import type { ReproductionDeps } from './deps';

/** By run id; runs that are gone, or of which nothing has happened, have none. */
export async function runViews(
  deps: Pick<ReproductionDeps, 'comparison' | 'registry'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunView>> {
  const existing = new Set(
    deps.registry
      .read()
      .studies.filter(({ removed }) => !removed)
      .flatMap(({ study }) => study.runs.map(({ id }) => id)),
  );
  const runs = runIds.filter((id) => existing.has(id)).map((runId) => ({ runId }));
  if (runs.length === 0) return new Map();
  const views = await deps.comparison.viewsOf(runs);
  return new Map(views.ok ? views.value.map(({ view }) => [view.config.id, view]) : []);
}
