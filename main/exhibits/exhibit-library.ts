import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  EnteredPlace,
  EnteredValue,
  Exhibit,
  ExhibitEntry,
  ExhibitProblem,
  Refusal,
} from '../../preload/contract';
import { enteredProblem, placeInExhibit, withEntered } from '../../preload/contract/plans';
import { counted, type Disposable, Emitter, failed, ok, type Result } from '../base';
import { makeFolder, reasonOf, replaceFile } from '../storage/index';
import { createEnteredValues } from './entered-values';
import { inPaperOrder } from './logic/paper-order';
import { readExhibit } from './logic/read-exhibit';
import { exhibitTemplate } from './logic/template';
import { valuesOfCsv } from './logic/values-csv';

export type ExhibitListing = {
  /** See `inPaperOrder`. */
  readonly exhibits: readonly ExhibitEntry[];
  /** Files that could not be read. */
  readonly problems: readonly { readonly file: string; readonly problems: readonly ExhibitProblem[] }[];
};

/**
 * Exhibits, read from their files on every call. A lab adds an exhibit by saving it, or by putting a file into the
 * folder.
 */
export type ExhibitLibrary = {
  readonly list: () => Promise<ExhibitListing>;
  readonly get: (id: string) => Promise<Result<ExhibitEntry, Refusal>>;
  /** The text of the file; for "template" an example to start from. */
  readonly text: (id: string) => Promise<Result<string, Refusal>>;
  /** Everything that is wrong with the text. */
  readonly check: (text: string) => readonly ExhibitProblem[];
  /** Creates or replaces an exhibit of the lab. */
  readonly save: (text: string) => Promise<Result<ExhibitEntry, Refusal>>;
  readonly remove: (id: string) => Promise<Result<null, Refusal>>;
  /** Enters values that the lab has read in the paper; all of them, or none where one does not fit the exhibit. */
  readonly setValues: (id: string, values: readonly EnteredValue[]) => Promise<Result<ExhibitEntry, Refusal>>;
  /** The same from the text of a CSV file. */
  readonly importValues: (id: string, text: string) => Promise<Result<ExhibitEntry, Refusal>>;
  readonly removeValue: (id: string, at: EnteredPlace) => Promise<Result<ExhibitEntry, Refusal>>;
  /** Ids of the exhibits that values were entered for; reads no exhibit. */
  readonly enteredIds: () => Promise<ReadonlySet<string>>;
  /** After a save, a removal, or a change of entered values. */
  readonly onChange: (listener: () => void) => Disposable;
};

type FileText = { readonly path: string; readonly text: string };
type FileEntry = ExhibitEntry & FileText;
type ExhibitFiles = { readonly entries: readonly FileEntry[]; readonly problems: ExhibitListing['problems'] };

const TEMPLATE = 'template';

/** `builtInFolder`: the workbench's own files, read-only; `ownFolder`: the lab's files; the first save creates it. */
export function createExhibitLibrary(folders: {
  readonly builtInFolder: string;
  readonly ownFolder: string;
}): ExhibitLibrary {
  const changed = new Emitter<void>();
  const entered = createEnteredValues(join(folders.ownFolder, 'entered'));

  /** With the values that the lab has entered, and why they could not be read. */
  async function withValues(
    entry: FileEntry,
  ): Promise<{ entry: ExhibitEntry; problems: ExhibitListing['problems'] }> {
    const { exhibit, origin, digest } = entry;
    const values = await entered.read(exhibit.id);
    if (!values.ok) {
      const { path, message } = values.error;
      return {
        entry: { exhibit, origin, digest },
        problems: [{ file: path, problems: [{ path: '', message }] }],
      };
    }
    if (values.value.length === 0) return { entry: { exhibit, origin, digest }, problems: [] };
    const filled = withEntered(exhibit, values.value);
    return { entry: { exhibit: filled, origin, digest, entered: [...values.value] }, problems: [] };
  }

  const read = (): Promise<ExhibitFiles> => readFiles(folders);

  async function find(id: string): Promise<Result<FileEntry, Refusal>> {
    const { entries } = await read();
    const entry = entries.find(({ exhibit }) => exhibit.id === id);
    return entry === undefined ? failed(notFound(id, entries)) : ok(entry);
  }

  const get: ExhibitLibrary['get'] = async (id) => {
    const entry = await find(id);
    return entry.ok ? ok((await withValues(entry.value)).entry) : entry;
  };
  const setValues: ExhibitLibrary['setValues'] = async (id, values) => {
    const entry = await find(id);
    if (!entry.ok) return entry;
    const { exhibit } = entry.value;
    const placed = values.map((value) => ({ ...value, at: placeInExhibit(exhibit, value.at) }));
    const problems = placed.flatMap((value) => enteredProblem(exhibit, value) ?? []);
    if (problems.length > 0) return failed(notEntered(problems));
    const written = await entered.set(id, placed);
    if (!written.ok) return written;
    changed.emit();
    return get(id);
  };

  return {
    list: async () => {
      const { entries, problems } = await read();
      const filled = await Promise.all(entries.map(withValues));
      return {
        exhibits: inPaperOrder(filled.map(({ entry }) => entry)),
        problems: [...problems, ...filled.flatMap((one) => one.problems)],
      };
    },
    get,
    setValues,
    importValues: async (id, text) => {
      const values = valuesOfCsv(text);
      return values.ok ? setValues(id, values.value) : failed(notEntered(values.error));
    },
    removeValue: async (id, at) => {
      const entry = await find(id);
      if (!entry.ok) return entry;
      const removed = await entered.remove(id, placeInExhibit(entry.value.exhibit, at));
      if (!removed.ok) return removed;
      changed.emit();
      return get(id);
    },
    enteredIds: entered.ids,
    text: async (id) => {
      if (id === TEMPLATE) return ok(exhibitTemplate());
      const entry = await find(id);
      return entry.ok ? ok(entry.value.text) : entry;
    },
    check: (text) => {
      const exhibit = readExhibit(text);
      return exhibit.ok ? [] : exhibit.error;
    },
    save: async (text) => {
      const exhibit = readExhibit(text);
      if (!exhibit.ok) return failed(invalidExhibit(exhibit.error));
      const { id } = exhibit.value;
      const present = (await read()).entries.find((entry) => entry.exhibit.id === id);
      if (present?.origin === 'built-in') return failed(readOnlyExhibit(id, 'be replaced'));
      const path = present?.path ?? join(folders.ownFolder, `${id}.json`);
      try {
        await makeFolder(folders.ownFolder);
        await replaceFile(path, text);
      } catch (error) {
        const message = `The exhibit could not be written to ${path}: ${reasonOf(error)}.`;
        return failed({
          code: 'unavailable',
          message,
          hint: 'Free disk space, or make the folder writable.',
        });
      }
      changed.emit();
      return ok({ exhibit: exhibit.value, origin: 'own', digest: digestOf(text) });
    },
    remove: async (id) => {
      const entry = await find(id);
      if (!entry.ok) return entry;
      if (entry.value.origin === 'built-in') return failed(readOnlyExhibit(id, 'be removed'));
      try {
        await rm(entry.value.path, { force: true });
        await entered.forget(id);
      } catch (error) {
        const message = `${entry.value.path} could not be removed: ${reasonOf(error)}.`;
        return failed({ code: 'unavailable', message });
      }
      changed.emit();
      return ok(null);
    },
    onChange: (listener) => changed.on(listener),
  };
}

