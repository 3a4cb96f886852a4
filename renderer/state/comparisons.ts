import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Diversity } from '../../preload/contract/diversity';
import type { ComparedRuns, RunComparison } from '../../preload/contract/run-comparison';
import type { WorkbenchClient } from '../workbench-client';
import { readyValue } from './loadable';
import type { Notices } from './notices';
import { createResource, type Resource } from './resource';
import type { Studies } from './studies';
import type { Tasks } from './tasks';

/** Comparisons that nobody looks at are large: going back to the last few is quick. */
const KEPT = 6;

export type Comparisons = {
  /** By `comparisonKey`. */
  readonly read: Resource<RunComparison>;
  /** What was measured since the start, by `comparisonKey`. */
  readonly diversities: StoreApi<ReadonlyMap<string, Diversity>>;
  /** Reads every program; a refusal is told. */
  readonly measureDiversity: (runs: ComparedRuns) => Promise<void>;
  readonly readAgain: (runs: ComparedRuns) => void;
  /** Something has changed in the runs of this study. */
  readonly studyChanged: (studyId: string) => void;
};

export function comparisonKey(runs: ComparedRuns): string {
  return JSON.stringify(runs);
}

function runsOf(key: string): ComparedRuns {
  return JSON.parse(key) as ComparedRuns;
}

export function createComparisons(
  client: WorkbenchClient,
  told: { readonly studies: Studies; readonly tasks: Tasks; readonly notices: Notices },
): Comparisons {
  const read = createResource(
    (key) => told.tasks.runBeside('comparison', () => client.call('comparison.read', { runs: runsOf(key) })),
    KEPT,
  );
  const diversities = createStore<ReadonlyMap<string, Diversity>>(() => new Map());
  return {
    read,
    diversities,
    readAgain: (runs) => read.refresh(comparisonKey(runs)),
    measureDiversity: async (runs) => {
      const answer = await told.tasks.run('diversity', () => client.call('comparison.diversity', { runs }));
      if (answer.ok) {
        diversities.setState(new Map(diversities.getState()).set(comparisonKey(runs), answer.value), true);
      } else {
        told.notices.refused(answer.error);
      }
    },
    studyChanged: (studyId) => {
      const views = readyValue(told.studies.store.getState()) ?? [];
      const changed = new Set(
        views.find(({ study }) => study.id === studyId)?.study.runs.map(({ id }) => id) ?? [],
      );
      read.refreshWhere((key) => runsOf(key).some(({ runId }) => changed.has(runId)));
    },
  };
}
