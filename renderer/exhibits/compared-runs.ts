import type { Exhibit } from '../../preload/contract/exhibit';
import type { ReproductionView } from '../../preload/contract/reproduction';
import type { ComparedRuns } from '../../preload/contract/run-comparison';

/** The runs that its cells rest on, each once, under the exhibit's names: one row a configuration over its seeds. */
export function comparedRunsOf(
  { configurations }: Pick<Exhibit, 'configurations'>,
  { steps }: Pick<ReproductionView, 'steps'>,
): ComparedRuns {
  const labels = new Map(configurations.map(({ id, label }) => [id, label]));
  const runs: ComparedRuns = [];
  const seen = new Set<string>();
  for (const { kind, runId, configurations: served } of steps) {
    const label = labels.get(served[0] ?? '');
    if (kind !== 'search' || runId === null || label === undefined || seen.has(runId)) continue;
    seen.add(runId);
    runs.push({ runId, label });
  }
  return runs;
}