/** Of both folders; an own file with the id of a built-in one is a problem. */
async function readFiles(folders: {
  readonly builtInFolder: string;
  readonly ownFolder: string;
}): Promise<ExhibitFiles> {
  const entries = new Map<string, FileEntry>();
  const problems: ExhibitListing['problems'][number][] = [];
  for (const [origin, folder] of [
    ['built-in', folders.builtInFolder],
    ['own', folders.ownFolder],
  ] as const) {
    for (const file of await textsOf(folder)) {
      const entry = file.ok
        ? entryOf(file.value, origin)
        : failed([{ path: '', message: file.error.message }]);
      const path = file.ok ? file.value.path : file.error.path;
      if (!entry.ok) problems.push({ file: path, problems: entry.error });
      else {
        const earlier = entries.get(entry.value.exhibit.id);
        if (earlier === undefined) entries.set(entry.value.exhibit.id, entry.value);
        else problems.push({ file: path, problems: [duplicateId(earlier)] });
      }
    }
  }
  return { entries: [...entries.values()], problems };
}

type Unreadable = { readonly path: string; readonly message: string };

/** The JSON files of a folder by name; a folder that is absent has none. */
async function textsOf(folder: string): Promise<Result<FileText, Unreadable>[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name): Promise<Result<FileText, Unreadable>> => {
        const path = join(folder, name);
        try {
          return ok({ path, text: await readFile(path, 'utf8') });
        } catch (error) {
          return failed({ path, message: `The file cannot be read: ${reasonOf(error)}.` });
        }
      }),
  );
}

function entryOf(
  file: FileText,
  origin: ExhibitEntry['origin'],
): Result<FileEntry, readonly ExhibitProblem[]> {
  const exhibit = readExhibit(file.text);
  return exhibit.ok ? ok({ exhibit: exhibit.value, origin, digest: digestOf(file.text), ...file }) : exhibit;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Problems that are named in one refusal. */
const MAX_NAMED = 5;

function notEntered(problems: readonly string[]): Refusal {
  const more =
    problems.length > MAX_NAMED ? ` And ${counted(problems.length - MAX_NAMED, 'more problem')}.` : '';
  return {
    code: 'bad-input',
    message: `Nothing was entered. ${problems.slice(0, MAX_NAMED).join(' ')}${more}`,
  };
}

function duplicateId({ exhibit, path, origin }: FileEntry): ExhibitProblem {
  const owner = origin === 'built-in' ? 'a built-in exhibit' : path;
  return { path: 'id', message: `The id "${exhibit.id}" is already used by ${owner}. Choose another id.` };
}

function notFound(id: string, entries: readonly { readonly exhibit: Exhibit }[]): Refusal {
  const ids = entries.map(({ exhibit }) => exhibit.id).join(', ');
  return { code: 'not-found', message: `There is no exhibit "${id}".`, hint: `Exhibits: ${ids}.` };
}

function readOnlyExhibit(id: string, action: string): Refusal {
  return {
    code: 'conflict',
    message: `"${id}" is a built-in exhibit and cannot ${action}.`,
    hint: 'Save a copy of it under another id.',
  };
}

function invalidExhibit(problems: readonly ExhibitProblem[]): Refusal {
  const [first] = problems;
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
  const more =
    problems.length > 1
      ? ` ${problems.length - 1} more ${problems.length === 2 ? 'problem' : 'problems'}.`
      : '';
  return {
    code: 'bad-input',
    message: `The exhibit was not saved. ${where}${first?.message ?? ''}${more}`,
    hint: 'Check the text: every problem is listed with its location.',
  };
}
