import type { DiversityCell, FilledExhibit, Refusal, RunConfig, Study } from '../../preload/contract/index';
import { ok, RecentMap, type Result } from '../base/index';
import type { RunComparisons } from '../studies/index';

/** As many measurements as a large table has rows. */
const MAX_KEPT = 32;

/** The runs that answer for a configuration of an exhibit, and the re-grade of their study that counts, if any. */
export type FinishedRuns = {
  readonly runs: readonly RunConfig[];
  readonly countedRegrade: string | undefined;
  readonly study: Study;
};

/**
 * How diverse the programs of each configuration with a cell of diversity are, by the exhibit's labels. To read all programs
 * takes a while, so the latest measurements are kept: a table is filled again at every change of its text.
 */
export function fillingDiversity(comparison: Pick<RunComparisons, 'diversity'>) {
  const cache = new RecentMap<string, ReturnType<RunComparisons['diversity']>>(MAX_KEPT);
  const measured = (
    label: string,
    { runs, countedRegrade }: Pick<FinishedRuns, 'runs' | 'countedRegrade'>,
  ) => {
    const key = JSON.stringify([label, runs, countedRegrade]);
    const earlier = cache.get(key);
    if (earlier !== undefined) return earlier;
    const result = comparison.diversity(
      runs.map(({ id }) => ({ runId: id, label })),
      {
        ...{ judge: { kind: 'structure' }, similarity: { kind: 'tokens' } },
        ...{ signal: new AbortController().signal, progress: () => undefined },
      },
    );
    cache.set(key, result);
    void result.then(
      ({ ok: isMeasured }) => isMeasured || cache.delete(key),
      () => cache.delete(key),
    );
    return result;
  };
  return async (
    { cells, configurations }: FilledExhibit['exhibit'],
    fillings: readonly (FinishedRuns & { readonly configurationId: string })[],
  ): Promise<Result<DiversityCell[], Refusal>> => {
    const all: DiversityCell[] = [];
    for (const filling of fillings) {
      const isWanted = cells.some(
        ({ configuration, measure }) =>
          configuration === filling.configurationId && measure.kind === 'diversity',
      );
      const label = configurations.find(({ id }) => id === filling.configurationId)?.label;
      if (!isWanted || label === undefined) continue;
      const one = await measured(label, filling);
      if (!one.ok) return one;
      all.push(...one.value.cells);
    }
    return ok(all);
  };
}
