import type { Refusal, ServerSpec, Study, StudyView, WorkbenchEvent } from '../../preload/contract/index';
import { type Emitter, failed, ok, orThrow, type Result } from '../base/index';
import type { ReconcileProblem } from '../reconcile/index';
import type { Registry, StudyRecord } from '../storage/index';
import type { StudyDeps } from './active-study';
import { createDamagedJournals, type DamagedJournals } from './damaged-journals';
import { type Extend, extendRecord } from './extend-record';
import { hueAssignments } from './hue-assignments';
import type { ExtendedStudy } from './logic/extend-study';
import { READ_ONLY } from './logic/next-action';
import { checkJournals, createMissingJournals, type MissingJournals } from './missing-journals';
import type { StudyFiles } from './study-files';
import { createGradingService, type GradingService } from './study-gradings';
import { withHeadlines } from './study-headlines';
import { createStudyReconciler } from './study-reconciler';
import { createStudyResults, type StudyResults } from './study-results';
import { type StudyStore, studyStore } from './study-store';
import { createStudyTrash, type StudyTrash } from './study-trash';
import { createStudyViews, type StudySession } from './study-views';

export type StudyService = StudyTrash & {
  /** A study whose journals are missing is shown as such since the last `checkJournals`. */
  readonly list: () => readonly StudyView[];
  /** Looks whether the journals of studies are where they belong, and emits the studies that have changed by that. */
  readonly checkJournals: () => Promise<void>;
  /** The same, and looks for journals that were damaged since their study ended: see `DamagedJournals`. */
  readonly checkDamage: () => Promise<void>;
  /**
   * Why a study that needs these servers cannot start now: another one runs on the same machine or server. null: it
   * can.
   */
  readonly conflict: (servers: readonly ServerSpec[]) => Refusal | null;
  readonly isRunning: (studyId: string) => boolean;
  readonly add: (study: Study) => Promise<Result<null, Refusal>>;
  /**
   * Makes the plan of a study larger, or takes an extension back, in one write of its record: a kill leaves the earlier plan or
   * this one. Its journals are appended to once it goes on; one that runs stops for it and goes on. `apply`: false only says what `next` would make of it.
   */
  readonly extend: (
    studyId: string,
    next: Extend,
    options: { readonly apply: boolean },
  ) => Promise<Result<ExtendedStudy, Refusal>>;
  /** Lists studies of another lab whose journals are in place. */
  readonly adopt: (records: readonly StudyRecord[]) => Promise<Result<null, Refusal>>;
  readonly start: (studyId: string) => Promise<Result<null, Refusal>>;
  /** Starts it now, or once no other study uses its machine or server; pausing takes it out of the queue. */
  readonly queue: (studyId: string) => Promise<Result<null, Refusal>>;
  /** Resolves when the work has stopped. */
  readonly stop: (studyId: string, intent: 'paused' | 'cancelled') => Promise<Result<null, Refusal>>;
  readonly remove: (studyId: string) => Promise<Result<null, Refusal>>;
  /** See the command `study.set`. */
  readonly setParallel: (studyId: string, parallel: number | null) => Promise<Result<StudyView, Refusal>>;
  /** Its journals, files and id stay as they are. */
  readonly rename: (studyId: string, name: string) => Promise<Result<StudyView, Refusal>>;
  /** Replaces the user's note and tags of the study; an empty note and no tags remove them. */
  readonly annotate: (
    studyId: string,
    annotations: { readonly note: string; readonly tags: readonly string[] },
  ) => Promise<Result<StudyView, Refusal>>;
  readonly gradings: GradingService;
  readonly results: StudyResults;
  /** See `StudyReconciler`. */
  readonly goOnUnattended: () => void;
  /** Leaves running studies to be resumed, with every journal flushed. `handOver`: by the next service, on its own. */
  readonly close: (options?: { readonly handOver: boolean }) => Promise<void>;
};

