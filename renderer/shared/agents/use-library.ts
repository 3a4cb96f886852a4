import { useEffect } from 'react';
import {
  type Loadable,
  readyValue,
  useBenchmarks,
  useLaunches,
  useRecordings,
  useTrainings,
  useWorkbench,
} from '../../state/index';
import type { Library } from './agents';

const NO_LAUNCHES: Library['launches'] = [];
const NO_TRAININGS: Library['trainings'] = [];

/** Few studies use launches and trainings: it is ready even if their lists cannot be read. */
export function useLibrary(): Loadable<Library> {
  const { launches } = useWorkbench();
  // The command line may have saved launches since; the window gets no event for them.
  useEffect(() => launches.list.refreshAll(), [launches]);
  const launched = readyValue(useLaunches()) ?? NO_LAUNCHES;
  const trainings = readyValue(useTrainings()) ?? NO_TRAININGS;
  const benchmarks = useBenchmarks();
  const recordings = useRecordings();
  if (benchmarks.kind !== 'ready') return benchmarks;
  if (recordings.kind !== 'ready') return recordings;
  const value = { benchmarks: benchmarks.value, recordings: recordings.value, launches: launched, trainings };
  return { kind: 'ready', value };
}
