import type { RunComparisons } from '../../studies/index';
import type { Handlers } from '../dispatch';
import type { LongTasks } from '../long-tasks';

/** Comparisons of any runs of any studies. */
export function comparisonHandlers(around: {
  readonly comparison: RunComparisons;
  readonly tasks: Pick<LongTasks, 'run' | 'runBeside'>;
}): Handlers {
  const { comparison, tasks } = around;
  return {
    'comparison.read': ({ runs }) =>
      tasks.runBeside('comparison', (signal, progress) => comparison.read(runs, { signal, progress })),
    'comparison.diversity': ({ runs, judge, similarity }) =>
      tasks.run('diversity', (signal, tell) =>
        comparison.diversity(runs, {
          judge,
          similarity,
          signal,
          progress: (done, total) => tell({ what: 'reading programs', done, total, unit: 'trees' }),
        }),
      ),
  };
}
