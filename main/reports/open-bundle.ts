import { access, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpenedBundle, Refusal } from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { makeFolder, reasonOf, type StudyRecord } from '../storage/index';
import { BUNDLE_MARK } from '../studies/index';
import type { BundleSurroundings, BundleWaiting } from './around';
import { BUNDLE_HEAD, type Bundle, bundleSchema } from './bundle-form';
import { renderTable } from './render-table';
import { CALLED_OFF, contentOf, documentsOf } from './source-reading';
import { tableFile } from './write-report';
import { NotABundle, ZipReader } from './zip-reader';

/** Most that a bundle's head may take: some hundred studies. */
const LARGEST_HEAD = 256 * 1024 * 1024;
const MOST_FILES = 100_000;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function headOf(zip: ZipReader): Promise<Bundle> {
  const bytes = await zip.read(BUNDLE_HEAD, LARGEST_HEAD);
  if (bytes === null) throw new NotABundle(`it has no ${BUNDLE_HEAD}`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new NotABundle(`its ${BUNDLE_HEAD} is not JSON`);
  }
  const read = bundleSchema.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new NotABundle(`"${issue?.path.join('.') ?? ''}" in its ${BUNDLE_HEAD} is not what it should be`);
  }
  const named = new Set([...read.data.files.map(({ name }) => name), BUNDLE_HEAD]);
  const extra = zip.names().find((name) => !named.has(name));
  if (extra !== undefined) throw new NotABundle(`it holds ${extra}, which its ${BUNDLE_HEAD} does not name`);
  return read.data;
}

/** What of the bundle is here already, by whatever name; null: nothing. */
async function alreadyHere(bundle: Bundle, around: BundleSurroundings): Promise<Refusal | null> {
  const { studies } = around.registry.read();
  const runs = new Set(studies.flatMap(({ study }) => study.runs.map(({ id }) => id)));
  for (const { study } of bundle.studies) {
    const known = studies.find((record) => record.study.id === study.id);
    const taken = known !== undefined || study.runs.some(({ id }) => runs.has(id));
    if (!taken && !(await isThere(around.studies.folder(study.id)))) continue;
    return {
      code: 'conflict',
      message: `The study "${study.name}" of this bundle is in this data folder already${known?.removed ? ', in its trash' : ''}.`,
      hint: 'Look at it there, or open the bundle in another data folder (--data).',
    };
  }
  const listed = new Set(around.reproductions.list().map(({ id }) => id));
  const double = bundle.reproductions.find((id) => listed.has(id));
  return double === undefined
    ? null
    : {
        code: 'conflict',
        message: 'The reproduction of this bundle is in this data folder already.',
        hint: 'Look at it there, or open the bundle in another data folder (--data).',
      };
}

/** Unpacks what is kept, each file checked against the digest that the bundle says. */
async function unpack(
  zip: ZipReader,
  { files }: Bundle,
  folder: string,
  { signal, progress }: BundleWaiting,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const unpacked = (bytes: number): void => {
    done += bytes;
    progress?.({ what: 'checking files', done, total, unit: 'bytes' });
  };
  for (const { name, bytes, sha256 } of files) {
    if ((await zip.unpack(name, folder, bytes, { signal, unpacked })) !== sha256) {
      throw new NotABundle(`${name} is not what the bundle says it is: the file was changed or damaged`);
    }
  }
}

function recordsOf(bundle: Bundle): StudyRecord[] {
  return bundle.studies.map(({ regrade: _regrade, warnings, hues, note, tags, ...record }) => ({
    ...record,
    ...(warnings === undefined ? {} : { warnings }),
    ...(hues === undefined ? {} : { hues }),
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags }),
    stopped: record.finishedAt === null ? 'paused' : null,
    removed: false,
    fromBundle: bundle.name,
  }));
}

