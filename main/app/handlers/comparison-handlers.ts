import type { RunComparisons } from '../../studies/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';

/** Comparisons of any runs of any studies. */
export function comparisonHandlers(deps: {
  readonly comparison: RunComparisons;
  readonly tasks: Pick<LongTasks, 'run' | 'runShared'>;
}): Handlers {
  const { comparison, tasks } = deps;
  return {
    'comparison.read': ({ runs }) =>
      tasks.runShared('comparison', (signal, progress) => comparison.read(runs, { signal, progress })),
    'comparison.diversity': ({ runs, judge, similarity }) =>
      tasks.run('diversity', (signal, report) =>
        comparison.diversity(runs, {
          judge,
          similarity,
          signal,
          progress: (done, total) => report({ activity: 'reading programs', done, total, unit: 'trees' }),
        }),
      ),
  };
}
