import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  limitsOf,
  type Refusal,
  type RunConfig,
  type RunView,
  type Study,
  studySchema,
  withLimits,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { type Registry, readJournalStart, type StudyRecord } from '../storage/index';
import { loadJournals } from './load-study';
import { progressOf } from './logic/progress';
import { BUNDLE_MARK, type StudyFiles } from './study-files';
import { journalStamps, sameStamps } from './summary-store';

/** The records of studies, oldest first. */
export type StudyStore = {
  /** With those in the trash. */
  readonly list: () => readonly StudyRecord[];
  /** Not one in the trash: it could be started there, and would be searched from the beginning. */
  readonly find: (studyId: string) => Result<StudyRecord, Refusal>;
  readonly add: (records: readonly StudyRecord[]) => Promise<Result<null, Refusal>>;
  /** Each change of a record, also in the trash, sees what the one before has made. */
  readonly change: (
    studyId: string,
    next: (record: StudyRecord) => StudyRecord,
  ) => Promise<Result<null, Refusal>>;
  readonly drop: (studyId: string) => Promise<Result<null, Refusal>>;
};

const noStudy = (studyId: string): Refusal => ({
  code: 'not-found',
  message: `There is no study ${studyId}.`,
});

/** They are in the registry: colours follow from their order, which a file for each would not keep. */
export function studyStore(registry: Registry): StudyStore {
  const update = async (
    next: (records: readonly StudyRecord[]) => StudyRecord[],
  ): Promise<Result<null, Refusal>> => {
    const saved = await registry.update((data) => ({ ...data, studies: next(data.studies) }));
    return saved.ok ? ok(null) : saved;
  };
  const find: StudyStore['find'] = (studyId) => {
    const record = registry.read().studies.find(({ study }) => study.id === studyId);
    if (record === undefined) return failed(noStudy(studyId));
    if (!record.removed) return ok(record);
    return failed({
      code: 'not-found',
      message: `The study ${studyId} was removed: its journals are in the trash of the data folder.`,
      hint: `Bring it back under Studies > Trash, or with: mars2 studies restore ${studyId}`,
    });
  };
  return {
    list: () => registry.read().studies,
    find,
    add: (added) => update((records) => [...records, ...added]),
    change: async (studyId, next) => {
      const isListed = registry.read().studies.some(({ study }) => study.id === studyId);
      if (!isListed) return failed(noStudy(studyId));
      return update((records) => records.map((old) => (old.study.id === studyId ? next(old) : old)));
    },
    drop: (studyId) => update((records) => records.filter(({ study }) => study.id !== studyId)),
  };
}

const unreadStudy = z.object({ study: z.object({ id: z.string() }) });

/** A study rebuilt from its journals. Its name and the runs that never began are lost. */
async function studyOfJournals(studyId: string, files: StudyFiles): Promise<Study | null> {
  const starts = await Promise.all(
    (await files.runIds(studyId)).map(async (runId) => {
      const start = await readJournalStart(files.journal(studyId, runId));
      return start?.config.id === runId ? [start] : [];
    }),
  );
  // Journals are begun in the order of the study's runs.
  const started = starts.flat().sort((a, b) => a.at - b.at);
  const [first] = started;
  if (first === undefined) return null;
  const createdAt = new Date(first.at).toISOString();
  const study = {
    id: studyId,
    name: `Recovered (${studyId})`,
    createdAt,
    scale: first.config.scale,
    runs: started.map(({ config }) => config),
  };
  const parsed = studySchema.safeParse(study);
  return parsed.success ? parsed.data : null;
}

function grown(run: RunConfig, view: RunView | undefined): RunConfig {
  if (view === undefined) return run;
  const { problemIds, search } = view.config;
  return { ...run, problemIds, search: withLimits(run.search, limitsOf(search)) };
}

async function recordOf(studyId: string, files: StudyFiles): Promise<StudyRecord | null> {
  const stored = await files.summaries.readOutcomes(files.folder(studyId));
  let study = stored?.study.id === studyId ? stored.study : await studyOfJournals(studyId, files);
  if (study === null) return null;
  const stamps = await journalStamps(study, files.journal);
  if (stamps.length === 0) return null;
  let progress = stored?.progress;
  let finished = stored?.outcomes.runs.every((run) => run.finished);
  if (stored === null || progress === undefined || !sameStamps(stored.marks, stamps)) {
    const { views } = await loadJournals(study, files);
    // Journals know of extensions and limits that what was stored does not.
    study = { ...study, runs: study.runs.map((run) => grown(run, views.get(run.id))) };
    progress = progressOf(study, views, 0, null);
    finished = study.runs.every(({ id }) => views.get(id)?.finished === true);
  }
  const lastChange = new Date(Math.max(...stamps.map(({ modifiedMs }) => modifiedMs))).toISOString();
  const fromBundle = await readFile(join(files.folder(studyId), BUNDLE_MARK), 'utf8').catch(() => null);
  return {
    study,
    stopped: null,
    elapsedMs: progress.elapsedMs,
    progress,
    finishedAt: finished ? lastChange : null,
    removed: false,
    ...(fromBundle === null ? {} : { fromBundle }),
  };
}

/**
 * Adds the studies whose journals are in the data folder but missing in the registry: it was damaged, or the folder
 * came from elsewhere. Data that only the registry had is lost: the working time, the headline, and the name if no summary
 * was stored. Returns the ids of the recovered studies.
 */
export async function recoverStudies(options: {
  readonly registry: Registry;
  readonly files: StudyFiles;
}): Promise<Result<readonly string[], Refusal>> {
  const { files } = options;
  const store = studyStore(options.registry);
  const studies = store.list().map(({ study }) => study);
  // One of a newer version is in the registry all the same, and must not be there twice.
  const unread = options.registry.unread.flatMap(({ section, value }) => {
    const record = section === 'studies' ? unreadStudy.safeParse(value) : null;
    return record?.success ? [record.data.study.id] : [];
  });
  const listed = new Set([...studies.map(({ id }) => id), ...unread]);
  // A copy of a study under another name would give two runs the same id.
  const listedRuns = new Set(studies.flatMap(({ runs }) => runs.map(({ id }) => id)));
  const recovered: StudyRecord[] = [];
  for (const studyId of await files.studyIds()) {
    if (listed.has(studyId)) continue;
    const record = await recordOf(studyId, files);
    if (record === null || record.study.runs.some(({ id }) => listedRuns.has(id))) continue;
    for (const { id } of record.study.runs) listedRuns.add(id);
    recovered.push(record);
  }
  if (recovered.length === 0) return ok([]);
  recovered.sort((a, b) => (a.study.createdAt < b.study.createdAt ? -1 : 1));
  const saved = await store.add(recovered);
  return saved.ok ? ok(recovered.map(({ study }) => study.id)) : saved;
}