/** Moves the journals and records into place, then lists them. Nothing is listed before its files are there. */
async function settle(
  bundle: Bundle,
  unpacked: string,
  around: BundleSurroundings,
): Promise<Result<null, Refusal>> {
  const put = async (from: string, to: string): Promise<void> => {
    if (!(await isThere(from))) return;
    await makeFolder(dirname(to));
    await rename(from, to);
  };
  for (const known of bundle.benchmarks) await around.outlines.keep(known);
  for (const { study } of bundle.studies) {
    const from = join(unpacked, 'studies', study.id);
    // Also where the registry is lost it stays known as another lab's.
    if (await isThere(from)) await writeFile(join(from, BUNDLE_MARK), bundle.name);
    await put(from, around.studies.folder(study.id));
  }
  const adopted = await around.studies.adopt(recordsOf(bundle));
  if (!adopted.ok) return adopted;
  for (const { study, regrade } of bundle.studies) {
    if (regrade !== null) await around.studies.keepRegrade(study, regrade);
  }
  for (const exhibit of bundle.exhibits) await around.exhibits.keep(exhibit);
  for (const id of bundle.reproductions) {
    const taken = await around.reproductions.adopt(id, join(unpacked, 'reproductions', id));
    if (!taken.ok) return taken;
  }
  return ok(null);
}

/** Works the bundle's tables out again. Names of those that are not its own to the byte, and how many there are. */
async function differingTables(
  bundle: Bundle,
  unpacked: string,
  around: BundleSurroundings,
  { progress }: BundleWaiting,
): Promise<Result<Pick<OpenedBundle, 'differing' | 'tables'>, Refusal>> {
  const content = contentOf(bundle.source, around);
  if (!content.ok) return content;
  const documents = await documentsOf(
    content.value,
    around,
    'without prices',
    progress === undefined ? {} : { progress },
  );
  if (!documents.ok) return documents;
  const theirs = new Set(bundle.files.flatMap(({ name }) => (/^tables\/.*\.json$/.test(name) ? [name] : [])));
  const differing: string[] = [];
  for (const table of documents.value.tables) {
    const name = tableFile(table.id, 'json');
    const bytes = theirs.has(name) ? await readFile(join(unpacked, name)) : null;
    theirs.delete(name);
    if (bytes === null || !bytes.equals(renderTable(table, 'json'))) differing.push(table.title);
  }
  return ok({ tables: documents.value.tables.length, differing: [...differing, ...theirs] });
}

/**
 * Opens a bundle of another lab: its studies and reproductions are listed, to be looked at alone, and its tables are
 * worked out again from its journals. What is wrong with it, or here already, is refused before anything is changed; so
 * long it can be called off.
 */
export async function openBundle(
  path: string,
  around: BundleSurroundings,
  waiting: BundleWaiting = {},
): Promise<Result<OpenedBundle, Refusal>> {
  let zip: ZipReader | null = null;
  let unpacked: string | null = null;
  try {
    zip = await ZipReader.open(path, MOST_FILES);
    const bundle = await headOf(zip);
    const here = await alreadyHere(bundle, around);
    if (here !== null) return failed(here);
    await makeFolder(around.dataDir);
    unpacked = await mkdtemp(join(around.dataDir, 'bundle-'));
    await unpack(zip, bundle, unpacked, waiting);
    waiting.signal?.throwIfAborted();
    const settled = await settle(bundle, unpacked, around);
    if (!settled.ok) return settled;
    const checked = await differingTables(bundle, unpacked, around, waiting);
    return ok({
      name: bundle.name,
      studyIds: bundle.studies.map(({ study }) => study.id),
      reproductionIds: bundle.reproductions,
      ...(checked.ok ? checked.value : { tables: 0, differing: [checked.error.message] }),
    });
  } catch (error) {
    if (waiting.signal?.aborted) return failed(CALLED_OFF);
    const why = error instanceof NotABundle ? error.message : reasonOf(error);
    return failed({
      code: 'bad-input',
      message: `The bundle ${path} can not be opened: ${why}.`,
      hint: 'Ask for the file again; it may have been cut off on its way.',
    });
  } finally {
    zip?.close();
    if (unpacked !== null) await rm(unpacked, { recursive: true, force: true });
  }
}
