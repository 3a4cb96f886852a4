import type { CheckedPayload, Refusal, Regrade, Verification } from '../../../preload/contract/index';
import { ok, type Result } from '../../base/index';
import {
  journalProblemSentences,
  proveRegrade,
  proveVerdicts,
  regradeStudy,
  regradeTests,
  studyDiversity,
  verifyStudy,
} from '../../studies/index';
import type { Handlers } from '../dispatch';
import type { StudyHandlerDeps } from './study-handlers';

type CheckDeps = Pick<StudyHandlerDeps, 'studies' | 'studyDeps' | 'grader' | 'tasks'>;

/** Checks and gradings over all journals of a study; each takes a while, and none changes what was recorded. */
export function studyCheckHandlers({ studies, studyDeps, grader, tasks }: CheckDeps): Handlers {
  const { results } = studies;
  const { library } = studyDeps;
  /** For a study of another lab, or only some programs, the verdicts are not saved. */
  const checkVerdicts = async ({
    studyId,
    programs,
    grading,
    benchmarkId,
  }: CheckedPayload<'study.regrade'>): Promise<Result<Regrade, Refusal>> => {
    const study = await results.readable(studyId);
    if (!study.ok) return study;
    const tests = benchmarkId === undefined ? null : await regradeTests(study.value, library, benchmarkId);
    if (tests?.ok === false) return tests;
    const opened = await grader.open();
    if (!opened.ok) return opened;
    const regraded = await tasks.run('regrade', (signal, report) =>
      regradeStudy({
        ...{ study: study.value, journalOf: results.journal, library, grader: opened.value },
        ...{ programs, grading, signal },
        ...(tests === null ? {} : { tests: tests.value }),
        onProgress: (done, total) => report({ activity: 'regrading', done, total, unit: 'programs' }),
      }),
    );
    // With another grading mode, or other tests, verdicts differ on purpose, not because of the grader's noise.
    const isNoise = grading === undefined && benchmarkId === undefined;
    if (regraded.ok && isNoise) await results.saveRegrade(study.value, regraded.value);
    return regraded;
  };
  return {
    'study.verify': async ({ studyId, programs, seed }) => {
      const found = await results.readable(studyId);
      if (!found.ok) return found;
      const study = found.value;
      const { digest, now } = studyDeps;
      return tasks.run('verify', async (signal, report): Promise<Result<Verification, Refusal>> => {
        const journalOf = results.journal;
        const replayed = await verifyStudy({
          study,
          journalOf,
          digest,
          signal,
          onProgress: (done, total) => report({ activity: 'replaying', done, total, unit: 'trees' }),
        });
        if (!replayed.ok) return replayed;
        if (programs === 0) return ok({ ...replayed.value, verdicts: null, regraded: null });
        const options = { study, journalOf, library, openGrader: grader.open, programs, seed, now, signal };
        const verdicts = await proveVerdicts({
          ...options,
          onProgress: (done, total) => report({ activity: 'grading again', done, total, unit: 'programs' }),
        });
        if (!verdicts.ok) return verdicts;
        const regraded = await proveRegrade({
          ...options,
          counted: studyDeps.files.counted,
          onProgress: (done, total) =>
            report({ activity: 'proving the re-grade', done, total, unit: 'programs' }),
        });
        if (!regraded.ok) return regraded;
        return ok({ ...replayed.value, verdicts: verdicts.value, regraded: regraded.value });
      });
    },
    'study.regrade': async ({ studyId, programs, grading, benchmarkId }) => {
      const record = results.study(studyId);
      if (!record.ok) return record;
      const view = studies.list().find(({ study }) => study.id === studyId);
      const isForeign = view?.fromBundle !== undefined;
      if (programs !== undefined || isForeign)
        return checkVerdicts({ studyId, programs, grading, benchmarkId });
      const opened = await grader.open();
      if (!opened.ok) return opened;
      const regraded = await tasks.run('regrade', (signal, report) =>
        studies.gradings.regrade(studyId, {
          ...{ grader: opened.value, grading, testsId: benchmarkId, signal },
          onProgress: (done, total) => report({ activity: 'regrading', done, total, unit: 'programs' }),
        }),
      );
      if (!regraded.ok) return regraded;
      const { facts, noise } = regraded.value;
      if (grading === undefined && benchmarkId === undefined) await results.saveRegrade(record.value, noise);
      return ok({ ...noise, kept: facts });
    },
    'study.regradeChanges': ({ studyId, regradeId }) => studies.gradings.changes(studyId, regradeId),
    'study.countRegrade': ({ studyId, regradeId }) => studies.gradings.count(studyId, regradeId),
    'study.diversity': async ({ studyId, judge, similarity }) => {
      const study = await results.readable(studyId);
      if (!study.ok) return study;
      const outcomes = await results.outcomes(studyId);
      if (!outcomes.ok) return outcomes;
      return tasks.run('diversity', async (signal, report) =>
        studyDiversity({
          study: study.value,
          views: await results.views(study.value),
          treeEvents: async (runId, problemId, part) => {
            const journal = await results.journal(runId);
            return journal.ok && journal.value !== null ? journal.value.treeEvents(problemId, part) : [];
          },
          judge,
          similarity,
          library,
          checkpoints: studyDeps.checkpoints,
          damage: journalProblemSentences(study.value.runs, outcomes.value.runs, 'with hints'),
          signal,
          progress: (done, total) => report({ activity: 'reading programs', done, total, unit: 'trees' }),
        }),
      );
    },
    'task.cancel': async ({ task }) => {
      tasks.cancel(task);
      return ok(null);
    },
  };
}
