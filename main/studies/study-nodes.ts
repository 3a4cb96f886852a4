import type { Refusal, RunConfig } from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import type { StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import { readNode, readPosteriors } from './node-reader';
import type { StudyResults } from './study-results';

/** Events and nodes of runs. */
export function createStudyNodes(options: {
  readonly deps: Pick<StudyDeps, 'library' | 'digest'>;
  readonly journal: StudyResults['journal'];
  readonly runOf: (
    runId: string,
  ) => Result<{ readonly record: StudyRecord; readonly config: RunConfig }, Refusal>;
}): Pick<StudyResults, 'runEvents' | 'readNode' | 'nodePosteriors'> {
  const { journal, runOf } = options;
  const { library, digest } = options.deps;
  return {
    runEvents: async (runId) => {
      const opened = await journal(runId);
      return opened.ok ? ok(opened.value?.events() ?? []) : opened;
    },
    readNode: async ({ runId, problemId, part, index }) => {
      const run = runOf(runId);
      if (!run.ok) return run;
      const { config } = run.value;
      const isKnown = library.list().some(({ id }) => id === config.benchmarkId);
      const problem = isKnown ? await library.problem(config.benchmarkId, problemId) : ok(null);
      if (!problem.ok) return problem;
      const opened = await journal(runId);
      if (!opened.ok) return opened;
      const read = opened.value?.readDetail ?? (async () => null);
      return readNode({ config, problemId, problem: problem.value, part, index, digest, read });
    },
    nodePosteriors: async ({ runId, ...node }) => {
      const opened = await journal(runId);
      return opened.ok ? readPosteriors(opened.value?.events() ?? [], node) : opened;
    },
  };
}
