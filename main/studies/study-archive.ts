import { resolve } from 'node:path';
import {
  type Analysis,
  type CheckedPayload,
  foldRun,
  type NodeDetail,
  type Refusal,
  type RunConfig,
  type RunEvent,
  type RunView,
  type Study,
  type Value,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { analyseStudy, LIVE_RESAMPLES } from '../metrics/index';
import { type Registry, reasonOf, replaceFile, type StudyRecord } from '../store/index';
import type { ActiveStudy, StudySurroundings } from './active-study';
import { JournalShelf } from './journal-shelf';
import { curvesCsv, nodesCsv, tableCsv } from './logic/csv';
import { readNode } from './node-reader';

/** Seed of every bootstrap: intervals of the same journal are the same numbers. */
const ANALYSIS_SEED = 20_260_101;

/** Everything that is only looked at: analyses, events, nodes and CSV files of studies that run or do not. */
export type StudyArchive = {
  readonly analysis: (studyId: string) => Promise<Result<Analysis, Refusal>>;
  readonly runEvents: (runId: string) => Promise<Result<readonly RunEvent[], Refusal>>;
  readonly readNode: (place: CheckedPayload<'node.read'>) => Promise<Result<NodeDetail, Refusal>>;
  readonly exportCsv: (
    order: CheckedPayload<'export.write'>,
  ) => Promise<Result<Value<'export.write'>, Refusal>>;
  /** Lets go of journals: of one study, which is about to write or move them, or of all. */
  readonly release: (study?: Study) => Promise<void>;
};

export function createStudyArchive(options: {
  readonly registry: Registry;
  readonly around: StudySurroundings;
  readonly activeOf: (studyId: string) => ActiveStudy | undefined;
}): StudyArchive {
  const { registry, around, activeOf } = options;
  const shelf = new JournalShelf();
  const recordOf = (studyId: string): Result<StudyRecord, Refusal> => findStudy(registry, studyId);

  /** The views of a study that does not run now, read from its journals as they are. */
  const readViews = async (study: Study): Promise<Result<Map<string, RunView>, Refusal>> => {
    const active = activeOf(study.id);
    if (active !== undefined) return ok(new Map(active.views()));
    const views = new Map<string, RunView>();
    for (const run of study.runs) {
      const journal = await shelf.get(around.files.journal(study.id, run.id));
      if (!journal.ok) return journal;
      const view = journal.value === null ? null : foldRun(null, journal.value.events());
      if (view !== null) views.set(run.id, view);
    }
    return ok(views);
  };

  const runOf = (runId: string): Result<{ record: StudyRecord; config: RunConfig }, Refusal> => {
    for (const record of registry.read().studies) {
      const config = record.study.runs.find(({ id }) => id === runId);
      if (config !== undefined) return ok({ record, config });
    }
    return failed({ code: 'not-found', message: `There is no run ${runId}.` });
  };

  const analysis = async (studyId: string): Promise<Result<Analysis, Refusal>> => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    const views = await readViews(record.value.study);
    if (!views.ok) return views;
    const runs = record.value.study.runs.flatMap((run) => views.value.get(run.id) ?? []);
    const complete = runs.length === record.value.study.runs.length && runs.every((view) => view.finished);
    const resamples = activeOf(studyId) !== undefined ? { resamples: LIVE_RESAMPLES } : {};
    return ok(analyseStudy({ studyId, runs, complete, seed: ANALYSIS_SEED, ...resamples }));
  };

  const exportCsv: StudyArchive['exportCsv'] = async ({ studyId, what, path }) => {
    const record = recordOf(studyId);
    if (!record.ok) return record;
    let file: { text: string; rows: number };
    if (what === 'nodes') {
      const views = await readViews(record.value.study);
      if (!views.ok) return views;
      file = nodesCsv(record.value.study.runs.flatMap((run) => views.value.get(run.id) ?? []));
    } else {
      const analysed = await analysis(studyId);
      if (!analysed.ok) return analysed;
      file = what === 'table' ? tableCsv(analysed.value) : curvesCsv(analysed.value);
    }
    const target = resolve(path);
    try {
      await replaceFile(target, file.text);
    } catch (error) {
      return failed({
        code: 'bad-input',
        message: `The CSV could not be written to ${target}: ${reasonOf(error)}.`,
        hint: 'Choose a folder that exists and that you may write to.',
      });
    }
    return ok({ path: target, rows: file.rows, bytes: Buffer.byteLength(file.text) });
  };

  return {
    analysis,
    runEvents: async (runId) => {
      const found = runOf(runId);
      if (!found.ok) return found;
      const { study } = found.value.record;
      const session = activeOf(study.id)?.session(runId);
      if (session !== undefined) return ok(session.journal.events());
      const journal = await shelf.get(around.files.journal(study.id, runId));
      return journal.ok ? ok(journal.value?.events() ?? []) : journal;
    },
    readNode: async ({ runId, problemId, part, index }) => {
      const found = runOf(runId);
      if (!found.ok) return found;
      const { record, config } = found.value;
      const problems = await around.library.problems(config.benchmarkId);
      if (!problems.ok) return problems;
      const problem = problems.value.find(({ id }) => id === problemId);
      if (problem === undefined) {
        return failed({
          code: 'not-found',
          message: `The benchmark ${config.benchmarkId} has no problem ${problemId}.`,
        });
      }
      const look = { config, problem, part, index, digest: around.digest };
      const session = activeOf(record.study.id)?.session(runId);
      if (session !== undefined) return readNode({ ...look, read: session.journal.readDetail });
      const journal = await shelf.get(around.files.journal(record.study.id, runId));
      if (!journal.ok) return journal;
      return readNode({
        ...look,
        read: async (...node) => (await journal.value?.readDetail(...node)) ?? null,
      });
    },
    exportCsv,
    release: (study) =>
      study === undefined
        ? shelf.release()
        : shelf.release(study.runs.map(({ id }) => around.files.journal(study.id, id))),
  };
}

export function findStudy(registry: Registry, studyId: string): Result<StudyRecord, Refusal> {
  const record = registry.read().studies.find(({ study }) => study.id === studyId);
  if (record !== undefined) return ok(record);
  return failed({
    code: 'not-found',
    message: `There is no study ${studyId}.`,
    hint: 'It may have been removed.',
  });
}