export function createStudyService(options: {
  readonly registry: Registry;
  readonly deps: StudyDeps;
  readonly events: Emitter<WorkbenchEvent>;
  /** Of every error, with the study's id. */
  readonly onError: (problem: ReconcileProblem) => void;
}): StudyService {
  const { registry, deps, events, onError } = options;
  const store = studyStore(registry);
  const session: StudySession = { running: new Map(), failures: new Map(), queued: new Map() };
  const { running } = session;
  const missing = createMissingJournals(deps.files, (studyId) => emitResults(studyId));
  const damaged = createDamagedJournals({ ...deps, onChange: (studyId) => emitChange(studyId) });
  const results = createResults({
    ...{
      registry,
      deps,
      events,
      store,
      running,
      missing,
      damaged,
      emitChange: (id) => emitChange(id),
      onError,
    },
  });
  const hues = hueAssignments(registry);
  const views = createStudyViews({ deps, hues, session, missing, damaged });
  const emitChange = (studyId: string): void => {
    const record = store.find(studyId);
    if (record.ok && !record.value.removed)
      events.emit({ kind: 'study-changed', view: views.of(record.value) });
  };
  const reconciler = createStudyReconciler({
    ...{ registry, store, deps, events, session, results, views, missing, emitChange, onError },
  });

  const emitResults = (studyId: string): void => {
    emitChange(studyId);
    events.emit({ kind: 'analysis-changed', studyId });
  };
  const { files, library, appVersion, now } = deps;
  const gradings = createGradingService({
    ...{ store, files, library, results, appVersion, now, onChange: emitResults },
    isRunning: (studyId) => running.has(studyId),
  });

  const add = async (records: readonly StudyRecord[]): Promise<Result<null, Refusal>> => {
    const saved = await store.add(records);
    for (const { study } of records) emitChange(study.id);
    return saved;
  };
  const viewAfter = (studyId: string, saved: Result<null, Refusal>): Result<StudyView, Refusal> => {
    if (!saved.ok) return saved;
    emitChange(studyId);
    const record = store.find(studyId);
    return record.ok ? ok(views.of(record.value)) : record;
  };

  return {
    list: () =>
      store
        .list()
        .filter((record) => !record.removed)
        .map(views.of),
    checkJournals: () => checkJournals(store.list(), { running, missing, results, files }),
    checkDamage: async () => {
      await checkJournals(store.list(), { running, missing, results, files });
      await damaged.check(store.list(), { running, missing, results });
    },
    conflict: reconciler.conflict,
    isRunning: (studyId) => running.has(studyId),
    goOnUnattended: reconciler.goOnUnattended,
    add: (study) => add([newRecord(study, hues.ofStudy(study))]),
    // Not while it starts.
    extend: (studyId, next, { apply }) =>
      reconciler.between(() =>
        extendRecord(studyId, next, {
          ...{ apply, store, session, views, results, missing, hues, files, library },
          restarted: reconciler.restarted,
          onChange: () => emitResults(studyId),
        }),
      ),
    adopt: async (records) => {
      const added = await add(records);
      // Its headline, for lists.
      if (added.ok) for (const { study } of records) await results.analysis(study.id);
      return added;
    },
    start: (studyId) => reconciler.request(studyId, 'start'),
    queue: (studyId) => reconciler.request(studyId, 'queue'),
    stop: reconciler.request,
    // Not while it starts.
    remove: (studyId) =>
      reconciler.between(() => removeStudy(studyId, { store, session, results, files, events })),
    setParallel: async (studyId, parallel) => {
      const found = store.find(studyId);
      const refusal = found.ok ? parallelRefusal(found.value) : found.error;
      if (refusal !== null) return failed(refusal);
      const saved = await store.change(studyId, ({ parallel: _, ...old }) => ({
        ...old,
        ...(parallel === null ? {} : { parallel }),
      }));
      if (saved.ok) running.get(studyId)?.active.setParallel(parallel);
      return viewAfter(studyId, saved);
    },
    rename: async (studyId, name) =>
      viewAfter(studyId, await store.change(studyId, (old) => ({ ...old, study: { ...old.study, name } }))),
    annotate: async (studyId, notes) =>
      viewAfter(studyId, await store.change(studyId, (old) => withNotes(old, notes))),
    gradings: {
      ...gradings,
      // Not while it starts.
      count: (studyId, regradeId) => reconciler.between(() => gradings.count(studyId, regradeId)),
    },
    results,
    ...createStudyTrash({ store, files: deps.files, emitChange }),
    close: async (closing) => {
      damaged.close();
      await reconciler.close(closing);
      await results.release();
    },
  };
}

