import {
  foldRun,
  type Problem,
  type Refusal,
  type RunConfig,
  regradedEvents,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import type { RegradeReading, StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import { readNode, readPosteriors } from './node-reader';
import type { StudyResults } from './study-results';

/** Events and nodes of runs, with the private verdicts that count. */
export function createStudyNodes(options: {
  readonly deps: Pick<StudyDeps, 'files' | 'library' | 'digest'>;
  readonly journal: StudyResults['journal'];
  readonly runOf: (
    runId: string,
  ) => Result<{ readonly record: StudyRecord; readonly config: RunConfig }, Refusal>;
}): Pick<StudyResults, 'runEvents' | 'readNode' | 'nodePosteriors'> {
  const { journal, runOf } = options;
  const { files, library, digest } = options.deps;

  /** null: the first grading counts. */
  const regradeOf = async (runId: string): Promise<RegradeReading | null> => {
    const run = runOf(runId);
    const counted = run.ok ? await files.counted.of(run.value.record.study) : run;
    return counted.ok ? counted.value : null;
  };

  /** The problem with the private tests that a re-grade ran; none where these are not in the library any more. */
  const withTestsOf = async (
    regrade: RegradeReading | null,
    { benchmarkId }: RunConfig,
    problem: Problem | null,
  ): Promise<Problem | null> => {
    const tests = regrade?.started.tests.find((one) => one.benchmarkId === benchmarkId);
    if (problem === null || tests === undefined || tests.testsId === benchmarkId) return problem;
    const { testsId, testsDigest } = tests;
    const isKnown = library.list().some(({ id, digest }) => id === testsId && digest === testsDigest);
    const other = isKnown ? await library.problem(testsId, problem.id) : null;
    return { ...problem, privateTests: other?.ok ? other.value.privateTests : [] };
  };

  return {
    runEvents: async (runId) => {
      const opened = await journal(runId);
      if (!opened.ok) return opened;
      const events = opened.value?.events() ?? [];
      const regrade = await regradeOf(runId);
      const view = regrade === null ? null : foldRun(null, events);
      if (view === null || regrade === null) return ok(events);
      return ok([...events, ...regradedEvents(view, regrade).events]);
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
      const regrade = await regradeOf(runId);
      const shown = await withTestsOf(regrade, config, problem.value);
      return readNode({ config, problemId, problem: shown, part, index, digest, read, regrade });
    },
    nodePosteriors: async ({ runId, ...node }) => {
      const opened = await journal(runId);
      return opened.ok ? readPosteriors(opened.value?.events() ?? [], node) : opened;
    },
  };
}
