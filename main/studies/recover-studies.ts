import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Refusal, type Study, studySchema } from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import { type Registry, readJournalStart, type StudyRecord } from '../storage/index';
import { loadStudy } from './load-study';
import { progressOf } from './logic/progress';
import { BUNDLE_MARK, type StudyFiles } from './study-files';
import { journalStamps, sameStamps, summaryStore } from './summary-store';

/** The study that these journals are of, as far as they tell: its name is lost, and runs that never began. */
async function studyOfJournals(studyId: string, files: StudyFiles): Promise<Study | null> {
  const starts = await Promise.all(
    (await files.runIds(studyId)).map(async (runId) => {
      const start = await readJournalStart(files.journal(studyId, runId));
      return start?.config.id === runId ? [start] : [];
    }),
  );
  // Journals are begun in the order of the study's runs.
  const begun = starts.flat().sort((a, b) => a.at - b.at);
  const [first] = begun;
  if (first === undefined) return null;
  const createdAt = new Date(first.at).toISOString();
  const study = {
    id: studyId,
    name: `Found again (${studyId})`,
    createdAt,
    scale: first.config.scale,
    runs: begun.map(({ config }) => config),
  };
  const parsed = studySchema.safeParse(study);
  return parsed.success ? parsed.data : null;
}

async function recordOf(studyId: string, files: StudyFiles): Promise<StudyRecord | null> {
  const kept = await summaryStore.readOutcomes(files.folder(studyId));
  const study = kept?.study.id === studyId ? kept.study : await studyOfJournals(studyId, files);
  if (study === null) return null;
  const marks = await journalStamps(study, files.journal);
  if (marks.length === 0) return null;
  let progress = kept?.progress;
  let finished = kept?.outcomes.runs.every((run) => run.finished);
  if (kept === null || progress === undefined || !sameStamps(kept.marks, marks)) {
    const { views } = await loadStudy(study, files);
    progress = progressOf(study, views, 0, null);
    finished = study.runs.every(({ id }) => views.get(id)?.finished === true);
  }
  const lastChange = new Date(Math.max(...marks.map(({ modifiedMs }) => modifiedMs))).toISOString();
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
 * Lists again the studies whose journals are in the data folder while the registry does not know them: it was
 * damaged, or the folder came from elsewhere. What only the registry knew is lost: the time of work, and the name where
 * no summary was kept. Gives the names of those found.
 */
export async function recoverStudies(options: {
  readonly registry: Registry;
  readonly files: StudyFiles;
}): Promise<Result<readonly string[], Refusal>> {
  const { registry, files } = options;
  const studies = registry.read().studies.map(({ study }) => study);
  const known = new Set(studies.map(({ id }) => id));
  // A copy of a study under another name would give two runs one id.
  const knownRuns = new Set(studies.flatMap(({ runs }) => runs.map(({ id }) => id)));
  const found: StudyRecord[] = [];
  for (const studyId of await files.studyIds()) {
    if (known.has(studyId)) continue;
    const record = await recordOf(studyId, files);
    if (record === null || record.study.runs.some(({ id }) => knownRuns.has(id))) continue;
    for (const { id } of record.study.runs) knownRuns.add(id);
    found.push(record);
  }
  if (found.length === 0) return ok([]);
  found.sort((a, b) => (a.study.createdAt < b.study.createdAt ? -1 : 1));
  const saved = await registry.update((data) => ({ ...data, studies: [...data.studies, ...found] }));
  return saved.ok ? ok(found.map(({ study }) => study.name)) : saved;
}