function newRecord(study: Study, hues: StudyRecord['hues']): StudyRecord {
  return { study, stopped: null, elapsedMs: 0, progress: null, finishedAt: null, removed: false, hues };
}

function withNotes(
  { note: _note, tags: _tags, ...record }: StudyRecord,
  { note, tags }: { readonly note: string; readonly tags: readonly string[] },
): StudyRecord {
  return { ...record, ...(note === '' ? {} : { note }), ...(tags.length === 0 ? {} : { tags: [...tags] }) };
}

/** Corrects the records of studies by their journals, and saves headlines. */
function createResults(parts: {
  readonly registry: Registry;
  readonly deps: StudyDeps;
  readonly events: Emitter<WorkbenchEvent>;
  readonly store: StudyStore;
  readonly running: StudySession['running'];
  readonly missing: MissingJournals;
  readonly damaged: Pick<DamagedJournals, 'note'>;
  readonly emitChange: (studyId: string) => void;
  readonly onError: (problem: ReconcileProblem) => void;
}): StudyResults {
  const { registry, deps, events, store, running, missing, emitChange } = parts;
  const onError = (studyId: string, error: unknown): void =>
    parts.onError({ name: 'studies', key: studyId, error, failures: 1, waitMs: 0 });
  const results = createStudyResults({
    registry,
    deps,
    activeOf: (id) => running.get(id)?.active,
    emit: (event) => events.emit(event),
    missing,
    onOutcomes: parts.damaged.note,
    onDifference: (studyId, { progress, finishedAt }) => {
      const corrected = store.change(studyId, (old) => ({
        ...old,
        finishedAt,
        progress: { ...progress, elapsedMs: old.elapsedMs },
      }));
      return corrected.then(orThrow).then(
        () => emitChange(studyId),
        (error: unknown) => onError(studyId, error),
      );
    },
  });
  const save: StudyResults['save'] = async (study, ...more) => {
    await results.save(study, ...more);
    // Only whole journals are written to.
    parts.damaged.note({ studyId: study.id, runs: [] });
  };
  return withHeadlines({ ...results, save }, { store, onSaved: emitChange, onError });
}

async function removeStudy(
  studyId: string,
  deps: {
    readonly store: StudyStore;
    readonly session: StudySession;
    readonly results: Pick<StudyResults, 'release'>;
    readonly files: Pick<StudyFiles, 'discard'>;
    readonly events: Emitter<WorkbenchEvent>;
  },
): Promise<Result<null, Refusal>> {
  const { store, session, results, files, events } = deps;
  const record = store.find(studyId);
  if (!record.ok) return record;
  if (session.running.has(studyId)) return failed(STILL_RUNS);
  session.queued.delete(studyId);
  await results.release(record.value.study);
  await files.discard(record.value.study);
  const saved = await store.change(studyId, (old) => ({ ...old, removed: true }));
  events.emit({ kind: 'study-removed', studyId });
  return saved;
}

const STILL_RUNS: Refusal = {
  code: 'conflict',
  message: 'A running study cannot be removed.',
  hint: 'Stop it first.',
};

/** Why its number of requests at once cannot change; null: it can. */
function parallelRefusal({ study, fromBundle }: StudyRecord): Refusal | null {
  if (fromBundle !== undefined) return READ_ONLY;
  const byArrival = study.runs.find(({ search }) => search.order === 'arrival');
  return byArrival === undefined
    ? null
    : {
        code: 'bad-input',
        message: `The trees of "${byArrival.configuration}" take outcomes as they arrive, so how many requests run at once changes what they become.`,
        hint: 'Let it run as it is, or create a study with outcomes in request order.',
      };
}
