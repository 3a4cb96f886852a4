import type { CommandName, Payload, Value } from '../../preload/contract/commands/index';
import { exhibitLosses } from '../../preload/contract/plans/index';
import type { Answer, Refusal } from '../../preload/contract/refusal';
import type { Study, StudyView } from '../../preload/contract/study';
import type { WorkbenchClient } from '../workbench-client';
import type { Location } from './location';
import type { Notices } from './notices';
import { readStored, writeStored } from './stored-state';

export type ExportKind = Payload<'export.choose'>['kind'];

type ExtensionRequest = Omit<Payload<'study.extend'>, 'apply'>;

/** Commands for studies; refusals become notices. */
export type StudyCommands = {
  readonly startQuickstart: () => Promise<void>;
  /**
   * Creates the study, shows it, writes its note, and starts it if requested. Returns a refusal to create it, for the form; a
   * later one becomes a notice on the study.
   */
  readonly create: (
    request: Payload<'study.create'>,
    then: { readonly start: boolean; readonly note: string },
  ) => Promise<Refusal | null>;
  /** What an extension would add, or why it cannot; changes nothing. */
  readonly askExtension: (request: ExtensionRequest) => Promise<Answer<Value<'study.extend'>>>;
  /** As `create`: a refusal to extend it is returned for the form. */
  readonly extend: (request: ExtensionRequest, then: { readonly start: boolean }) => Promise<Refusal | null>;
  readonly start: (studyId: string) => Promise<void>;
  readonly pause: (studyId: string) => Promise<void>;
  readonly cancel: (studyId: string) => Promise<void>;
  /** The notice offers undo. */
  readonly remove: (study: Study) => Promise<void>;
  /** What can be restored; null: a notice says why it is not known. */
  readonly trash: () => Promise<Value<'study.trash'> | null>;
  readonly restore: (study: Pick<Study, 'id' | 'name'>) => Promise<void>;
  /** Deletes a study in the trash for good. */
  readonly deleteForGood: (study: Pick<Study, 'id' | 'name'>) => Promise<void>;
  /** Replaces a damaged journal with its readable part; the notice says what was kept and where the old file is. */
  readonly repair: (runId: string, label: string) => Promise<void>;
  /** Returns a refusal for the form. */
  readonly rename: (studyId: string, name: string) => Promise<Refusal | null>;
  /** Saves note and tags. True: saved. */
  readonly annotate: (
    studyId: string,
    written: { readonly note: string; readonly tags: readonly string[] },
  ) => Promise<boolean>;
  /** null: as many as each server takes. True: saved. */
  readonly setParallel: (studyId: string, parallel: number | null) => Promise<boolean>;
  readonly exportCsv: (studyId: string, kind: ExportKind) => Promise<void>;
};

const LAST_CREATED = 'new-study.last';

/** The study that the form created last, also before a restart; null: none, or it was not here. */
export function lastCreatedStudy(): string | null {
  return readStored(LAST_CREATED);
}

const EXPORT_NAMES: Readonly<Record<ExportKind, string>> = {
  nodes: 'nodes',
  marti: 'MARTI scores',
};

/** Titles of refusals: what could not be done. */
const REFUSED: Partial<Record<CommandName, string>> = {
  'quickstart.start': 'Could not start the quickstart',
  'study.start': 'Could not start the study',
  'study.pause': 'Could not pause the study',
  'study.cancel': 'Could not stop the study',
  'study.remove': 'Could not remove the study',
  'study.restore': 'Could not restore the study',
  'study.delete': 'Could not delete the study',
  'run.repair': 'Could not repair the journal',
};

