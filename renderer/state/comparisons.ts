import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Diversity } from '../../preload/contract/diversity';
import type { ComparedRuns, RunComparison } from '../../preload/contract/run-comparison';
import type { WorkbenchClient } from '../workbench-client';
import { readyValue } from './loadable';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';
import type { Studies } from './studies';
import type { Tasks } from './tasks';

/** Comparisons are large: only the last few are cached. */
const CACHE_SIZE = 6;

export type Comparisons = {
  /** By `comparisonKey`. */
  readonly read: Resource<RunComparison>;
  /** What was measured since the start, by `comparisonKey`. */
  readonly diversities: StoreApi<ReadonlyMap<string, Diversity>>;
  /** Reads every program; an error becomes a notice. */
  readonly measureDiversity: (runs: ComparedRuns) => Promise<void>;
  readonly reload: (runs: ComparedRuns) => void;
  /** Something has changed in the runs of this study. */
  readonly studyChanged: (studyId: string) => void;
};

export function comparisonKey(runs: ComparedRuns): string {
  return JSON.stringify(runs);
}

function parseComparisonKey(key: string): ComparedRuns {
  return JSON.parse(key) as ComparedRuns;
}

export function createComparisons(
  client: WorkbenchClient,
  deps: { readonly studies: Studies; readonly tasks: Tasks; readonly notices: Notices },
): Comparisons {
  const read = createResource(
    (key) =>
      deps.tasks.runConcurrent('comparison', () =>
        client.call('comparison.read', { runs: parseComparisonKey(key) }),
      ),
    CACHE_SIZE,
  );
  const diversities = createStore<ReadonlyMap<string, Diversity>>(() => new Map());
  return {
    read,
    diversities,
    reload: (runs) => read.refresh(comparisonKey(runs)),
    measureDiversity: async (runs) => {
      const answer = await deps.tasks.run('diversity', () => client.call('comparison.diversity', { runs }));
      if (answer.ok) {
        diversities.setState(new Map(diversities.getState()).set(comparisonKey(runs), answer.value), true);
      } else {
        deps.notices.showRefusal(answer.error);
      }
    },
    studyChanged: (studyId) => {
      const views = readyValue(deps.studies.store.getState()) ?? [];
      const changed = new Set(
        views.find(({ study }) => study.id === studyId)?.study.runs.map(({ id }) => id) ?? [],
      );
      read.refreshMatching((key) => parseComparisonKey(key).some(({ runId }) => changed.has(runId)));
    },
  };
}