export function createStudyCommands(
  client: WorkbenchClient,
  notices: Notices,
  location: Location,
  deps: {
    readonly reloadStudies: () => Promise<void>;
    readonly rereadRun: (runId: string) => void;
    readonly studyChanged: (view: StudyView) => void;
  },
): StudyCommands {
  /** The value, or undefined after showing the refusal. */
  const call = async <N extends CommandName>(name: N, payload: Payload<N>): Promise<Value<N> | undefined> => {
    const answer = await client.call(name, payload);
    if (answer.ok) return answer.value;
    notices.showRefusal(answer.error, REFUSED[name]);
    return undefined;
  };
  const restore: StudyCommands['restore'] = async ({ id, name }) => {
    const restored = await call('study.restore', { studyId: id });
    if (restored === undefined) return;
    await deps.reloadStudies();
    notices.show({ level: 'info', message: `Restored ${name}.` });
  };
  const annotate: StudyCommands['annotate'] = async (studyId, { note, tags }) => {
    const view = await call('study.annotate', { studyId, note, tags: [...tags] });
    if (view !== undefined) deps.studyChanged(view);
    return view !== undefined;
  };
  return {
    startQuickstart: async () => {
      const started = await call('quickstart.start', {});
      if (started !== undefined) location.go({ kind: 'study', studyId: started.studyId });
    },
    create: async (request, then) => {
      const created = await client.call('study.create', request);
      if (!created.ok) return created.error;
      const { studyId } = created.value;
      writeStored(LAST_CREATED, studyId);
      location.go({ kind: 'study', studyId });
      if (then.note !== '') await annotate(studyId, { note: then.note, tags: [] });
      if (then.start) await call('study.start', { studyId });
      return null;
    },
    askExtension: (request) => client.call('study.extend', { ...request, apply: false }),
    extend: async (request, then) => {
      const extended = await client.call('study.extend', { ...request, apply: true });
      if (!extended.ok) return extended.error;
      if (then.start) await call('study.start', { studyId: request.studyId });
      return null;
    },
    start: async (studyId) => {
      await call('study.start', { studyId });
    },
    pause: async (studyId) => {
      await call('study.pause', { studyId });
    },
    cancel: async (studyId) => {
      await call('study.cancel', { studyId });
    },
    remove: async (study) => {
      const done = await call('study.remove', { studyId: study.id });
      if (done === undefined) return;
      const route = location.store.getState().route;
      if ('studyId' in route && route.studyId === study.id)
        location.go({ kind: 'studies' }, { replace: true });
      const exhibits = await client.call('exhibit.list', {});
      const losses = exhibits.ok
        ? exhibitLosses({ kind: 'study', id: study.id }, exhibits.value.exhibits)
        : '';
      notices.show({
        level: losses === '' ? 'info' : 'warning',
        message: `Moved ${study.name} to the trash. ${losses}${losses === '' ? '' : ' '}It can be restored there (Studies > Trash).`,
        action: { label: 'Undo', run: () => void restore(study) },
      });
    },
    trash: async () => (await call('study.trash', {})) ?? null,
    restore,
    deleteForGood: async ({ id, name }) => {
      if ((await call('study.delete', { studyId: id })) === undefined) return;
      notices.show({ level: 'info', message: `Deleted ${name} for good.` });
    },
    repair: async (runId, label) => {
      const repaired = await call('run.repair', { runId });
      if (repaired === undefined) return;
      deps.rereadRun(runId);
      const { keptEvents, lostLines, leftOutEvents, movedTo } = repaired;
      const some = (value: number, one: string, many: string): string =>
        `${value.toLocaleString('en')} ${value === 1 ? one : many}`;
      const behind = leftOutEvents > 0 ? ` and ${some(leftOutEvents, 'event', 'events')} after them` : '';
      notices.show({
        level: 'info',
        message: `Repaired the journal of ${label}: ${some(keptEvents, 'event', 'events')} kept, ${some(lostLines, 'line', 'lines')} lost${behind}. Resume the study to search again what is missing. The damaged file was moved to ${movedTo}`,
      });
    },
    rename: async (studyId, name) => {
      const renamed = await client.call('study.rename', { studyId, name });
      if (!renamed.ok) return renamed.error;
      deps.studyChanged(renamed.value);
      return null;
    },
    annotate,
    setParallel: async (studyId, parallel) => {
      const view = await call('study.set', { studyId, parallel });
      if (view !== undefined) deps.studyChanged(view);
      return view !== undefined;
    },
    exportCsv: async (studyId, kind) => {
      const written = await call('export.choose', { studyId, kind });
      if (written === undefined) return;
      const rows = written.rows === 1 ? '1 row' : `${written.rows.toLocaleString('en')} rows`;
      notices.showWritten(`Exported the ${EXPORT_NAMES[kind]}: ${rows} in ${written.path}`, written.path);
    },
  };
}
